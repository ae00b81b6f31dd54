"""The books of a game: every movement of money, as the log keeps it beside what happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import NamedTuple

from game.engine.language import mark, say
from game.engine.ledger import BANK, OUTSIDE, Transfer
from game.history.past import Course
from game.infra.reads import Rows, slot
from game.store.game import Game, Status
from game.store.log import LoggedAction
from game.store.packed_rows import whole_transfers
from game.store.transfers import unpack_transfers

OWNED = {"margin": mark("margin of {whose}"), "treasury": mark("treasury of {whose}")}
ALONE = {BANK: mark("bank"), OUTSIDE: mark("outside")}
"""What accounts are called: those that belong to a player or a company, and those of nobody."""


class Movement(NamedTuple):
    """A movement of money and when it was written down."""

    at: datetime
    transfer: Transfer


@cache
def _written() -> Rows:
    entries = LoggedAction.objects.filter(game_id=slot(0)).exclude(transfers=None)
    return Rows(entries.order_by("number").values_list("number", "at", "transfers"))


def may_read_books(game: Game) -> bool:
    """Whether the movements are public: in games whose rules show every account, and in every game that is over."""
    return game.rules.money.is_public or game.status == Status.FINISHED


def movements_of(game: Game, course: Course, *, until: int | None = None) -> list[Movement]:
    """Every movement on the branch that stands, oldest first; none where they are not public. Raises `Damaged`.

    `until` is the last entry of the log that counts. An action that was taken back moved nothing. What a step moved
    before movements were kept is missing."""
    if not may_read_books(game):
        return []
    kept: list[Movement] = []
    for number, at, packed in _written()(game.pk):
        if not course.is_gone(number) and (until is None or number <= until):
            for transfer in unpack_transfers(whole_transfers(game, bytes(packed))):
                _keep(kept, Movement(at, transfer))
    return kept


def _keep(kept: list[Movement], new: Movement) -> None:
    """Add one more movement; if it takes back an earlier one, both are removed."""
    undone = new.transfer.taken_back()
    if new.transfer.amount < 0:
        for index in range(len(kept) - 1, -1, -1):
            if kept[index].transfer == undone:
                del kept[index]
                return
    kept.append(new)


def balance_of(account: str, transfers: Iterable[Transfer]) -> int:
    """The balance of an account after the movements."""
    return sum(transfer.amount * ((transfer.payee == account) - (transfer.payer == account)) for transfer in transfers)


def account_name(account: str, names: Sequence[str]) -> str:
    """An account in words: `ada`, `margin of ada`, `treasury of ACME`, `bank`."""
    kind, _, whose = account.partition(":")
    if whose.isdecimal() and int(whose) < len(names):
        whose = names[int(whose)]
    if not whose:
        return say(ALONE.get(kind, kind))
    return whose if kind == "cash" else say(OWNED.get(kind, f"{kind} of {{whose}}"), whose=whose)
