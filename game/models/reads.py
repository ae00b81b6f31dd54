"""Queries of the game's page, compiled once: the ORM takes four times as long to build them as the database to
answer."""

from __future__ import annotations

from typing import Any

from django.db import connection, models

SLOTS = 2_000_000_000  # no key and no count comes near; the largest that a column of four bytes takes is 2,147,483,647


def slot(number: int) -> int:
    """What stands in a query for the value that is given as its `number`th, from 0, when it is asked."""
    return SLOTS + number


class Rows:
    """A query with slots for whole numbers, compiled at its first use. Each answer is a tuple of its `values_list`."""

    def __init__(self, rows: models.QuerySet[Any, Any]) -> None:
        compiler = rows.query.get_compiler(connection=connection)
        self._sql, self._parameters = compiler.as_sql()
        converters = compiler.get_converters([expression for expression, _, _ in compiler.select])
        self._converters = [
            (at, expression, each) for at, (several, expression) in converters.items() for each in several
        ]

    def __call__(self, *given: int) -> list[tuple[Any, ...]]:
        """The rows for these values."""
        parameters = [given[p - SLOTS] if isinstance(p, int) and p >= SLOTS else p for p in self._parameters]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, parameters)
            found = cursor.fetchall()
        return [self._converted(list(row)) for row in found] if self._converters else found

    def _converted(self, values: list[Any]) -> tuple[Any, ...]:
        for position, expression, convert in self._converters:
            values[position] = convert(values[position], expression, connection)
        return tuple(values)
