"""PostgreSQL, Redis and nginx for `./dev service`: private ones, on this machine alone, from installed binaries."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from sectors_site import proxy
from sectors_site.processes import SupervisedProcess

HOST = "127.0.0.1"
START_SECONDS = 120
POSTGRES_FOLDERS = ("usr/lib/postgresql/*/bin", "opt/homebrew/opt/postgresql*/bin", "usr/local/opt/postgresql*/bin")
ROOT_FOLDER = Path("/var/lib/sectors")
ADMIN = "postgres"  # administrator; the site connects as a role that owns only its database
# Statements that give all objects of an earlier version to the site's role.
OWNERSHIP_SQL = """
SELECT format('ALTER TABLE %s OWNER TO sectors', oid::regclass) FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
UNION ALL SELECT format('ALTER FUNCTION %s OWNER TO sectors', oid::regprocedure) FROM pg_proc
WHERE pronamespace = 'public'::regnamespace
"""


class NoServer(Exception):
    """A server cannot be started; the message says why."""


def find_postgres() -> Path | None:
    """The folder with `initdb` and `postgres`."""
    on_path = shutil.which("initdb")
    folders = [Path(on_path).resolve().parent] if on_path else []
    folders += [folder for pattern in POSTGRES_FOLDERS for folder in sorted(Path("/").glob(pattern))]
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


def find_redis() -> str | None:
    return shutil.which("redis-server")


def find_nginx() -> str | None:
    """The path of nginx, which Debian installs outside the PATH of ordinary users."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def unprivileged_user() -> dict[str, Any]:
    """The user that PostgreSQL runs as: it refuses root."""
    if os.getuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    account = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def free_port() -> int:
    """A port on which nothing listens now."""
    with socket.socket() as sock:
        sock.bind((HOST, 0))
        return int(sock.getsockname()[1])


def wait_for(answers: Callable[[], bool], what: str) -> None:
    """Wait until it answers. Raises `NoServer`."""
    ends_at = time.monotonic() + START_SECONDS
    while not answers():
        if time.monotonic() > ends_at:
            raise NoServer(f"{what} did not answer within {START_SECONDS} seconds; what it said stands above.")
        time.sleep(0.05)


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


class Postgres:
    """A database cluster of this checkout, created on first use and kept."""

    def __init__(self, home: Path) -> None:
        self.user = unprivileged_user()
        # The user it runs as cannot enter root's folders.
        self.folder = ROOT_FOLDER / sha256(str(home).encode()).hexdigest()[:12] if self.user else home / "postgres"
        self.port = free_port()
        self.password = secret_of(home, "postgres_password")
        self.admin_password = secret_of(home, "postgres_admin_password")

    @property
    def url(self) -> str:
        return f"postgres://sectors:{self.password}@{HOST}:{self.port}/sectors"

    def supervised(self) -> SupervisedProcess:
        """The server, with its cluster in place. Raises `NoServer`."""
        binaries = find_postgres()
        if binaries is None:
            raise NoServer("PostgreSQL is missing.")
        self._make_cluster(binaries)
        listen = ["-k", "", "-p", str(self.port), "-c", f"listen_addresses={HOST}", "-c", "logging_collector=off"]
        command: list[str | Path] = [binaries / "postgres", "-D", self.folder / "data", *listen]
        return SupervisedProcess("postgres", command, _environment(), self.folder, self.user, signal.SIGINT)

    def wait(self) -> None:
        """Wait until it takes connections; create the site's database, with a role that owns nothing else."""
        wait_for(self._answers, "PostgreSQL")
        with self._connect(ADMIN, self.admin_password) as connection:
            if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'sectors'").fetchone():
                connection.execute(_with_password("CREATE ROLE sectors LOGIN PASSWORD {}", self.password))
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'sectors'").fetchone():
                connection.execute("CREATE DATABASE sectors OWNER sectors")

    def _connect(self, role: str, password: str, database: str = "postgres") -> psycopg.Connection[Any]:
        address = f"postgres://{role}:{password}@{HOST}:{self.port}/{database}"
        return psycopg.connect(address, autocommit=True, connect_timeout=5)

    def _answers(self) -> bool:
        try:
            self._connect(ADMIN, self.admin_password).close()
        except psycopg.OperationalError:
            return self._demotes_site_role()
        return True

    def _demotes_site_role(self) -> bool:
        """True if this cluster is of an earlier version, in which the site's role was the superuser. That role becomes
        the administrator, and a new role of the site gets the database and everything in it."""
        try:
            with self._connect("sectors", self.password) as connection:
                if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = user AND NOT rolsuper").fetchone():
                    return False
                connection.execute(
                    _with_password("CREATE ROLE handover SUPERUSER LOGIN PASSWORD {}", self.admin_password)
                )
        except psycopg.OperationalError:
            return False
        with self._connect("handover", self.admin_password) as connection:
            connection.execute(f"ALTER ROLE sectors RENAME TO {ADMIN}")
            connection.execute(_with_password(f"ALTER ROLE {ADMIN} PASSWORD {{}}", self.admin_password))
            connection.execute(_with_password("CREATE ROLE sectors LOGIN PASSWORD {}", self.password))
            connection.execute("ALTER DATABASE sectors OWNER TO sectors")
        with self._connect(ADMIN, self.admin_password, "sectors") as connection:
            for (statement,) in connection.execute(OWNERSHIP_SQL).fetchall():
                connection.execute(statement)
            connection.execute("DROP ROLE handover")
        return True

    def _make_cluster(self, binaries: Path) -> None:
        if (self.folder / "data" / "PG_VERSION").exists():
            return
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.user:
            ROOT_FOLDER.chmod(0o755)
            os.chown(self.folder, self.user["user"], self.user["group"])
        password_file = self.folder / "password"
        write_private(password_file, self.admin_password)
        if self.user:
            os.chown(password_file, self.user["user"], self.user["group"])
        options = ["-A", "scram-sha-256", f"--pwfile={password_file}", "-U", ADMIN, "-E", "UTF8", "--locale=C"]
        command: list[str | Path] = [binaries / "initdb", *options, "-D", self.folder / "data"]
        result = subprocess.run(  # noqa: S603 - of our own words
            command, capture_output=True, text=True, cwd=self.folder, check=False, **self.user
        )
        password_file.unlink()
        if result.returncode:
            raise NoServer(f"PostgreSQL could not make its files in {self.folder}: {result.stderr.strip()}")


