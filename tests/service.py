"""The service in processes of its own, as operations.md says: web, workers, beat and clock on PostgreSQL and Redis."""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg

from tests.homes import fresh_database, fresh_static
from tests.servers import PATIENCE, ROOT, accepts, end, free_port, wait_until

HOST = "play.example.org"
CSRF = "c" * 32
SETUP = """import django, json
django.setup()
from django.conf import settings
settings.LIMITED = False"""  # a test lays more tables than a person may
CELERY = [sys.executable, "-m", "celery", "-A", "sectors_site"]


def new_service(home: Path, *, database: str, redis: str) -> dict[str, str]:
    """A fresh database, and the settings of a service behind a proxy that speaks HTTPS for it."""
    fresh_static(home)
    return {
        "PATH": os.environ["PATH"],
        "SECTORS_HOME": str(home),
        "DJANGO_SETTINGS_MODULE": "sectors_site.settings",
        "DATABASE_URL": fresh_database(database, home.name.replace("-", "_")),
        "REDIS_URL": redis,
        "SECRET_KEY": "k" * 60,
        "SITE_URL": f"https://{HOST}",
        "TRUSTED_PROXY_COUNT": "1",
        "EMAIL_URL": "consolemail://",
        "WEB_PROCESSES": "2",
        "MAIL_WINDOW": "0",
        "NEWCOMER_TABLES": "1000",  # most people of tests have only just come
    }


class Service:
    """Every process of a service; what they say is in `log`."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self.home = Path(environment["SECTORS_HOME"])
        self.processes: dict[str, subprocess.Popen[Any]] = {}
        self.port = free_port()

    def start(self, *names: str) -> None:
        commands = {
            "web": [sys.executable, "-m", "sectors_site.serving", "--port", str(self.port)],
            "worker": [*CELERY, "worker", "-c", "2", "-n", "all@here"],
            "lone worker": [*CELERY, "worker", "-c", "1", "-n", "lone@here"],
            "deadlines": [*CELERY, "worker", "-Q", "deadlines", "-c", "1", "-n", "deadlines@here"],
            "bots": [*CELERY, "worker", "-Q", "bots", "-c", "1", "-n", "bots@here"],
            "mail": [*CELERY, "worker", "-Q", "mail", "-c", "1", "-n", "mail@here"],
            "hooks": [*CELERY, "worker", "-Q", "hooks", "-P", "threads", "-c", "8", "-n", "hooks@here"],
            "beat": [*CELERY, "beat", "-s", str(self.home / "schedule")],
            "clock": [sys.executable, "manage.py", "clock"],
        }
        with (self.home / "log").open("ab") as log:
            for name in names:
                self.processes[name] = subprocess.Popen(
                    commands[name], cwd=ROOT, env=self.environment, stdout=log, stderr=log
                )
        if "web" in names:
            wait_until(lambda: accepts(self.port), self.processes["web"])

    def stop(self, *names: str) -> None:
        for name in names or tuple(self.processes):
            end(self.processes.pop(name))

    @property
    def words(self) -> str:
        return (self.home / "log").read_text(encoding="utf-8", errors="replace")

    def ask_database(self, statement: str) -> Any:
        """The first value of the first row, if there is one."""
        with psycopg.connect(self.environment["DATABASE_URL"], autocommit=True) as connection:
            done = connection.execute(statement.encode())
            row = done.fetchone() if done.description else None
        return row and row[0]

    def run(self, program: str) -> Any:
        """What a few lines print as JSON, run beside the site."""
        lines = f"{SETUP}\n{program}"
        done = subprocess.run(
            [sys.executable, "-c", lines], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout)


@contextmanager
def throwaway_service(*, database: str, redis: str, **settings: str) -> Iterator[Service]:
    """A service with a folder of its own, none of whose processes runs yet; all have ended afterwards."""
    with tempfile.TemporaryDirectory(prefix="service") as folder:
        service = Service(new_service(Path(folder), database=database, redis=redis) | settings)
        try:
            yield service
        finally:
            service.stop()


class Visitor:
    """A browser in front of the proxy; each answer says how long it took."""

    def __init__(self, port: int, *, session: str = "") -> None:
        self.port = port
        self.cookies = SimpleCookie({"csrftoken": CSRF} | ({"sessionid": session} if session else {}))

    def get(self, path: str) -> tuple[int, float]:
        return self._ask("GET", path)

    def post(self, path: str, **fields: Any) -> tuple[int, float]:
        return self._ask("POST", path, urlencode({"csrfmiddlewaretoken": CSRF, **fields}))

    def _ask(self, method: str, path: str, body: str | None = None) -> tuple[int, float]:
        sent = "; ".join(f"{name}={cookie.value}" for name, cookie in self.cookies.items())
        headers = {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7", "Cookie": sent}
        if body is not None:
            headers |= {"Origin": f"https://{HOST}", "Content-Type": "application/x-www-form-urlencoded"}
        connection, began = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE), time.monotonic()
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            self.cookies.load(cookie)
        connection.close()
        return answer.status, time.monotonic() - began
