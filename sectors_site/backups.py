"""Backups: the whole database in one file with a fingerprint of each game; restoring compares and replays every
game."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import IO, Any, BinaryIO

import msgspec
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from accounts.models import User
from game.site.models import SiteState
from game.store.game import Game
from game.store.packed_log import every_entry
from game.store.replay import replay_game
from sectors_site import backup_rows
from sectors_site.backup_rows import CHUNK_BYTES, NoBackup

MANIFEST, DATABASE = "games.json", "database"
FORMAT = 2
STATES_SQL = "SELECT id, version, entries, status, state, inputs FROM game_game ORDER BY id"
GameStates = dict[str, tuple[int, int, str, str]]


class Manifest(msgspec.Struct):
    """The contents of a backup. `games` holds a fingerprint of each game; for PostgreSQL, `columns` holds the columns
    of each table and `numbers` the last number of each sequence."""

    format: int
    vendor: str
    migrations: list[tuple[str, str]]
    games: GameStates
    columns: dict[str, list[str]] = {}
    numbers: dict[str, int] = {}


@dataclass(frozen=True)
class RestoreReport:
    """The result of a restore: how many games and positions were compared, and what differs."""

    games: int
    positions: int
    wrong: list[str]


def write_backup(file: Path) -> int:
    """Write the file, readable by its owner alone, while the site may run. Returns the number of games. Raises
    `NoBackup`."""
    if file.exists():
        raise NoBackup(f"{file} is there already: a backup replaces none.")
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".backup") as temporary:
        copies = Path(temporary) / "copies"
        copies.mkdir()
        manifest = _copy_sqlite(copies) if connection.vendor == "sqlite" else _copy_postgres(copies)
        whole = Path(temporary) / "whole"
        with os.fdopen(os.open(whole, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
            _pack(out, manifest, copies)
            os.fsync(out.fileno())
        whole.rename(file)
    return len(manifest.games)


def restore_backup(file: Path) -> RestoreReport:
    """Restore the file into an empty database, and compare every game with the manifest and with a replay of its log.
    Raises `NoBackup`."""
    differences = read_backup(file)
    positions, wrong = replay_all()
    return RestoreReport(Game.objects.count(), positions, differences + wrong)


def read_backup(file: Path) -> list[str]:
    """Import the rows into an empty database, into tables as of the backup's migrations, then migrate to today's.
    Returns the games that differ from the manifest. Raises `NoBackup`."""
    _refuse_if_in_use()
    with _open_tar(file) as tar, tempfile.TemporaryDirectory(prefix="restore") as folder:
        manifest = _read_manifest(tar)
        if manifest.vendor != connection.vendor:
            raise NoBackup(f"This backup is of {manifest.vendor}; this site runs on {connection.vendor}.")
        backup_rows.make_tables(manifest.migrations)
        import_rows = _import_sqlite if connection.vendor == "sqlite" else _import_postgres
        import_rows(tar, Path(folder), manifest)
    differences = _describe_differences(manifest.games, _current_states())
    with backup_rows.as_no_backup():
        call_command("migrate", verbosity=0, interactive=False)
    SiteState.objects.update_or_create(pk=SiteState.ONLY, defaults={"restored": secrets.token_hex(4)})
    return differences


def replay_all() -> tuple[int, list[str]]:
    """Compare every position with a replay of its log. Returns the number of positions and the differences."""
    positions, wrong = 0, []
    for game in Game.objects.order_by("pk").iterator(chunk_size=50):
        number, differences = _replay(game)
        positions += number
        wrong += differences
    return positions, wrong


def _replay(game: Game) -> tuple[int, list[str]]:
    """The number of positions and the differences of one game. Its rows may hold anything, because anyone may have
    prepared the backup: errors are named by their kind alone, whose texts could tell what is sealed."""
    try:
        game.check_fixed()
        checks, entries = list(replay_game(game=game)), sum(1 for _ in every_entry(game))
    except DatabaseError:
        raise
    except Exception as error:
        return 0, [f"game {game.pk} cannot be read or replayed ({type(error).__name__})"]
    wrong = [f"game {game.pk}, entry {check.number}: the log leads elsewhere" for check in checks if not check.is_equal]
    if entries != game.entries:
        wrong.append(f"game {game.pk}: {entries} of {game.entries} entries of its log are there")
    return len(checks), wrong


def _pack(out: BinaryIO, manifest: Manifest, folder: Path) -> None:
    text = msgspec.json.encode(manifest)
    entry = tarfile.TarInfo(MANIFEST)
    entry.size = len(text)
    with tarfile.open(fileobj=out, mode="w") as tar:
        tar.addfile(entry, BytesIO(text))
        for copy in sorted(folder.iterdir()):
            tar.add(copy, copy.name)
    out.flush()


def _unpack(tar: tarfile.TarFile, folder: Path, names: list[str]) -> None:
    """Extract only these members into the folder."""
    for name in names:
        with os.fdopen(os.open(folder / name, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
            shutil.copyfileobj(_file_in(tar, name), out, CHUNK_BYTES)


def _file_in(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    """A file whose every byte is in the archive: no link, and none with holes, of which a few bytes could claim any
    size. Raises `NoBackup`."""
    member = tar.getmember(name)
    file = None if member.issparse() or not member.isreg() else tar.extractfile(member)
    if file is None:
        raise NoBackup(f"This backup is damaged or made up: {name} is no file in it.")
    return file


def _copy_sqlite(folder: Path) -> Manifest:
    """Copy all pages in one step: a consistent snapshot while others write. The copy need not survive a crash, so only
    the packed file is synced to disk."""
    connection.ensure_connection()
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as target:
        target.execute("PRAGMA synchronous = OFF")
        target.execute("PRAGMA journal_mode = OFF")
        connection.connection.backup(target)
        migrations = target.execute(f"SELECT app, name FROM {backup_rows.MIGRATIONS_TABLE} ORDER BY 1, 2")  # noqa: S608
        return Manifest(FORMAT, "sqlite", migrations.fetchall(), _states_of(target.execute(STATES_SQL)))


def _copy_postgres(folder: Path) -> Manifest:
    """The manifest and the rows are of one snapshot."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        migrations, games = backup_rows.applied_migrations(), _current_states()
        columns = backup_rows.copy_out(folder)
        return Manifest(FORMAT, "postgresql", migrations, games, columns, backup_rows.last_numbers())


