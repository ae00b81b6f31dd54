"""The one-process server as a process: it starts, answers, says what is wrong, and ends when told to."""

import contextlib
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from websockets import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.faults.judging import verdict, watch
from tests.homes import fresh_home
from tests.servers import PATIENCE, ROOT, EmbeddedSite, wait_until


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedSite]:
    running = EmbeddedSite(tmp_path_factory.mktemp("site")).start()
    watch(running.environment)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def jar(site: EmbeddedSite) -> CookieJar:
    """The cookies of the demo player, who came in by the link."""
    visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(found := CookieJar()))
    with visitor.open(site.sign_in, timeout=PATIENCE) as page:
        assert page.status == 200
    return found


def test_it_answers_and_its_link_signs_the_demo_player_in(jar: CookieJar) -> None:
    assert "sessionid" in {cookie.name for cookie in jar}


def test_a23_a_large_frame_closes_its_socket_and_nobody_else_notices(site: EmbeddedSite, jar: CookieJar) -> None:
    """Pages send nothing on their socket: a frame may have a kilobyte, and one of megabytes is never read."""
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)
    there = f"{site.address.replace('http', 'ws')}/ws/games/1/"
    with connect(there, origin=Origin(site.address), additional_headers={"Cookie": cookies}) as socket_:
        with contextlib.suppress(ConnectionClosed):
            socket_.send("x" * 8_000_000)
        with pytest.raises(ConnectionClosed) as closed:
            list(iter(lambda: socket_.recv(timeout=PATIENCE), None))
    assert closed.value.rcvd is None or closed.value.rcvd.code in {1009, 4400}
    with urllib.request.urlopen(site.address, timeout=PATIENCE) as page:
        assert page.status == 200


def test_static_files_are_served_hashed_and_for_ever(site: EmbeddedSite) -> None:
    import json

    names = json.loads((site.home / "static" / "staticfiles.json").read_text(encoding="utf-8"))["paths"]
    with urllib.request.urlopen(f"{site.address}/static/{names['admin/css/base.css']}", timeout=PATIENCE) as file:
        assert "immutable" in file.headers["Cache-Control"]


def test_an_unknown_host_is_refused(site: EmbeddedSite) -> None:
    request = urllib.request.Request(site.address, headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(request, timeout=PATIENCE)


@pytest.mark.parametrize(("path", "port", "status"), [("/ws/nowhere/", "", b"404"), ("/ws/games/1/", "9", b"403")])
def test_a_socket_that_is_not_to_be_is_refused_without_a_traceback(
    site: EmbeddedSite, path: str, port: str, status: bytes
) -> None:
    """An unknown address, and a page of another port of this host."""
    with socket.create_connection(("127.0.0.1", int(site.address.rsplit(":", 1)[1])), timeout=PATIENCE) as visitor:
        asks = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: {site.address}{port}\r\n"
        asks += "Connection: Upgrade\r\nUpgrade: websocket\r\n"
        visitor.sendall(f"{asks}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode())
        assert visitor.recv(1000).split()[1] == status
    assert "Traceback" not in site.words


def test_its_worker_and_beat_are_at_work(site: EmbeddedSite) -> None:
    """Each sweep says that it is alive."""
    with contextlib.closing(sqlite3.connect(site.home / "sectors.sqlite3")) as rows:
        wait_until(lambda: rows.execute("SELECT beat_at FROM game_heartbeat").fetchall(), site.process)
    assert "Traceback" not in site.words
    assert "ended by itself" not in site.words
    assert verdict(site.environment, site.words) == []


def test_a_busy_port_is_one_clear_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            EmbeddedSite(tmp_path, port=port).command,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    assert done.returncode == 1
    assert done.stderr.strip() == f"Port {port} is busy: stop what uses it, or choose another with ./dev play --port N."


def test_another_game_lies_on_the_table_in_a_home_of_its_own(tmp_path: Path) -> None:
    fresh_home(tmp_path / "toy")
    site = EmbeddedSite(tmp_path, game="toy", is_first=True).start()
    try:
        visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        with visitor.open(site.sign_in, timeout=PATIENCE) as page:
            assert "The first game" in page.read().decode()
        with contextlib.closing(sqlite3.connect(tmp_path / "toy" / "sectors.sqlite3")) as rows:
            assert rows.execute("SELECT ruleset, seats_wanted, status FROM game_game").fetchall() == [
                ("toy", 4, "running")
            ]
    finally:
        assert site.stop() == 0
    assert not (tmp_path / "sectors.sqlite3").exists(), "a site without the toy does not meet its tables"


@pytest.mark.parametrize("game", ["chess", "TOY", "../toy"])
def test_a_game_that_is_not_there_is_one_clear_sentence(tmp_path: Path, game: str) -> None:
    site = EmbeddedSite(tmp_path, game=game)
    done = subprocess.run(
        site.command, cwd=ROOT, env=site.environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout) == (1, "")
    words = done.stderr.strip()
    assert words.startswith(f"There is no game {game!r}: choose one of sectors, ")
    assert words.endswith("toy with ./dev play --game KEY.")
    assert "\n" not in words


@pytest.mark.parametrize("port", ["x", "-1", "65536", "1.5"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sectors_site.embedded", "--port", port],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_success_though_a_visitor_lingers(tmp_path: Path, by: signal.Signals) -> None:
    site = EmbeddedSite(tmp_path).start()
    with socket.create_connection(("127.0.0.1", int(site.address.rsplit(":", 1)[1]))) as visitor:
        visitor.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        visitor.recv(100)
        assert site.stop(by=by) == 0
    assert "Traceback" not in site.words


def test_a_second_start_finds_everything_in_place(tmp_path: Path) -> None:
    EmbeddedSite(tmp_path, is_first=True).start().stop()
    values_by_key = {name: (tmp_path / name).read_bytes() for name in ("secret_key", "static/.sources")}
    again = EmbeddedSite(tmp_path).start()
    try:
        assert again.sign_in
        assert {name: (tmp_path / name).read_bytes() for name in values_by_key} == values_by_key
    finally:
        again.stop()


def test_a_killed_process_leaves_a_home_that_starts_again(tmp_path: Path) -> None:
    EmbeddedSite(tmp_path).start().stop(by=signal.SIGKILL)
    again = EmbeddedSite(tmp_path).start()
    watch(again.environment)
    assert again.stop() == 0
    assert verdict(again.environment, again.words) == []
