"""What nginx answers by itself: a problem to programs, a page to people, in their language, with when to try again."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from accounts.languages import override_language
from game.api.problems import KINDS
from game.engine.language import say
from sectors_site.proxy_refusals import CONNECTIONS
from tests.faults.test_sent_once import WebProcess, listening, nginx_before
from tests.servers import PATIENCE, free_port

PROGRAM, PERSON = "/api/v1/games", "/games/"
TOO_LARGE = b"x" * 310_000
Answer = tuple[int, dict[str, str], str]


class Never(WebProcess):
    """One that reads requests, and answers when it is told to."""

    request_queue_size = 2 * CONNECTIONS

    def __init__(self) -> None:
        super().__init__()
        self.goes_on = threading.Event()
        self.all_asked = threading.Semaphore(0)

    def finish_request(self, request: Any, client_address: Any) -> None:
        self.all_asked.release()
        self.goes_on.wait(PATIENCE)
        super().finish_request(request, client_address)


def ask(port: int, path: str, body: bytes = b"", **headers: str) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST" if body else "GET", path, body, sent)
    answer = connection.getresponse()
    told = {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()
    connection.close()
    return (answer.status, *told)


def check_problem(answer: Answer, status: int, kind: str, port: int) -> dict[str, Any]:
    """In the form, and with the words, of all problems of this kind."""
    found, headers, text = answer
    result: dict[str, Any] = json.loads(text)
    assert (found, result["status"]) == (status, status)
    assert headers["content-type"] == "application/problem+json"
    assert (headers["access-control-allow-origin"], headers["cache-control"]) == ("*", "no-store")
    assert result["type"] == f"http://127.0.0.1:{port}/api/v1/problems/{kind}"
    with override_language(headers["content-language"]):
        assert result["title"] == say(KINDS[kind].title)
    assert headers.get("retry-after") == (str(result["retry_after"]) if "retry_after" in result else None)
    return result


def check_page(answer: Answer, status: int, heading: str) -> None:
    found, headers, text = answer
    assert (found, headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert f"<h1>{heading}</h1>" in text
    assert f'<html lang="{headers["content-language"]}">' in text
    assert "nginx" not in text


@pytest.fixture(scope="module")
def nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of an nginx behind which nothing listens."""
    with nginx_before(free_port(), free_port(), tmp_path_factory.mktemp("nginx")) as port:
        yield port


def test_a_site_that_is_not_there_is_told_of_in_both_forms_and_languages(nobody: int) -> None:
    result = check_problem(ask(nobody, PROGRAM), 502, "busy", nobody)
    assert result["retry_after"] == 10
    assert "with the same key" in result["detail"]
    german = check_problem(ask(nobody, PROGRAM, Accept_Language="de-AT, en;q=0.5"), 502, "busy", nobody)
    assert "mit demselben Key" in german["detail"]
    check_page(ask(nobody, PERSON), 502, "One moment")
    check_page(ask(nobody, PERSON, Accept_Language="de"), 502, "Einen Moment")
    check_page(ask(nobody, PERSON, Accept_Language="de", Cookie="language=en"), 502, "One moment")
    check_page(ask(nobody, PERSON, Cookie="language=de"), 502, "Einen Moment")
    assert ask(nobody, PERSON)[1]["retry-after"] == "10"


def test_what_is_too_large_for_nginx_is_told_as_the_site_tells_it(nobody: int) -> None:
    result = check_problem(ask(nobody, PROGRAM, TOO_LARGE, Accept_Language="de"), 413, "too-large", nobody)
    with override_language("de"):
        assert result["detail"] == say(KINDS["too-large"].about)
    check_page(ask(nobody, PERSON, TOO_LARGE), 413, "That request is too large")


def test_more_connections_than_one_address_may_have_are_too_many_requests(tmp_path: Path) -> None:
    with (
        listening(web := Never()),
        nginx_before(web.port, free_port(), tmp_path) as port,
        ExitStack() as open_ones,
    ):
        for _ in range(CONNECTIONS):
            held = open_ones.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            held.sendall(b"GET /games/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        for _ in range(CONNECTIONS):
            assert web.all_asked.acquire(timeout=PATIENCE), "all of them are being answered"
        result = check_problem(ask(port, PROGRAM), 429, "rate-limited", port)
        assert f"More than {CONNECTIONS} requests" in result["detail"]
        check_page(ask(port, PERSON), 429, "Too many requests")
        web.goes_on.set()


def test_a_site_that_does_not_answer_in_time_is_busy(tmp_path: Path) -> None:
    with listening(web := Never()), nginx_before(web.port, free_port(), tmp_path, patience="1s") as port:
        check_problem(ask(port, PROGRAM), 504, "busy", port)
        check_page(ask(port, PERSON), 504, "One moment")
        web.goes_on.set()
