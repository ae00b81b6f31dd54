"""What one person has open is counted over both web processes, and what a killed process had open is forgotten."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from tests.faults.judging import verdict
from tests.faults.test_service import environment  # noqa: F401 - a fixture
from tests.faults.test_web_workers import workers_of
from tests.servers import PATIENCE, wait_until
from tests.service import HOST, Service, Visitor

MOST = 4
SEED = """
from accounts import api_tokens
from django.test import Client
from tests.tables import new_game, person
client = Client()
client.force_login(person("ada"))
game = new_game("ada", "bob", pace="daily").pk
_, token = api_tokens.issue(user=person("ada"), name="live", scopes=["read"], days=30)
print(json.dumps({"game": game, "ada": client.cookies["sessionid"].value, "token": token}))
"""


@pytest.fixture(scope="module")
def service(environment: dict[str, str]) -> Iterator[Service]:  # noqa: F811 - the fixture
    service = Service(environment)
    service.start("web")
    wait_until(lambda: len(workers_of(service)) == 2, service.processes["web"])
    yield service
    service.stop()


@pytest.fixture(scope="module")
def seed(service: Service) -> Any:
    return service.run(SEED)


class Asking(threading.Thread):
    """One request of a program, read until it is answered whole."""

    def __init__(self, service: Service, token: str, path: str, **headers: str) -> None:
        super().__init__(daemon=True)
        headers |= {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7", "Connection": "close"}
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        head = "\r\n".join([f"GET /api/v1/{path} HTTP/1.1", f"Authorization: Bearer {token}", *lines, "", ""])
        self.answer = b""
        self.connection = socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE)
        self.connection.sendall(head.encode())
        self.start()

    def run(self) -> None:
        try:
            while more := self.connection.recv(65536):
                self.answer += more
        except OSError:  # its process was killed, or we hung up
            pass

    @property
    def status(self) -> int:
        return int(self.answer.split(b" ", 2)[1]) if self.answer else 0

    @property
    def is_streamed_to(self) -> bool:
        return self.is_alive() and b"application/x-ndjson" in self.answer

    def header(self, name: str) -> str:
        head = self.answer.partition(b"\r\n\r\n")[0].decode()
        found = [line.partition(": ")[2] for line in head.splitlines() if line.lower().startswith(f"{name.lower()}:")]
        return found[0] if found else ""

    def hang_up(self) -> None:
        with suppress(OSError):  # the other side has
            self.connection.shutdown(socket.SHUT_RDWR)
        self.join(PATIENCE)
        self.connection.close()


@contextmanager
def only(worker: int, service: Service) -> Iterator[None]:
    """The other web process stops, so this one takes all that come."""
    others = workers_of(service) - {worker}
    for number in others:
        os.kill(number, signal.SIGSTOP)
    try:
        yield
    finally:
        for number in others:
            os.kill(number, signal.SIGCONT)


@contextmanager
def asked_until_the_end() -> Iterator[list[Asking]]:
    """What is put into the list is hung up, however the test ends: another attempt begins with all places free."""
    requests: list[Asking] = []
    try:
        yield requests
    finally:
        for each in requests:
            each.hang_up()


def until(so: Callable[[], object], what: str) -> None:
    latest = time.monotonic() + 3 * PATIENCE
    while not so():
        assert time.monotonic() < latest, what
        time.sleep(0.1)


def stream(service: Service, token: str) -> Asking:
    return Asking(service, token, "me/stream", Accept="application/x-ndjson")


def open_ones(streams: list[Asking]) -> list[Asking]:
    return [each for each in streams if each.is_streamed_to]


def test_one_person_streams_four_times_over_both_processes_and_what_a_killed_one_had_open_is_forgotten(
    service: Service, seed: Any
) -> None:
    token, (killed, living) = seed["token"], sorted(workers_of(service))
    with asked_until_the_end() as streams:

        def ask_again() -> list[Asking]:
            """One more, if fewer are open than may be."""
            if len(open_ones(streams)) < MOST:
                streams.append(stream(service, token))
                until(lambda: streams[-1].answer or not streams[-1].is_alive(), "unanswered")
            return open_ones(streams)

        with only(killed, service):
            until(lambda: len(ask_again()) >= MOST // 2, "two here")
        with only(living, service):
            until(lambda: len(ask_again()) >= MOST, "two there")
        for _ in range(2):
            for worker in (killed, living):
                with only(worker, service):
                    streams.append(stream(service, token))
                    until(lambda: not streams[-1].is_alive() or streams[-1].is_streamed_to, "unanswered")
        until(lambda: len(open_ones(streams)) == MOST, "one too many ends as soon as its process hears of the others")
        left = set(open_ones(streams))
        os.kill(killed, signal.SIGKILL)
        until(lambda: len(open_ones(streams)) < MOST, "two were of the process that was killed")
        assert set(open_ones(streams)) < left
        until(lambda: len(ask_again()) == MOST, "their places are free again")
    # Until then it is still listed, and nobody would answer while the other one is stopped.
    until(lambda: killed not in workers_of(service) and len(workers_of(service)) == 2, "it has a successor")


def test_one_person_waits_four_times_over_both_processes_and_the_others_are_answered_at_once(
    service: Service, seed: Any
) -> None:
    path, token = f"games/{seed['game']}", seed["token"]
    first = Asking(service, token, path)
    first.join(PATIENCE)
    assert first.status == 200
    fields = {"If_None_Match": first.header("ETag"), "Prefer": "wait=55"}
    with asked_until_the_end() as waits:

        def held() -> list[Asking]:
            return [each for each in waits if each.is_alive()]

        def ask_again() -> int:
            """One more, if fewer are held than may be: a slow Redis lets one go at once."""
            if len(held()) < MOST:
                waits.append(Asking(service, token, path, **fields))
                waits[-1].join(1)
            return len(held())

        for worker in sorted(workers_of(service)):
            with only(worker, service):
                some = [Asking(service, token, path, **fields) for _ in range(6)]
                waits.extend(some)
                until(lambda some=some: sum(not each.is_alive() for each in some) >= 6 - MOST, "too many are held")
        until(lambda: ask_again() == MOST, "four are held")
        assert sum((each.status, each.header("Preference-Applied")) == (304, "") for each in waits) >= 12 - MOST
        left = held()
        serial = service.ask_database(f"SELECT phase_serial FROM game_game WHERE id = {seed['game']}")
        ada = Visitor(service.port, session=seed["ada"])
        assert ada.post(f"/games/{seed['game']}/actions/", do="ready", serial=serial, token="once")[0] == 302
        until(lambda: not held(), "they hear that something is new")
        assert {(each.status, each.header("Preference-Applied")) for each in left} == {(200, "wait=55")}


def test_nothing_of_this_ended_in_a_traceback_and_the_game_is_whole(service: Service) -> None:
    assert '"exception"' not in service.words
    assert verdict(service.environment, service.words) == []
