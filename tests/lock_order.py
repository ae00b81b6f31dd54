"""Watches in which order transactions lock requests for a second moderator, games and accounts, table by table. The
order is told in `game/store/account_locks.py`; who keeps it never waits in a circle."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

ORDER = ("game_approvalrequest", "game_game", "accounts_user")
LOCKS = re.compile(r'SELECT .*? FROM "(\w+)".* FOR (?:NO KEY )?UPDATE(?: OF [^)]*?)?', re.DOTALL)
WRITES = re.compile(r'UPDATE "(\w+)" SET .* WHERE (?:"\w+"\.)?"id" = %s', re.DOTALL)
NEW = 0  # in the place of the key of a row that the transaction has made
CREATES = re.compile(r'INSERT INTO "(\w+)"')


class Watch:
    """What the transaction under way has locked, and every lock that came too late."""

    def __init__(self) -> None:
        self.too_late: list[str] = []
        self.root: object = None
        self.held: set[tuple[int, int]] = set()
        self.savepoints: dict[str, set[tuple[int, int]]] = {}

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        answer = execute(sql, params, many, context)
        if (root := self._root()) is not self.root:
            self.root, self.held, self.savepoints = root, set(), {}
        name = sql.rsplit(" ", 1)[-1]
        if sql.startswith("SAVEPOINT"):
            self.savepoints[name] = set(self.held)
        elif sql.startswith("ROLLBACK TO SAVEPOINT"):
            self.held = set(self.savepoints.get(name, ()))
        elif root is not None:
            self._note(sql, params or ())
        return answer

    def _root(self) -> object:
        """The outermost transaction that is not the test's own."""
        blocks = [block for block in connection.atomic_blocks if not getattr(block, "_from_testcase", False)]
        return blocks[0] if blocks else None

    def _note(self, sql: str, params: Any) -> None:
        if (creates := CREATES.match(sql)) and creates[1] in ORDER:
            self.held.add((ORDER.index(creates[1]), NEW))
        elif (locks := LOCKS.fullmatch(sql)) and locks[1] in ORDER:
            self._take(ORDER.index(locks[1]), _keys_in(params))
        elif (writes := WRITES.fullmatch(sql)) and writes[1] in ORDER:
            place = ORDER.index(writes[1])
            if not any(held == place for held, _ in self.held):
                self._take(place, _keys_in(params)[-1:])

    def _take(self, place: int, keys: list[int]) -> None:
        taken = [(place, key) for key in keys]
        later = sorted(held for held in self.held if held[0] > place)
        is_new = (place, NEW) in self.held  # probably this row, which nobody else sees
        if later and not is_new and not self.held.issuperset(taken):
            self.too_late.append(f"{ORDER[place]} {keys} after {ORDER[later[-1][0]]} {later[-1][1]}:\n{_where()}")
        self.held.update(taken)


def _keys_in(params: Any) -> list[int]:
    values = [value for param in params for value in (param if isinstance(param, list | tuple) else [param])]
    return sorted(value for value in values if isinstance(value, int) and not isinstance(value, bool))


def _where() -> str:
    frames = [
        frame for frame in traceback.extract_stack() if "/game/" in frame.filename or "/accounts/" in frame.filename
    ]
    return "\n".join(f"    {frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-8:])


@contextmanager
def watched() -> Iterator[None]:
    """Every lock of this block comes in order."""
    watch = Watch()
    with connection.execute_wrapper(watch):
        yield
    assert not watch.too_late, "\n".join(watch.too_late)
