"""Another process on the test's own database."""

import os
import subprocess
import sys

from django.db import connection

from tests.servers import ROOT

KILLED = -9


def database() -> str:
    """The address of the test's database."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{given['NAME']}"
    return f"postgres://{given['USER']}:{given['PASSWORD']}@{given['HOST']}:{given['PORT']}/{given['NAME']}"


def run_elsewhere(program: str, *arguments: object, takes: int | None = None) -> "subprocess.Popen[bytes]":
    """Begin a program of Python with the settings of the tests; `takes` a pipe where it is to be talked with."""
    values_by_key = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    wanted = {"DJANGO_SETTINGS_MODULE": "tests.settings", "DATABASE_URL": database()}
    line = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(line, cwd=ROOT, env=values_by_key | wanted, stdin=takes, stdout=takes)
