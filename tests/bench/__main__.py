"""`./dev bench [--json] [--peer FILE [--peer-python PYTHON]] [--resolutions N]`: the table of all figures."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import msgspec

from tests.bench.rows import Row, as_text
from tests.servers import accepts, end, find_postgres, free_port, postgres_server, wait_until

RESOLUTIONS = 10_000


def main() -> None:
    """Run every part in a process of its own, so that none warms or burdens another."""
    given = _arguments()
    if given.part:
        rows = list(_part(given))
        print(msgspec.json.encode(rows).decode())
        return
    rows = [row for part in ("engine", "sqlite", "postgresql", "pages", "memory") for row in _run(part, given)]
    print(json.dumps(msgspec.to_builtins(rows)) if given.json else as_text(rows))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("--peer", metavar="FILE", help="a script that prints the diplomacy package's figures as JSON")
    parser.add_argument("--peer-python", metavar="PYTHON", help="the interpreter that has that package")
    parser.add_argument("--resolutions", type=int, default=RESOLUTIONS, help="for the memory row")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    return parser.parse_args()


def _run(part: str, given: argparse.Namespace) -> list[Row]:
    """A part's rows, from its own process with its own throwaway database."""
    if part == "postgresql" and not find_postgres():
        return [
            Row(
                "resolution, postgresql",
                0,
                "",
                "",
                None,
                None,
                "",
                None,
                "PostgreSQL is not installed here: ./dev test says how",
            )
        ]
    with _database(part) as url, tempfile.TemporaryDirectory() as home:
        environment = os.environ | {
            "DATABASE_URL": url,
            "SECTORS_HOME": home,
            "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
        }
        environment.pop("REDIS_URL", None)
        command = [sys.executable, "-m", "tests.bench", "--part", part, "--resolutions", str(given.resolutions)]
        command += ["--peer", given.peer] if given.peer else []
        command += ["--peer-python", given.peer_python] if given.peer_python else []
        print(f"measuring: {part} …", file=sys.stderr)
        ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(ran.stdout.splitlines()[-1], type=list[Row])


@contextlib.contextmanager
def _database(part: str) -> Iterator[str]:
    if part == "postgresql":
        with postgres_server(durable=True) as url:
            yield url
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/bench.sqlite3"


def _part(given: argparse.Namespace) -> Iterator[Row]:
    import django
    from django.core.management import call_command

    django.setup()
    if given.part != "engine":
        call_command("migrate", verbosity=0)
    if given.part == "engine":
        from tests.bench.engine import engine_rows

        yield from engine_rows(given.peer, given.peer_python)
    elif given.part == "pages":
        yield from _pages()
    elif given.part == "memory":
        from tests.bench.memory import memory_row

        yield memory_row(given.resolutions)
    else:
        from tests.bench.persistence import persistence_rows

        yield from persistence_rows()


def _pages() -> Iterator[Row]:
    """The server runs in a process of its own, as it does in service."""
    from tests.bench.pages import pages_rows, tables_to_look_at

    games = tables_to_look_at()
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "sectors_site.asgi:application",
        "--port",
        str(port),
        "--lifespan",
        "off",
        "--no-access-log",
    ]
    server = subprocess.Popen([*command, "--no-access-log", "--log-level", "error"])
    try:
        wait_until(lambda: accepts(port), server)
        yield from pages_rows(f"http://127.0.0.1:{port}", games)
    finally:
        end(server)


if __name__ == "__main__":
    main()
