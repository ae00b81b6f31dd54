"""Games that are all due at once: drained by one and by two processes, beside bare transactions by as many."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from django.db import connection
from django.db.models.functions import Now

from game.clock import outages, sweep
from game.play import leases, moves
from game.store import heartbeats
from game.store.game import Game
from game.store.heartbeats import Heartbeat, Job
from game.store.log import Kind, LoggedAction
from tests.bench.bare import drain_bare, lay_bare
from tests.bench.copies import lay_copies, settle_tables
from tests.bench.processes import all_processes, family_of
from tests.bench.rows import Row
from tests.bench.sizes import size
from tests.bench.tables import decisions, play_phase, start_table

SEATS = 6
PHASES = size(12, small=2)  # played before the copies are made, so that there is something to resolve
GOALS = {"postgresql": 2.2, "sqlite": 3.5}
GAIN = 1.7


class Took(NamedTuple):
    """Seconds of a drain: until the last process was done, and of processors, by the processes and by the database's
    server."""

    wall: float
    processes: float
    server: float


def drain_rows(games: int) -> Iterator[Row]:
    """How much longer the sweep takes than transactions that read, write and commit as much, and what a second process
    brings."""
    original = start_original()
    ours, bare = {}, {}
    for workers in (1, 2):
        lay_bare(original, games)
        settle_tables()
        bare[workers] = _drain("bare", workers)
        lay_copies(original, games)
        ours[workers] = _drain("sweep", workers)
        _check(original, games)
        yield _beside_bare(ours[workers], bare[workers], games=games, workers=workers)
    if connection.vendor == "postgresql":
        yield from _gain_rows(ours, bare)
    lay_copies(original, games)
    yield _outage_row(games, ours[1].wall)


def _beside_bare(ours: Took, bare: Took, *, games: int, workers: int) -> Row:
    ratio, goal = ours.wall / bare.wall, GOALS[connection.vendor]
    name = f"{games:,} due games, {workers} process{'es' if workers > 1 else ''}, {connection.vendor}"
    note = (
        f"{ours.wall / games * 1000:.2f} ms a game; processor: {ours.processes / games * 1000:.2f} ms of Python and "
        f"{ours.server / games * 1000:.2f} of the server, of the bare {bare.processes / games * 1000:.2f} and "
        f"{bare.server / games * 1000:.2f}; one player of {SEATS} had not sent anything"
    )
    return Row(name, ours.wall, "s", "bare, s", bare.wall, ratio, f"≤ {goal} ×", ratio <= goal, note)


def _gain_rows(ours: dict[int, Took], bare: dict[int, Took]) -> Iterator[Row]:
    """What the second process brings to us and to the bare ones, and how much there is to bring: one process keeps
    one processor busy or waits for the server, and two can at most keep all busy that the machine has."""
    gain, theirs = ours[1].wall / ours[2].wall, bare[1].wall / bare[2].wall
    most = ours[1].wall * min(os.cpu_count() or 1, 3) / (ours[1].processes + ours[1].server)
    note = f"with {os.cpu_count()} processors, the server's work among them, {most:.2f} × were all there is"
    yield Row(
        "two processes as fast as", gain, "×", "bare, ×", theirs, gain / theirs, f"≥ {GAIN} ×", gain >= GAIN, note
    )


def _outage_row(games: int, closing: float) -> Row:
    moving = _move_after_outage(games)
    share, note = moving / closing, f"{moving / games * 1000:.1f} ms a game"
    name = f"outage with {games:,} deadlines, {connection.vendor}"
    return Row(name, moving, "s", "closing them, s", closing, share, "< 0.5 ×", share < 0.5, note)


def start_original() -> Game:
    """A game for which one person alone is waited."""
    game = start_table("drain", SEATS)
    for _ in range(PHASES):
        play_phase(game.pk, lambda act: act())
    for seat, requests in decisions(game.pk)[:-1]:
        moves.submit(game_id=game.pk, seat_number=seat, requests=requests)
    return Game.objects.get(pk=game.pk)


def _move_after_outage(games: int) -> float:
    """Seconds in which every clock is moved after an outage in which all deadlines fell."""
    Heartbeat.objects.update(beat_at=Now() - timedelta(minutes=10))
    began = time.perf_counter()
    heartbeats.beat(Job.CLOCK)
    outages.settle()
    took = time.perf_counter() - began
    assert LoggedAction.objects.filter(kind=Kind.CLOCK).count() == games + 1  # and the one they were copied from
    return took


def _check(original: Game, games: int) -> None:
    """Each was closed, once."""
    closed = LoggedAction.objects.filter(kind=Kind.CLOSE).exclude(game=original)
    numbers = closed.values_list("game_id", flat=True)
    assert len(numbers) == len(set(numbers)) == games, (len(numbers), games)


def _drain(kind: str, workers: int) -> Took:
    """From the word to the last one's end; all have started up before."""
    command = [sys.executable, "-m", "tests.bench.drainer", kind]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(workers)
    ]
    _hear(running)
    Heartbeat.objects.update(beat_at=Now())  # that they started up slowly was no outage
    server, began = _server_seconds(), time.perf_counter()
    for process in running:
        process.stdin.write("go\n")  # type: ignore[union-attr]
        process.stdin.flush()  # type: ignore[union-attr]
    used = _hear(running)
    took = Took(time.perf_counter() - began, sum(used), _server_seconds() - server)
    for process in running:
        process.communicate()
    return took


def _hear(processes: Sequence[subprocess.Popen[str]]) -> list[float]:
    """The processor seconds that each has used so far."""
    lines = []
    for process in processes:
        assert process.stdout
        line = process.stdout.readline()
        assert line, "a process died"
        lines.append(float(line))
    return lines


def _server_seconds() -> float:
    """Processor time of PostgreSQL, of its processes that live and that have ended; 0 where nothing says so."""
    if connection.vendor != "postgresql" or not Path("/proc/self/stat").exists():
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    parent = next(stat.parent for stat in all_processes() if stat.number == backend)
    ticks = sum(stat.ticks + (stat.ticks_of_gone if stat.number == parent else 0) for stat in family_of(parent))
    return ticks / os.sysconf("SC_CLK_TCK")


def _sweep_all() -> None:
    sweep.sweep()
    while leases.due_games().exists():  # what the other process has in hand
        time.sleep(0.05)
        sweep.sweep()


def main(kind: str) -> None:
    """Start up, wait for the word, drain."""
    Game.objects.exists()
    print(time.process_time(), flush=True)
    sys.stdin.readline()
    began = time.process_time()
    {"bare": drain_bare, "sweep": _sweep_all}[kind]()
    print(time.process_time() - began, flush=True)
