"""Real servers that live as long as the test that needs them: PostgreSQL, Redis, SMTP, a browser's place, and the site
itself."""

import contextlib
import email
import email.policy
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from sectors_site.servers import find_nginx, find_postgres, find_redis, unprivileged_user

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 240  # seconds for an answer, on a busy machine
# Milliseconds a browser waits for what it should see. An open page looks by itself within 18 seconds: that hints arrive
# without it is shown in tests/browser/test_lost_hints.py.
BROWSER_PATIENCE = 60_000
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM_PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


def find_chromium() -> str | None:
    """A browser on this machine: named by CHROMIUM, on PATH, or in a usual place."""
    names = [os.environ.get("CHROMIUM", ""), *CHROMIUM_NAMES, *CHROMIUM_PLACES]
    return next((found for name in names if name and (found := shutil.which(name))), None)


def find_headless_shell() -> str | None:
    """Chromium without its windows, which needs about half of the processor; notifications go with the windows."""
    return shutil.which("chromium-headless-shell")


def free_port() -> int:
    """One that the system gives to no outgoing connection: such a one could take it before its server does."""
    while accepts(port := secrets.choice(range(15_000, 30_000))):
        continue
    return port


def wait_until(ready: Callable[[], object], process: subprocess.Popen[Any], *, seconds: float = 300) -> None:
    """Until it answers; at once with its words where it died instead."""
    end = time.monotonic() + seconds
    while not ready():
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended with {process.returncode}.")
        if time.monotonic() > end:
            raise TimeoutError(f"{process.args!r} was not ready after {seconds} s.")
        time.sleep(0.02)


def accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def end(process: subprocess.Popen[Any], *, by: int = signal.SIGTERM) -> int:
    """Its exit code; one that does not end by itself is killed."""
    if process.poll() is None:
        process.send_signal(by)
    try:
        return process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait(5)


class PostgresServer:
    """A throwaway PostgreSQL that can be taken away and brought back at the same address. `durable` keeps the settings
    a real one has; a `segment` is a file of its log, in megabytes."""

    def __init__(self, folder: Path, *, durable: bool = False, segment: int = 16) -> None:
        binaries = find_postgres()
        assert binaries, "PostgreSQL is missing: ./dev test installs it or names the command that does."
        self.folder, self.who, self.port = folder, unprivileged_user(), free_port()
        self.url = f"postgres://sectors@127.0.0.1:{self.port}/postgres"
        if self.who:
            os.chown(folder, self.who["user"], self.who["group"])
        made = ["--no-sync", "-A", "trust", "-U", "sectors", "-E", "UTF8", "--locale=C", f"--wal-segsize={segment}"]
        _run([binaries / "initdb", *made, "-D", folder / "data"], self.who, folder)
        relaxed = [] if durable else ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]
        listen = ["-k", folder, "-p", str(self.port), "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200"]
        self.command: list[Any] = [binaries / "postgres", "-D", folder / "data", *listen, *relaxed]

    def start(self) -> "PostgresServer":
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, cwd=self.folder, **self.who)
        try:
            wait_until(lambda: _postgres_answers(self.port), self.process)
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """At once, as a crash would be; every connection breaks."""
        end(self.process, by=signal.SIGQUIT)


@contextlib.contextmanager
def postgres_server(*, durable: bool = False) -> Iterator[str]:
    """A throwaway PostgreSQL; yields its address as a DATABASE_URL."""
    with postgres_to_restart(durable=durable) as server:
        yield server.url


@contextlib.contextmanager
def postgres_to_restart(*, durable: bool = False, segment: int = 16) -> Iterator[PostgresServer]:
    """The same, for tests that take it away for a while."""
    # Not below the checkout: the name of a socket may have 107 bytes only, and the other user must be able to enter.
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        server = PostgresServer(Path(folder), durable=durable, segment=segment).start()
        try:
            yield server
        finally:
            server.stop()


def _run(command: list[Any], who: dict[str, Any], folder: Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, **who)
    assert done.returncode == 0, done.stderr


def _postgres_answers(port: int) -> bool:
    import psycopg  # here: finding the binaries must work without it

    try:
        psycopg.connect(host="127.0.0.1", port=port, user="sectors", dbname="postgres", connect_timeout=10).close()
    except psycopg.OperationalError:
        return False
    return True


