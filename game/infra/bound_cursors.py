"""psycopg cursors that send parameters separately (server-side binding)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Self

import psycopg
from psycopg.pq import TransactionStatus


class ServerSideCursor(psycopg.RawCursor[Any]):
    """Accepts statements with `%s` for values, and no other per cent sign, as Django writes and logs them."""

    def execute(self, query: Any, params: Any = None, **how: Any) -> Self:
        return super().execute(_with_numbered_placeholders(query), params, **how)


class PreparedCursor(ServerSideCursor):
    """Prepares each statement once per connection, and again if it no longer fits because a column has changed."""

    def execute(self, query: Any, params: Any = None, **how: Any) -> Self:
        connection = self.connection
        connection.prepare_threshold = 0  # Django's own statements contain their values, so no two are equal
        try:
            return super().execute(query, params, **how)
        except psycopg.errors.FeatureNotSupported:
            if connection.info.transaction_status is not TransactionStatus.IDLE:
                raise  # the transaction is aborted; its rollback discards the plans
            connection.execute("DEALLOCATE ALL")
            return super().execute(query, params, **how)
        finally:
            connection.prepare_threshold = None

    def _convert_query(self, query: Any, params: Any = None) -> Any:
        """Set `_query`, which Django's query log reads and the driver does not set for prepared statements."""
        self._query = super()._convert_query(query, params)
        return self._query


@lru_cache(maxsize=512)
def _with_numbered_placeholders(sql: str) -> bytes:
    first, *others = sql.split("%s")
    return "".join([first, *(f"${number}{rest}" for number, rest in enumerate(others, 1))]).encode()
