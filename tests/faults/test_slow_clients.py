"""Clients that are slow, endless or huge, against real servers: nobody else waits for them, and nothing of theirs is
stored."""

import contextlib
import http.client
import select
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.test_service import environment  # noqa: F401 - a fixture
from tests.servers import PATIENCE, ROOT, EmbeddedSite, accepts, end, free_port, wait_until

SLOW_CLIENTS, ATTEMPTS = 40, 5
IMPATIENT = {"DJANGO_SETTINGS_MODULE": "tests.faults.impatient_settings"}
PROXIED = "Host: play.example.org\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: 192.0.2.7\r\n"
HERE = "Host: 127.0.0.1\r\n"
TOKEN = "a" * 32
COOKIE = f"Cookie: csrftoken={TOKEN}"


class Site:
    """Where a server listens and what its proxy would say."""

    def __init__(self, port: int, headers: str) -> None:
        self.port, self.headers = port, headers

    def open(self, start: str) -> socket.socket:
        visitor = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        visitor.sendall(start.encode())
        return visitor

    def begin_post(self, *more: str, path: str = "/accounts/login/") -> socket.socket:
        return self.open(
            f"POST {path} HTTP/1.1\r\n{self.headers}{''.join(line + chr(13) + chr(10) for line in more)}\r\n"
        )

    def shows_a_page(self) -> None:
        with self.open(f"GET /accounts/login/ HTTP/1.1\r\n{self.headers}Connection: close\r\n\r\n") as visitor:
            assert read_all(visitor).startswith(b"HTTP/1.1 200"), "the page itself"


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    temporary = tmp_path_factory.mktemp("temporary")
    running = EmbeddedSite(tmp_path_factory.mktemp("site"), TMPDIR=str(temporary), **IMPATIENT).start()
    yield Site(int(running.address.rsplit(":", 1)[1]), HERE)
    running.stop()


@pytest.fixture(scope="module")
def service(environment: dict[str, str]) -> Iterator[Site]:  # noqa: F811 - the fixture
    """The documented command, with one process: what freezes it freezes each of many."""
    port = free_port()
    command = [sys.executable, "-m", "sectors_site.serving", "--port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, env=environment | IMPATIENT, stderr=subprocess.DEVNULL)
    wait_until(lambda: accepts(port), process)
    yield Site(port, PROXIED)
    end(process)


@pytest.fixture(params=["embedded", "service"])
def site(request: pytest.FixtureRequest) -> Site:
    found: Site = request.getfixturevalue(request.param)
    found.shows_a_page()  # the first one loads what the others use
    return found


def read_all(visitor: socket.socket) -> bytes:
    found = b""
    with contextlib.suppress(ConnectionError):
        while piece := visitor.recv(65536):
            found += piece
    return found


@contextlib.contextmanager
def many(make: Callable[[], socket.socket]) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(make()) for _ in range(SLOW_CLIENTS)]


def slow_clients(site: Site) -> dict[str, Callable[[], socket.socket]]:
    """Who sends nothing, who begins a head, and who begins a body."""
    form = "Content-Type: application/x-www-form-urlencoded"
    return {
        "silent": lambda: site.open(""),
        "head": lambda: site.open(f"GET / HTTP/1.1\r\n{site.headers}X-Slow: x"),
        "body": lambda: site.begin_post(form, "Content-Length: 5000"),
        "chunked": lambda: site.begin_post("Transfer-Encoding: chunked"),
    }


@pytest.mark.parametrize("how", ["silent", "head", "body", "chunked"])
def test_slow_clients_make_nobody_else_wait(site: Site, how: str) -> None:
    """A page comes while they are not cut off yet; on a busy machine perhaps only at another attempt."""

    def comes_first() -> bool:
        with many(slow_clients(site)[how]) as slow:
            site.shows_a_page()
            return not are_answered(slow, seconds=0)

    assert any(comes_first() for _ in range(ATTEMPTS))


def test_slow_clients_are_cut_off(site: Site) -> None:
    with contextlib.ExitStack() as stack:
        slow = {how: stack.enter_context(opened()) for how, opened in slow_clients(site).items()}
        waiting = {"head": b"x", "body": b"x", "chunked": b"1\r\na\r\n"}
        while waiting:  # a byte now and then does not lengthen the limit
            for how, piece in waiting.items():
                slow[how].sendall(piece)
            waiting = {how: piece for how, piece in waiting.items() if not are_answered([slow[how]], seconds=0.2)}
        answers = {how: read_all(visitor)[:12] for how, visitor in slow.items()}
    assert answers == {"silent": b"", "head": b"", "body": b"HTTP/1.1 408", "chunked": b"HTTP/1.1 408"}


