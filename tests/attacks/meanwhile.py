"""Something happens between two statements of a request, as another request at the same time would do it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.cache import cache
from django.db import connection

from game.site.models import SiteState
from tests.attacks.laying import undone

ONCE_A_SECOND = SiteState._meta.db_table  # read at any time, so its statements are not counted
LOCKING = ("INSERT", "UPDATE", "DELETE")


class After:
    """Acts once, after so many statements that `counts` names. While the request has something locked, nobody else
    acts: they would wait for it. What is done inside a transaction that fails is taken back with it, so with
    `is_outside` nothing is done in one."""

    def __init__(self, number: int, act: Callable[[], object], counts: str, *, is_outside: bool) -> None:
        self.number, self.act, self.counts = number, act, counts
        self.is_outside = is_outside
        self.depth, self.locked_at = 0, 0
        self.seen = self.acted_at = 0  # statements that count: until now, and until `act`, where it was done

    @property
    def is_done(self) -> bool:
        return self.acted_at > 0

    def __call__(self, execute: Any, sql: str, *more: Any) -> Any:
        answer = execute(sql, *more)
        self._follow(sql)
        self.seen += self.counts in sql and ONCE_A_SECOND not in sql
        is_free = not (self.depth if self.is_outside else self.locked_at)
        if self.seen >= self.number and is_free and not self.is_done:
            self.acted_at = self.seen
            self.act()
        return answer

    def _follow(self, sql: str) -> None:
        self.depth += sql.startswith("SAVEPOINT")
        if sql.startswith(LOCKING) or " FOR UPDATE" in sql or " FOR NO KEY UPDATE" in sql:
            self.locked_at = self.locked_at or self.depth
        if sql.startswith("RELEASE SAVEPOINT"):
            self.depth -= 1
            self.locked_at = self.locked_at if self.depth >= self.locked_at else 0


def answer_while(
    send_it: Callable[[], Any],
    after: int,
    act: Callable[[], object],
    counts: str = "game_",
    *,
    is_outside: bool = False,
) -> tuple[Any, int]:
    """The response of a request during which somebody acts, and the number of statements after which the next moment to
    act comes; 0 if the request has so few that nobody acted. Between statements of one transaction nobody acts, so they
    are one moment. Whatever both have done is taken back."""
    with undone():
        cache.clear()  # what the limits have counted
        change = After(after, act, counts, is_outside=is_outside)
        with connection.execute_wrapper(change):
            return send_it(), change.acted_at + 1 if change.is_done else 0
