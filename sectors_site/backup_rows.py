"""The rows of the whole database: copied out of it as they were at one moment, and into an empty one whose tables the
migrations have made.

A backup holds rows and nothing that a database would run: no table, function or trigger is taken from it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import psycopg
import zstandard
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

AT_ONCE = 1 << 20  # bytes read at once
LEVEL = 1  # of zstd: a backup is written while people play
MIGRATIONS_TABLE = MigrationRecorder.Migration._meta.db_table


class NoBackup(Exception):
    """A backup cannot be written or read; the sentence says why."""


def applied_migrations() -> list[tuple[str, str]]:
    """The migrations that have made these tables: app and name, in alphabetical order."""
    return sorted(MigrationRecorder(connection).applied_migrations())


def make_tables(migrations: Collection[tuple[str, str]]) -> None:
    """Make the tables as these migrations leave them. Raises `NoBackup` where this version of the site lacks one."""
    graph = MigrationExecutor(connection).loader.graph
    if missing := [each for each in migrations if each not in graph.nodes]:
        raise NoBackup(
            f"This backup was made by another version of the site: this one has no migration {'.'.join(missing[0])}. "
            "Restore it with that version, then update."
        )
    if applied_migrations() == sorted(migrations):
        return
    with connection.cursor() as cursor, connection.constraint_checks_disabled():
        cascade = " CASCADE" if connection.vendor == "postgresql" else ""
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)}{cascade}")
    wanted = set(migrations)
    last = [each for each in migrations if not wanted & {child.key for child in graph.node_map[each].children}]
    MigrationExecutor(connection).migrate(last)


def columns_here() -> dict[str, list[str]]:
    """The columns of each table that a backup copies: of all but the list of migrations."""
    with connection.cursor() as cursor:
        return {
            table: [column.name for column in connection.introspection.get_table_description(cursor, table)]
            for table in sorted(connection.introspection.table_names(cursor))
            if table != MIGRATIONS_TABLE
        }


def check_columns(columns: dict[str, list[str]]) -> None:
    """Raises `NoBackup` unless a backup has just the tables and columns that the migrations have made here."""
    here = columns_here()
    for table in sorted(here.keys() | columns.keys()):
        if sorted(here.get(table, ())) != sorted(columns.get(table, ())):
            raise NoBackup(f"This backup is damaged or made up: its table {table} is not the one of its migrations.")


def copy_out(folder: Path) -> dict[str, list[str]]:
    """Copy each table of PostgreSQL into a file of its own, within the caller's transaction; the columns of each."""
    columns = columns_here()
    packer = zstandard.ZstdCompressor(level=LEVEL)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        for table, names in columns.items():
            with (
                (folder / table).open("wb") as file,
                packer.stream_writer(file) as packed,
                cursor.copy(f"COPY {_listed(table, names)} TO STDOUT") as rows,
            ):
                for part in rows:
                    packed.write(part)
    return columns


def copy_in(folder: Path, columns: dict[str, list[str]], numbers: dict[str, int]) -> None:
    """Replace all rows of PostgreSQL by those in the files, all or none. Raises `NoBackup`."""
    check_columns(columns)
    unpacker = zstandard.ZstdDecompressor()
    with _or_no_backup(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute(f"TRUNCATE {', '.join(map(connection.ops.quote_name, columns))}")
        for table, names in columns.items():
            with (
                (folder / table).open("rb") as file,
                unpacker.stream_reader(file) as unpacked,
                cursor.copy(f"COPY {_listed(table, names)} FROM STDIN") as rows,
            ):
                while part := unpacked.read(AT_ONCE):
                    rows.write(part)
        for table, column, sequence in _sequences(cursor):
            cursor.execute(
                f"SELECT setval(%s, GREATEST(%s, (SELECT MAX({column}) FROM {table}), 1))",  # noqa: S608 - quoted
                [sequence, numbers.get(sequence, 1)],
            )


def last_numbers() -> dict[str, int]:
    """The last number that each sequence of PostgreSQL has given: those of deleted rows are not given again."""
    with connection.cursor() as cursor:
        names = [name for _, _, name in _sequences(cursor)]
        cursor.execute(
            "SELECT format('%%I.%%I', schemaname, sequencename), last_value FROM pg_sequences WHERE last_value > 0"
        )
        return {name: number for name, number in cursor.fetchall() if name in names}


def copy_file_in(copy: Path) -> dict[str, list[str]]:
    """Replace all rows of SQLite by those of this file, all or none; the columns of each table. Raises `NoBackup`."""
    columns = _columns_of_file(copy)
    check_columns(columns)
    with _or_no_backup(), connection.cursor() as cursor:
        cursor.execute("ATTACH DATABASE %s AS backup", [f"file:{copy}?mode=ro&immutable=1"])
        try:
            with transaction.atomic():
                for table, names in columns.items():
                    listed = ", ".join(map(connection.ops.quote_name, names))
                    place = connection.ops.quote_name(table)
                    cursor.execute(f"DELETE FROM main.{place}")  # noqa: S608 - quoted
                    cursor.execute(
                        f"INSERT INTO main.{place} ({listed}) SELECT {listed} FROM backup.{place}"  # noqa: S608
                    )
                cursor.execute("DELETE FROM main.sqlite_sequence")
                cursor.execute("INSERT INTO main.sqlite_sequence SELECT name, seq FROM backup.sqlite_sequence")
        finally:
            cursor.execute("DETACH DATABASE backup")
    return columns


def _columns_of_file(copy: Path) -> dict[str, list[str]]:
    """The stored columns of each table of a file that should be a backup of SQLite. Triggers run nothing, since it is
    only read. Raises `NoBackup` where reading would run something, as a view or a virtual table does."""
    with _or_no_backup(), contextlib.closing(sqlite3.connect(f"file:{copy}?mode=ro&immutable=1", uri=True)) as file:
        file.execute("PRAGMA trusted_schema = OFF")
        runs = file.execute("SELECT name FROM sqlite_master WHERE type <> 'trigger' AND NOT coalesce(rootpage, 0)")
        for (name,) in runs.fetchall():
            raise NoBackup(f"This backup is made up: {name} is neither a plain table nor an index.")
        if file.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise NoBackup("This backup is damaged.")
        tables = file.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {
            table: [name for (name,) in file.execute("SELECT name FROM pragma_table_info(?)", (table,))]
            for (table,) in tables.fetchall()
            if table != MIGRATIONS_TABLE
        }


def _listed(table: str, names: list[str]) -> str:
    quote = connection.ops.quote_name
    return f"{quote(table)} ({', '.join(map(quote, names))})"


def _sequences(cursor: Any) -> list[tuple[str, str, str]]:
    """The sequences of PostgreSQL that number rows: table and column, quoted, and the sequence's own name."""
    cursor.execute(
        """SELECT quote_ident(table_name), quote_ident(column_name), sequence FROM information_schema.columns,
        pg_get_serial_sequence(quote_ident(table_name), column_name) AS sequence
        WHERE table_schema = current_schema() AND sequence IS NOT NULL ORDER BY 1, 2"""
    )
    rows: list[tuple[str, str, str]] = cursor.fetchall()
    return rows


@contextlib.contextmanager
def _or_no_backup() -> Iterator[None]:
    """Say in a sentence that rows do not fit, or that a file is damaged."""
    try:
        yield
    except (DatabaseError, psycopg.Error, sqlite3.DatabaseError, zstandard.ZstdError, OSError) as error:
        reason = str(error).strip().splitlines()[0]
        raise NoBackup(f"This backup is damaged or made up: {reason}") from error
