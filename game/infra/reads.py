"""Queries of pages, compiled once: the ORM takes four times as long to build them as the database to answer, and the
database as long to plan them as for all else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models

from game.infra.converting import Converting
from game.infra.cursors import beside

SLOTS = 2_000_000_000  # no key and no count comes near; the largest that a column of four bytes takes is 2,147,483,647


def slot(number: int) -> int:
    """What stands in a query for the value that is given as its `number`th, from 0, when it is asked."""
    return SLOTS + number


class Rows:
    """A query with slots for whole numbers, compiled at its first use. Each answer is a tuple of its `values_list`."""

    def __init__(self, rows: models.QuerySet[Any, Any]) -> None:
        compiler = rows.query.get_compiler(connection=connection)
        self._sql, self._values = _with_constants(*compiler.as_sql())
        self._converting = Converting(compiler, [expression for expression, _, _ in compiler.select])

    def __call__(self, *given: int) -> list[tuple[Any, ...]]:
        """The rows for these values."""
        with beside(is_planned=True) as cursor:
            cursor.execute(self._sql, in_slots(self._values, given))
            found = cursor.fetchall()
        return self._converting.rows(found)


def in_slots(values: Iterable[Any], given: Sequence[int]) -> list[Any]:
    """The values of a statement, with these in its slots."""
    return [given[value - SLOTS] if _is_slot(value) else value for value in values]


def _is_slot(value: Any) -> bool:
    return isinstance(value, int) and value >= SLOTS


def _with_constants(sql: str, values: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The statement with all that is always the same in it, so that it is planned for that, and the values beside it.
    What has a per cent sign would be taken for a place."""
    if connection.vendor != "postgresql":
        return sql, list(values)
    text, *others = sql.split("%s")
    rest = []
    for value, following in zip(values, others, strict=True):
        is_beside = _is_slot(value) or "%" in str(value)
        text += ("%s" if is_beside else _written(value)) + following
        rest += [value] if is_beside else []
    return text, rest


def _written(value: Any) -> str:
    """A value as it stands in a statement."""
    written: str = connection.ops.compose_sql("%s", [value])  # type: ignore[attr-defined]
    return written
