"""An update while people play: old and new web processes behind nginx, one after the other restarted; a migration that
fails, one that does not, and the way back."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from sectors_site import proxy
from sectors_site.servers import find_nginx
from tests.faults.judging import verdict, watched_service
from tests.faults.test_under_fire import GAMES, LOST
from tests.servers import PATIENCE, ROOT, accepts, end, free_port, wait_until
from tests.service import CSRF, Service

NEXT = {"DJANGO_SETTINGS_MODULE": "tests.faults.next_release.settings"}
BREAKS = {"NEXT_RELEASE_BREAKS": "1"}
NO_LIMITS = json.dumps(dict.fromkeys(("write", "move", "read", "anon", "network", "opens_sockets", "work"), 1_000_000))
GAMES_PLAYED, ROUNDS = 3, 8
COLUMN = "SELECT count(*) FROM information_schema.columns WHERE column_name = 'of_next_release'"
TWICE = "SELECT count(*) - count(DISTINCT token) FROM game_loggedaction WHERE token <> ''"
BOB_IS_READY = """
from game.store.game import Game
from tests.tables import READY, send
send(Game.objects.get(pk={game}), 1, READY)
print("null")
"""


class Site:
    """Two places for web processes, the second one the first one's stand-in, behind a real nginx."""

    def __init__(self, home: Path, *, database: str, redis: str) -> None:
        self.port, self.home = free_port(), home
        own = {"SITE_URL": f"http://127.0.0.1:{self.port}", "LIMITS": NO_LIMITS}
        self.old = watched_service(home, database=database, redis=redis) | own
        self.new = self.old | NEXT
        self.first, self.beside = Service(self.old), Service(self.old)
        self.nginx = self._nginx()

    def _nginx(self) -> subprocess.Popen[bytes]:
        folder, binary = self.home / "nginx", find_nginx()
        assert binary, "nginx is missing: ./dev test installs it or names the command that does."
        folder.mkdir(mode=0o700)
        ports = {"port": self.port, "web": self.first.port, "beside": self.beside.port}
        text = proxy.on_this_machine(folder, **ports, is_root=os.getuid() == 0)
        (folder / "nginx.conf").write_text(text, encoding="utf-8")
        with (self.home / "log").open("ab") as log:
            command = [binary, "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf"]
            process = subprocess.Popen(command, stdout=log, stderr=log)
        wait_until(lambda: accepts(self.port), process)
        return process

    def start(self, place: Service, release: dict[str, str]) -> None:
        place.environment = release
        place.start("web")

    def migrate(self, release: dict[str, str]) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "manage.py", "migrate", "--noinput", "-v0"]
        return subprocess.run(line, cwd=ROOT, env=release, capture_output=True, text=True, check=False)

    def stop(self) -> None:
        end(self.nginx)
        self.first.stop()
        self.beside.stop()


