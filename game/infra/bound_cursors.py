"""Cursors of PostgreSQL whose values go beside the statement, in the driver's own form."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Self

import psycopg
from psycopg.pq import TransactionStatus


class Beside(psycopg.RawCursor[Any]):
    """Takes statements with `%s` in the places of values, and no other per cent sign, as Django writes and logs
    them."""

    def execute(self, query: Any, params: Any = None, **how: Any) -> Self:
        return super().execute(_numbered(query), params, **how)


class Planned(Beside):
    """Has each statement read and planned once a connection. One that no longer fits, since a column has changed, is
    planned anew."""

    def execute(self, query: Any, params: Any = None, **how: Any) -> Self:
        connection = self.connection
        connection.prepare_threshold = 0  # Django's own are never twice the same: they have their values in them
        try:
            return super().execute(query, params, **how)
        except psycopg.errors.FeatureNotSupported:
            if connection.info.transaction_status is not TransactionStatus.IDLE:
                raise  # nothing can be asked any more; the rollback makes the server forget its plans
            connection.execute("DEALLOCATE ALL")
            return super().execute(query, params, **how)
        finally:
            connection.prepare_threshold = None

    def _convert_query(self, query: Any, params: Any = None) -> Any:
        """Django's log of statements reads `_query`, which the driver does not set for a planned one."""
        self._query = super()._convert_query(query, params)
        return self._query


@lru_cache(maxsize=512)
def _numbered(sql: str) -> bytes:
    first, *others = sql.split("%s")
    return "".join([first, *(f"${number}{rest}" for number, rest in enumerate(others, 1))]).encode()
