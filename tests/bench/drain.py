"""Games that are all due at once: drained by one and by two processes, beside bare transactions by as many."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import msgspec
import psycopg
import zstandard
from django.db import connection
from django.db.models.functions import Now

from game.models import Company, Contract, Game, Heart, Heartbeat, Holding, Kind, LoggedAction, Order, Seat, Sitting
from game.services import claims, hearts, moves, outages, sweep
from tests.bench.rows import Row
from tests.bench.tables import decisions, play_phase, start_table

SEATS = 6
PHASES = 12  # played before the copies are made, so that there is something to resolve
GOAL = 2.2
COPIED = (Seat, Sitting, Company, Holding, Order, Contract)
BARE = """
    DROP TABLE IF EXISTS bare_version;
    DROP TABLE IF EXISTS bare_game;
    CREATE TABLE bare_game (id int PRIMARY KEY, due_at timestamptz, version int NOT NULL, state bytea NOT NULL);
    CREATE TABLE bare_version (id serial PRIMARY KEY, game_id int NOT NULL, version int NOT NULL, state bytea NOT NULL);
    CREATE INDEX ON bare_game (due_at);
    INSERT INTO bare_game SELECT n, now(), 1, (SELECT state FROM game_game WHERE id = %s) FROM generate_series(1, %s) n
"""
CLAIM = "SELECT id, version, state FROM bare_game WHERE due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED"


def drain_rows(games: int) -> Iterator[Row]:
    """How much longer the sweep takes than transactions that read, write and commit as much, and what a second process
    brings."""
    original, ours = _original(), {}
    for workers in (1, 2):
        _lay_bare(original, games)
        theirs = _drain("bare", workers)
        _copy(original, games)
        ours[workers] = _drain("sweep", workers)
        _check(original, games)
        ratio, each = ours[workers] / theirs, ours[workers] / games * 1000
        name = f"{games:,} due games, {workers} process{'es' if workers > 1 else ''}"
        note = f"{each:.1f} ms a game; one player of {SEATS} had not sent anything"
        yield Row(name, ours[workers], "s", "bare, s", theirs, ratio, f"≤ {GOAL} ×", ratio <= GOAL, note)
    gain = ours[2] / ours[1]
    yield Row("two processes beside one", ours[2], "s", "one, s", ours[1], gain, "< 1 ×", gain < 1)
    _copy(original, games)
    moving = _move_after_outage(games)
    share = moving / ours[1]
    note = f"{moving / games * 1000:.1f} ms a game"
    yield Row(
        f"outage with {games:,} deadlines", moving, "s", "closing them, s", ours[1], share, "< 0.5 ×", share < 0.5, note
    )


def _original() -> Game:
    """A game for which one person alone is waited."""
    game = start_table("drain", SEATS)
    for _ in range(PHASES):
        play_phase(game.pk, lambda act: act())
    for seat, requests in decisions(game.pk)[:-1]:
        moves.submit(game_id=game.pk, seat_number=seat, requests=requests)
    return Game.objects.get(pk=game.pk)


def _copy(original: Game, games: int) -> None:
    """So many games like it and none other, all due at this moment."""
    Game.objects.exclude(pk=original.pk).delete()
    rows = {table: list(table._default_manager.filter(game=original)) for table in COPIED}
    fresh = [_like(original, deadline_at=None) for _ in range(games)]
    Game.objects.bulk_create(fresh, batch_size=200)
    for table, originals in rows.items():
        copies = [_like(row, game_id=game.pk) for game in fresh for row in originals]
        table._default_manager.bulk_create(copies, batch_size=500)
    hearts.beat(Heart.CLOCK)
    Game.objects.exclude(pk=original.pk).update(deadline_at=Now(), clock_since=Now() - timedelta(days=1))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _move_after_outage(games: int) -> float:
    """Seconds in which every clock is moved after an outage in which all deadlines fell."""
    Heartbeat.objects.update(beat_at=Now() - timedelta(minutes=10))
    began = time.perf_counter()
    hearts.beat(Heart.CLOCK)
    outages.settle()
    took = time.perf_counter() - began
    assert LoggedAction.objects.filter(kind=Kind.CLOCK).count() == games + 1  # and the one they were copied from
    return took


def _like(row: Any, **changes: Any) -> Any:
    fields = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return type(row)(**{**fields, "id": None, **changes})


def _check(original: Game, games: int) -> None:
    """Each was closed, once."""
    closed = LoggedAction.objects.filter(kind=Kind.CLOSE).exclude(game=original)
    numbers = closed.values_list("game_id", flat=True)
    assert len(numbers) == len(set(numbers)) == games, (len(numbers), games)


def _lay_bare(original: Game, games: int) -> None:
    with psycopg.connect(**_where(), autocommit=True) as rows:
        for statement in BARE.split(";"):
            rows.execute(statement.encode(), [original.pk, games] if "%s" in statement else None)
        rows.execute("VACUUM ANALYZE bare_game")


def _drain(kind: str, workers: int) -> float:
    """Seconds from the word to the last one's end; all have started up before."""
    command = [sys.executable, "-m", "tests.bench.drainer", kind]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(workers)
    ]
    _hear(running)
    began = time.perf_counter()
    for process in running:
        process.stdin.write("go\n")  # type: ignore[union-attr]
        process.stdin.flush()  # type: ignore[union-attr]
    _hear(running)
    took = time.perf_counter() - began
    for process in running:
        process.communicate()
    return took


def _hear(processes: Sequence[subprocess.Popen[str]]) -> None:
    for process in processes:
        assert process.stdout
        assert process.stdout.readline(), "a process died"


def _where() -> dict[str, Any]:
    known = connection.get_connection_params()
    return {name: known[name] for name in ("host", "port", "user", "dbname") if known.get(name)}


def _sweep_all() -> None:
    sweep.sweep()
    while claims.due_games().exists():  # what the other process has in hand
        time.sleep(0.05)
        sweep.sweep()


def _drain_bare() -> None:
    """Claim one, read and write its state, keep a version, commit."""
    press, unpress = zstandard.ZstdCompressor(level=3), zstandard.ZstdDecompressor()
    with psycopg.connect(**_where()) as rows:
        while (found := rows.execute(CLAIM).fetchone()) is not None:
            number, version, sealed = found
            # Ours has two bytes and a checksum in front of the frame.
            state = msgspec.msgpack.decode(unpress.decompress(sealed[sealed.index(b"\x28\xb5\x2f\xfd") :]))
            packed = press.compress(msgspec.msgpack.encode(state))
            change = "UPDATE bare_game SET due_at = NULL, version = %s, state = %s WHERE id = %s AND version = %s"
            rows.execute(change, [version + 1, sealed[:6] + packed, number, version])
            kept = "INSERT INTO bare_version (game_id, version, state) VALUES (%s, %s, %s)"
            rows.execute(kept, [number, version + 1, packed])
            rows.commit()


def main(kind: str) -> None:
    """Start up, wait for the word, drain."""
    Game.objects.exists()
    print("ready", flush=True)
    sys.stdin.readline()
    {"bare": _drain_bare, "sweep": _sweep_all}[kind]()
    print("done", flush=True)
