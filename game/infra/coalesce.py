"""Many who ask at once, answered by one look-up: those who come while it is under way share the next."""

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
    """Answers questions in their order, at most so many by one look-up. Nobody waits for others to come: who is alone
    is answered at once."""

    def __init__(self, answer: Callable[[Sequence[Q]], Awaitable[Sequence[A]]], *, most: int) -> None:
        self._answer, self._most = answer, most
        self._waiting: deque[tuple[Q, asyncio.Future[A] | None]] = deque()
        self._work: asyncio.Task[None] | None = None

    async def ask(self, question: Q) -> A:
        """The answer; what the look-up raises is raised to all who share it."""
        answered: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._add(question, answered)
        return await answered

    def mention(self, question: Q) -> None:
        """Look it up like any other; nobody waits for the answer."""
        self._add(question, None)

    def _add(self, question: Q, answered: asyncio.Future[A] | None) -> None:
        self._waiting.append((question, answered))
        if self._work is None or self._work.done():
            # In no one's context: log lines of a look-up belong to none of those who share it.
            self._work = asyncio.get_running_loop().create_task(self._answer_all(), context=Context())

    async def _answer_all(self) -> None:
        while self._waiting:
            some = [self._waiting.popleft() for _ in range(min(len(self._waiting), self._most))]
            try:
                answers = await self._answer([question for question, _ in some])
            except Exception as error:
                for _, answered in some:
                    if answered is not None and not answered.done():
                        answered.set_exception(error)
                continue
            for (_, answered), answer in zip(some, answers, strict=True):
                if answered is not None and not answered.done():
                    answered.set_result(answer)


class PerLoop(Generic[T]):
    """One of a kind for each event loop: a process has one, tests have many."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._known: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = WeakKeyDictionary()

    def here(self) -> T:
        loop = asyncio.get_running_loop()
        if loop not in self._known:
            self._known[loop] = self._make()
        return self._known[loop]
