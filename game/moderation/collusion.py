"""What speaks for and against a pair of players who help each other: money between their seats, equal votes, orders
given together. Written against the log and the ledger, so that it serves every game.

None of it is a proof; what speaks for the players is noted before a case is closed. Of a running game only what
everybody may know is compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import timedelta
from itertools import combinations
from statistics import median
from typing import Any, NamedTuple

import msgspec

from game.engine.actions import COMMON_ACTIONS
from game.engine.codec import Damaged
from game.engine.ledger import cash_of
from game.history.ledger import Movement, movements_of
from game.history.past import course_of
from game.store.game import Game, Status
from game.store.log import Kind, LoggedAction, every_entry

TOGETHER = timedelta(minutes=2)
FAR = 2.0  # times the usual amount of its reason, or half of it: far from market
LEAST = 3  # payments of a reason, or decisions, from which a comparison tells anything
MOST_ROWS = 100
Pair = tuple[int, int]


class OffMarket(NamedTuple):
    """A payment between two seats; `usual` is the median of all payments for that reason in the game, None where
    nobody else paid for it."""

    turn: int
    payer: int
    payee: int
    amount: int
    why: str
    usual: float | None

    @property
    def is_far(self) -> bool:
        """Whether it is far from what is usual, or like no other."""
        return self.usual is None or not self.usual / FAR <= self.amount <= self.usual * FAR


class Concord(NamedTuple):
    """How often a pair chose the same where both chose, and how often they submitted within two minutes."""

    seats: Pair
    equal: int
    chosen: int
    together: int
    timed: int

    @property
    def share(self) -> int:
        """Equal choices in percent."""
        return round(100 * self.equal / self.chosen) if self.chosen else 0

    @property
    def pace(self) -> int:
        """Submissions together in percent."""
        return round(100 * self.together / self.timed) if self.timed else 0


class Choice(NamedTuple):
    """What one seat submitted last in one phase: all its fields but whose it is."""

    serial: int
    seat: int
    slot: str
    content: str
    at: Any


def off_market(game: Game) -> list[OffMarket]:
    """Payments between seats, those far from what is usual first; of a running game only where its rules show every
    account. Raises `Damaged`."""
    seats = {cash_of(number): number for number in range(game.seats_wanted)}
    return judged(movements_of(game, course_of(game)), seats)


def judged(movements: Iterable[Movement], seats: Mapping[str, int]) -> list[OffMarket]:
    """Each payment between two of these accounts, compared with the others for the same reason."""
    moved = [each.transfer for each in movements if each.transfer.amount > 0]
    by_reason: dict[str, list[int]] = defaultdict(list)
    for each in moved:
        if {each.payer, each.payee} & seats.keys():
            by_reason[each.why].append(each.amount)
    found = [
        OffMarket(each.turn, seats[each.payer], seats[each.payee], each.amount, each.why, _usual(by_reason[each.why]))
        for each in moved
        if each.payer in seats and each.payee in seats
    ]
    return sorted(found, key=lambda each: (not each.is_far, -each.amount))[:MOST_ROWS]


def choices_of(game: Game) -> list[Choice]:
    """What people chose in the phases of a finished game; nothing of a running one, where it may be sealed."""
    if game.status != Status.FINISHED:
        return []
    last: dict[tuple[int, int, str], Choice] = {}
    for entry in _submitted(game):
        entry.game = game
        if (choice := _choice(entry)) is not None:
            last[choice.serial, choice.seat, choice.slot] = choice
    return list(last.values())


def concords(choices: Iterable[Choice], seats: Iterable[int]) -> list[Concord]:
    """Every pair, the most alike first."""
    asked: dict[tuple[int, str], dict[int, Choice]] = defaultdict(dict)
    for choice in choices:
        asked[choice.serial, choice.slot][choice.seat] = choice
    rows = [_compared(pair, asked.values()) for pair in combinations(sorted(seats), 2)]
    return sorted(rows, key=lambda each: (-each.share, -each.pace))


def beside(choices: Iterable[Choice], pair: Pair) -> list[tuple[int, str, str, str]]:
    """Two seats side by side: the phase, the kind of decision, and what each chose."""
    rows: dict[tuple[int, str], dict[int, str]] = defaultdict(dict)
    for choice in choices:
        if choice.seat in pair:
            rows[choice.serial, choice.slot][choice.seat] = choice.content
    return [
        (serial, slot, told.get(pair[0], ""), told.get(pair[1], "")) for (serial, slot), told in sorted(rows.items())
    ]


def _usual(amounts: list[int]) -> float | None:
    return float(median(amounts)) if len(amounts) >= LEAST else None


def _submitted(game: Game) -> Iterable[LoggedAction]:
    """In order; of a game that was put away, what lies in its volumes too."""
    kinds = (Kind.SUBMIT, Kind.DRAFT)
    if game.is_archived:
        return (each for each in every_entry(game) if each.kind in kinds and each.action and not each.is_undone)
    entries = game.log.filter(kind__in=kinds, is_undone=False).exclude(action=None).order_by("number")
    return entries.only("serial", "seat", "action", "at", "game")


def _choice(entry: LoggedAction) -> Choice | None:
    try:
        action = entry.read_action()
    except Damaged:
        return None
    if entry.seat is None or isinstance(action, COMMON_ACTIONS):
        return None
    fields = msgspec.to_builtins(action)
    fields.pop("actor", None)
    kind = str(fields.pop("kind", ""))
    # What is asked apart, as the votes about each company, is compared apart.
    subject = next((str(value) for value in fields.values() if isinstance(value, str)), "")
    content = ", ".join(f"{name} {value}" for name, value in sorted(fields.items()))
    return Choice(entry.serial, entry.seat, f"{kind} {subject}".strip(), content or kind, entry.at)


def _compared(pair: Pair, asked: Iterable[dict[int, Choice]]) -> Concord:
    both = [(told[pair[0]], told[pair[1]]) for told in asked if pair[0] in told and pair[1] in told]
    equal = sum(one.content == other.content for one, other in both)
    together = sum(abs(one.at - other.at) <= TOGETHER for one, other in both)
    return Concord(pair, equal, len(both), together, len(both))
