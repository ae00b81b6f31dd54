"""The statements of a move, built once: the ORM takes longer to build them than the database to carry them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import chain
from threading import local
from typing import Any, Generic, TypeVar

import msgspec
from django.db import connection, models
from django.db.models.query import get_related_populators

from game.infra.converting import Converting, is_plain_json
from game.infra.cursors import beside
from game.infra.reads import in_slots

Table = type[models.Model]
M = TypeVar("M", bound=models.Model)
LARGEST_KEY = 2**63 - 1
MOST_VALUES = 30_000  # in one statement; the protocol of PostgreSQL counts them in 16 bits
ADAPTED = (models.JSONField, models.DateTimeField, models.DurationField)  # all others go to the driver as they are


class Lookup(Generic[M]):
    """A query for one row by its key, or by another field that is unique, compiled at its first use; further
    expressions of it come as attributes, and what it selects of related tables with it. It may have slots for whole
    numbers."""

    def __init__(self, rows: models.QuerySet[M], by: str = "pk") -> None:
        self._table, self._rows = rows.model, rows
        self._of_several = cache(self._compile_several)
        self._extra = list(rows.query.annotations)
        self._fields = [field.attname for field in self._table._meta.concrete_fields]
        compiler = rows.filter(**{by: 0}).query.get_compiler(connection=connection)
        self._sql, (*self._before, _) = compiler.as_sql()
        self._converting = Converting(compiler, [expression for expression, _, _ in compiler.select])
        chosen = compiler.klass_info, compiler.select, connection.alias
        self._related = get_related_populators(*chosen)  # type: ignore[call-arg]  # stubs of a newer Django

    def get(self, key: int | str, *given: int) -> M | None:
        """The row, or None, also where no row could have such a key; these values are put into its slots."""
        if isinstance(key, int) and key > LARGEST_KEY:
            return None
        with connection.cursor() as cursor:
            cursor.execute(self._sql, [*in_slots(self._before, given), key])
            found = cursor.fetchone()
        return self._row(found) if found else None

    def several(self, keys: Sequence[int]) -> list[M]:
        """The rows of these that there are, in no order."""
        with connection.cursor() as cursor:
            cursor.execute(self._of_several(len(keys)), list(keys))
            return [self._row(found) for found in cursor.fetchall()]

    def _compile_several(self, count: int) -> str:
        sql: str = self._rows.filter(pk__in=range(count)).query.get_compiler(connection=connection).as_sql()[0]
        return sql

    def _row(self, found: Sequence[Any]) -> M:
        values = self._converting.row(found)
        count = len(self._fields)
        row = self._table.from_db(connection.alias, self._fields, values[:count])
        for name, value in zip(self._extra, values[count:], strict=not self._related):
            setattr(row, name, value)
        for related in self._related:
            related.populate(values, row)
        return row


class Pile:
    """Statements that wait to be written together: rows by table and fields, single rows to change, and the rest."""

    def __init__(self) -> None:
        self.inserts: dict[tuple[Table, tuple[str, ...], tuple[str, ...]], list[list[Any]]] = {}
        self.updates: dict[tuple[Table, tuple[str, ...]], list[list[Any]]] = {}
        self.changes: dict[Callable[[list[int]], object], list[int]] = {}

    def write(self) -> None:
        """In as few statements as possible, without waiting for each one's answer where the driver can."""
        with together(), beside() as cursor:
            for (table, fields, unique), rows in self.inserts.items():
                for some in _portions(rows):
                    cursor.execute(_insert(table, fields, len(some), unique), list(chain.from_iterable(some)))
            for (table, fields), rows in self.updates.items():
                for some in _portions(rows) if connection.vendor == "postgresql" else ([row] for row in rows):
                    cursor.execute(_update(table, fields, len(some)), list(chain.from_iterable(some)))
            for change, keys in self.changes.items():
                change(keys)


class _Piles(local):
    open: Pile | None = None


_piles = _Piles()


@contextmanager
def piled() -> Iterator[None]:
    """Inside, this thread's statements of moves wait, and are written together at the end; none is where an error
    breaks out. What is asked of the database meanwhile does not see them."""
    pile = _piles.open = Pile()
    try:
        yield
    finally:
        _piles.open = None
    pile.write()


def change_rows(change: Callable[[list[int]], object], keys: Sequence[int]) -> None:
    """Carry out a change of the rows with these keys, or let it wait with others of its kind."""
    if not keys:
        return
    if _piles.open is not None:
        _piles.open.changes.setdefault(change, []).extend(keys)
    else:
        change(list(keys))