class Browser:
    """Somebody who is signed in, on the other side of nginx."""

    def __init__(self, port: int, session: str) -> None:
        self.port, self.origin = port, f"http://127.0.0.1:{port}"
        self.headers = {"Cookie": f"sessionid={session}; csrftoken={CSRF}", "Origin": self.origin}

    def get(self, path: str) -> int:
        return self._ask("GET", path)

    def post(self, path: str, **fields: str) -> int:
        form = self.headers | {"Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, urlencode({"csrfmiddlewaretoken": CSRF, **fields}), form)

    def _ask(self, method: str, path: str, body: str | None = None, headers: Any = None) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, body, headers or self.headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status


class Load(threading.Thread):
    """Does the same thing, `once`, again and again until it is asked to stop."""

    once: Callable[[], None]

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.is_asked_to_stop, self.rounds = False, 0

    def run(self) -> None:
        while not self.is_asked_to_stop:
            self.once()
            self.rounds += 1


class Reader(Load):
    """Reads pages; each must be answered."""

    def __init__(self, browser: Browser, paths: list[str]) -> None:
        super().__init__()
        self.browser, self.paths = browser, itertools.cycle(paths)
        self.failed: list[tuple[str, int]] = []

    def once(self) -> None:
        path = next(self.paths)
        if (status := self.browser.get(path)) != 200:
            self.failed.append((path, status))


class Player(Load):
    """Submits bids; one that was not acknowledged is sent again as it was, as a browser's form would be."""

    def __init__(self, browser: Browser, games: dict[str, int]) -> None:
        super().__init__()
        self.browser, self.games = browser, itertools.cycle(games.items())
        self.sent_again: list[int] = []
        self.acknowledged: list[str] = []

    def once(self) -> None:
        game, serial = next(self.games)
        form = {"do": "submit", "serial": str(serial), "points": str(self.rounds % 8), "token": f"bid {self.rounds}"}
        while (status := self.browser.post(f"/games/{game}/actions/", **form)) != 302:
            self.sent_again.append(status)
            if self.is_asked_to_stop:
                return
        self.acknowledged.append(form["token"])


class Listener(Load):
    """An open page's socket, opened again whenever it is closed."""

    def __init__(self, browser: Browser, game: str) -> None:
        super().__init__()
        self.browser, self.game = browser, game
        self.heard: list[Any] = []
        self.opened, self.line = 0, None

    def once(self) -> None:
        address = self.browser.origin.replace("http", "ws") + f"/ws/games/{self.game}/"
        cookie = {"Cookie": self.browser.headers["Cookie"]}
        own: Any = self.browser.origin
        try:
            with connect(address, origin=own, additional_headers=cookie, open_timeout=PATIENCE) as self.line:
                self.opened += 1
                for message in self.line:
                    self.heard.append(json.loads(message))
        except (OSError, WebSocketException):
            time.sleep(0.1)


class People:
    """Everybody at the site; each step of an update is felt by all of them."""

    def __init__(self, site: Site) -> None:
        [[games, session]] = site.first.run(GAMES.format(count=GAMES_PLAYED, people=1))
        browser, self.game = Browser(site.port, session), next(iter(games))
        paths = ["/games/", f"/games/{self.game}/", f"/games/{self.game}/history/"]
        self.readers, self.player = [Reader(browser, paths) for _ in range(2)], Player(browser, games)
        self.listener = Listener(browser, self.game)
        self.all: list[Load] = [*self.readers, self.player, self.listener]
        for each in self.all:
            each.start()

    def go_on(self, *, socket_was: int | None = None) -> None:
        """Until all have gone on for a while, and the socket that was there is there again."""
        due = {each: each.rounds + ROUNDS for each in (*self.readers, self.player)}
        eventually(lambda: all(each.rounds >= most for each, most in due.items()))
        if socket_was is not None:
            eventually(lambda: self.listener.opened > socket_was)

    def leave(self) -> None:
        for each in self.all:
            each.is_asked_to_stop = True
        if self.listener.line is not None:
            self.listener.line.close()
        for each in self.all:
            each.join(PATIENCE)


def eventually(is_so: Callable[[], bool], seconds: float = 400) -> None:
    latest = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < latest
        time.sleep(0.1)


def readiness(place: Service) -> tuple[int, Any]:
    """What the process itself says, as whoever updates the site asks it before going on."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{place.port}/readyz", timeout=PATIENCE) as answer:
            return answer.status, json.load(answer)["troubles"]
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)["troubles"]


@pytest.fixture
def site(tmp_path: Path, postgres_url: str, redis_url: str) -> Iterator[Site]:
    site = Site(tmp_path, database=postgres_url, redis=redis_url)
    yield site
    site.stop()


@pytest.mark.trial
def test_an_update_and_the_way_back_are_felt_by_nobody(site: Site) -> None:
    """F20, F21."""
    site.start(site.first, site.old)
    people = People(site)
    try:
        people.go_on(socket_was=0)
        a_migration_that_fails_changes_nothing(site, people)
        update(site, people, to=site.new)
        assert site.first.ask_database(COLUMN) == 1
        update(site, people, to=site.old)
        heard = len(people.listener.heard)
        site.first.run(BOB_IS_READY.format(game=people.game))
        eventually(lambda: len(people.listener.heard) > heard)
    finally:
        people.leave()
    assert [reader.failed for reader in people.readers] == [[], []]
    assert set(people.player.sent_again) <= {502}
    assert site.first.run(LOST.format(names=people.player.acknowledged)) == []
    assert site.first.ask_database(TWICE) == 0
    assert verdict(site.old, site.first.words) == []


def a_migration_that_fails_changes_nothing(site: Site, people: People) -> None:
    """The old release goes on, and the new one says by itself that it is not ready."""
    done = site.migrate(site.new | BREAKS)
    assert done.returncode != 0
    assert "The second half of this migration fails." in done.stderr
    assert site.first.ask_database(COLUMN) == 0, "its first half is undone"
    site.start(site.beside, site.new)
    status, troubles = readiness(site.beside)
    assert (status, "migrations" in troubles) == (503, True)
    site.beside.stop("web")
    assert readiness(site.first)[0] == 200
    people.go_on()


def update(site: Site, people: People, *, to: dict[str, str]) -> None:
    """As docs/operations.md has it: migrate, start the one beside, restart the first, end the one beside."""
    assert site.migrate(site.new).returncode == 0
    site.start(site.beside, to)
    eventually(lambda: readiness(site.beside)[0] == 200)
    for leaving in (site.first, site.beside):
        opened = people.listener.opened
        assert end(leaving.processes.pop("web"), by=signal.SIGTERM) == 0
        people.go_on(socket_was=opened)
        if leaving is site.first:
            site.start(site.first, to)
            eventually(lambda: readiness(site.first)[0] == 200)
            people.go_on()
