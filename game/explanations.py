"""Where a figure comes from: the parts that the rules add up, or the movements of an account in the ledger."""

from __future__ import annotations

from typing import NamedTuple

from game.books import Movement, account_name, balance_of, may_read_books, movements_of
from game.engine.ledger import cash_of, treasury_of
from game.engine.phrases import capitalised
from game.past import course_of
from game.readers import Sight
from game.services.budgets import Budget

ACCOUNTS = frozenset({"cash", "margin", "treasury"})


class Entry(NamedTuple):
    """One row: in which turn, what, with whom, how much, and what there was afterwards."""

    turn: int | None
    what: str
    other: str
    amount: int
    after: int


class Explanation(NamedTuple):
    """A figure with everything that adds up to it; `is_ledger` where these are movements of money."""

    title: str
    total: int
    entries: list[Entry]
    is_ledger: bool


def explanation_of(sight: Sight, figure: str, subject: str) -> Explanation | None:
    """The figure of a company or of a seat (by its number, from 0); None where there is none that may be explained."""
    if figure in ACCOUNTS:
        return _account(sight, figure, subject) if may_read_books(sight.game) else None
    breakdown = sight.game.rules.breakdowns.get(figure)
    position = sight.game.load_position()
    parts = Budget().run(breakdown, position.state, subject) if breakdown else ()
    if not parts:
        return None
    entries, total = [], 0
    for part in parts:
        total += part.amount
        entries.append(Entry(None, part.label, "", part.amount, total))
    return Explanation(f"{_words(figure)} of {_whose(sight, subject)}", total, entries, is_ledger=False)


def _account(sight: Sight, figure: str, subject: str) -> Explanation | None:
    account = _account_of(figure, subject, len(sight.seats))
    ledger = sight.game.load_position().state.ledger
    if account not in ledger.cash:
        return None
    total = ledger.balance(account)
    movements = [
        movement
        for movement in movements_of(sight.game, course_of(sight.game))
        if account in {movement.transfer.payer, movement.transfer.payee}
    ]
    entries = _entries(account, movements, total, sight)
    return Explanation(f"{_words(figure)} of {_whose(sight, subject)}", total, entries, is_ledger=True)


def _entries(account: str, movements: list[Movement], total: int, sight: Sight) -> list[Entry]:
    """The movements with what was left after each; what was there before the ledger was kept comes first."""
    after = total - balance_of(account, [movement.transfer for movement in movements])
    entries = [Entry(None, "Before the ledger was kept", "", after, after)] if after else []
    for _, transfer in movements:
        is_in = transfer.payee == account
        amount = transfer.amount if is_in else -transfer.amount
        after += amount
        other = account_name(transfer.payer if is_in else transfer.payee, sight.names)
        entries.append(Entry(transfer.turn, capitalised(transfer.why), other, amount, after))
    return entries


def _account_of(figure: str, subject: str, seats: int) -> str:
    if figure == "treasury":
        return treasury_of(subject)
    if not subject.isdecimal() or len(subject) > 2 or int(subject) >= seats:
        return ""
    return cash_of(int(subject)) if figure == "cash" else f"{figure}:{int(subject)}"


def _words(figure: str) -> str:
    return capitalised(figure.replace("_", " "))


def _whose(sight: Sight, subject: str) -> str:
    """A player's name, or the company's key."""
    return sight.names[int(subject)] if subject.isdecimal() and int(subject) < len(sight.names) else subject
