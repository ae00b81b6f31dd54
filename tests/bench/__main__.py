"""`./dev bench [--service] [--json] [--peer FILE [--peer-python PYTHON]] [--resolutions N] [--pages N] [--games N]
[--sockets N] [--samples N] [--only PART]`: the table of figures."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tests.bench.rows import Row, as_text
from tests.bench.sizes import IS_SMALL
from tests.servers import accepts, end, find_postgres, free_port, postgres_server, redis_server, wait_until

RESOLUTIONS, PAGES, GAMES, SOCKETS, SAMPLES = 10_000, 2_000, 10_000, 2_000, 1_000
SMALL = 5_000  # games of the smallest site
PARTS = ("start", "engine", "sqlite", "postgresql", "drain-sqlite", "small", "backup", "pages", "memory", "leak")
SERVICE = ("drain", "lateness", "claims", "seen", "sockets", "lobby", "api", "memory-service", "storage")
ON_POSTGRESQL = ("postgresql", "leak", *SERVICE)
WITH_REDIS = ("sockets", "seen", "lobby", "api")  # web processes of a service
EMPTY = ("engine", "lateness", "memory-service")  # have databases of their own, or none


def main() -> None:
    """Run every part in a process of its own, so that none warms or burdens another."""
    given = _arguments()
    if given.part:
        rows = list(_part(given))
        print(msgspec.json.encode(rows).decode())
        return
    before = os.getloadavg()[0]
    rows = [
        row
        for part in ([given.only] if given.only else SERVICE if given.service else PARTS)
        for row in run_part(
            part,
            resolutions=given.resolutions,
            peer=given.peer,
            peer_python=given.peer_python,
            games=given.games,
            sockets=given.sockets,
            samples=given.samples,
            pages=given.pages,
        )
    ]
    print(json.dumps(msgspec.to_builtins(rows)) if given.json else f"{as_text(rows)}\n\n{_load(before)}")
    if any(row.name.startswith("leak") and row.reached is False for row in rows):
        sys.exit("Somebody who may not know something can tell it by time.")


def _load(before: float) -> str:
    """What else the machine may have done."""
    return f"{os.cpu_count()} processors; load {before:.1f} before, {os.getloadavg()[0]:.1f} at the end."


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench")
    parser.add_argument("--service", action="store_true", help="the service under load: half an hour or more")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("--peer", metavar="FILE", help="a script that prints the diplomacy package's figures as JSON")
    parser.add_argument("--peer-python", metavar="PYTHON", help="the interpreter that has that package")
    parser.add_argument("--resolutions", type=int, default=RESOLUTIONS, help="for the rows of memory")
    parser.add_argument("--pages", type=int, default=PAGES, help="read meanwhile, for memory-service")
    parser.add_argument("--games", type=int, default=GAMES, help="for the rows of games that are all due at once")
    parser.add_argument("--sockets", type=int, default=SOCKETS, help="for the rows of sockets")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="of each group, for the rows of leaks")
    parser.add_argument("--only", choices=(*PARTS, *SERVICE), help="measure this part alone")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    return parser.parse_args()


def run_part(
    part: str,
    *,
    resolutions: int = RESOLUTIONS,
    peer: str | None = None,
    peer_python: str | None = None,
    games: int = GAMES,
    sockets: int = SOCKETS,
    samples: int = SAMPLES,
    pages: int = PAGES,
    server: str = "",
) -> list[Row]:
    """A part's rows, from its own process with its own throwaway database; a copy of one that tests have made, where
    they name their PostgreSQL `server`."""
    if part in ON_POSTGRESQL and not find_postgres():
        return [
            Row(
                f"{part}, postgresql" if part != "postgresql" else "resolution, postgresql",
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
    with contextlib.ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench"))
        url = stack.enter_context(_copied_database(part, home, server) if server else _database(part))
        environment = os.environ | {
            "DATABASE_URL": url,
            "SECTORS_HOME": home,
            "LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": f"tests.bench.{'leak_settings' if part == 'leak' else 'settings'}",
        }
        environment.pop("REDIS_URL", None)
        environment |= stack.enter_context(_service(part, url, home)) if part in WITH_REDIS else {}
        command = [sys.executable, "-m", "tests.bench", "--part", part, "--resolutions", str(resolutions)]
        command += ["--games", str(games), "--sockets", str(sockets), "--samples", str(samples), "--pages", str(pages)]
        command += ["--peer", peer] if peer else []
        command += ["--peer-python", peer_python] if peer_python else []
        print(f"measuring: {part} …", file=sys.stderr)
        ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(ran.stdout.splitlines()[-1], type=list[Row])


@contextlib.contextmanager
def _database(part: str) -> Iterator[str]:
    if part in ON_POSTGRESQL:
        with postgres_server(durable=True) as url:
            yield url
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/bench.sqlite3"


@contextlib.contextmanager
def _copied_database(part: str, home: str, server: str) -> Iterator[str]:
    """With every table, and static files in the home; parts that start a service make its database themselves."""
    from tests import homes

    homes.fresh_home(Path(home))
    if part not in ON_POSTGRESQL:
        yield f"sqlite:///{home}/sectors.sqlite3"
    elif part in (*WITH_REDIS, *EMPTY):
        yield server
    else:
        yield homes.fresh_database(server, f"bench_{part.replace('-', '_')}")


@contextlib.contextmanager
def _service(part: str, url: str, home: str) -> Iterator[dict[str, str]]:
    """What processes of a service are told, with a Redis of their own: behind a proxy, or for browsers here."""
    from tests.service import new_service

    here = {"SITE_URL": f"http://127.0.0.1:{free_port()}", "TRUSTED_PROXY_COUNT": "0"}
    with redis_server() as redis:
        found = new_service(Path(home), database=url, redis=redis) | ({} if part == "sockets" else here)
        yield found | {"DJANGO_SETTINGS_MODULE": "tests.bench.socket_settings"}


def _part(given: argparse.Namespace) -> Iterator[Row]:
    import django
    from django.core.management import call_command

    django.setup()
    if given.part not in EMPTY:
        call_command("migrate", verbosity=0)
    yield from ROWS[given.part](given)


def _engine(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.engine import engine_rows

    return engine_rows(given.peer, given.peer_python)


def _start(given: argparse.Namespace) -> Iterator[Row]:
    from django.core.management import call_command

    from tests.bench.start import start_rows

    call_command("collectstatic", verbosity=0, interactive=False)
    return start_rows()


def _persistence(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.persistence import persistence_rows

    return persistence_rows()


def _drain(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.drain import drain_rows

    return drain_rows(given.games)


def _backup(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.backups import backup_rows

    return backup_rows(given.games)


def _small(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.small import small_rows

    return small_rows(min(given.games, SMALL))


def _lateness(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.lateness import lateness_rows

    return lateness_rows()


def _claims(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.claiming import claim_rows

    return claim_rows()


def _seen(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.seen import seen_rows

    return seen_rows()


def _sockets(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.sockets import socket_rows

    return socket_rows(given.sockets)


def _lobby(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.pages import lobby_rows

    return lobby_rows()


def _api(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.api import api_rows

    return api_rows()


def _storage(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.storage import storage_rows

    return storage_rows()


def _memory(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.memory import memory_row

    yield memory_row(given.resolutions)


def _memory_of_service(given: argparse.Namespace) -> Iterator[Row]:
    from tests.bench.memory_service import memory_of_service_rows

    return memory_of_service_rows(given.resolutions, given.pages)


def _pages(given: argparse.Namespace) -> Iterator[Row]:
    """Times of pages, then their weight."""
    from tests.bench.pages import pages_rows, tables_to_look_at

    games = tables_to_look_at()
    with _server() as address:
        yield from pages_rows(address, games)
        if not IS_SMALL:
            yield from _weight(address, {name: game_ids[0] for name, game_ids in games.items()})


def _leaks(given: argparse.Namespace) -> Iterator[Row]:
    from django.core.management import call_command

    from tests.bench.leak import leak_rows

    call_command("collectstatic", verbosity=0, interactive=False)
    with _server() as address:
        yield from leak_rows(address, given.samples)


def _weight_alone(given: argparse.Namespace) -> Iterator[Row]:
    """The weight of one table each, for the test that holds it."""
    from django.core.management import call_command

    from tests.bench.pages import POWER_UP, POWER_UP_STEPS, SECTORS, power_up_after, sectors_at

    call_command("collectstatic", verbosity=0, interactive=False)
    games = {SECTORS: sectors_at(6, 5), POWER_UP: power_up_after(4, POWER_UP_STEPS)}
    with _server() as address:
        yield from _weight(address, games)


def _weight(address: str, games: dict[str, int]) -> Iterator[Row]:
    from tests.bench.weight import weight_rows

    yield from weight_rows(address, games)


@contextlib.contextmanager
def _server() -> Iterator[str]:
    """The site in a process of its own, as in service."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "sectors_site.asgi:application", "--port", str(port)]
    server = subprocess.Popen([*command, "--lifespan", "off", "--no-access-log", "--log-level", "error"])
    try:
        wait_until(lambda: accepts(port), server)
        yield f"http://127.0.0.1:{port}"
    finally:
        end(server)


ROWS = {
    "start": _start,
    "engine": _engine,
    "sqlite": _persistence,
    "postgresql": _persistence,
    "drain": _drain,
    "drain-sqlite": _drain,
    "backup": _backup,
    "lateness": _lateness,
    "small": _small,
    "claims": _claims,
    "seen": _seen,
    "sockets": _sockets,
    "lobby": _lobby,
    "api": _api,
    "storage": _storage,
    "pages": _pages,
    "weight": _weight_alone,
    "memory": _memory,
    "memory-service": _memory_of_service,
    "leak": _leaks,
}


if __name__ == "__main__":
    main()
