"""Django's `flush`, for tests that commit: what a test has written is deleted, and what `migrate` made stays."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.commands import flush
from django.core.management.sql import emit_post_migrate_signal
from django.db import connections, transaction
from django.db.utils import OperationalError
from psycopg.errors import DeadlockDetected

from game.moderation import name_erasure

PATIENCE = 240  # seconds
TRIES = 3
AT_WORK = """
    SELECT state, query FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
    AND pid <> pg_backend_pid() AND state <> 'idle'
"""
# What `migrate` leaves in a database. Making it again takes longer than many a test.
MADE = ("django_content_type", "auth_permission", "auth_group", "auth_group_permissions")
_made: dict[str, list[Any]] = {}  # by database, as it was after the first emptying


class Command(flush.Command):
    """Only tables with rows are emptied, by DELETE: TRUNCATE makes a new file for each table and index, and waits for
    every reader."""

    def handle(self, **options: Any) -> None:
        database = options["database"]
        if options.get("reset_sequences"):
            _made.pop(database, None)
            super().handle(**options)
            return
        if connections[database].vendor == "postgresql":
            _wait_for_others(database)
        for _ in range(TRIES - 1):
            try:
                _empty(database)
            except OperationalError as error:  # a thread of the live site began in between
                if not isinstance(error.__cause__, DeadlockDetected):
                    raise
            else:
                return
        _empty(database)


def _empty(database: str) -> None:
    known = _made.get(database)
    is_as_made = known is not None and _rows_made(database) == known
    with transaction.atomic(using=database), connections[database].cursor() as cursor:
        filled = [name for name in _filled(database) if not (is_as_made and name in MADE)]
        if name_erasure.TABLE in filled and connections[database].vendor == "postgresql":
            cursor.execute(f"TRUNCATE {name_erasure.TABLE} CASCADE")  # its trigger forbids DELETE
        for name in filled:
            cursor.execute(f'DELETE FROM "{name}"')
    if not is_as_made:
        emit_post_migrate_signal(0, False, database)
        _made[database] = _rows_made(database)


def _filled(database: str) -> list[str]:
    """The tables that have rows."""
    tables = connections[database].introspection.django_table_names(only_existing=True, include_views=False)
    looks = (f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM \"{name}\")" for name in tables)
    with connections[database].cursor() as cursor:
        cursor.execute(" UNION ALL ".join(looks))
        return [name for (name,) in cursor.fetchall()]


def _rows_made(database: str) -> list[Any]:
    with connections[database].cursor() as cursor:
        found = []
        for name in MADE:
            cursor.execute(f"SELECT * FROM {name} ORDER BY 1")
            found.append(cursor.fetchall())
        return found


def _wait_for_others(database: str) -> None:
    latest = time.monotonic() + PATIENCE
    while others := _at_work(database):
        assert time.monotonic() < latest, f"The test has ended, and others are still at work: {others}"
        time.sleep(0.02)


def _at_work(database: str) -> list[Any]:
    with connections[database].cursor() as cursor:
        cursor.execute(AT_WORK)
        return list(cursor.fetchall())
