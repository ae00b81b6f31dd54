"""Queries whose SQL is built once, and planned once per connection: the ORM takes four times as long to build a query
of a page as the database to answer it, and rebuilding the SQL took two thirds of the time of closing a phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec
from django.db import connection, models
from django.db.models.expressions import Col
from django.db.models.query import get_related_populators
from django.db.models.sql import UpdateQuery

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper

M = TypeVar("M", bound=models.Model)
Parameter = int | str | Iterable[int]
Values = list[int | str]
LARGEST_KEY = 2**63 - 1
# Placeholders fit into the smallest column; queries contain no such numbers and texts.
FIRST_PLACEHOLDER, MOST_PLACEHOLDERS = 32_000, 700
TEXT_PLACEHOLDERS = {f"\ue000{number}": number for number in range(MOST_PLACEHOLDERS)}


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
        return [tuple(self._row(row)) for row in rows] if self._json or self._others else list(rows)

    def _row(self, row: Sequence[Any]) -> list[Any]:
        values = list(row)
        for place in self._json:
            if values[place] is not None:
                values[place] = msgspec.json.decode(values[place])
        for place, expression, convert in self._others:
            values[place] = convert(values[place], expression, connection)
        return values


class ModelReader(Generic[M]):
    """Makes objects of the rows of a query of models: annotations become attributes, selected related rows are filled
    in."""

    def __init__(self, query: models.QuerySet[M, Any], compiler: Any) -> None:
        self._table = query.model
        self._fields = [field.attname for field in self._table._meta.concrete_fields]
        self._annotations = list(query.query.annotations)
        chosen = compiler.klass_info, compiler.select, connection.alias
        self._related = get_related_populators(*chosen)  # type: ignore[call-arg]  # stubs of a newer Django

    def read(self, row: Sequence[Any]) -> M:
        count = len(self._fields)
        model = self._table.from_db(connection.alias, self._fields, row[:count])
        for name, value in zip(self._annotations, row[count:], strict=not self._related):
            setattr(model, name, value)
        for related in self._related:
            related.populate(row, model)
        return model


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


class Compiled:
    """A query for parameters of one shape: its SQL, how to get the SQL's values from the parameters, and how to read
    its rows."""

    def __init__(self, query: models.QuerySet[Any, Any], changes: dict[str, Any], *, is_planned: bool) -> None:
        chosen = query.query
        if changes:
            chosen = chosen.chain(UpdateQuery)  # type: ignore[assignment]
            chosen.add_update_values(changes)  # type: ignore[attr-defined]
        compiler = chosen.get_compiler(connection=connection)
        self.sql, values = compiler.as_sql()
        self.is_planned = is_planned
        if is_planned:
            self.sql, values = _inline_constants(self.sql, values)
        self.getters = [_getter(value) for value in values]
        self.converter = RowConverter(compiler, [] if changes else [each for each, _, _ in compiler.select])
        self.models = ModelReader(query, compiler) if chosen.default_cols and not changes else None

    def rows(self, values: Values) -> list[tuple[Any, ...]]:
        with server_side_cursor(is_planned=True) if self.is_planned else connection.cursor() as cursor:
            cursor.execute(self.sql, [get(values) for get in self.getters])
            rows = cursor.fetchall()
        return self.converter.rows(rows)


class CompiledQuery(Generic[M]):
    """A query or an update with parameters that are integers, texts or non-empty lists of integers, compiled at its
    first use, for each length of the lists.

    `make` builds the query from placeholders; an update has its `changes` too. Without lists PostgreSQL plans it once
    per connection."""

    def __init__(self, make: Callable[..., models.QuerySet[M, Any]], **changes: Any) -> None:
        self._make, self._changes = make, changes
        self._compiled = cache(self._compile)

    def rows(self, *parameters: Parameter) -> list[tuple[Any, ...]]:
        """The rows of the query, as tuples."""
        compiled, values = self._for(parameters)
        return compiled.rows(values)

    def all(self, *parameters: Parameter) -> list[M]:
        """The objects of a query of models."""
        compiled, values = self._for(parameters)
        assert compiled.models is not None
        return [compiled.models.read(row) for row in compiled.rows(values)]

    def first(self, *parameters: Parameter) -> M | None:
        """The first object of a query of models; None without one, or for a key that no column holds."""
        if any(isinstance(each, int) and each > LARGEST_KEY for each in parameters):
            return None
        return next(iter(self.all(*parameters)), None)

    def change(self, *parameters: Parameter) -> int:
        """Run the update. Returns the number of rows."""
        compiled, values = self._for(parameters)
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql, [get(values) for get in compiled.getters])
            return cursor.rowcount

    def _for(self, parameters: Iterable[Parameter]) -> tuple[Compiled, Values]:
        values, shape = _flatten(parameters)
        return self._compiled(shape), values

    def _compile(self, shape: tuple[int, ...]) -> Compiled:
        numbers = iter(range(MOST_PLACEHOLDERS))
        query = self._make(*(_placeholder(length, numbers) for length in shape))
        is_planned = not self._changes and all(length < 0 for length in shape)
        return Compiled(query, self._changes, is_planned=is_planned)


ONE_NUMBER, ONE_TEXT = -1, -2


def _placeholder(length: int, numbers: Iterator[int]) -> int | str | list[int]:
    if length == ONE_TEXT:
        return list(TEXT_PLACEHOLDERS)[next(numbers)]
    if length == ONE_NUMBER:
        return FIRST_PLACEHOLDER + next(numbers)
    return [FIRST_PLACEHOLDER + next(numbers) for _ in range(length)]


def _flatten(parameters: Iterable[Parameter]) -> tuple[Values, tuple[int, ...]]:
    """All values in one list, and the shape: the length of each list, or what a single value is."""
    values: Values = []
    shape: list[int] = []
    for each in parameters:
        if isinstance(each, int | str):
            values.append(each)
            shape.append(ONE_TEXT if isinstance(each, str) else ONE_NUMBER)
        else:
            items = sorted(each)
            values += items
            shape.append(len(items))
    return values, tuple(shape)


def _place_of(value: Any) -> int | None:
    """Which of the values a placeholder stands for; None for a constant."""
    if isinstance(value, str):
        return TEXT_PLACEHOLDERS.get(value)
    is_placeholder = isinstance(value, int) and FIRST_PLACEHOLDER <= value < FIRST_PLACEHOLDER + MOST_PLACEHOLDERS
    return value - FIRST_PLACEHOLDER if is_placeholder else None


def _getter(value: Any) -> Callable[[Values], Any]:
    """A function that gets a value of the statement from the parameters: one of them, or a constant."""
    place = _place_of(value)
    return (lambda values: value) if place is None else (lambda values: values[place])


def _inline_constants(sql: str, values: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """The statement with constants inlined, so that the database plans it for them, and its remaining values. Values
    with a per cent sign are not inlined, because they would be mistaken for placeholders."""
    if connection.vendor != "postgresql":
        return sql, values
    text, *others = sql.split("%s")
    remaining: tuple[Any, ...] = ()
    for value, following in zip(values, others, strict=True):
        is_beside = _place_of(value) is not None or "%" in str(value)
        text += ("%s" if is_beside else _sql_literal(value)) + following
        remaining += (value,) if is_beside else ()
    return text, remaining


def _sql_literal(value: Any) -> str:
    """A value as an SQL literal."""
    literal: str = connection.ops.compose_sql("%s", [value])  # type: ignore[attr-defined]
    return literal