@contextmanager
def together() -> Iterator[None]:
    """Statements inside are sent without waiting for each one's answer where the driver can; what one breaks shows at
    the end. Those that are piled up are sent later anyway."""
    if connection.vendor != "postgresql" or _piles.open is not None:
        yield
        return
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def insert(
    table: Table, fields: tuple[str, ...], rows: Sequence[Sequence[Any]], *, unique: tuple[str, ...] = ()
) -> None:
    """Write rows in one statement; those whose `unique` fields exist take the new values."""
    adapters = _adapters(table, fields)
    if _piles.open is not None:
        waiting = _piles.open.inserts.setdefault((table, fields, unique), [])
        waiting += [_adapted(row, adapters) for row in rows]
        return
    with beside() as cursor:
        cursor.execute(
            _insert(table, fields, len(rows), unique), [value for row in rows for value in _adapted(row, adapters)]
        )


def update(table: Table, key: int, fields: tuple[str, ...], row: Sequence[Any]) -> None:
    """Write some fields of one row."""
    values = [*_adapted(row, _adapters(table, fields)), key]
    if _piles.open is not None:
        _piles.open.updates.setdefault((table, fields), []).append(values)
        return
    with beside() as cursor:
        cursor.execute(_update(table, fields, 1), values)


def _portions(rows: Sequence[list[Any]]) -> Iterator[Sequence[list[Any]]]:
    """As many of them at a time as one statement may hold."""
    most = MOST_VALUES // len(rows[0])
    return (rows[start : start + most] for start in range(0, len(rows), most))


def _adapted(row: Sequence[Any], adapters: Iterable[tuple[int, Callable[..., Any]]]) -> list[Any]:
    values = list(row)
    for position, adapt in adapters:
        if values[position] is not None:
            values[position] = adapt(values[position], connection)
    return values


@cache
def _adapters(table: Table, fields: tuple[str, ...]) -> list[tuple[int, Callable[..., Any]]]:
    columns = [table._meta.get_field(name) for name in fields]
    knows_times = connection.features.supports_timezones and connection.features.has_native_duration_field
    adapted = (models.JSONField,) if knows_times else ADAPTED
    return [(position, _adapter(field)) for position, field in enumerate(columns) if isinstance(field, adapted)]


def _adapter(field: models.Field[Any, Any]) -> Callable[..., Any]:
    """What makes a value fit for the driver; JSON goes as text, which costs a fifth of Django's way."""
    return _as_json if is_plain_json(field) else field.get_db_prep_save


def _as_json(value: Any, connection: Any) -> str:
    return msgspec.json.encode(value).decode()


@lru_cache(maxsize=512)
def _insert(table: Table, fields: tuple[str, ...], count: int, unique: tuple[str, ...]) -> str:
    columns = _columns(table, fields)
    row = f"({', '.join(['%s'] * len(columns))})"
    into, values = f"{_quoted(table._meta.db_table)} ({', '.join(columns)})", ", ".join([row] * count)
    sql = f"INSERT INTO {into} VALUES {values}"  # noqa: S608 names only
    if not unique:
        return sql
    taken = ", ".join(
        f"{column} = EXCLUDED.{column}" for column in _columns(table, [name for name in fields if name not in unique])
    )
    return f"{sql} ON CONFLICT ({', '.join(_columns(table, unique))}) DO UPDATE SET {taken}"


@lru_cache(maxsize=512)
def _update(table: Table, fields: tuple[str, ...], count: int) -> str:
    """Each row's values, its key last."""
    name, columns = _quoted(table._meta.db_table), _columns(table, fields)
    if count == 1:
        changes = ", ".join(f"{column} = %s" for column in columns)
        return f"UPDATE {name} SET {changes} WHERE {_quoted('id')} = %s"  # noqa: S608 names only
    changes = ", ".join(f"{column} = new.{column}" for column in columns)
    known = [*columns, _quoted("id")]
    # The first row says of what kind the values are; the others follow.
    types = [table._meta.get_field(field).db_type(connection) for field in (*fields, "id")]  # type: ignore[union-attr]
    first, others = f"({', '.join(f'%s::{kind}' for kind in types)})", f"({', '.join(['%s'] * len(known))})"
    values = f"(VALUES {', '.join([first, *[others] * (count - 1)])}) AS new ({', '.join(known)})"
    return f"UPDATE {name} SET {changes} FROM {values} WHERE {name}.id = new.id"  # noqa: S608 names only


def _columns(table: Table, fields: Iterable[str]) -> list[str]:
    return [_quoted(str(table._meta.get_field(name).column)) for name in fields]  # type: ignore[union-attr]


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
