"""Evidence for and against collusion of a pair: money between their seats, equal votes, orders given together, games
won together. It reads the log and the ledger, so it works for every game.

None of it is proof; moderators note what speaks in favour of the players before they close a case. Only public facts of
a running game are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import timedelta
from fractions import Fraction
from itertools import combinations
from statistics import median
from typing import Any, NamedTuple

import msgspec

from accounts.models import User
from game.engine.actions import COMMON_ACTIONS
from game.engine.codec import Damaged
from game.engine.ledger import cash_of
from game.history.ledger import Movement, movements_of
from game.history.past import course_of
from game.store.game import Game, Seat, Status
from game.store.log import Kind, LoggedAction
from game.store.packed_log import every_entry

TOGETHER = timedelta(minutes=2)
FAR_FACTOR = 2.0  # this many times the usual amount for a reason, or that fraction of it, is far from market
FEWEST_PAYMENTS = 3  # payments for a reason below which there is no usual amount
MOST_ROWS = 100
Pair = tuple[int, int]
MOST = 20


class OffMarket(NamedTuple):
    """A payment between two seats; `usual` is the median of all payments for that reason in the game, or None if nobody
    else paid for it."""

    turn: int
    payer: int
    payee: int
    amount: int
    why: str
    usual: float | None

    @property
    def is_far(self) -> bool:
        """True if the amount is far from usual, or nothing compares to it."""
        return self.usual is None or not self.usual / FAR_FACTOR <= self.amount <= self.usual * FAR_FACTOR


class Concord(NamedTuple):
    """Counts of phases in which two seats both chose, chose the same, and submitted within two minutes."""

    seats: Pair
    equal: int
    chosen: int
    together: int
    timed: int

    @property
    def share(self) -> int:
        return round(100 * self.equal / self.chosen) if self.chosen else 0

    @property
    def pace(self) -> int:
        return round(100 * self.together / self.timed) if self.timed else 0


class Choice(NamedTuple):
    """The last submission of one seat in one phase, without its actor."""

    serial: int
    seat: int
    slot: str
    content: str
    at: Any


class Companion(NamedTuple):
    """A person with whom someone played: how often, and how often one of the two won. `fair` is the expected number of
    those wins if all seats won equally often: two fifths for each finished game with five seats."""

    user_id: int
    name: str
    games: int
    finished: int
    won: int
    won_together: int
    fair: Fraction

    @property
    def percent(self) -> int | None:
        """The share of finished games that one of them won."""
        return round(100 * self.won_together / self.finished) if self.finished else None

    @property
    def fair_percent(self) -> int | None:
        return round(100 * self.fair / self.finished) if self.finished else None


class _Shared(NamedTuple):
    """A game of two people: both places at its end, and its number of seats."""

    place: int | None
    other: int | None
    seats: int


def off_market_payments(game: Game) -> list[OffMarket]:
    """Payments between seats, those far from usual first; of a running game only if its rules show every account.
    Raises `Damaged`."""
    seats = {cash_of(number): number for number in range(game.seats_wanted)}
    return compare_payments(movements_of(game, course_of(game)), seats)


def compare_payments(movements: Iterable[Movement], seats: Mapping[str, int]) -> list[OffMarket]:
    """Payments between two of these accounts, each compared with the others for the same reason."""
    transfers = [each.transfer for each in movements if each.transfer.amount > 0]
    by_reason: dict[str, list[int]] = defaultdict(list)
    for each in transfers:
        if {each.payer, each.payee} & seats.keys():
            by_reason[each.why].append(each.amount)
    usual = {why: float(median(amounts)) for why, amounts in by_reason.items() if len(amounts) >= FEWEST_PAYMENTS}
    payments = [
        OffMarket(each.turn, seats[each.payer], seats[each.payee], each.amount, each.why, usual.get(each.why))
        for each in transfers
        if each.payer in seats and each.payee in seats
    ]
    return sorted(payments, key=lambda each: (not each.is_far, -each.amount))[:MOST_ROWS]


def choices_of(game: Game) -> list[Choice]:
    """The choices of people in a finished game; empty for a running one, where they may be sealed."""
    if game.status != Status.FINISHED:
        return []
    last: dict[tuple[int, int, str], Choice] = {}
    for entry in _submissions_of(game):
        entry.game = game
        if (choice := _read_choice(entry)) is not None:
            last[choice.serial, choice.seat, choice.slot] = choice
    return list(last.values())


def concords(choices: Iterable[Choice], seats: Iterable[int]) -> list[Concord]:
    """Compare every pair of seats, the most alike first."""
    by_question: dict[tuple[int, str], dict[int, Choice]] = defaultdict(dict)
    for choice in choices:
        by_question[choice.serial, choice.slot][choice.seat] = choice
    rows = [_compare_choices(pair, by_question.values()) for pair in combinations(sorted(seats), 2)]
    return sorted(rows, key=lambda each: (-each.share, -each.pace))


def side_by_side(choices: Iterable[Choice], pair: Pair) -> list[tuple[int, str, str, str]]:
    """Two seats side by side: phase, kind of decision, and the choice of each."""
    rows: dict[tuple[int, str], dict[int, str]] = defaultdict(dict)
    for choice in choices:
        if choice.seat in pair:
            rows[choice.serial, choice.slot][choice.seat] = choice.content
    return [
        (serial, slot, contents.get(pair[0], ""), contents.get(pair[1], ""))
        for (serial, slot), contents in sorted(rows.items())
    ]


def companions_of(person: User) -> list[Companion]:
    """The people they played with most, in two queries."""
    own = dict(Seat.objects.filter(user=person).values_list("game_id", "place"))
    others = Seat.objects.filter(game__in=own, user__isnull=False, user__is_bot=False).exclude(user=person)
    rows = others.values_list("user_id", "user__username", "game_id", "place", "game__seats_wanted")
    games_by_person: dict[tuple[int, str], list[_Shared]] = {}
    for user_id, name, game_id, place, seats in rows:
        games_by_person.setdefault((user_id or 0, name or ""), []).append(_Shared(own[game_id], place, seats))
    ranked = [_companion(*who, games) for who, games in games_by_person.items()]
    return sorted(ranked, key=lambda each: (-each.games, each.name))[:MOST]


def _submissions_of(game: Game) -> Iterable[LoggedAction]:
    """Submitted actions in order, also those of a packed log."""
    kinds = (Kind.SUBMIT, Kind.DRAFT)
    if game.is_archived:
        return (each for each in every_entry(game) if each.kind in kinds and each.action and not each.is_undone)
    entries = game.log.filter(kind__in=kinds, is_undone=False).exclude(action=None).order_by("number")
    return entries.only("serial", "seat", "action", "at", "game")


def _read_choice(entry: LoggedAction) -> Choice | None:
    try:
        action = entry.read_action()
    except Damaged:
        return None
    if entry.seat is None or isinstance(action, COMMON_ACTIONS):
        return None
    fields = msgspec.to_builtins(action)
    fields.pop("actor", None)
    kind = str(fields.pop("kind", ""))
    # Votes about different companies are different questions.
    subject = next((str(value) for value in fields.values() if isinstance(value, str)), "")
    content = ", ".join(f"{name} {value}" for name, value in sorted(fields.items()))
    return Choice(entry.serial, entry.seat, f"{kind} {subject}".strip(), content or kind, entry.at)


def _compare_choices(pair: Pair, questions: Iterable[dict[int, Choice]]) -> Concord:
    both = [(answers[pair[0]], answers[pair[1]]) for answers in questions if pair[0] in answers and pair[1] in answers]
    equal = sum(one.content == other.content for one, other in both)
    together = sum(abs(one.at - other.at) <= TOGETHER for one, other in both)
    return Concord(pair, equal, len(both), together, len(both))


def _companion(user_id: int, name: str, games: list[_Shared]) -> Companion:
    finished = [game for game in games if game.place is not None]
    won = sum(game.place == 1 for game in finished)
    together = sum(1 in (game.place, game.other) for game in finished)
    fair = sum((Fraction(2, game.seats) for game in finished), Fraction())
    return Companion(user_id, name, len(games), len(finished), won, together, fair)
