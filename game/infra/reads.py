"""Queries of pages, compiled and planned once: building one takes the ORM four times as long as the database needs to
answer, and planning takes half of the database's time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models

from game.infra.converting import Converting
from game.infra.cursors import beside

SLOTS = 2_000_000_000  # above all keys and counts, below 2,147,483,647, the maximum of a four-byte column


def slot(number: int) -> int:
    """The placeholder in a query for parameter `number`, counted from 0."""
    return SLOTS + number


class Rows:
    """A query with slots for integers, compiled once. Its rows are tuples of its `values_list`."""

    def __init__(self, rows: models.QuerySet[Any, Any]) -> None:
        compiler = rows.query.get_compiler(connection=connection)
        self._sql, self._values = _inline_constants(*compiler.as_sql())
        self._converting = Converting(compiler, [expression for expression, _, _ in compiler.select])

    def __call__(self, *parameters: int) -> list[tuple[Any, ...]]:
        """The rows for these parameters."""
        with beside(is_planned=True) as cursor:
            cursor.execute(self._sql, in_slots(self._values, parameters))
            rows = cursor.fetchall()
        return self._converting.rows(rows)


def in_slots(values: Iterable[Any], given: Sequence[int]) -> list[Any]:
    """The values of a statement, with its slots filled."""
    return [given[value - SLOTS] if _is_slot(value) else value for value in values]


def _is_slot(value: Any) -> bool:
    return isinstance(value, int) and value >= SLOTS


def _inline_constants(sql: str, values: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The statement with constants inlined, so that the database plans it for them, and its remaining parameters.
    Values with a per cent sign stay parameters, because they would be mistaken for placeholders."""
    if connection.vendor != "postgresql":
        return sql, list(values)
    text, *others = sql.split("%s")
    parameters = []
    for value, following in zip(values, others, strict=True):
        is_beside = _is_slot(value) or "%" in str(value)
        text += ("%s" if is_beside else _sql_literal(value)) + following
        parameters += [value] if is_beside else []
    return text, parameters


def _sql_literal(value: Any) -> str:
    """A value as an SQL literal."""
    literal: str = connection.ops.compose_sql("%s", [value])  # type: ignore[attr-defined]
    return literal
