"""All rows of the database: exported as of one moment, and imported into an empty database whose tables the migrations
have made.

A backup holds only rows, nothing that a database would run: no table, function or trigger is taken from it."""

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
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

CHUNK_BYTES = 1 << 20  # bytes per read
COMPRESSION_LEVEL = 1  # of zstd: fast, because people play meanwhile
MOST_UNPACKED = 50  # bytes of rows for each packed byte; a site has about four
MOST_COPIED = 2  # bytes of a database for each byte of its copy; a site has one
GAMES = "game"  # the app without which there is no game to compare
MIGRATIONS_TABLE = MigrationRecorder.Migration._meta.db_table


class NoBackup(Exception):
    """A backup cannot be written or read; the message says why."""


def applied_migrations() -> list[tuple[str, str]]:
    """App and name of the applied migrations, sorted."""
    return sorted(MigrationRecorder(connection).applied_migrations())


def make_tables(migrations: Collection[tuple[str, str]]) -> None:
    """Create the tables as of these migrations. Raises `NoBackup` if this version of the site lacks one, or if they are
    only part of those that any site has applied."""
    loader = MigrationExecutor(connection).loader
    graph, migrations = loader.graph, _without_replaced(loader, migrations)
    if missing := [each for each in migrations if each not in graph.nodes]:
        raise NoBackup(
            f"This backup was made by another version of the site: this one has no migration {'.'.join(missing[0])}. "
            "Restore it with that version, then update."
        )
    _check_whole(loader, set(migrations))
    if _without_replaced(loader, applied_migrations()) == migrations:
        return
    with connection.cursor() as cursor, connection.constraint_checks_disabled():
        cascade = " CASCADE" if connection.vendor == "postgresql" else ""
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)}{cascade}")
    keys = set(migrations)
    leaves = [each for each in migrations if not keys & {child.key for child in graph.node_map[each].children}]
    MigrationExecutor(connection).migrate(leaves)


def _check_whole(loader: MigrationLoader, migrations: Collection[tuple[str, str]]) -> None:
    """Refuse migrations without those that they build on, and those that make no games. Raises `NoBackup`."""
    parents = {parent.key for each in migrations for parent in loader.graph.node_map[each].parents}
    missing = sorted(parents.difference(migrations))
    if not missing and GAMES not in {app for app, _ in migrations}:
        missing = sorted(loader.graph.root_nodes(GAMES))
    if missing:
        raise NoBackup(
            "This backup is damaged or made up: its list names only part of the migrations of a site; "
            f"{'.'.join(missing[0])} is not in it."
        )


def _without_replaced(loader: MigrationLoader, applied: Collection[tuple[str, str]]) -> list[tuple[str, str]]:
    """The applied migrations as this version names them: a first one that stands for many instead of the many."""
    keys = set(applied)
    for key, migration in loader.disk_migrations.items():
        if migration.replaces and keys.issuperset(migration.replaces):
            keys = keys.difference(migration.replaces) | {key}
    return sorted(keys)


def columns_here() -> dict[str, list[str]]:
    """The columns of every table that is backed up: all but the list of migrations."""
    with connection.cursor() as cursor:
        return {
            table: [column.name for column in connection.introspection.get_table_description(cursor, table)]
            for table in sorted(connection.introspection.table_names(cursor))
            if table != MIGRATIONS_TABLE
        }


def check_columns(columns: dict[str, list[str]]) -> None:
    """Raises `NoBackup` unless a backup has exactly the tables and columns of this database."""
    here = columns_here()
    for table in sorted(here.keys() | columns.keys()):
        if sorted(here.get(table, ())) != sorted(columns.get(table, ())):
            raise NoBackup(f"This backup is damaged or made up: its table {table} is not the one of its migrations.")


def copy_out(folder: Path) -> dict[str, list[str]]:
    """Copy each PostgreSQL table into a file, within the caller's transaction. Returns the columns of each."""
    columns = columns_here()
    packer = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        for table, names in columns.items():
            with (
                (folder / table).open("wb") as file,
                packer.stream_writer(file) as writer,
                cursor.copy(f"COPY {_table_with_columns(table, names)} TO STDOUT") as rows,
            ):
                for part in rows:
                    writer.write(part)
    return columns


