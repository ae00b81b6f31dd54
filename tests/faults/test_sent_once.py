"""What nginx does with a request whose web process is gone, or goes while it works: F20."""

from __future__ import annotations

import http.client
import os
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sectors_site import proxy
from sectors_site.servers import find_nginx
from tests.servers import PATIENCE, accepts, end, free_port, wait_until

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class WebProcess(socketserver.ThreadingTCPServer):
    """One that notes the method of each request, and answers it or dies of it."""

    daemon_threads, allow_reuse_address = True, True

    def __init__(self, answer: bytes = ANSWER) -> None:
        super().__init__(("127.0.0.1", free_port()), Reading)
        self.answer = answer
        self.asked: list[str] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class Reading(socketserver.StreamRequestHandler):
    """Reads a request to its end, and then leaves."""

    server: WebProcess

    def handle(self) -> None:
        if not (line := self.rfile.readline()):
            return  # somebody who looks whether it listens
        while self.rfile.readline().strip():
            continue
        self.server.asked.append(line.decode().split()[0])
        self.wfile.write(self.server.answer)


@contextmanager
def listening(web: WebProcess) -> Iterator[WebProcess]:
    with web:
        threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield web
        web.shutdown()


@contextmanager
def nginx_before(web: int, beside: int, folder: Path, *, patience: str = "60s") -> Iterator[int]:
    """A real nginx; the port where it listens. `patience`: for how long it waits for an answer."""
    port, binary = free_port(), find_nginx()
    assert binary, "nginx is missing: ./dev test installs it or names the command that does."
    text = proxy.on_this_machine(folder, port=port, web=web, beside=beside, is_root=os.getuid() == 0)
    text = text.replace("http {", f"http {{\n    proxy_read_timeout {patience};", 1)
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    command: list[Any] = [binary, "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: accepts(port), process)
        yield port
    finally:
        end(process)


def ask(port: int, method: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request(method, "/api/v1/games/7/seats/2")
    status = connection.getresponse().status
    connection.close()
    return status


METHODS = ("GET", "POST", "PATCH", "PUT", "DELETE")


@pytest.fixture
def beside() -> Iterator[WebProcess]:
    with listening(WebProcess()) as found:
        yield found


def test_what_changes_something_is_not_sent_again(beside: WebProcess, tmp_path: Path) -> None:
    """The first process may have done it before it died: only what reads is asked of the one beside."""
    with listening(WebProcess(answer=b"")) as first, nginx_before(first.port, beside.port, tmp_path) as port:
        answers = {method: ask(port, method) for method in METHODS}
    assert answers == {"GET": 200} | dict.fromkeys(METHODS[1:], 502)
    assert (first.asked, beside.asked) == (list(METHODS), ["GET"])


def test_while_the_first_is_away_the_one_beside_answers(beside: WebProcess, tmp_path: Path) -> None:
    """Not what nginx cannot be trusted to send once."""
    with nginx_before(free_port(), beside.port, tmp_path) as port:
        answers = {method: ask(port, method) for method in METHODS}
    assert answers == dict.fromkeys(METHODS[:3], 200) | dict.fromkeys(METHODS[3:], 502)
    assert beside.asked == list(METHODS[:3])
