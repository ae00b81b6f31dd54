"""How statements that are built once are sent: on PostgreSQL with their values beside them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.db import connection

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper


@contextmanager
def beside(*, is_planned: bool = False) -> Iterator[CursorWrapper]:
    """A cursor for them. Values that Django writes into a statement make bytes twice as long, and every statement a new
    one: what `is_planned` is read and planned by the server once a connection."""
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            yield cursor
        return
    from game.infra.bound_cursors import Beside, Planned  # here: SQLite needs no driver of PostgreSQL

    connection.ensure_connection()
    wrapped = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    kind: Any = Planned if is_planned else Beside
    with wrapped(kind(connection.connection)) as cursor:
        yield cursor
