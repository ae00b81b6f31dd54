"""Helpers for calling functions: hooks that rooms above listen to, one call per row with failures isolated, a
non-blocking semaphore, batched lookups, and CPU time charged to the client."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context
from threading import BoundedSemaphore
from time import thread_time
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

import structlog
from django.db import connection

from accounts import limits


class Hook:
    """Calls its listeners in the order they were added, in the caller's transaction."""

    def __init__(self) -> None:
        self._listeners: list[Callable[..., None]] = []

    def add(self, listener: Callable[..., None]) -> None:
        """Add a listener once, however often the site is set up."""
        if listener not in self._listeners:
            self._listeners.append(listener)

    def __call__(self, **facts: Any) -> None:
        for listener in self._listeners:
            listener(**facts)


log = structlog.get_logger("game.services.upkeep")


def for_each_isolated(act: Callable[[int], bool], numbers: Iterable[int]) -> int:
    """Apply `act` to each id, isolating failures. Returns the number of successes."""
    return sum(_try_one(act, number) for number in numbers)


def _try_one(act: Callable[[int], bool], number: int) -> bool:
    try:
        return act(number)
    except Exception:
        if not connection.is_usable():
            raise
        log.exception("upkeep_failed", what=f"{act.__module__}.{act.__name__}", number=number)
        return False


class Slots:
    """A non-blocking semaphore: a round that finds no slot is skipped, because the next tick comes soon."""

    def __init__(self, most: int) -> None:
        self._free = BoundedSemaphore(most)

    @contextmanager
    def try_acquire(self) -> Iterator[bool]:
        """Try to acquire a slot for the block. Yields whether there was one."""
        is_acquired = self._free.acquire(blocking=False)
        try:
            yield is_acquired
        finally:
            if is_acquired:
                self._free.release()


Q = TypeVar("Q")
A = TypeVar("A")
T = TypeVar("T")


class Coalescer(Generic[Q, A]):
    """Answers questions in order, at most `most` per lookup. A single question is answered at once, without waiting for
    others."""

    def __init__(self, answer: Callable[[Sequence[Q]], Awaitable[Sequence[A]]], *, most: int) -> None:
        self._answer, self._most = answer, most
        self._waiting: deque[tuple[Q, asyncio.Future[A] | None]] = deque()
        self._work: asyncio.Task[None] | None = None

    async def ask(self, question: Q) -> A:
        """The answer; an exception of the lookup is raised for all who share it."""
        future: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._add(question, future)
        return await future

    def mention(self, question: Q) -> None:
        """Look a question up without waiting for the answer."""
        self._add(question, None)

    def _add(self, question: Q, future: asyncio.Future[A] | None) -> None:
        self._waiting.append((question, future))
        if self._work is None or self._work.done():
            # An empty context, because log lines of a lookup belong to none of those who share it.
            self._work = asyncio.get_running_loop().create_task(self._answer_all(), context=Context())

    async def _answer_all(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), self._most))]
            try:
                answers = await self._answer([question for question, _ in batch])
            except Exception as error:
                for _, future in batch:
                    if future is not None and not future.done():
                        future.set_exception(error)
                continue
            for (_, future), answer in zip(batch, answers, strict=True):
                if future is not None and not future.done():
                    future.set_result(answer)


class PerLoop(Generic[T]):
    """One object per event loop: a process has one loop, tests have many."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = WeakKeyDictionary()

    def here(self) -> T:
        loop = asyncio.get_running_loop()
        if loop not in self._by_loop:
            self._by_loop[loop] = self._make()
        return self._by_loop[loop]


CHEAP = 0.02  # seconds; cheaper work is not worth a request to the counter


class Work:
    """Running or finished work, with its CPU time."""

    def __init__(self) -> None:
        self.began, self.seconds = thread_time(), 0.0

    def charge(self, who: object) -> None:
        """Charge the work to a client."""
        if self.seconds >= CHEAP:
            limits.charge("work", who, round(self.seconds * 1000))


@contextmanager
def measured_work() -> Iterator[Work]:
    """Measure the CPU time of the block."""
    work = Work()
    try:
        yield work
    finally:
        work.seconds = thread_time() - work.began
