"""Backups: the whole database in one file, with what each game was worth at that moment, and back again, compared with
it and replayed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction

from accounts.models import User
from game.models import Game
from game.services.replay import replay_game
from sectors_site.servers import find_postgres

MANIFEST, DATABASE = "games.json", "database"
FORMAT = 1
AT_ONCE = 1 << 20  # bytes copied at once
WORTH = "SELECT id, version, entries, status, state, inputs FROM game_game ORDER BY id"
Worth = dict[str, list[Any]]


class NoBackup(Exception):
    """It cannot be written or read; the sentence says why."""


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
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".backup") as folder:
        copy = Path(folder) / DATABASE
        worth = _copy_sqlite(copy) if connection.vendor == "sqlite" else _dump_postgres(copy)
        draft = Path(folder) / "whole"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
            _pack(out, {"format": FORMAT, "vendor": connection.vendor, "games": worth}, copy)
            os.fsync(out.fileno())
        draft.rename(file)
    return len(worth)


def restore_backup(file: Path) -> Restored:
    """Read the file into an empty database, and compare every game with what was noted, and with its log replayed.
    Raises `NoBackup`."""
    differ = read_backup(file)
    positions, wrong = replay_all()
    return Restored(Game.objects.count(), positions, differ + wrong)


def read_backup(file: Path) -> list[str]:
    """Read the file into an empty database and bring that up to date; where a game differs from what was noted. Raises
    `NoBackup`."""
    _refuse_where_somebody_plays()
    with _opened(file) as tar:
        noted = _manifest(tar)
        if noted["vendor"] != connection.vendor:
            raise NoBackup(f"This backup is of {noted['vendor']}; this site runs on {connection.vendor}.")
        _take_sqlite(tar) if connection.vendor == "sqlite" else _take_postgres(tar)
    differ = _difference(noted["games"], _worth_here())
    call_command("migrate", verbosity=0, interactive=False)
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


def _pack(out: BinaryIO, noted: dict[str, Any], copy: Path) -> None:
    told = json.dumps(noted).encode()
    entry = tarfile.TarInfo(MANIFEST)
    entry.size = len(told)
    with tarfile.open(fileobj=out, mode="w") as tar:
        tar.addfile(entry, BytesIO(told))
        tar.add(copy, DATABASE)
    out.flush()


def _unpack(tar: tarfile.TarFile, copy: Path) -> None:
    packed = tar.extractfile(DATABASE)
    with os.fdopen(os.open(copy, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
        if packed is not None:
            shutil.copyfileobj(packed, out, AT_ONCE)


def _copy_sqlite(copy: Path) -> Worth:
    """Page by page, in one step: of one moment, while others write. Nobody needs the copy after a crash: only what it
    is packed into is written through to the disk."""
    connection.ensure_connection()
    with contextlib.closing(sqlite3.connect(copy)) as target:
        target.execute("PRAGMA synchronous = OFF")
        target.execute("PRAGMA journal_mode = OFF")
        connection.connection.backup(target)
        return _worth(target.execute(WORTH))


def _dump_postgres(copy: Path) -> Worth:
    """What is noted and what is dumped are of one moment."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")  # it waits while another program reads
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        worth = _worth_here()
        _run_postgres("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={copy}")
    return worth


def _take_sqlite(tar: tarfile.TarFile) -> None:
    """Beside its place first, so that a full disk leaves the empty database as it was."""
    connection.close()
    place = Path(settings.DATABASES["default"]["NAME"]).resolve()
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".restore") as folder:
        copy = Path(folder) / DATABASE
        _unpack(tar, copy)
        for beside in ("-wal", "-shm"):
            place.with_name(place.name + beside).unlink(missing_ok=True)
        copy.replace(place)


def _take_postgres(tar: tarfile.TarFile) -> None:
    how = ["--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"]
    connection.close()
    with tempfile.TemporaryDirectory(prefix="restore") as folder:
        copy = Path(folder) / DATABASE
        _unpack(tar, copy)
        _run_postgres("pg_restore", *how, f"--dbname={settings.DATABASES['default']['NAME']}", str(copy))


def _run_postgres(program: str, *arguments: str) -> None:
    folder = find_postgres()
    binary = shutil.which(program) or (folder and shutil.which(program, path=str(folder)))
    if not binary:
        raise NoBackup(f"{program} is missing: install PostgreSQL's client programs.")
    place = connection.settings_dict
    named = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    environment = dict(os.environ) | {name: str(place[key]) for name, key in named.items() if place[key]}
    done = subprocess.run(  # noqa: S603 - of our own words
        [binary, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NoBackup(f"{program} failed: {done.stderr.strip()}")


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


def _manifest(tar: tarfile.TarFile) -> dict[str, Any]:
    told = tar.extractfile(MANIFEST)
    noted: dict[str, Any] = json.loads(told.read()) if told else {}
    if noted.get("format") != FORMAT:
        raise NoBackup("This backup is of another form than this version of the site reads.")
    return noted


def _worth_here() -> Worth:
    with connection.chunked_cursor() as cursor:
        cursor.execute(WORTH)
        return _worth(cursor)


def _worth(rows: Iterable[tuple[Any, ...]]) -> Worth:
    """What tells a game apart from itself at another moment: version, entries, status, and its position's hash."""
    return {
        str(number): [version, entries, status, sha256(bytes(state) + b"/" + bytes(inputs)).hexdigest()]
        for number, version, entries, status, state, inputs in rows
    }


def _difference(noted: Worth, found: Worth) -> list[str]:
    return [f"game {key} differs from what was backed up" for key in noted if found.get(key) != noted[key]] + [
        f"game {key} was not in the backup" for key in found.keys() - noted.keys()
    ]
