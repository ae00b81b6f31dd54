"""Databases and homes that are made once, with every migration and every static file, and copied for each test that
hurts one: making one takes as long as many a test. What the migrations make is kept in `.local` until one of them
changes."""

import contextlib
import fcntl
import functools
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import psycopg

from sectors_site.servers import find_postgres
from tests.servers import ROOT

# Workers of one run may share a server that was given to them.
MADE = f"made_by_{os.environ.get('PYTEST_XDIST_WORKER', 'one')}"
# Everything that decides what `migrate` leaves in an empty database.
MAKERS = (
    "*/migrations/*.py",
    "game/apps.py",
    "game/moderation/name_erasure.py",
    "game/moderation/roles.py",
    "requirements/base.txt",
)
MAKE = """
import django
django.setup()
from django.core.management import call_command
from sectors_site.background import collect_static
call_command("migrate", verbosity=0, interactive=False)
collect_static()
"""


def fresh_database(server: str, name: str) -> str:
    """The address of a database on this PostgreSQL that has every table, and nothing in them."""
    _create(server, name, f"TEMPLATE {template_on(server)}")
    return _address(server, name)


def empty_database(server: str, name: str) -> str:
    """The address of a database on this PostgreSQL that has no table yet."""
    _create(server, name)
    return _address(server, name)


@functools.cache
def template_on(server: str) -> str:
    """The name of a database on this PostgreSQL to copy; nobody may be connected to it."""
    _create(server, MADE)
    address = _address(server, MADE)
    with psycopg.connect(address) as connection:
        version = connection.info.server_version
    with _kept(f"postgres-{version}.sql") as kept:
        if kept.exists():
            _postgres_program("psql", address, "--quiet", "--set=ON_ERROR_STOP=1", f"--file={kept}")
            return MADE
        with tempfile.TemporaryDirectory() as home:
            _make(Path(home), DATABASE_URL=address)
        draft = kept.with_suffix(".draft")
        _postgres_program("pg_dump", address, f"--file={draft}")
        draft.rename(kept)
    return MADE


def fresh_home(home: Path) -> None:
    """Put an embedded site's database and static files into this folder, as after its first start, unless it has
    them."""
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "sectors.sqlite3").exists():
        shutil.copytree(_made_home(), home, dirs_exist_ok=True, ignore=shutil.ignore_patterns("secret_key"))


def fresh_static(home: Path) -> None:
    """Put the collected static files into this folder."""
    shutil.copytree(_made_home() / "static", home / "static", dirs_exist_ok=True)


@functools.cache
def _made_home() -> Path:
    """An embedded site's home after its first start, made once for every run of this checkout."""
    static = [f"{file} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in sorted(ROOT.glob("static/**/*"))]
    with _kept(f"home-{sha256(chr(10).join(static).encode()).hexdigest()[:16]}") as kept:
        if not kept.exists():
            draft = kept.with_name("draft")
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir()
            _make(draft)
            with contextlib.closing(sqlite3.connect(draft / "sectors.sqlite3")) as database:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what still lies in its write-ahead log
            draft.rename(kept)
    return kept


@contextlib.contextmanager
def _kept(name: str) -> Iterator[Path]:
    """The place of this file among those that these migrations made, for one process at a time."""
    files = sorted(file for pattern in MAKERS for file in ROOT.glob(pattern))
    key = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
    folder = ROOT / ".local" / "made" / key
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder / name


def _postgres_program(program: str, *arguments: str) -> None:
    folder = find_postgres()
    assert folder, "PostgreSQL is missing: ./dev test installs it or names the command that does."
    subprocess.run([folder / program, *arguments], check=True, stdout=subprocess.DEVNULL)


def _make(home: Path, **found: str) -> None:
    known = {key: value for key, value in os.environ.items() if not key.endswith("_URL")}
    settings = {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings"}
    subprocess.run([sys.executable, "-c", MAKE], cwd=ROOT, env=known | settings | found, check=True)


def _create(server: str, name: str, how: str = "") -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
        connection.execute(f"CREATE DATABASE {name} {how}".encode())


def _address(server: str, name: str) -> str:
    return f"{server.rsplit('/', 1)[0]}/{name}"