def copy_in(folder: Path, columns: dict[str, list[str]], numbers: dict[str, int]) -> None:
    """Replace all PostgreSQL rows by those in the files, or none. Raises `NoBackup`."""
    check_columns(columns)
    unpacker = zstandard.ZstdDecompressor()
    room = MOST_UNPACKED * sum((folder / table).stat().st_size for table in columns)
    with as_no_backup(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute(f"TRUNCATE {', '.join(map(connection.ops.quote_name, columns))}")
        for table, names in columns.items():
            with (
                (folder / table).open("rb") as file,
                unpacker.stream_reader(file) as reader,
                cursor.copy(f"COPY {_table_with_columns(table, names)} FROM STDIN") as rows,
            ):
                while part := reader.read(CHUNK_BYTES):
                    room -= len(part)
                    if room < 0:
                        raise NoBackup(f"This backup is made up: it unpacks to over {MOST_UNPACKED} times its bytes.")
                    rows.write(part)
        for table, column, sequence in _sequences(cursor):
            cursor.execute(
                f"SELECT setval(%s, GREATEST(%s, (SELECT MAX({column}) FROM {table}), 1))",  # noqa: S608 - quoted
                [sequence, numbers.get(sequence, 1)],
            )


def last_numbers() -> dict[str, int]:
    """The last number of each PostgreSQL sequence: numbers of deleted rows are not reused."""
    with connection.cursor() as cursor:
        names = [name for _, _, name in _sequences(cursor)]
        cursor.execute(
            "SELECT format('%%I.%%I', schemaname, sequencename), last_value FROM pg_sequences WHERE last_value > 0"
        )
        return {name: number for name, number in cursor.fetchall() if name in names}


def copy_file_in(copy: Path) -> dict[str, list[str]]:
    """Replace all SQLite rows by those of this file, or none. Returns the columns of each table. Raises `NoBackup`."""
    columns = _columns_of_file(copy)
    check_columns(columns)
    with as_no_backup(), connection.cursor() as cursor:
        cursor.execute("ATTACH DATABASE %s AS backup", [f"file:{copy}?mode=ro&immutable=1"])
        try:
            with _limited_room(cursor, MOST_COPIED * copy.stat().st_size), transaction.atomic():
                for table, names in columns.items():
                    listing = ", ".join(map(connection.ops.quote_name, names))
                    quoted = connection.ops.quote_name(table)
                    cursor.execute(f"DELETE FROM main.{quoted}")  # noqa: S608 - quoted
                    cursor.execute(
                        f"INSERT INTO main.{quoted} ({listing}) SELECT {listing} FROM backup.{quoted}"  # noqa: S608
                    )
                cursor.execute("DELETE FROM main.sqlite_sequence")
                cursor.execute("INSERT INTO main.sqlite_sequence SELECT name, seq FROM backup.sqlite_sequence")
        finally:
            cursor.execute("DETACH DATABASE backup")
    return columns


@contextlib.contextmanager
def _limited_room(cursor: Any, growth: int) -> Iterator[None]:
    """Let the SQLite database grow by at most this many bytes: a file may hold a value once, as the default of a
    column, and fill every row with it."""
    page_bytes, pages, most = (
        cursor.execute(f"PRAGMA main.{name}").fetchone()[0] for name in ("page_size", "page_count", "max_page_count")
    )
    cursor.execute(f"PRAGMA main.max_page_count = {pages + growth // page_bytes}")
    try:
        yield
    finally:
        cursor.execute(f"PRAGMA main.max_page_count = {most}")


def _columns_of_file(copy: Path) -> dict[str, list[str]]:
    """The stored columns of each table of an SQLite backup. Its triggers never run, because it is only read. Raises
    `NoBackup` if reading would run something, such as a view or a virtual table."""
    with as_no_backup(), contextlib.closing(sqlite3.connect(f"file:{copy}?mode=ro&immutable=1", uri=True)) as file:
        file.execute("PRAGMA trusted_schema = OFF")
        objects = file.execute("SELECT name FROM sqlite_master WHERE type <> 'trigger' AND NOT coalesce(rootpage, 0)")
        for (name,) in objects.fetchall():
            raise NoBackup(f"This backup is made up: {name} is neither a plain table nor an index.")
        if file.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise NoBackup("This backup is damaged.")
        tables = file.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {
            table: [name for (name,) in file.execute("SELECT name FROM pragma_table_info(?)", (table,))]
            for (table,) in tables.fetchall()
            if table != MIGRATIONS_TABLE
        }


def _table_with_columns(table: str, names: list[str]) -> str:
    quote = connection.ops.quote_name
    return f"{quote(table)} ({', '.join(map(quote, names))})"


def _sequences(cursor: Any) -> list[tuple[str, str, str]]:
    """The PostgreSQL sequences that number rows: quoted table and column, and the sequence's name."""
    cursor.execute(
        """SELECT quote_ident(table_name), quote_ident(column_name), sequence FROM information_schema.columns,
        pg_get_serial_sequence(quote_ident(table_name), column_name) AS sequence
        WHERE table_schema = current_schema() AND sequence IS NOT NULL ORDER BY 1, 2"""
    )
    rows: list[tuple[str, str, str]] = cursor.fetchall()
    return rows


@contextlib.contextmanager
def as_no_backup() -> Iterator[None]:
    """Turn database and file errors into a `NoBackup` with a sentence."""
    try:
        yield
    except (DatabaseError, psycopg.Error, sqlite3.DatabaseError, zstandard.ZstdError, OSError) as error:
        reason = str(error).strip().splitlines()[0]
        raise NoBackup(f"This backup is damaged or made up: {reason}") from error
