"""A cursor of PostgreSQL whose values go beside the statement, in the driver's own form."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Self

import psycopg


class Beside(psycopg.RawCursor[Any]):
    """Takes statements with `%s` in the places of values, and no other per cent sign, as Django writes and logs
    them."""

    def execute(self, query: Any, params: Any = None, **how: Any) -> Self:
        return super().execute(_numbered(query), params, **how)


@lru_cache(maxsize=512)
def _numbered(sql: str) -> bytes:
    first, *others = sql.split("%s")
    return "".join([first, *(f"${number}{rest}" for number, rest in enumerate(others, 1))]).encode()
