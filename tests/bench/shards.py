"""Games in two databases by their number's parity: a clock for each, and a lobby apart that their outboxes feed.

`python -m tests.bench.shards [--games N]` prints what it took beside one database with two clocks, and that nothing was
lost: a trial for the decision on sharding, no part of the site."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable

import psycopg

from tests.servers import postgres_server

SHARDS = 2
AT_ONCE = 200
TABLE = """
    CREATE TABLE lobby_game (
        id bigint PRIMARY KEY, shard int NOT NULL, version int NOT NULL, name text NOT NULL, status text NOT NULL,
        turn int NOT NULL, phase text NOT NULL, deadline_at timestamptz
    )
"""
TAKE = "SELECT id, game_id FROM game_loggedaction WHERE NOT is_told ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED"
READ = "SELECT id, version, name, status, turn, phase_name, deadline_at FROM game_game WHERE id = ANY(%s)"
KEEP = """
    INSERT INTO lobby_game (shard, id, version, name, status, turn, phase, deadline_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, status = EXCLUDED.status, turn = EXCLUDED.turn,
    phase = EXCLUDED.phase, deadline_at = EXCLUDED.deadline_at WHERE lobby_game.version < EXCLUDED.version
"""


def main() -> None:
    """Lay, drain and compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.shards")
    parser.add_argument("--games", type=int, default=400, help="due at once, all shards together")
    parser.add_argument("--lay", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.lay is not None:
        _lay(given.games, given.lay)
        return
    with postgres_server(durable=True) as server, tempfile.TemporaryDirectory() as home:
        here = server.rsplit("/", 1)[0]
        _create(server, ["whole", "lobby", *(f"shard_{each}" for each in range(SHARDS))])
        _print(f"one database, {SHARDS} clocks: {_drain_whole(f'{here}/whole', home, given.games):.2f} s")
        took, fed = _drain_shards(here, home, given.games)
        _print(f"{SHARDS} databases, a clock each: {took:.2f} s; the lobby knew of all {fed:.2f} s after the last")


def _create(server: str, names: Iterable[str]) -> None:
    with psycopg.connect(server, autocommit=True) as rows:
        for name in names:
            rows.execute(f"CREATE DATABASE {name}".encode())


def _drain_whole(url: str, home: str, games: int) -> float:
    _run_lay(url, home, games, 0)
    return _go([_clock(url, home) for _ in range(SHARDS)])


def _drain_shards(here: str, home: str, games: int) -> tuple[float, float]:
    """Seconds until every shard was drained, and from then until the lobby had heard of all."""
    urls = [f"{here}/shard_{each}" for each in range(SHARDS)]
    for number, url in enumerate(urls):
        _run_lay(url, home, games // SHARDS, number + 1)
    with psycopg.connect(f"{here}/lobby", autocommit=True) as lobby:
        lobby.execute(TABLE)
        took = _go([_clock(url, home) for url in urls])
        began = time.perf_counter()
        # What a feeder that was killed between its two commits would do: everything told twice changes nothing.
        while sum(_feed(lobby, number, url) for number, url in enumerate(urls)):
            continue
        fed = time.perf_counter() - began
        for number, url in enumerate(urls):
            _check(lobby, number, url, games // SHARDS)
    return took, fed


def _feed(lobby: psycopg.Connection, number: int, url: str) -> int:
    """Tell the lobby what one shard's outbox holds, and then the outbox that it is told; how many entries."""
    with psycopg.connect(url) as shard:
        entries = shard.execute(TAKE, [AT_ONCE]).fetchall()
        games = shard.execute(READ, [sorted({game for _, game in entries})]).fetchall()
        with lobby.cursor() as cursor:
            cursor.executemany(KEEP, [(number, *game) for game in games])
            cursor.executemany(KEEP, [(number, *game) for game in games])
        lines = [entry for entry, _ in entries]
        shard.execute("UPDATE game_loggedaction SET is_told = TRUE WHERE id = ANY(%s)", [lines])
    return len(entries)


def _check(lobby: psycopg.Connection, number: int, url: str, games: int) -> None:
    """Every game of the shard has its parity, was closed once, and stands in the lobby as it is."""
    with psycopg.connect(url) as shard:
        closed = shard.execute(
            "SELECT game_id, count(*) FROM game_loggedaction WHERE kind = 'close' GROUP BY 1"
        ).fetchall()
        known = shard.execute(READ, [[game for game, _ in closed]]).fetchall()
    assert len(closed) == games, (len(closed), games)
    assert {times for _, times in closed} == {1}
    assert {game % SHARDS for game, _ in closed} == {(number + 1) % SHARDS}
    columns = "id, version, name, status, turn, phase, deadline_at"
    result = lobby.execute(f"SELECT {columns} FROM lobby_game WHERE shard = %s".encode(), [number]).fetchall()
    assert {game[0]: game for game in known}.items() <= {game[0]: game for game in result}.items()


def _environment(url: str, home: str) -> dict[str, str]:
    found = os.environ | {"DATABASE_URL": url, "SECTORS_HOME": home, "DJANGO_SETTINGS_MODULE": "tests.bench.settings"}
    found.pop("REDIS_URL", None)
    return found


def _run_lay(url: str, home: str, games: int, first: int) -> None:
    command = [sys.executable, "-m", "tests.bench.shards", "--games", str(games), "--lay", str(first)]
    subprocess.run(command, env=_environment(url, home), check=True)


def _clock(url: str, home: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.bench.drainer", "sweep"]
    return subprocess.Popen(
        command, env=_environment(url, home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def _go(clocks: list[subprocess.Popen[str]]) -> float:
    """Seconds from the word to the last one's end."""
    for clock in clocks:
        assert clock.stdout
        assert clock.stdout.readline(), "a clock died"
    began = time.perf_counter()
    for clock in clocks:
        clock.stdin.write("go\n")  # type: ignore[union-attr]
        clock.stdin.flush()  # type: ignore[union-attr]
    for clock in clocks:
        assert clock.stdout
        assert clock.stdout.readline(), "a clock died"
    took = time.perf_counter() - began
    for clock in clocks:
        clock.communicate()
    return took


def _lay(games: int, first: int) -> None:
    """Due games in this process's database; numbered from `first` in steps of the shards, where it is a shard."""
    import django
    from django.core.management import call_command
    from django.db import connection

    django.setup()
    from game.store.log import LoggedAction
    from tests.bench.copies import lay_copies
    from tests.bench.drain import start_original

    call_command("migrate", verbosity=0)
    if first:
        with connection.cursor() as cursor:
            step = f"SET INCREMENT BY {SHARDS} SET START WITH {first} RESTART WITH {first}"
            cursor.execute(f"ALTER TABLE game_game ALTER COLUMN id {step}")
    lay_copies(start_original(), games)
    LoggedAction.objects.update(is_told=True)


def _print(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