def _import_sqlite(tar: tarfile.TarFile, folder: Path, manifest: Manifest) -> None:
    _unpack(tar, folder, [DATABASE])
    backup_rows.copy_file_in(folder / DATABASE)


def _import_postgres(tar: tarfile.TarFile, folder: Path, manifest: Manifest) -> None:
    backup_rows.check_columns(manifest.columns)
    _unpack(tar, folder, list(manifest.columns))
    backup_rows.copy_in(folder, manifest.columns, manifest.numbers)


def _refuse_if_in_use() -> None:
    """A backup is restored into an empty database only: nothing is ever overwritten."""
    tables = connection.introspection.table_names()
    if any(model._meta.db_table in tables and model._default_manager.exists() for model in (User, Game)):
        raise NoBackup("There are people or games in this database: a backup is restored into an empty one.")


@contextlib.contextmanager
def _open_tar(file: Path) -> Iterator[tarfile.TarFile]:
    try:
        with _read_headers(file) as tar:
            yield tar
    except OSError as error:
        raise NoBackup(f"{file} cannot be read: {error.strerror or error}.") from error
    except (tarfile.TarError, KeyError) as error:
        raise NoBackup(f"{file} is no backup, or is damaged.") from error


def _read_headers(file: Path) -> tarfile.TarFile:
    """Open an archive that is not packed, because a small file could unpack to any size, and find all its members.
    Raises `tarfile.ReadError` also where their headers have numbers that are too large to be used."""
    try:
        tar = tarfile.open(file, "r:")  # noqa: SIM115 - the caller closes it
        tar.getmembers()
    except (ValueError, OverflowError, MemoryError) as error:
        raise tarfile.ReadError(str(error)) from error
    return tar


def _read_manifest(tar: tarfile.TarFile) -> Manifest:
    file = _file_in(tar, MANIFEST)
    try:
        manifest = msgspec.json.decode(file.read(), type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NoBackup(f"The list of this backup's contents is damaged: {error}.") from error
    if manifest.format != FORMAT:
        raise NoBackup(f"This backup has format {manifest.format}; this version of the site reads format {FORMAT}.")
    return manifest


def _current_states() -> GameStates:
    with connection.chunked_cursor() as cursor:
        cursor.execute(STATES_SQL)
        return _states_of(cursor)


def _states_of(rows: Iterable[tuple[Any, ...]]) -> GameStates:
    """The fingerprint of each game: version, entries, status, and the hash of its position."""
    return {
        str(number): (version, entries, status, sha256(bytes(state) + b"/" + bytes(inputs)).hexdigest())
        for number, version, entries, status, state, inputs in rows
    }


def _describe_differences(expected: GameStates, current: GameStates) -> list[str]:
    return [f"game {key} differs from what was backed up" for key in expected if current.get(key) != expected[key]] + [
        f"game {key} was not in the backup" for key in current.keys() - expected.keys()
    ]
