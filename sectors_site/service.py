"""The whole service on this machine (`./dev service`): PostgreSQL, Redis, nginx in front, and every process of the
table."""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, NoReturn

from sectors_site import home as homes
from sectors_site.embedded import port_of
from sectors_site.processes import PROCESSES, WEB_PORT, Process
from sectors_site.servers import HOST, Nginx, NoServer, Postgres, Redis, free_port, listens, wait_for, write_private
from sectors_site.supervisor import Kept, Supervisor

ROOT = Path(__file__).resolve().parent.parent
PREPARATION = (
    ("migrate", "--noinput", "-v0"),
    ("collectstatic", "--noinput", "-v0"),
    ("check", "--deploy", "--fail-level", "ERROR"),
)


def main() -> None:
    """Start all, keep all running, and end all when asked to stop."""
    port = _arguments().port or free_port()
    if listens(port):
        _leave(f"Port {port} is busy: stop what uses it, or choose another with ./dev service --port N.")
    home = Path(os.environ.get("SECTORS_HOME") or ROOT / ".local").resolve() / "service"
    homes.make_private(home, is_ours=True)
    lock = (home / "lock").open("w")  # kept open until the end: the system lets it go, however that comes
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _leave(f"A service runs in {home} already: stop it first, or name another folder in SECTORS_HOME.")
    # What processes of earlier starts have counted.
    shutil.rmtree(home / "metrics", ignore_errors=True)
    supervisor = Supervisor(_say)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _asked_to_stop)
    try:
        _start(supervisor, home, port)
        supervisor.run()
    except NoServer as error:
        _leave(str(error))
    finally:
        # Whoever asks twice is waiting already.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        _say("Stopping.")
        supervisor.stop()


def _start(supervisor: Supervisor, home: Path, port: int) -> None:
    web = free_port()
    given = dict(os.environ) | {"PYTHONUNBUFFERED": "1"}
    environment = _environment(supervisor, home, port) | given
    environment |= {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings"}
    _note(home, environment, given)
    for command in PREPARATION:
        _prepare(command, environment)
    supervisor.add(*(_kept(process, environment, web) for process in PROCESSES))
    wait_for(lambda: listens(web), "The web process")
    nginx = Nginx(home, port=port, web=web)
    supervisor.add(nginx.kept())
    nginx.wait()
    address = f"http://{HOST}:{port}"
    wait_for(lambda: _troubles(address) == {}, "The service")
    _say(
        f"\nSectors is running as a service at  {address}/\n"
        f"Its settings, for ./dev manage:  set -a; . {home / 'environment'}; set +a\n"
        "Press Ctrl-C to stop."
    )


def _environment(supervisor: Supervisor, home: Path, port: int) -> dict[str, str]:
    """The settings of a service that speaks plain HTTP to this machine; PostgreSQL and Redis are started where none is
    named."""
    servers: list[Postgres | Redis] = []
    environment = {
        "SITE_URL": f"http://{HOST}:{port}",
        "SECRET_KEY": homes.secret_key(home),
        "TRUSTED_PROXY_COUNT": "1",
        "EMAIL_URL": "consolemail://",
    }
    if not os.environ.get("DATABASE_URL"):
        servers.append(postgres := Postgres(home))
        environment["DATABASE_URL"] = postgres.url
    if not os.environ.get("REDIS_URL"):
        servers.append(redis := Redis(home))
        environment["REDIS_URL"] = redis.url
    if servers:
        supervisor.add(*(server.kept() for server in servers))
    for server in servers:
        server.wait()
    return environment


def _kept(process: Process, environment: dict[str, str], web: int) -> Kept:
    arguments = process.arguments.replace(f"--port {WEB_PORT}", f"--port {web}").split()
    return Kept(process.name, [sys.executable, *arguments], environment | {"SECTORS_PROCESS": process.name}, ROOT)


def _prepare(command: tuple[str, ...], environment: dict[str, str]) -> None:
    line = [sys.executable, "manage.py", *command]
    done = subprocess.run(  # noqa: S603 - of our own words
        line, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NoServer(f"manage.py {command[0]} failed: {done.stderr.strip() or done.stdout.strip()}")


def _note(home: Path, environment: dict[str, str], given: dict[str, str]) -> None:
    """What was chosen here and not given, for commands in another terminal."""
    ours = {name: value for name, value in sorted(environment.items()) if given.get(name) != value}
    write_private(home / "environment", "".join(f"{name}={shlex.quote(value)}\n" for name, value in ours.items()))


def _troubles(address: str) -> Any:
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=10) as answer:  # noqa: S310 - our own address
            return json.load(answer)["troubles"]
    except urllib.error.HTTPError as error:
        return error.reason
    except OSError as error:
        return str(error)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev service", description="Run the service, process by process.")
    parser.add_argument("--port", type=port_of, default=8000, help="where nginx listens (8000); 0 takes any free port")
    return parser.parse_args()


def _asked_to_stop(*_: Any) -> NoReturn:
    sys.exit(0)


def _say(sentence: str) -> None:
    print(sentence, flush=True)


def _leave(sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr, flush=True)
    sys.exit(1)


if __name__ == "__main__":
    main()
