"""The ledger of a game: every movement of money that the log recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from game.engine.language import mark, say, say_as
from game.engine.ledger import BANK, OUTSIDE, Transfer
from game.history.past import Course
from game.infra.compiled import CompiledQuery
from game.store.game import Game, Status
from game.store.log import LoggedAction, whole_transfers
from game.store.packing import unpack_transfers

OWNED_ACCOUNTS = {"margin": mark("margin of {whose}"), "treasury": mark("treasury of {whose}")}
YOUR_ACCOUNTS = {"margin": mark("your margin")}
OTHER_ACCOUNTS = {BANK: mark("bank"), OUTSIDE: mark("outside")}
"""Names of the accounts with an owner (a player or a company), of the reader's own, and of those without."""


class Movement(NamedTuple):
    """A movement of money and when it was recorded."""

    at: datetime
    transfer: Transfer


@CompiledQuery
def _transfers(game_id: int) -> QuerySet[LoggedAction, Any]:
    entries = LoggedAction.objects.filter(game_id=game_id).exclude(transfers=None)
    return entries.order_by("number").values_list("number", "at", "transfers")


def may_read_books(game: Game) -> bool:
    """True if movements are public: in games whose rules show every account, and in every finished game."""
    return game.rules.money.is_public or game.status == Status.FINISHED


def movements_of(game: Game, course: Course, *, until: int | None = None) -> list[Movement]:
    """Every movement on the current branch, oldest first; empty if movements are not public. Raises `Damaged`.

    `until` is the last log entry that counts. An undone action moved nothing. Movements from before they were recorded
    are missing."""
    if not may_read_books(game):
        return []
    movements: list[Movement] = []
    for number, at, packed in _transfers.rows(game.pk):
        if not course.is_rewound(number) and (until is None or number <= until):
            for transfer in unpack_transfers(whole_transfers(game, bytes(packed))):
                _add_or_cancel(movements, Movement(at, transfer))
    return movements


def _add_or_cancel(movements: list[Movement], new: Movement) -> None:
    """Add a movement; if it reverses an earlier one, remove that one instead."""
    cancelled = new.transfer.taken_back()
    if new.transfer.amount < 0:
        for index in range(len(movements) - 1, -1, -1):
            if movements[index].transfer == cancelled:
                del movements[index]
                return
    movements.append(new)


def balance_of(account: str, transfers: Iterable[Transfer]) -> int:
    """The balance of an account after the movements."""
    return sum(transfer.amount * ((transfer.payee == account) - (transfer.payer == account)) for transfer in transfers)


def account_name(account: str, names: Sequence[str], own: int | None = None) -> str:
    """An account's name: `ada`, `margin of ada`, `treasury of ACME`, `bank`; `own` is the seat that reads `you`."""
    kind, _, whose = account.partition(":")
    if own is not None and whose == str(own):
        return say_as("seat", "You") if kind == "cash" else say(YOUR_ACCOUNTS.get(kind, f"your {kind}"))
    if whose.isdecimal() and int(whose) < len(names):
        whose = names[int(whose)]
    if not whose:
        return say(OTHER_ACCOUNTS.get(kind, kind))
    return whose if kind == "cash" else say(OWNED_ACCOUNTS.get(kind, f"{kind} of {{whose}}"), whose=whose)
