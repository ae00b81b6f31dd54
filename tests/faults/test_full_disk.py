"""A disk that is full: a start ends in one sentence, and a site that runs says so plainly, keeps what it has, and goes
on when there is room again. (F12)"""

from __future__ import annotations

import contextlib
import re
import resource
import sqlite3
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.faults.judging import verdict, watch
from tests.servers import PATIENCE, ROOT, EmbeddedSite, wait_until

# Bytes that a file may have: enough for the key, and for the database but not for all of it.
ROOM = [4_096, 600_000]
SERIAL = "SELECT phase_serial FROM game_game WHERE id = ?"


@pytest.mark.trial
@pytest.mark.parametrize("room", ROOM)
def test_the_disk_is_full_when_the_site_starts(room: int, tmp_path: Path) -> None:
    site = EmbeddedSite(tmp_path)
    done = subprocess.run(
        site.command,
        cwd=ROOT,
        env=site.environment | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE * 3,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert (
        done.stderr.strip().splitlines()[-1].startswith(f"The site cannot store its files in {tmp_path}: the disk is")
    )
    # Nothing that was begun stands in the way of the next start.
    again = EmbeddedSite(tmp_path, is_first=True).start()
    assert again.stop() == 0


class Visitor:
    """The demo player, and the bid that is theirs to make."""

    def __init__(self, site: EmbeddedSite) -> None:
        self.site, self.jar = site, CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        assert self.ask(site.sign_in.removeprefix(site.address))[0] == 200
        found = re.search(r"/games/\d+/", self.ask("/games/")[1])
        assert found
        self.game = found[0]
        serial = re.search(r'name="serial" value="(\d+)"', self.ask(self.game)[1])
        assert serial
        self.bid = {"do": "submit", "points": "13", "serial": serial[1], "token": "one form"}

    def ask(self, path: str, **form: str) -> tuple[int, str]:
        if form:
            form["csrfmiddlewaretoken"] = next(cookie.value or "" for cookie in self.jar if cookie.name == "csrftoken")
        sent = urlencode(form).encode() if form else None
        try:
            with self.opener.open(self.site.address + path, sent, timeout=PATIENCE) as page:
                return page.status, page.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def submit(self) -> tuple[int, str]:
        return self.ask(f"{self.game}actions/", **self.bid)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[EmbeddedSite]:
    running = EmbeddedSite(tmp_path).start()
    watch(running.environment)
    yield running
    running.stop()


@contextlib.contextmanager
def full(site: EmbeddedSite) -> Iterator[None]:
    """No file of this process may grow beyond its first byte; the system says so as it does of a disk."""
    before = resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, before)


def stored(site: EmbeddedSite, question: str, *values: object) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(site.home / "sectors.sqlite3", timeout=PATIENCE)) as rows, rows:
        return rows.execute(question, values).fetchall()


def test_the_disk_is_full_while_the_site_runs(site: EmbeddedSite) -> None:
    """What is read is still there, nothing that is sent is half kept, and with room again the same form is taken and
    deadlines are kept."""
    ada = Visitor(site)
    game = int(ada.game.split("/")[2])
    bids = "SELECT seat FROM game_loggedaction WHERE kind = 'submit' AND token = 'one form'"
    log = "SELECT count(*) FROM game_loggedaction WHERE game_id = ? AND seat = 0"
    before = stored(site, log, game)
    with full(site):
        for path in ("/", "/games/", ada.game):
            status, words = ada.ask(path)
            assert status == 200 or (status == 503 and "Earlier submissions are safe" in words), (path, status)
        for _ in range(3):
            status, words = ada.submit()
            assert (status, "Earlier submissions are safe" in words) == (503, True)
        assert site.process.poll() is None
    assert (stored(site, bids), stored(site, log, game)) == ([], before)
    for _ in range(2):
        assert ada.submit()[0] == 200
    assert stored(site, bids) == [(0,)]
    [(serial,)] = stored(site, SERIAL, game)
    stored(site, "UPDATE game_game SET deadline_at = strftime('%Y-%m-%d %H:%M:%f', 'now') WHERE id = ?", game)
    wait_until(lambda: stored(site, SERIAL, game) > [(serial,)], site.process)
    assert verdict(site.environment, site.words) == []