class Redis:
    """A Redis without persistence, behind a password."""

    def __init__(self, home: Path) -> None:
        self.home, self.port = home, free_port()
        self.password = secret_of(home, "redis_password")

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@{HOST}:{self.port}/0"

    def supervised(self) -> SupervisedProcess:
        """The server. Raises `NoServer`."""
        binary = find_redis()
        if binary is None:
            raise NoServer("Redis is missing.")
        settings = self.home / "redis.conf"
        # In a file, because everybody on the machine can read command lines.
        write_private(
            settings,
            f'bind {HOST}\nport {self.port}\nrequirepass {self.password}\nsave ""\nappendonly no\n'
            f'dir "{self.home}"\nloglevel warning\nmaxmemory-policy noeviction\n',
        )
        return SupervisedProcess("redis", [binary, settings], _environment(), self.home)

    def wait(self) -> None:
        wait_for(lambda: is_listening(self.port), "Redis")


class Nginx:
    """The proxy, as in `deploy/nginx.conf` but without HTTPS."""

    def __init__(self, home: Path, *, port: int, web: int) -> None:
        self.home, self.port, self.web = home, port, web

    def supervised(self) -> SupervisedProcess:
        """The server. Raises `NoServer`."""
        binary = find_nginx()
        if binary is None:
            raise NoServer("nginx is missing.")
        folder = self.home / "nginx"
        folder.mkdir(mode=0o700, exist_ok=True)
        settings = folder / "nginx.conf"
        write_private(settings, proxy.on_this_machine(folder, port=self.port, web=self.web, is_root=os.getuid() == 0))
        command: list[str | Path] = [binary, "-e", "stderr", "-p", folder, "-c", settings]
        return SupervisedProcess("nginx", command, _environment(), folder)

    def wait(self) -> None:
        wait_for(lambda: is_listening(self.port), "nginx")


def _with_password(statement: str, password: str) -> sql.Composed:
    return sql.SQL(statement).format(sql.Literal(password))


def secret_of(home: Path, name: str) -> str:
    """A password of this checkout, created on first use and readable by its owner alone."""
    file = home / name
    if not file.exists():
        write_private(file, secrets.token_urlsafe(32))
    return file.read_text(encoding="ascii")


def write_private(file: Path, text: str) -> None:
    """Write a file that is readable by its owner alone from the first moment."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as target:
        target.write(text)


def _environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath)}
