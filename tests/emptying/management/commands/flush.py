"""Django's `flush`, beside threads of the live site: they may end what they were doing first."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import flush
from django.db import connections
from django.db.utils import OperationalError
from psycopg.errors import DeadlockDetected

PATIENCE = 30  # seconds
TRIES = 3
AT_WORK = """
    SELECT state, query FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
    AND pid <> pg_backend_pid() AND state <> 'idle'
"""


class Command(flush.Command):
    """A statement of another thread that reads two tables can be in the way of emptying them, and PostgreSQL ends one
    of both."""

    def handle(self, **options: Any) -> None:
        if connections[options["database"]].vendor == "postgresql":
            _wait_for_others(options["database"])
        for _ in range(TRIES - 1):
            try:
                super().handle(**options)
            except CommandError as error:
                if not _is_deadlock(error):
                    raise
            else:
                return
        super().handle(**options)


def _wait_for_others(database: str) -> None:
    latest = time.monotonic() + PATIENCE
    while others := _at_work(database):
        assert time.monotonic() < latest, f"The test has ended, and others are still at work: {others}"
        time.sleep(0.02)


def _at_work(database: str) -> list[Any]:
    with connections[database].cursor() as cursor:
        cursor.execute(AT_WORK)
        return list(cursor.fetchall())


def _is_deadlock(error: CommandError) -> bool:
    cause = error.__cause__
    return isinstance(cause, OperationalError) and isinstance(cause.__cause__, DeadlockDetected)
