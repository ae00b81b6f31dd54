"""Connections to PostgreSQL that notice together when it was restarted."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg_pool import ConnectionPool


class PooledConnection(psycopg.Connection[Any]):
    """One of a pool. The pool tries a connection by `execute` before it lends it out, one dead connection a second;
    since they die together, the first that is found dead has all replaced."""

    _pool: ConnectionPool[Any] | None  # set by the pool

    def execute(self, *args: Any, **kwargs: Any) -> psycopg.Cursor[Any]:
        try:
            return super().execute(*args, **kwargs)
        except psycopg.OperationalError:
            if self.closed and self._pool is not None:
                self._pool.drain()
            raise
