"""The threads that answer requests are dealt out by the network that asks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from typing import Any

import pytest

from sectors_site.asgi import PAGE_THREADS, THREADS_PER_NETWORK, FairExecutor, on_threads
from tests.servers import PATIENCE

MANY, SOMEBODY = "192.0.2.1", "198.51.100.7"
OF_ONE_HOUSEHOLD = ("2001:db8:0:1::1", "2001:db8:0:1::2")


class Site:
    """A WSGI application that notes whose requests it begins with, and answers none before it may."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self._noted, self._may = threading.Condition(), threading.Semaphore(0)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        with self._noted:
            self.begun.append(environ["REMOTE_ADDR"])
            self._noted.notify_all()
        assert self._may.acquire(timeout=PATIENCE)
        start_response("204 No Content", [])
        return []

    def answer(self, requests: int) -> None:
        """Let so many requests be answered."""
        self._may.release(requests)

    def wait_for(self, requests: int) -> None:
        """Until so many have begun."""
        with self._noted:
            assert self._noted.wait_for(lambda: len(self.begun) >= requests, PATIENCE), self.begun


async def ask(application: Any, address: str) -> int:
    """The status of the answer to a request from there."""
    scope = {"type": "http", "http_version": "1.1", "method": "GET", "path": "/", "query_string": b"", "headers": []}
    statuses: list[int] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    await application({**scope, "client": (address, 1)}, receive, send)
    return statuses[0]


async def asked(application: Any, addresses: Iterable[str]) -> list[asyncio.Task[int]]:
    """Requests in this order, all of which wait by now."""
    tasks = [asyncio.create_task(ask(application, address)) for address in addresses]
    for _ in range(3):
        await asyncio.sleep(0)
    return tasks


def test_a35_fifty_requests_of_one_address_leave_threads_for_another() -> None:
    site = Site()

    async def everybody() -> list[int]:
        application = on_threads(site)
        tasks = await asked(application, [MANY] * 50)
        await asyncio.to_thread(site.wait_for, THREADS_PER_NETWORK)
        tasks += await asked(application, [SOMEBODY])
        await asyncio.to_thread(site.wait_for, THREADS_PER_NETWORK + 1)
        site.answer(len(tasks))
        return await asyncio.gather(*tasks)

    assert set(asyncio.run(everybody())) == {204}
    assert site.begun[: THREADS_PER_NETWORK + 1] == [MANY] * THREADS_PER_NETWORK + [SOMEBODY]
    assert THREADS_PER_NETWORK < PAGE_THREADS


def test_addresses_of_one_household_count_together() -> None:
    site = Site()

    async def everybody() -> None:
        application = on_threads(site)
        tasks = await asked(application, [*OF_ONE_HOUSEHOLD] * THREADS_PER_NETWORK)
        await asyncio.to_thread(site.wait_for, THREADS_PER_NETWORK)
        tasks += await asked(application, [SOMEBODY])
        await asyncio.to_thread(site.wait_for, THREADS_PER_NETWORK + 1)
        site.answer(len(tasks))
        await asyncio.gather(*tasks)

    asyncio.run(everybody())
    assert site.begun.index(SOMEBODY) == THREADS_PER_NETWORK


@pytest.fixture
def order() -> list[str]:
    return []


@pytest.fixture
def turns() -> FairExecutor:
    return FairExecutor(1, most=1, client_of=lambda asker, *_: asker)


def test_those_who_ask_take_turns(turns: FairExecutor, order: list[str]) -> None:
    gate = threading.Event()
    done = [turns.submit(lambda asker: gate.wait(PATIENCE), "ada")]
    for asker in ("ada", "ada", "ada", "bob", "bob", "cleo"):
        done.append(turns.submit(order.append, asker))
    gate.set()
    for job in done:
        job.result(PATIENCE)
    assert order == ["ada", "bob", "cleo", "ada", "bob", "ada"]


def test_what_fails_or_is_given_up_takes_no_place(turns: FairExecutor, order: list[str]) -> None:
    gate = threading.Event()

    def fail(asker: str) -> None:
        assert gate.wait(PATIENCE)
        raise KeyError(asker)

    failed, given_up, last = (turns.submit(work, "ada") for work in (fail, order.append, order.append))
    assert given_up.cancel()
    gate.set()
    with pytest.raises(KeyError):
        failed.result(PATIENCE)
    with pytest.raises(CancelledError):
        given_up.result(PATIENCE)
    last.result(PATIENCE)
    assert order == ["ada"]
