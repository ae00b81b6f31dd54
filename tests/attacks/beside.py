"""Two acts at once, each on a connection of its own: the second begins after each statement of the first in turn, and
waits where the first one has locked what it needs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from django.db import connection

from game.engine.actions import Refused
from tests.scenes import until_it_waits

Act = Callable[[], Any]


class Answers(NamedTuple):
    """What each of the two acts returned; of a refusal its code, of any other error the error itself."""

    first: Any
    second: Any

    @property
    def errors(self) -> list[Exception]:
        return [answer for answer in self if isinstance(answer, Exception)]


def answer_of(act: Act) -> Any:
    try:
        return act()
    except Refused as refused:
        return refused.code
    except Exception as error:
        return error


def is_lock(sql: str) -> bool:
    """Others wait after such a statement."""
    return " FOR UPDATE" in sql or " FOR NO KEY UPDATE" in sql


class Second:
    """Begins after so many statements of this thread that count."""

    def __init__(self, act: Act, after: int, counts: Callable[[str], bool]) -> None:
        self.act, self.after, self.counts = act, after, counts
        self.seen, self.is_begun, self.answer = 0, False, None
        self.thread = threading.Thread(target=self._run)

    def __call__(self, execute: Any, sql: str, *more: Any) -> Any:
        answer = execute(sql, *more)
        self.seen += self.counts(sql)
        if self.seen == self.after and not self.is_begun:
            self.is_begun = True
            self.thread.start()
            until_it_waits(self.thread)
        return answer

    def _run(self) -> None:
        try:
            self.answer = answer_of(self.act)
        finally:
            connection.close()


def beside(first: Act, second: Act, after: int, counts: Callable[[str], bool]) -> Answers | None:
    """What both are answered; None if the first has fewer statements."""
    watch = Second(second, after, counts)
    with connection.execute_wrapper(watch):
        answer = answer_of(first)
    if not watch.is_begun:
        return None
    watch.thread.join(60)
    assert not watch.thread.is_alive(), "the second waits for ever"
    return Answers(answer, watch.answer)


def each_moment(
    lay: Callable[[int], tuple[Act, Act]], step: int = 1, counts: Callable[[str], bool] = bool
) -> Iterator[tuple[int, Answers]]:
    """For each statement of the first act that counts what both are answered, each time with what `lay` has laid
    anew."""
    after = 1
    while (answers := beside(*lay(after), after, counts)) is not None:
        yield after, answers
        after += step
    assert after > 1, "the first act has no statements"
