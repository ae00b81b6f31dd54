"""Backups: the whole database in one file, with what each game was worth at that moment, and back again, compared with
it and replayed."""

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
from typing import Any, BinaryIO

import msgspec
from django.core.management import call_command
from django.db import connection, transaction

from accounts.models import User
from game.site.models import SiteState
from game.store.game import Game
from game.store.replay import replay_game
from sectors_site import backup_rows
from sectors_site.backup_rows import AT_ONCE, NoBackup

MANIFEST, DATABASE = "games.json", "database"
FORMAT = 2
WORTH = "SELECT id, version, entries, status, state, inputs FROM game_game ORDER BY id"
Worth = dict[str, tuple[int, int, str, str]]


class Manifest(msgspec.Struct):
    """What a backup says of itself. `games` has what tells each game apart from itself at another moment; `columns` and
    `numbers`, on PostgreSQL, the columns of each table and the last number of each sequence."""

    format: int
    vendor: str
    migrations: list[tuple[str, str]]
    games: Worth
    columns: dict[str, list[str]] = {}
    numbers: dict[str, int] = {}


@dataclass(frozen=True)
class Restored:
    """What became of a restored backup: how many games and positions were compared, and what differs."""

    games: int
    positions: int
    wrong: list[str]


def write_backup(file: Path) -> int:
    """Write the file, for its owner alone; how many games it has. The site may go on meanwhile. Raises `NoBackup`."""
    if file.exists():
        raise NoBackup(f"{file} is there already: a backup replaces none.")
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".backup") as place:
        copies = Path(place) / "copies"
        copies.mkdir()
        noted = _copy_sqlite(copies) if connection.vendor == "sqlite" else _copy_postgres(copies)
        draft = Path(place) / "whole"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
            _pack(out, noted, copies)
            os.fsync(out.fileno())
        draft.rename(file)
    return len(noted.games)


def restore_backup(file: Path) -> Restored:
    """Read the file into an empty database, and compare every game with what was noted, and with its log replayed.
    Raises `NoBackup`."""
    differ = read_backup(file)
    positions, wrong = replay_all()
    return Restored(Game.objects.count(), positions, differ + wrong)


def read_backup(file: Path) -> list[str]:
    """Read the rows of the file into an empty database, into tables as the noted migrations make them, and bring those
    up to date; where a game differs from what was noted. Raises `NoBackup`."""
    _refuse_where_somebody_plays()
    with _opened(file) as tar, tempfile.TemporaryDirectory(prefix="restore") as folder:
        noted = _manifest(tar)
        if noted.vendor != connection.vendor:
            raise NoBackup(f"This backup is of {noted.vendor}; this site runs on {connection.vendor}.")
        backup_rows.make_tables(noted.migrations)
        take = _take_sqlite if connection.vendor == "sqlite" else _take_postgres
        take(tar, Path(folder), noted)
    differ = _difference(noted.games, _worth_here())
    call_command("migrate", verbosity=0, interactive=False)
    SiteState.objects.update_or_create(pk=SiteState.ONLY, defaults={"restored": secrets.token_hex(4)})
    return differ


def replay_all() -> tuple[int, list[str]]:
    """How many positions were compared with a replay of their log, and where they differ."""
    positions, wrong = 0, []
    for game in Game.objects.order_by("pk").iterator(chunk_size=50):
        checks = list(replay_game(game=game))
        positions += len(checks)
        wrong += [
            f"game {game.pk}, entry {check.number}: the log leads elsewhere" for check in checks if not check.is_equal
        ]
    return positions, wrong


def _pack(out: BinaryIO, noted: Manifest, folder: Path) -> None:
    text = msgspec.json.encode(noted)
    entry = tarfile.TarInfo(MANIFEST)
    entry.size = len(text)
    with tarfile.open(fileobj=out, mode="w") as tar:
        tar.addfile(entry, BytesIO(text))
        for copy in sorted(folder.iterdir()):
            tar.add(copy, copy.name)
    out.flush()


def _unpack(tar: tarfile.TarFile, folder: Path, names: list[str]) -> None:
    """Write these members into the folder, and no others."""
    for name in names:
        packed = tar.extractfile(name)
        if packed is None:
            raise NoBackup(f"This backup is damaged or made up: {name} is no file in it.")
        with os.fdopen(os.open(folder / name, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
            shutil.copyfileobj(packed, out, AT_ONCE)


def _copy_sqlite(folder: Path) -> Manifest:
    """Page by page, in one step: of one moment, while others write. Nobody needs the copy after a crash: only what it
    is packed into is written through to the disk."""
    connection.ensure_connection()
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as target:
        target.execute("PRAGMA synchronous = OFF")
        target.execute("PRAGMA journal_mode = OFF")
        connection.connection.backup(target)
        migrations = target.execute(f"SELECT app, name FROM {backup_rows.MIGRATIONS_TABLE} ORDER BY 1, 2")  # noqa: S608
        return Manifest(FORMAT, "sqlite", migrations.fetchall(), _worth(target.execute(WORTH)))


def _copy_postgres(folder: Path) -> Manifest:
    """What is noted and what is copied are of one moment."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        migrations, games = backup_rows.applied_migrations(), _worth_here()
        columns = backup_rows.copy_out(folder)
        return Manifest(FORMAT, "postgresql", migrations, games, columns, backup_rows.last_numbers())


def _take_sqlite(tar: tarfile.TarFile, folder: Path, noted: Manifest) -> None:
    _unpack(tar, folder, [DATABASE])
    backup_rows.copy_file_in(folder / DATABASE)


def _take_postgres(tar: tarfile.TarFile, folder: Path, noted: Manifest) -> None:
    backup_rows.check_columns(noted.columns)
    _unpack(tar, folder, list(noted.columns))
    backup_rows.copy_in(folder, noted.columns, noted.numbers)


def _refuse_where_somebody_plays() -> None:
    """A backup is read into an empty place only: nothing is ever written over."""
    tables = connection.introspection.table_names()
    if any(model._meta.db_table in tables and model._default_manager.exists() for model in (User, Game)):
        raise NoBackup("There are people or games in this database: a backup is restored into an empty one.")


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(file) as tar:
            yield tar
    except OSError as error:
        raise NoBackup(f"{file} cannot be read: {error.strerror or error}.") from error
    except (tarfile.TarError, KeyError) as error:
        raise NoBackup(f"{file} is no backup, or is damaged.") from error


def _manifest(tar: tarfile.TarFile) -> Manifest:
    packed = tar.extractfile(MANIFEST)
    try:
        noted = msgspec.json.decode(packed.read() if packed else b"", type=Manifest)
    except msgspec.DecodeError as error:
        raise NoBackup(f"The list of this backup's contents is damaged: {error}.") from error
    if noted.format != FORMAT:
        raise NoBackup(f"This backup has format {noted.format}; this version of the site reads format {FORMAT}.")
    return noted


def _worth_here() -> Worth:
    with connection.chunked_cursor() as cursor:
        cursor.execute(WORTH)
        return _worth(cursor)


def _worth(rows: Iterable[tuple[Any, ...]]) -> Worth:
    """What tells a game apart from itself at another moment: version, entries, status, and its position's hash."""
    return {
        str(number): (version, entries, status, sha256(bytes(state) + b"/" + bytes(inputs)).hexdigest())
        for number, version, entries, status, state, inputs in rows
    }


def _difference(noted: Worth, found: Worth) -> list[str]:
    return [f"game {key} differs from what was backed up" for key in noted if found.get(key) != noted[key]] + [
        f"game {key} was not in the backup" for key in found.keys() - noted.keys()
    ]
