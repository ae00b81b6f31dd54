"""`./dev service`: every process of the table behind nginx, with PostgreSQL and Redis of its own; played, hurt and
ended."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import websockets

from sectors_site.processes import PROCESSES
from sectors_site.servers import Postgres
from tests.faults.judging import verdict, watch
from tests.homes import fresh_static
from tests.servers import PATIENCE, ROOT, end, free_port, wait_until

FIELDS = re.compile(r'name="(\w+)" value="([^"]*)"')
TABLE = """
from accounts.models import User
from tests.tables import new_game
game = new_game("ada", "bob", pace="daily")
print(json.dumps([game.pk, game.phase_serial]))
"""
DUE = """
from django.db.models.functions import Now
from game.store.game import Game
Game.objects.filter(pk={game}).update(deadline_at=Now())
print("null")
"""
SERIAL = """
from game.store.game import Game
print(json.dumps(Game.objects.get(pk={game}).phase_serial))
"""


class Running:
    """The service as `./dev service` starts it."""

    def __init__(self, home: Path) -> None:
        self.home, self.port = home, free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        values_by_key = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
        self.environment = values_by_key | {"SECTORS_HOME": str(home)}
        fresh_static(home)
        command = [sys.executable, "-m", "sectors_site.service", "--port", str(self.port)]
        with (home / "log").open("wb") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=log, stderr=log)
        wait_until(lambda: "Ctrl-C" in self.words, self.process)

    @property
    def words(self) -> str:
        return (self.home / "log").read_text(encoding="utf-8", errors="replace")

    @property
    def chosen(self) -> dict[str, str]:
        """The settings that the service notes for commands beside it."""
        noted = (self.home / "service" / "environment").read_text(encoding="utf-8").splitlines()
        return dict(shlex.split(line)[0].split("=", 1) for line in noted)

    def run(self, program: str) -> Any:
        """What a few lines print as JSON, beside the service."""
        lines = [sys.executable, "-c", f"import django, json\ndjango.setup()\n{program}"]
        done = subprocess.run(
            lines, cwd=ROOT, env=self.environment | self.chosen, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def number(self, name: str) -> int:
        """Of the process of this kind that was started last."""
        return int(re.findall(rf"(?m)^{name} is process (\d+)", self.words)[-1])


class Visitor:
    """A browser at the proxy."""

    def __init__(self, address: str) -> None:
        self.address, self.jar = address, CookieJar()
        # Browsers take 127.0.0.1 for as safe as HTTPS; so does the site.
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, path: str) -> str:
        with self.opener.open(self.address + path, timeout=PATIENCE) as page:
            assert page.status == 200
            text: str = page.read().decode()
            return text

    def post(self, path: str, form_at: str = "", **fields: str) -> str:
        token = dict(FIELDS.findall(self.get(form_at or path)))["csrfmiddlewaretoken"]
        sent = urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        request = urllib.request.Request(self.address + path, sent, {"Origin": self.address})
        with self.opener.open(request, timeout=PATIENCE) as page:
            text: str = page.read().decode()
            return text

    @property
    def session(self) -> str:
        return next(cookie.value or "" for cookie in self.jar if cookie.name == "sessionid")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path)
    yield running
    end(running.process)
    folder = Postgres(tmp_path / "service").folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.trial
def test_it_is_played_hurt_and_ended(service: Running) -> None:
    ada = Visitor(service.address)
    ada.post("/accounts/signup/", username="ada", email="ada@example.org", password1="open sesame 42")
    watch(service.environment | service.chosen)
    game, serial = service.run(TABLE)
    assert "ada" in ada.get(f"/games/{game}/")
    assert "next" in Visitor(service.address).get(f"/games/?mine={'x' * 5000}"), "nginx passes on where it leads"
    heard = asyncio.run(hint_after(ada, game, lambda: bid(ada, game, serial)))
    assert heard["version"] > 0
    service.run(DUE.format(game=game))
    eventually(lambda: service.run(SERIAL.format(game=game)) > serial)
    for name in ("web", "deadlines", "nginx", "redis"):
        assert_started_again(service, name)
    eventually(lambda: json.loads(Visitor(service.address).get("/readyz"))["troubles"] == {})
    assert "ada" in ada.get(f"/games/{game}/")
    assert_lines_name_their_process(service.words)
    assert verdict(service.environment | service.chosen, service.words) == []
    children = [service.number(each.name) for each in PROCESSES]
    assert all(is_alive(pid) for pid in children)
    assert end(service.process, by=signal.SIGINT) == 0
    assert not [pid for pid in children if is_alive(pid)]


def bid(visitor: Visitor, game: int, serial: int) -> None:
    where = f"/games/{game}/"
    visitor.post(f"{where}actions/", form_at=where, do="submit", serial=str(serial), points="7", token="one form")


async def hint_after(visitor: Visitor, game: int, act: Callable[[], None]) -> Any:
    """What a socket through the proxy says once this is done."""
    address = visitor.address.replace("http", "ws") + f"/ws/games/{game}/"
    cookie = {"Cookie": f"sessionid={visitor.session}"}
    own: Any = visitor.address
    async with websockets.connect(address, origin=own, additional_headers=cookie) as socket:
        await asyncio.to_thread(act)
        return json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))


def assert_started_again(service: Running, name: str) -> None:
    was = service.number(name)
    os.kill(was, signal.SIGKILL)
    eventually(lambda: service.number(name) != was)
    assert f"{name} ended with code -9" in service.words


def assert_lines_name_their_process(words: str) -> None:
    lines = [json.loads(line) for line in words.splitlines() if line.startswith('{"')]
    assert lines
    assert {line["process"] for line in lines} <= {each.name for each in PROCESSES}


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def eventually(is_so: Callable[[], bool], seconds: float = 400) -> None:
    latest = time.monotonic() + seconds
    while not _holds(is_so):
        assert time.monotonic() < latest
        time.sleep(0.3)


def _holds(is_so: Callable[[], bool]) -> bool:
    try:
        return is_so()
    except OSError:
        return False


def test_a_busy_port_is_one_clear_sentence(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "sectors_site.service", "--port", port]
        given = os.environ | {"SECTORS_HOME": str(tmp_path)}
        done = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"Port {port} is busy: stop what uses it, or choose another with ./dev service --port N.\n"


def test_a_second_service_in_one_folder_is_one_clear_sentence(tmp_path: Path) -> None:
    """It would take away what the first one counts, and wait for a database that cannot start."""
    home = tmp_path / "service"
    home.mkdir()
    command = [sys.executable, "-m", "sectors_site.service", "--port", str(free_port())]
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | {"SECTORS_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(f"A service runs in {home} already: ")
    assert len(done.stderr.splitlines()) == 1
