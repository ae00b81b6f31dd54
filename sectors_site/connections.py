"""PostgreSQL connections: server-side limits for sessions that hold locks or have vanished, and detection of a restart
by the whole pool."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg_pool import ConnectionPool

# Waits for locks are limited, and an idle or unreachable session loses its locks. These are also the times for which a
# machine that died in the middle of a move blocks its game, and an outage all games.
SESSION_LIMITS = {
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "60s",
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}


def add_limits(options: str) -> str:
    """The `options` of a connection with these limits; the operator's own take precedence."""
    return " ".join(
        [*(f"-c {name}={value}" for name, value in SESSION_LIMITS.items()), *([options] if options else [])]
    )


class PooledConnection(psycopg.Connection[Any]):
    """The pool tests connections by `execute` before lending them, one dead one a second. They die together, so the
    first dead one replaces all."""

    _pool: ConnectionPool[Any] | None  # set by the pool

    def execute(self, *args: Any, **kwargs: Any) -> psycopg.Cursor[Any]:
        try:
            return super().execute(*args, **kwargs)
        except psycopg.OperationalError:
            if self.closed and self._pool is not None:
                self._pool.drain()
            raise
