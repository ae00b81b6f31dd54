"""Connections to PostgreSQL: what it does for us when a session holds a lock or has vanished, and how they notice
together that it was restarted."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg_pool import ConnectionPool

# Nobody waits for a lock without end, and whoever holds one and does nothing, or cannot be reached any more, loses it:
# a computer that died in the middle of a move keeps its game, and after an outage all games, for that long.
WAITING = {
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "60s",
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}


def with_limits(given: str) -> str:
    """The `options` of a connection with these limits; those that the operator gives count for more."""
    return " ".join([*(f"-c {name}={value}" for name, value in WAITING.items()), *([given] if given else [])])


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
