"""Memory of a service's web process and worker: after their start, and while thousands of deadlines fall and people
look at the games."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterable, Iterator
from statistics import linear_regression
from typing import NamedTuple

from tests.bench.processes import family_of, resident_megabytes, share_of_megabytes
from tests.bench.rows import Row
from tests.bench.sizes import size
from tests.servers import redis_server
from tests.service import Service, Visitor, throwaway_service

MOST_MEGABYTES, MOST_GROWTH = 110, 0.05
FULL = 10_000  # resolutions: in fewer the growth is told and not judged, since caches fill meanwhile
GAMES = size(200, small=2)  # deadlines of a round
WARM = 0.25  # of the resolutions: until then caches fill
MEASURED = ("web", "deadlines")
PERSON = """
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from tests.bench.tables import start_table
ada = start_table("memory", 6).seats.get(number=0).user
session = SessionStore()
session[SESSION_KEY], session[HASH_SESSION_KEY] = str(ada.pk), ada.get_session_auth_hash()
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session.create()
print(json.dumps(session.session_key))
"""
TABLES = """
from game.store.game import Game
from tests.bench.copies import lay_copies
original = Game.objects.order_by("pk").first()
lay_copies(original, {games})
Game.objects.update(deadline_at=None)
print(json.dumps(list(Game.objects.exclude(pk=original.pk).values_list("pk", flat=True))))
"""
HERE_AGAIN = "UPDATE game_sitting SET in_a_row = 0"  # whoever misses two in a row is played for
DUE = "UPDATE game_game SET deadline_at = now() WHERE status = 'running' AND id > {original}"
RUNNING = "SELECT count(*) FROM game_game WHERE status = 'running' AND id > {original}"
LEFT = "SELECT count(*) FROM game_game WHERE status = 'running' AND deadline_at <= now()"
CLOSED = "SELECT count(*) FROM game_loggedaction WHERE kind = 'close'"


class Megabytes(NamedTuple):
    """Of the largest process of a kind: what it takes from the machine, and all that it can see."""

    share: float
    resident: float


def memory_of_service_rows(resolutions: int, pages: int) -> Iterator[Row]:
    """The largest process of each kind at the end, beside itself when it had started."""
    with redis_server() as redis, throwaway_service(database=os.environ["DATABASE_URL"], redis=redis) as service:
        service.start(*MEASURED, "beat")
        yield from _rows(_measure(service, resolutions, pages))


def _measure(service: Service, resolutions: int, pages: int) -> dict[int, dict[str, Megabytes]]:
    """Megabytes of each kind of process by the number of resolutions, among which so many pages are spread."""
    visitor = Visitor(service.port, session=service.run(PERSON))
    _look(visitor, [])
    original = service.ask_database("SELECT min(id) FROM game_game")
    found, done, closed, games = {0: _megabytes(service)}, 0, 0, iter(())
    while done < resolutions:
        if service.ask_database(RUNNING.format(original=original)) < GAMES // 2:
            games, closed = itertools.cycle(service.run(TABLES.format(games=GAMES))), 0
        service.ask_database(HERE_AGAIN)
        service.ask_database(DUE.format(original=original))
        _look(visitor, itertools.islice(games, pages * GAMES // resolutions))
        _wait(service)
        was, closed = closed, service.ask_database(CLOSED)
        done += closed - was
        found[done] = _megabytes(service)
    return found


def _wait(service: Service) -> None:
    """Until every deadline is kept."""
    latest = time.monotonic() + 120
    while service.ask_database(LEFT):
        assert time.monotonic() < latest, service.words[-3000:]
        time.sleep(0.05)


def _look(visitor: Visitor, games: Iterable[int]) -> None:
    for game in games:
        assert visitor.get(f"/games/{game}/")[0] == 200
    assert visitor.get("/games/")[0] == 200


def _megabytes(service: Service) -> dict[str, Megabytes]:
    """The largest of each kind: parents, children and grandchildren of a pool are processes of their own."""
    found = {}
    for name in MEASURED:
        family = _family(service.processes[name].pid)
        found[name] = Megabytes(max(map(share_of_megabytes, family)), max(map(resident_megabytes, family)))
    return found


def _family(number: int) -> set[int]:
    children = {stat.number for stat in family_of(number)} - {number}
    return {number}.union(*map(_family, children))


def _rows(found: dict[int, dict[str, Megabytes]]) -> Iterator[Row]:
    last = max(found)
    warm = {done: sizes for done, sizes in found.items() if done >= last * WARM}
    for name in MEASURED:
        began, now = found[0][name], found[last][name]
        slope = linear_regression(list(warm), [sizes[name].resident for sizes in warm.values()]).slope * 1000
        early = warm[min(warm)][name]
        growth = max(now.share / early.share, now.resident / early.resident) - 1
        note = (
            f"resident {began.resident:.0f} to {now.resident:.0f} MB with what is shared, {slope:+.2f} MB for 1,000 "
            f"more; {growth:+.1%} from {min(warm):,} to {last:,}, where {MOST_GROWTH:.0%} is the goal"
        )
        reached = now.share <= MOST_MEGABYTES and (last < FULL or growth <= MOST_GROWTH)
        title, goal = f"memory of {name} after {last:,} resolutions", f"≤ {MOST_MEGABYTES} MB"
        yield Row(title, now.share, "MB", "at its start", began.share, now.share / began.share, goal, reached, note)
