"""Queries whose SQL is built once, and planned once per connection: the ORM takes four times as long to build a query
of a page as the database to answer it, and rebuilding the SQL took two thirds of the time of closing a phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from django.db import connection, models
from django.db.models.expressions import Col
from django.db.models.sql import UpdateQuery

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper


class RowConverter:
    """Converts rows with the same columns; decodes JSON five times as fast as Django."""

    def __init__(self, compiler: Any, selected: Sequence[Any]) -> None:
        self._json = [
            place for place, each in enumerate(selected) if isinstance(each, Col) and is_plain_json(each.output_field)
        ]
        converters = compiler.get_converters(selected)
        self._others = [
            (place, expression, convert)
            for place, (several, expression) in converters.items()
            for convert in several
            if place not in self._json
        ]

    def rows(self, rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        return [tuple(self.row(row)) for row in rows] if self._json or self._others else list(rows)

    def row(self, row: Sequence[Any]) -> list[Any]:
        values = list(row)
        for place in self._json:
            if values[place] is not None:
                values[place] = msgspec.json.decode(values[place])
        for place, expression, convert in self._others:
            values[place] = convert(values[place], expression, connection)
        return values


def is_plain_json(field: Any) -> bool:
    return isinstance(field, models.JSONField) and field.encoder is None and field.decoder is None


@contextmanager
def server_side_cursor(*, is_planned: bool = False) -> Iterator[CursorWrapper]:
    """A cursor that sends values separately. Django inlines them, which doubles the size of bytes and makes every
    statement a new one. Statements with `is_planned` are prepared once per connection."""
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            yield cursor
        return
    from game.infra.bound_cursors import PreparedCursor, ServerSideCursor  # here: SQLite needs no driver of PostgreSQL

    connection.ensure_connection()
    make_cursor = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    kind: Any = PreparedCursor if is_planned else ServerSideCursor
    with make_cursor(kind(connection.connection)) as cursor:
        yield cursor


Value = int | Iterable[int]
QueryOrUpdate = models.QuerySet[Any, Any] | tuple[models.QuerySet[Any, Any], dict[str, Any]]
# Placeholder numbers fit into the smallest column; queries contain no such numbers.
FIRST_PLACEHOLDER, MOST_PLACEHOLDERS = 32_000, 700


class CompiledQuery:
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

    def _compile(self, shape: tuple[int, ...]) -> tuple[str, list[Callable[[list[int]], Any]], RowConverter]:
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
        return sql, [_getter(parameter) for parameter in parameters], RowConverter(compiler, selected)


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


FIRST_PARAMETER = 2_000_000_000  # above all keys and counts, below 2,147,483,647, the maximum of a four-byte column


def parameter(number: int) -> int:
    """The placeholder in a query for parameter `number`, counted from 0."""
    return FIRST_PARAMETER + number


class PlannedQuery:
    """A query with slots for integers, compiled once. Its rows are tuples of its `values_list`."""

    def __init__(self, rows: models.QuerySet[Any, Any]) -> None:
        compiler = rows.query.get_compiler(connection=connection)
        self._sql, self._values = _inline_constants(*compiler.as_sql())
        self._converting = RowConverter(compiler, [expression for expression, _, _ in compiler.select])

    def __call__(self, *parameters: int) -> list[tuple[Any, ...]]:
        """The rows for these parameters."""
        with server_side_cursor(is_planned=True) as cursor:
            cursor.execute(self._sql, fill_parameters(self._values, parameters))
            rows = cursor.fetchall()
        return self._converting.rows(rows)


def fill_parameters(values: Iterable[Any], parameters: Sequence[int]) -> list[Any]:
    """The values of a statement, with its slots filled."""
    return [parameters[value - FIRST_PARAMETER] if _is_slot(value) else value for value in values]


def _is_slot(value: Any) -> bool:
    return isinstance(value, int) and value >= FIRST_PARAMETER


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
