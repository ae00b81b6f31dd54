"""What a drain cannot do without: claim a due row, read and write its state, keep a version, commit; by the driver
alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import msgspec
import psycopg
import zstandard
from django.db import connection, transaction

from game.play.leases import BATCH_SIZE
from game.store.game import Game

FRAME = b"\x28\xb5\x2f\xfd"  # ours has two bytes and a checksum in front of it
TABLES = """
    DROP TABLE IF EXISTS bare_version;
    DROP TABLE IF EXISTS bare_game;
    CREATE TABLE bare_game (id integer PRIMARY KEY, due_at {moment}, version int NOT NULL, state {bytes} NOT NULL);
    CREATE TABLE bare_version (id {key}, game_id int NOT NULL, version int NOT NULL, state {bytes} NOT NULL);
    CREATE INDEX bare_due ON bare_game (due_at);
    WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < {games})
    INSERT INTO bare_game SELECT number, {now}, 1, (SELECT state FROM game_game WHERE id = {original}) FROM numbers
"""
WORDS = {
    "postgresql": {"moment": "timestamptz", "bytes": "bytea", "key": "serial PRIMARY KEY", "now": "now()"},
    "sqlite": {"moment": "text", "bytes": "blob", "key": "integer PRIMARY KEY", "now": "datetime()"},
}
CLAIM = "SELECT id, version, state FROM bare_game WHERE due_at <= {now} ORDER BY due_at LIMIT 1"
CLAIM_BATCH = "SELECT id, version FROM bare_game WHERE due_at <= now() ORDER BY due_at LIMIT %s FOR UPDATE SKIP LOCKED"


def lay_bare(original: Game, games: int, *, due: int | None = None) -> None:
    """So many rows with this game's state, due now, or the first of them alone."""
    statements = TABLES.format(games=games, original=original.pk, **WORDS[connection.vendor])
    with connection.cursor() as cursor:
        for statement in statements.split(";"):
            cursor.execute(statement)
        if due is not None:
            cursor.execute("UPDATE bare_game SET due_at = due_at + id * interval '1 second' WHERE id > %s", [due])


def claim_bare() -> None:
    """Lock a batch of due rows on PostgreSQL, change them, and undo it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(CLAIM_BATCH, [BATCH_SIZE])
        found = [number for number, _ in cursor.fetchall()]
        assert len(found) == BATCH_SIZE
        cursor.execute("UPDATE bare_game SET version = version + 1 WHERE id = ANY(%s)", [found])
        transaction.set_rollback(True)


def drain_bare() -> None:
    """One after another until there is none."""
    (_drain_postgresql if connection.vendor == "postgresql" else _drain_sqlite)()


def _drain_postgresql() -> None:
    known = connection.get_connection_params()
    where = {name: known[name] for name in ("host", "port", "user", "dbname") if known.get(name)}
    claim = f"{CLAIM.format(now='now()')} FOR UPDATE SKIP LOCKED"
    with psycopg.connect(**where) as rows:
        while _move_one(lambda sql, values=(): rows.execute(sql.encode(), values), claim, "%s"):
            rows.commit()


def _drain_sqlite() -> None:
    """As safe against a power failure as the site's own."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=20, isolation_level=None)) as rows:
        rows.execute("PRAGMA synchronous=FULL")
        claim, is_done = CLAIM.format(now="datetime()"), False
        while not is_done:
            rows.execute("BEGIN IMMEDIATE")
            is_done = not _move_one(rows.execute, claim, "?")
            rows.execute("COMMIT")


def _move_one(execute: Callable[..., Any], claim: str, place: str) -> bool:
    """False where none is due."""
    found = execute(claim).fetchone()
    if found is None:
        return False
    number, version, sealed = found
    start = sealed.index(FRAME)
    state = msgspec.msgpack.decode(UNPRESS.decompress(sealed[start:]))
    packed = PRESS.compress(msgspec.msgpack.encode(state))
    change = "UPDATE bare_game SET due_at = NULL, version = ?, state = ? WHERE id = ? AND version = ?"
    execute(change.replace("?", place), (version + 1, sealed[:start] + packed, number, version))
    text = "INSERT INTO bare_version (game_id, version, state) VALUES (?, ?, ?)"
    execute(text.replace("?", place), (number, version + 1, packed))
    return True


PRESS, UNPRESS = zstandard.ZstdCompressor(level=3), zstandard.ZstdDecompressor()
