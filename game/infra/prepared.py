"""Queries whose SQL is built once: to build the same few anew took two thirds of the time of a close."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from django.db import connection, models
from django.db.models.sql import UpdateQuery

from game.infra.converting import Converting

Value = int | Iterable[int]
Made = models.QuerySet[Any, Any] | tuple[models.QuerySet[Any, Any], dict[str, Any]]
STAND_IN, MOST = 32_000, 700  # fit into the smallest column; a query has no such numbers of its own


class Prepared:
    """A query with places for whole numbers and for lists of them, kept for each length of those lists; none is empty.

    `make` builds it of stand-ins for them: for `rows` a query for values, for `change` rows and what becomes of
    them."""

    def __init__(self, make: Callable[..., Made]) -> None:
        self._make = make
        self._compiled = cache(self._compile)

    def rows(self, *given: Value) -> list[tuple[Any, ...]]:
        """What the query finds, as tuples."""
        values, shape = _flat(given)
        sql, places, converting = self._compiled(shape)
        with connection.cursor() as cursor:
            cursor.execute(sql, [place(values) for place in places])
            found = cursor.fetchall()
        return converting.rows(found)

    def change(self, *given: Value) -> int:
        """Carry the change out; how many rows it concerned."""
        values, shape = _flat(given)
        sql, places, _ = self._compiled(shape)
        with connection.cursor() as cursor:
            cursor.execute(sql, [place(values) for place in places])
            return cursor.rowcount

    def _compile(self, shape: tuple[int, ...]) -> tuple[str, list[Callable[[list[int]], Any]], Converting]:
        numbers = iter(range(STAND_IN, STAND_IN + sum(max(length, 1) for length in shape)))
        made = self._make(*(_stand_in(length, numbers) for length in shape))
        rows, changes = made if isinstance(made, tuple) else (made, None)
        query = rows.query
        if changes is not None:
            query = query.chain(UpdateQuery)  # type: ignore[assignment]
            query.add_update_values(changes)  # type: ignore[attr-defined]
        compiler = query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        selected = [expression for expression, _, _ in compiler.select or ()] if changes is None else []
        return sql, [_place(parameter) for parameter in parameters], Converting(compiler, selected)


def _stand_in(length: int, numbers: Any) -> int | list[int]:
    return next(numbers) if length < 0 else [next(numbers) for _ in range(length)]


def _flat(given: Iterable[Value]) -> tuple[list[int], tuple[int, ...]]:
    """All values in a row, and the length of each list among them; a single value has none, which is -1."""
    values: list[int] = []
    shape: list[int] = []
    for value in given:
        listed = [value] if isinstance(value, int) else sorted(value)
        values += listed
        shape.append(-1 if isinstance(value, int) else len(listed))
    return values, tuple(shape)


def _place(parameter: Any) -> Callable[[list[int]], Any]:
    """What goes into this place of the statement: one of the values, or what always stands there."""
    if isinstance(parameter, int) and STAND_IN <= parameter < STAND_IN + MOST:
        at = parameter - STAND_IN
        return lambda values: values[at]
    return lambda values: parameter