def are_answered(visitors: list[socket.socket], *, seconds: float) -> bool:
    """Whether any of them has something to read within so many seconds: an answer or the end."""
    return bool(select.select(visitors, [], [], seconds)[0])


@pytest.mark.parametrize(
    ("framing", "body"),
    [
        ("Content-Length: 3", ""),
        ("Content-Length: 3", "ab"),
        ("Content-Length: 3", "abcdef"),
        ("Transfer-Encoding: chunked", "1\r\na\r\n"),
    ],
)
def test_a_handshake_with_a_body_is_refused_at_once(site: Site, framing: str, body: str) -> None:
    asked = f"Connection: Upgrade\r\nUpgrade: websocket\r\n{framing}\r\n\r\n{body}"
    with site.open(f"GET /ws/games/1/ HTTP/1.1\r\n{site.headers}{asked}") as visitor:
        assert read_all(visitor).startswith(b"HTTP/1.1 400")


def test_slow_readers_make_nobody_else_wait(site: Site) -> None:
    def hardly_read() -> socket.socket:
        visitor = socket.socket()
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        visitor.connect(("127.0.0.1", site.port))
        # Answers that wait one behind the other on the same connection.
        visitor.sendall(f"GET /rules/sectors/ HTTP/1.1\r\n{site.headers}\r\n".encode() * 3)
        return visitor

    with many(hardly_read) as slow:
        for visitor in slow:
            assert visitor.recv(1), "its answer has begun"
        site.shows_a_page()  # within PATIENCE: a slow reader is cut off later


def test_a_head_of_a_megabyte_is_refused(site: Site) -> None:
    with site.open(f"GET / HTTP/1.1\r\n{site.headers}X-Long: ") as visitor:
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                visitor.sendall(b"x" * 10_000)
        assert read_all(visitor)[:12] in {b"HTTP/1.1 431", b""}
    site.shows_a_page()


@pytest.mark.parametrize("framing", ["declared", "chunked"])
def test_a24_a_body_of_200_megabytes_is_refused_before_it_is_taken(site: Site, framing: str) -> None:
    kind = "Content-Type: multipart/form-data; boundary=b"
    length = "Content-Length: 200000000" if framing == "declared" else "Transfer-Encoding: chunked"
    start = b'--b\r\nContent-Disposition: form-data; name="f"; filename="big"\r\n\r\n'
    with site.begin_post(kind, length) as visitor:
        with contextlib.suppress(ConnectionError):
            visitor.sendall(start if framing == "declared" else b"%x\r\n%s\r\n" % (len(start), start))
            piece = b"x" * 65536
            visitor.sendall((piece if framing == "declared" else b"%x\r\n%s\r\n" % (len(piece), piece)) * 6)
        answer = read_all(visitor)
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"at most 256 KB and no files" in answer
    assert b"referrer-policy: strict-origin" in answer.lower(), "the address may be a key"


def test_a_small_file_is_refused_and_stored_nowhere(embedded: Site, tmp_path_factory: pytest.TempPathFactory) -> None:
    part = b'--b\r\nContent-Disposition: form-data; name="f"; filename="s"\r\n\r\n' + b"x" * 200_000 + b"\r\n--b--\r\n"
    kind = "Content-Type: multipart/form-data; boundary=b"
    with embedded.begin_post(kind, COOKIE, f"Content-Length: {len(part)}", "Connection: close") as visitor:
        visitor.sendall(part)
        assert read_all(visitor).startswith(b"HTTP/1.1 413")
    rows = [path for path in Path(tmp_path_factory.getbasetemp()).glob("temporary*/**/*") if path.is_file()]
    assert not rows


def test_a_chunked_form_is_read_like_any_other(embedded: Site) -> None:
    visitor = http.client.HTTPConnection("127.0.0.1", embedded.port, timeout=PATIENCE)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": COOKIE.removeprefix("Cookie: ")}
    pieces = iter([b"csrfmiddlewaretoken=", TOKEN.encode(), b"&theme=", b"dark"])
    visitor.request("POST", "/theme/", body=pieces, headers=headers, encode_chunked=True)
    answer = visitor.getresponse()
    assert (answer.status, "theme=dark" in answer.headers["Set-Cookie"]) == (302, True)
    visitor.close()
