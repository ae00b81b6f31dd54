"""The smallest site there is: pages, worker and clock in one process on SQLite, on one processor, with thousands of
games under way. How late deadlines are kept that fall as fast as at a large site while people look on, and the most
memory that the process ever had."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from statistics import median, quantiles

from django.db import connection
from django.utils import timezone

from game.store.game import Game
from tests.bench.copies import lay_copies
from tests.bench.drain import start_original
from tests.bench.pages import session_cookie
from tests.bench.rows import Row
from tests.bench.sizes import size
from tests.bench.tables import start_table
from tests.servers import PATIENCE, ROOT, accepts, end, free_port, wait_until

DEADLINES, A_MINUTE, AHEAD = size((200, 200, 15), small=(2, 600, 4))
LOOKS = 0.5  # seconds from one look to the next
MOST_HALF, MOST_OF_99, MOST_MEGABYTES = 0.7, 1.5, 512
WATCH = """
    CREATE TRIGGER keep AFTER UPDATE ON game_game
    WHEN NEW.phase_serial <> OLD.phase_serial AND OLD.deadline_at IS NOT NULL
    BEGIN INSERT INTO kept VALUES (OLD.id, (julianday('now') - julianday(OLD.deadline_at)) * 86400); END
"""


def small_rows(games: int) -> Iterator[Row]:
    """Lateness, memory and pages."""
    original = start_original()
    lay_copies(original, games)
    Game.objects.update(deadline_at=timezone.now() + timedelta(days=1))
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE kept (game integer, late float)")
        cursor.execute(WATCH)
    cookie = session_cookie(start_table("visitor", 4).seats.get(number=0).user)  # whom the copies do not have
    with _embedded() as (server, port):
        looked = _measure(original.pk + 1, port, cookie)
        most = _most_megabytes(server.pid)
    late = _kept()
    name = f"{games:,} games in one process on one processor"
    for percent, goal in ((50, MOST_HALF), (99, MOST_OF_99)):
        ours = quantiles(late, n=100, method="inclusive")[percent - 1]
        note = (
            f"{len(late)} deadlines, {A_MINUTE} a minute; the earliest {min(late):+.3f} s, the latest {max(late):.2f}"
        )
        reached = ours <= goal and min(late) >= 0
        yield Row(f"{name}: lateness p{percent}", ours, "s", "", None, None, f"≤ {goal} s", reached, note)
    goal, note = f"≤ {MOST_MEGABYTES} MB", "the most it ever had"
    yield Row(f"{name}: memory", most, "MB", "", None, None, goal, most <= MOST_MEGABYTES, note)
    note = f"the slowest of {len(looked)} {max(looked):.0f} ms"
    yield Row(f"{name}: a page meanwhile", median(looked), "ms", "", None, None, "", None, note)


@contextlib.contextmanager
def _embedded() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The site as `./dev play` starts it, on the machine's first processor alone."""
    port = free_port()
    command = [sys.executable, "-m", "sectors_site.embedded", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    os.sched_setaffinity(server.pid, {0})
    try:
        wait_until(lambda: accepts(port), server)
        yield server, port
    finally:
        end(server)


def _measure(first: int, port: int, cookie: str) -> list[float]:
    """Let the deadlines fall; milliseconds of the pages that were looked at until all were kept."""
    _fall(first)
    looked, latest = [], time.monotonic() + AHEAD + DEADLINES / A_MINUTE * 60 + 5 * PATIENCE
    for number in itertools.count():
        if len(_kept()) == DEADLINES:
            return looked
        assert time.monotonic() < latest, "deadlines were not kept"
        looked.append(_look(port, "/games/" if number % 2 else f"/games/{first + number}/", cookie))
        time.sleep(LOOKS)
    raise AssertionError


def _look(port: int, path: str, cookie: str) -> float:
    """Milliseconds of one page."""
    visitor, began = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE), time.perf_counter()
    visitor.request("GET", path, headers={"Cookie": cookie})
    answer = visitor.getresponse()
    result = answer.read()
    visitor.close()
    assert answer.status == 200, (path, answer.status, result[:200])
    return (time.perf_counter() - began) * 1000


def _fall(first: int) -> None:
    start = timezone.now() + timedelta(seconds=AHEAD)
    chosen = list(Game.objects.filter(pk__gte=first).order_by("pk")[:DEADLINES])
    for number, game in enumerate(chosen):
        game.deadline_at = start + timedelta(seconds=number * 60 / A_MINUTE)
    Game.objects.bulk_update(chosen, ["deadline_at"])


def _kept() -> list[float]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT late FROM kept")
        return [late for (late,) in cursor.fetchall()]


def _most_megabytes(number: int) -> float:
    lines = Path(f"/proc/{number}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
