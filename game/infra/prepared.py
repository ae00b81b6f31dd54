"""Queries whose SQL is built once: rebuilding the SQL took two thirds of the time of closing a phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from django.db import connection, models
from django.db.models.sql import UpdateQuery

from game.infra.converting import Converting

Value = int | Iterable[int]
QueryOrUpdate = models.QuerySet[Any, Any] | tuple[models.QuerySet[Any, Any], dict[str, Any]]
# Placeholder numbers fit into the smallest column; queries contain no such numbers.
FIRST_PLACEHOLDER, MOST_PLACEHOLDERS = 32_000, 700


class Prepared:
    """A query with parameters that are integers or non-empty lists of them, compiled once for each length of the lists.

    `make` builds it from placeholders: for `rows` a query of values, for `change` the rows and their updates."""

    def __init__(self, make: Callable[..., QueryOrUpdate]) -> None:
        self._make = make
        self._compiled = cache(self._compile)

    def rows(self, *parameters: Value) -> list[tuple[Any, ...]]:
        """The rows of the query, as tuples."""
        values, shape = _flatten(parameters)
        sql, getters, converting = self._compiled(shape)
        with connection.cursor() as cursor:
            cursor.execute(sql, [get(values) for get in getters])
            rows = cursor.fetchall()
        return converting.rows(rows)

    def change(self, *parameters: Value) -> int:
        """Run the update. Returns the number of rows."""
        values, shape = _flatten(parameters)
        sql, getters, _ = self._compiled(shape)
        with connection.cursor() as cursor:
            cursor.execute(sql, [get(values) for get in getters])
            return cursor.rowcount

    def _compile(self, shape: tuple[int, ...]) -> tuple[str, list[Callable[[list[int]], Any]], Converting]:
        numbers = iter(range(FIRST_PLACEHOLDER, FIRST_PLACEHOLDER + sum(max(length, 1) for length in shape)))
        query_or_update = self._make(*(_placeholder(length, numbers) for length in shape))
        rows, changes = query_or_update if isinstance(query_or_update, tuple) else (query_or_update, None)
        query = rows.query
        if changes is not None:
            query = query.chain(UpdateQuery)  # type: ignore[assignment]
            query.add_update_values(changes)  # type: ignore[attr-defined]
        compiler = query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        selected = [expression for expression, _, _ in compiler.select or ()] if changes is None else []
        return sql, [_getter(parameter) for parameter in parameters], Converting(compiler, selected)


def _placeholder(length: int, numbers: Any) -> int | list[int]:
    return next(numbers) if length < 0 else [next(numbers) for _ in range(length)]


def _flatten(parameters: Iterable[Value]) -> tuple[list[int], tuple[int, ...]]:
    """All values in one list, and the length of each parameter; -1 for a single value."""
    values: list[int] = []
    shape: list[int] = []
    for value in parameters:
        items = [value] if isinstance(value, int) else sorted(value)
        values += items
        shape.append(-1 if isinstance(value, int) else len(items))
    return values, tuple(shape)


def _getter(parameter: Any) -> Callable[[list[int]], Any]:
    """A function that gets a parameter of the statement: one of the values, or a constant."""
    if isinstance(parameter, int) and FIRST_PLACEHOLDER <= parameter < FIRST_PLACEHOLDER + MOST_PLACEHOLDERS:
        index = parameter - FIRST_PLACEHOLDER
        return lambda values: values[index]
    return lambda values: parameter
