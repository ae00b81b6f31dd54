"""The cursor for compiled statements: on PostgreSQL with server-side binding."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.db import connection

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper


@contextmanager
def beside(*, is_planned: bool = False) -> Iterator[CursorWrapper]:
    """A cursor that sends values separately. Django inlines them, which doubles the size of bytes and makes every
    statement a new one. Statements with `is_planned` are prepared once per connection."""
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            yield cursor
        return
    from game.infra.bound_cursors import Beside, Planned  # here: SQLite needs no driver of PostgreSQL

    connection.ensure_connection()
    make_cursor = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    kind: Any = Planned if is_planned else Beside
    with make_cursor(kind(connection.connection)) as cursor:
        yield cursor