class RedisServer:
    """A throwaway Redis that keeps nothing, and that can be taken away and brought back at the same address."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        binary = find_redis()
        assert binary, "redis-server is missing: ./dev test installs it or names the command that does."
        keeps_nothing = ["--save", "", "--appendonly", "no", "--dir", tempfile.gettempdir()]
        command = [binary, "--port", str(self.port), "--bind", "127.0.0.1", *keeps_nothing]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_until(lambda: accepts(self.port), self.process)

    @contextlib.contextmanager
    def away(self, how: str) -> Iterator[None]:
        """Stopped, hung, full or read-only for a while."""
        leave, come_back = {
            "stopped": (self.stop, self.start),
            "hung": (
                lambda: self.process.send_signal(signal.SIGSTOP),
                lambda: self.process.send_signal(signal.SIGCONT),
            ),
            "full": (
                lambda: self.tell("CONFIG", "SET", "maxmemory", "1mb"),
                lambda: self.tell("CONFIG", "SET", "maxmemory", "0"),
            ),
            "read-only": (
                lambda: self.tell("REPLICAOF", "127.0.0.1", "1"),
                lambda: self.tell("REPLICAOF", "NO", "ONE"),
            ),
        }[how]
        leave()
        try:
            yield
        finally:
            come_back()

    def tell(self, *command: str | bytes) -> Any:
        import redis  # here: finding the binaries must work without it

        with redis.Redis(port=self.port) as client:
            return client.execute_command(*command)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait(60)


def hints_over(host: str | dict[str, Any]) -> dict[str, Any]:
    """The setting `CHANNEL_LAYERS` with which hints go over this Redis, as in the service."""
    layer = {"BACKEND": "sectors_site.channel_layers.ImpatientRedisChannelLayer", "CONFIG": {"hosts": [host]}}
    return {"default": layer}


@contextlib.contextmanager
def redis_server() -> Iterator[str]:
    """A throwaway Redis; yields its URL."""
    server = RedisServer()
    try:
        yield server.url
    finally:
        server.stop()


class Mailbox:
    """What a real SMTP server on this machine was given; it takes `pause` seconds for each mail, one after another."""

    def __init__(self, *, pause: float = 0.0) -> None:
        self.messages: list[EmailMessage] = []
        self.port, self.pause = 0, pause

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        time.sleep(self.pause)
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.messages.append(message)  # type: ignore[arg-type]
        return "250 kept"


def use_post(settings: Any, port: int) -> None:
    """Tell the site of the post office at this port."""
    settings.EMAIL_BACKEND = "accounts.mail_server.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", port, 60


@contextlib.contextmanager
def smtp_server(box: Mailbox, *, port: int = 0) -> Iterator[None]:
    """A throwaway post office that puts what it is given into the box."""
    from aiosmtpd.controller import Controller  # here: finding the binaries must work without it

    box.port = port or free_port()
    controller = Controller(box, hostname="127.0.0.1", port=box.port, ready_timeout=PATIENCE)
    controller.start()
    try:
        yield
    finally:
        controller.stop()


class EmbeddedSite:
    """`./dev play` as its own process, with a home of its own: a copy of one that has been started before, unless this
    `is_first` start of all is what the test is about."""

    def __init__(
        self, home: Path, *, port: int = 0, game: str = "", is_first: bool = False, **environment: str
    ) -> None:
        self.home, self.is_first = home, is_first
        self.log = home / "site.log"
        values_by_key = {
            key: value
            for key, value in os.environ.items()
            if key not in {"DATABASE_URL", "REDIS_URL", "SITE_URL", "EMAIL_URL"}
        }
        self.environment = (
            values_by_key
            | {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings", "NEWCOMER_TABLES": "1000"}
            | environment
        )
        self.command = [sys.executable, "-m", "sectors_site.embedded", "--port", str(port)]
        self.command += ["--game", game] if game else []

    def start(self) -> "EmbeddedSite":
        from tests.homes import fresh_home  # here: it stands on what is above

        if self.is_first:
            self.home.mkdir(parents=True, exist_ok=True)
        else:
            fresh_home(self.home)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=subprocess.STDOUT, cwd=ROOT, env=self.environment
            )
        try:
            wait_until(lambda: "Ctrl-C" in self.words, self.process)
        except (RuntimeError, TimeoutError) as error:
            self.stop()
            raise RuntimeError(self.words) from error
        return self

    @property
    def words(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    @property
    def address(self) -> str:
        return re.search(r"running at +(\S+)/", self.words)[1]  # type: ignore[index]

    @property
    def sign_in(self) -> str:
        return re.search(r"(http\S+/sign-in/\S+)", self.words)[1]  # type: ignore[index]

    def stop(self, *, by: int = signal.SIGTERM) -> int:
        return end(self.process, by=by)

    def manage(self, *arguments: str) -> str:
        """A command of `manage.py` on the same home, while the site runs or not."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=ROOT, env=self.environment, check=True
        ).stdout


if __name__ == "__main__":
    finders: dict[str, Callable[[], object]] = {
        "chromium": find_chromium,
        "headless-shell": find_headless_shell,
        "curl": lambda: shutil.which("curl"),
        "postgres": find_postgres,
        "redis": find_redis,
        "nginx": find_nginx,
    }
    found = finders[sys.argv[1]]()
    print(found or "")  # noqa: T201 - this is its output
    sys.exit(not found)
