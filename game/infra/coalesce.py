"""Coalesces concurrent lookups: requests arriving during one query share the next query."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Q = TypeVar("Q")
A = TypeVar("A")
T = TypeVar("T")


class Batching(Generic[Q, A]):
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
