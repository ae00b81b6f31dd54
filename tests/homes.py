"""Databases and homes that are made once, with every migration and every static file, and copied for each test that
hurts one: making one takes as long as many a test."""

import atexit
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg

from tests.servers import ROOT

# Workers of one run may share a server that was given to them.
MADE = f"made_by_{os.environ.get('PYTEST_XDIST_WORKER', 'one')}"
MAKE = """
import django
django.setup()
from django.core.management import call_command
from sectors_site.preparation import collect_static
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
    with tempfile.TemporaryDirectory() as home:
        _make(Path(home), DATABASE_URL=_address(server, MADE))
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
    home = Path(tempfile.mkdtemp(prefix="made"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    _make(home)
    return home


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
