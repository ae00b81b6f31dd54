"""The whole service on this machine (`./dev service`): PostgreSQL, Redis, nginx, and all processes of the table."""

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

from sectors_site.embedded import port_of
from sectors_site.environment import make_private, secret_key
from sectors_site.processes import PROCESSES, WEB_PORT, Process, SupervisedProcess, Supervisor
from sectors_site.servers import (
    HOST,
    Nginx,
    NoServer,
    Postgres,
    Redis,
    free_port,
    is_listening,
    wait_for,
    write_private,
)

ROOT = Path(__file__).resolve().parent.parent
PREPARE_COMMANDS = (
    ("migrate", "--noinput", "-v0"),
    ("collectstatic", "--noinput", "-v0"),
    ("check", "--deploy", "--fail-level", "ERROR"),
)


def main() -> None:
    """Start everything, keep it running, and stop everything when asked."""
    port = _arguments().port or free_port()
    if is_listening(port):
        _exit_with(f"Port {port} is busy: stop what uses it, or choose another with ./dev service --port N.")
    home = Path(os.environ.get("SECTORS_HOME") or ROOT / ".local").resolve() / "service"
    make_private(home, is_ours=True)
    lock = (home / "lock").open("w")  # open until the end: the system releases it however that comes
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _exit_with(f"A service runs in {home} already: stop it first, or name another folder in SECTORS_HOME.")
    # Delete the counters of earlier starts.
    shutil.rmtree(home / "metrics", ignore_errors=True)
    supervisor = Supervisor(_say)
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, _exit)
    try:
        _start(supervisor, home, port)
        supervisor.run()
    except NoServer as error:
        _exit_with(str(error))
    finally:
        # Ignore further signals while stopping.
        for signal_number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signal_number, signal.SIG_IGN)
        _say("Stopping.")
        supervisor.stop()


def _start(supervisor: Supervisor, home: Path, port: int) -> None:
    web = free_port()
    inherited = dict(os.environ) | {"PYTHONUNBUFFERED": "1"}
    environment = _environment(supervisor, home, port) | inherited
    environment |= {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings"}
    _write_environment(home, environment, inherited)
    for command in PREPARE_COMMANDS:
        _prepare(command, environment)
    supervisor.add(*(_supervised(process, environment, web) for process in PROCESSES))
    wait_for(lambda: is_listening(web), "The web process")
    nginx = Nginx(home, port=port, web=web)
    supervisor.add(nginx.supervised())
    nginx.wait()
    address = f"http://{HOST}:{port}"
    wait_for(lambda: _troubles(address) == {}, "The service")
    _say(
        f"\nSectors is running as a service at  {address}/\n"
        f"Its settings, for ./dev manage:  set -a; . {home / 'environment'}; set +a\n"
        "Press Ctrl-C to stop."
    )


def _environment(supervisor: Supervisor, home: Path, port: int) -> dict[str, str]:
    """The settings of a service over plain HTTP on this machine; starts PostgreSQL and Redis unless the environment
    names them."""
    servers: list[Postgres | Redis] = []
    environment = {
        "SITE_URL": f"http://{HOST}:{port}",
        "SECRET_KEY": secret_key(home),
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
        supervisor.add(*(server.supervised() for server in servers))
    for server in servers:
        server.wait()
    return environment


def _supervised(process: Process, environment: dict[str, str], web: int) -> SupervisedProcess:
    arguments = process.arguments.replace(f"--port {WEB_PORT}", f"--port {web}").split()
    return SupervisedProcess(
        process.name, [sys.executable, *arguments], environment | {"SECTORS_PROCESS": process.name}, ROOT
    )


def _prepare(command: tuple[str, ...], environment: dict[str, str]) -> None:
    command_line = [sys.executable, "manage.py", *command]
    result = subprocess.run(  # noqa: S603 - of our own words
        command_line, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if result.returncode:
        raise NoServer(f"manage.py {command[0]} failed: {result.stderr.strip() or result.stdout.strip()}")


def _write_environment(home: Path, environment: dict[str, str], inherited: dict[str, str]) -> None:
    """Save the settings chosen here, for commands in another terminal."""
    additions = {name: value for name, value in sorted(environment.items()) if inherited.get(name) != value}
    write_private(home / "environment", "".join(f"{name}={shlex.quote(value)}\n" for name, value in additions.items()))


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


def _exit(*_: Any) -> NoReturn:
    sys.exit(0)


def _say(sentence: str) -> None:
    print(sentence, flush=True)


def _exit_with(sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr, flush=True)
    sys.exit(1)


if __name__ == "__main__":
    main()
