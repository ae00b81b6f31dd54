"""The writes of moves, with SQL that is built once: the ORM takes longer to build it than the database to run it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import chain
from threading import local
from typing import Any

import msgspec
from django.db import connection, models

from game.infra.compiled import is_plain_json, server_side_cursor

Table = type[models.Model]
MOST_VALUES = 30_000  # in one statement; PostgreSQL's protocol counts parameters in 16 bits
ADAPTED = (models.JSONField, models.DateTimeField, models.DurationField)  # all others go to the driver as they are


class WriteBatch:
    """Queued writes: inserts and updates by table and fields, and other changes by key."""

    def __init__(self) -> None:
        self.inserts: dict[tuple[Table, tuple[str, ...], tuple[str, ...]], list[list[Any]]] = {}
        self.updates: dict[tuple[Table, tuple[str, ...]], list[list[Any]]] = {}
        self.changes: dict[Callable[[list[int]], object], list[int]] = {}

    def write(self) -> None:
        """Write everything in as few statements as possible."""
        with server_side_cursor() as cursor:
            for (table, fields, unique), rows in self.inserts.items():
                for portion in _portions(rows):
                    cursor.execute(_insert(table, fields, len(portion), unique), list(chain.from_iterable(portion)))
            for (table, fields), rows in self.updates.items():
                for portion in _portions(rows) if connection.vendor == "postgresql" else ([row] for row in rows):
                    cursor.execute(_update(table, fields, len(portion)), list(chain.from_iterable(portion)))
            for change, keys in self.changes.items():
                change(keys)


class _Batches(local):
    open: WriteBatch | None = None


_batches = _Batches()


@contextmanager
def write_batch() -> Iterator[None]:
    """Within this block, this thread's writes are queued and flushed together at the end; an exception discards them.
    Queries inside the block do not see them."""
    batch = _batches.open = WriteBatch()
    try:
        yield
    finally:
        _batches.open = None
    batch.write()


def change_rows(change: Callable[[list[int]], object], keys: Sequence[int]) -> None:
    """Run a change of the rows with these keys, or queue it inside `write_batch`."""
    if not keys:
        return
    if _batches.open is not None:
        _batches.open.changes.setdefault(change, []).extend(keys)
    else:
        change(list(keys))


def insert(
    table: Table, fields: tuple[str, ...], rows: Sequence[Sequence[Any]], *, unique: tuple[str, ...] = ()
) -> None:
    """Insert rows in one statement; rows that exist by their `unique` fields are updated."""
    adapters = _adapters(table, fields)
    if _batches.open is not None:
        waiting = _batches.open.inserts.setdefault((table, fields, unique), [])
        waiting += [_adapt_row(row, adapters) for row in rows]
        return
    with server_side_cursor() as cursor:
        cursor.execute(
            _insert(table, fields, len(rows), unique), [value for row in rows for value in _adapt_row(row, adapters)]
        )


def update(table: Table, key: int, fields: tuple[str, ...], row: Sequence[Any]) -> None:
    """Write some fields of one row."""
    values = [*_adapt_row(row, _adapters(table, fields)), key]
    if _batches.open is not None:
        _batches.open.updates.setdefault((table, fields), []).append(values)
        return
    with server_side_cursor() as cursor:
        cursor.execute(_update(table, fields, 1), values)


def _portions(rows: Sequence[list[Any]]) -> Iterator[Sequence[list[Any]]]:
    """Split rows into portions that fit into one statement."""
    most = MOST_VALUES // len(rows[0])
    return (rows[start : start + most] for start in range(0, len(rows), most))


def _adapt_row(row: Sequence[Any], adapters: Iterable[tuple[int, Callable[..., Any]]]) -> list[Any]:
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
    """A function that adapts a field's values for the driver; JSON is sent as text, five times as fast as by Django."""
    return _encode_json if is_plain_json(field) else field.get_db_prep_save


def _encode_json(value: Any, connection: Any) -> str:
    return msgspec.json.encode(value).decode()


@lru_cache(maxsize=512)
def _insert(table: Table, fields: tuple[str, ...], count: int, unique: tuple[str, ...]) -> str:
    columns = _columns(table, fields)
    row = f"({', '.join(['%s'] * len(columns))})"
    into, values = f"{_quote(table._meta.db_table)} ({', '.join(columns)})", ", ".join([row] * count)
    sql = f"INSERT INTO {into} VALUES {values}"  # noqa: S608 names only
    if not unique:
        return sql
    assignments = ", ".join(
        f"{column} = EXCLUDED.{column}" for column in _columns(table, [name for name in fields if name not in unique])
    )
    return f"{sql} ON CONFLICT ({', '.join(_columns(table, unique))}) DO UPDATE SET {assignments}"


@lru_cache(maxsize=512)
def _update(table: Table, fields: tuple[str, ...], count: int) -> str:
    """Each row's values, its key last."""
    name, columns = _quote(table._meta.db_table), _columns(table, fields)
    if count == 1:
        changes = ", ".join(f"{column} = %s" for column in columns)
        return f"UPDATE {name} SET {changes} WHERE {_quote('id')} = %s"  # noqa: S608 names only
    changes = ", ".join(f"{column} = new.{column}" for column in columns)
    value_columns = [*columns, _quote("id")]
    # Only the first row needs casts; the others take its types.
    types = [table._meta.get_field(field).db_type(connection) for field in (*fields, "id")]  # type: ignore[union-attr]
    first, others = f"({', '.join(f'%s::{kind}' for kind in types)})", f"({', '.join(['%s'] * len(value_columns))})"
    values = f"(VALUES {', '.join([first, *[others] * (count - 1)])}) AS new ({', '.join(value_columns)})"
    return f"UPDATE {name} SET {changes} FROM {values} WHERE {name}.id = new.id"  # noqa: S608 names only


def _columns(table: Table, fields: Iterable[str]) -> list[str]:
    return [_quote(str(table._meta.get_field(name).column)) for name in fields]  # type: ignore[union-attr]


def _quote(name: str) -> str:
    return connection.ops.quote_name(name)
