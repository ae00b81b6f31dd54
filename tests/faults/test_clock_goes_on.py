"""The clock never stops: a burst of mail, a game that loops or a Redis that goes makes nobody else's deadline late."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from tests.faults.judging import verdict, watched_service
from tests.servers import Mailbox, RedisServer, smtp_server
from tests.service import Service

ALONE = ("lone worker", "beat", "clock")
APART = ("deadlines", "bots", "mail", "hooks", "beat", "clock")
LATE = 10.0  # seconds: the clock stands in after five
PAUSE = 1.0  # second for a mail
LETTERS = 96  # more than fit into one round of mail
TABLES = """
from datetime import timedelta
from django.db.models.functions import Now
from accounts.models import User
from game.store.game import Game
from tests.tables import new_game
for name in ("ada", "bob"):
    User.objects.filter(username=name).exists() or User.objects.create_user(name)
games = [new_game("ada", "bob", pace="daily") for _ in range({count})]
for number, game in enumerate(games):
    due = Now() + timedelta(seconds={first} + number * {apart})
    Game.objects.filter(pk=game.pk).update(deadline_at=due, name=f"sound {{number}}")
print(json.dumps({{game.pk: Game.objects.get(pk=game.pk).deadline_at.isoformat() for game in games}}))
"""
MAILS = """
from allauth.account.models import EmailAddress
from accounts.models import User
from game.store.log import LoggedAction
from tests.tables import new_game
names = [f"reader{{number}}" for number in range({count})]
for name in names:
    user = User.objects.create_user(name, f"{{name}}@example.org")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
for first in range(0, {count}, 8):
    new_game(*names[first : first + 8], pace="daily")
print(json.dumps(len(names)))
"""
LOOP = """
from datetime import timedelta
from django.db.models.functions import Now
from game.store.game import Game
from tests.tables import new_game
game = new_game("ada", "bob", pace="daily")
loops_soon = {"ruleset": "loops", "rules_sum": b"", "name": "loops", "deadline_at": Now() + timedelta(seconds=2)}
Game.objects.filter(pk=game.pk).update(**loops_soon)
print(json.dumps(game.pk))
"""
CLOSED = "SELECT at FROM game_loggedaction WHERE game_id = {} AND kind = 'close' ORDER BY number LIMIT 1"


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    box = Mailbox(pause=PAUSE)
    with smtp_server(box):
        yield box


@pytest.fixture
def service(tmp_path: Path, postgres_url: str, redis: RedisServer, mailbox: Mailbox) -> Iterator[Service]:
    environment = watched_service(tmp_path, database=postgres_url, redis=redis.url)
    settings = {"DJANGO_SETTINGS_MODULE": "tests.faults.endless_settings", "RETRY_SECONDS": "1,1,1,1"}
    service = Service(environment | settings | {"EMAIL_URL": f"smtp://127.0.0.1:{mailbox.port}"})
    yield service
    service.stop()


def start(service: Service, *names: str) -> None:
    """The clock comes last, so that a worker has swept before."""
    service.start(*(name for name in names if name != "clock"))
    latest = time.monotonic() + 400
    while not service.ask_database("SELECT count(*) FROM game_heartbeat WHERE name = 'deadlines'"):
        assert time.monotonic() < latest, service.words
        time.sleep(0.2)
    service.start("clock")


def new_tables(service: Service, *, count: int, apart: float, first: float = 8) -> dict[str, str]:
    """The deadlines of so many games, one after another."""
    known: dict[str, str] = service.run(TABLES.format(count=count, apart=apart, first=first))
    return known


def lateness(service: Service, tables: dict[str, str]) -> list[float]:
    """How many seconds after its deadline each of them was closed; waits for the last."""
    late = []
    for game, deadline in tables.items():
        due, latest = datetime.fromisoformat(deadline), time.monotonic() + 400
        while (closed := service.ask_database(CLOSED.format(game))) is None:
            assert time.monotonic() < latest, service.words[-3000:]
            time.sleep(0.2)
        late.append((closed - due).total_seconds())
    print([round(seconds, 1) for seconds in late])  # noqa: T201 - for those who measure
    return late


def assert_met(service: Service, late: list[float]) -> None:
    assert min(late) >= 0
    assert max(late) < LATE
    assert service.ask_database("SELECT count(*) FROM game_outage") == 0


PROCESSES = [pytest.param(ALONE, id="one worker for all"), pytest.param(APART, id="a worker each")]


def test_a_burst_of_mail_holds_no_deadline_up(service: Service, mailbox: Mailbox) -> None:
    """One worker does everything: the phases close while letters still wait."""
    assert min(burst(service, mailbox, ALONE, games=4)) >= 0


@pytest.mark.trial
@pytest.mark.parametrize("processes", PROCESSES)
def test_a_burst_of_mail(service: Service, mailbox: Mailbox, processes: tuple[str, ...]) -> None:
    assert_met(service, burst(service, mailbox, processes, games=12))


def burst(service: Service, mailbox: Mailbox, processes: tuple[str, ...], games: int) -> list[float]:
    """Deadlines among many letters, all of which arrive; how late each deadline was met, in seconds."""
    start(service, *processes)
    assert service.run(MAILS.format(count=LETTERS)) == LETTERS
    late = lateness(service, new_tables(service, count=games, apart=1.5))
    assert len(mailbox.messages) < LETTERS, "no letter has waited"
    mailbox.pause = 0
    latest = time.monotonic() + 400
    while len(mailbox.messages) < LETTERS:
        assert time.monotonic() < latest, len(mailbox.messages)
        time.sleep(0.5)
    assert verdict(service.environment, service.words, mailbox.messages) == []
    return late


@pytest.mark.trial
@pytest.mark.parametrize("processes", PROCESSES)
def test_a_game_that_loops(service: Service, processes: tuple[str, ...]) -> None:
    start(service, *processes)
    tables = new_tables(service, count=20, apart=1.5, first=10)
    loops = service.run(LOOP)
    assert_met(service, lateness(service, tables))
    latest = time.monotonic() + 400
    while service.ask_database(f"SELECT status FROM game_game WHERE id = {loops}") != "held":
        assert time.monotonic() < latest, service.words[-3000:]
        time.sleep(0.5)
    assert verdict(service.environment, service.words) == [f"game {loops}: 5 attempts at it failed"]


@pytest.mark.trial
def test_redis_goes_for_half_a_minute(service: Service, redis: RedisServer) -> None:
    start(service, *APART)
    tables = new_tables(service, count=25, apart=3, first=8)
    with redis.away("stopped"):
        time.sleep(33)
    assert_met(service, lateness(service, tables))
    assert all(process.poll() is None for process in service.processes.values())
    # The worker is at its work again by itself.
    service.stop("clock")
    assert_met(service, lateness(service, new_tables(service, count=3, apart=1)))
    assert verdict(service.environment, service.words) == []
