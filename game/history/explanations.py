"""Explains a figure: the parts that the rules add up, the events that changed it, or the movements of an account."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from game.engine.breakdown import TABLE, Part
from game.engine.events import Event
from game.engine.language import mark, say
from game.engine.ledger import OUTSIDE, Transfer, cash_of, treasury_of
from game.engine.phrases import capitalised, inside
from game.history.ledger import account_name, balance_of, movements_of
from game.history.past import Course, Stop, course_of, log_between, start_of
from game.history.viewer import Viewer
from game.rulesets.registry import RULESETS
from game.store import eyes
from game.store.eyes import Eyes
from game.store.game import Game, Status
from game.store.rule_limits import Budget

ACCOUNTS = frozenset({"cash", "margin", "treasury", "account"})
UNKNOWN = mark("There is no figure of that name here, or it may not be explained before the game is over.")
BEFORE_LEDGER = mark("Before the ledger was kept")


class ExplanationLine(msgspec.Struct, frozen=True):
    """One row: turn, cause, counterpart, amount, and the total afterwards."""

    turn: int | None
    what: str
    other: str
    amount: int
    after: int


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """A figure with everything that adds up to it; `is_ledger` if these are movements of money, `has_turns` if each has
    a turn."""

    title: str
    total: int
    entries: list[ExplanationLine]
    is_ledger: bool
    has_turns: bool


class Moment(NamedTuple):
    """A position and the last log entry that led to it; `stop` None means now."""

    state: Any
    course: Course
    last: int
    stop: Stop | None


def figures_of(game: Game) -> frozenset[str]:
    """The figures that can be explained at the moment; accounts only where they are public."""
    return _figures(game.ruleset, is_over=game.status == Status.FINISHED)


@cache
def _figures(ruleset: str, *, is_over: bool) -> frozenset[str]:
    rules = RULESETS[ruleset]
    accounts = ACCOUNTS if rules.money.is_public or is_over else ()
    return frozenset({*rules.breakdowns, *rules.traces, *accounts})


def moment_of(game: Game, serial: int | None) -> Moment:
    """The moment at the start of a phase; without a serial, now. Raises `NoSuchMoment` and `Damaged`."""
    course = course_of(game)
    if serial is None:
        return Moment(game.load_position().state, course, game.entries, None)
    stop = course.stops[course.index_of(serial)]
    return Moment(start_of(game, stop).state, course, stop.number, stop)


def explanation_of(
    viewer: Viewer, figure: str, subject: str, serial: int | None = None, *, own: Eyes | None = None
) -> Explanation | None:
    """The figure of a company, of a seat (by its number, from 0) or of another subject of the rules; None if there is
    none or it may not be explained. `own` is the seat that reads “you”, None where everybody is named."""
    if figure not in figures_of(viewer.game):
        return None
    moment = moment_of(viewer.game, serial)
    if figure in ACCOUNTS:
        return _explain_account(viewer, moment, figure, subject, own)
    return _explain_parts(viewer, moment, figure, subject, own)


def _explain_parts(viewer: Viewer, moment: Moment, figure: str, subject: str, own: Eyes | None) -> Explanation | None:
    rules = viewer.game.rules
    if figure in rules.breakdowns:
        parts = Budget().run(rules.breakdowns[figure], moment.state, subject)
    else:
        parts = Budget().run(rules.traces[figure], moment.state, _public_events(viewer.game, moment), subject)
    if not parts:
        return None
    title = _figure_title(viewer, figure) if subject == TABLE else _title_with_owner(viewer, figure, subject, own)
    has_turns = any(part.turn is not None for part in parts)
    total = sum(part.amount for part in parts)
    return Explanation(title=title, total=total, entries=_running_totals(parts), is_ledger=False, has_turns=has_turns)


def _running_totals(parts: Sequence[Part]) -> list[ExplanationLine]:
    """The parts with running totals; zero parts are left out unless there are no others."""
    entries, total = [], 0
    for part in [part for part in parts if part.amount] or parts[:1]:
        total += part.amount
        entries.append(ExplanationLine(part.turn, part.label, "", part.amount, total))
    return entries


def _public_events(game: Game, moment: Moment) -> list[Event]:
    """The events that everyone could read until then. Raises `Damaged`."""
    entries = log_between(game, moment.course, 0, moment.last)
    return [event for entry in entries for event in eyes.read(entry.read_all_events(), None)]


def _explain_account(viewer: Viewer, moment: Moment, figure: str, subject: str, own: Eyes | None) -> Explanation | None:
    account, ledger = _account_of(figure, subject, len(viewer.seats)), moment.state.ledger
    if account not in {*ledger.cash, *viewer.game.rules.money.accounts}:
        return None
    total = ledger.balance(account)
    movements = movements_of(viewer.game, moment.course, until=moment.last)
    transfers = [
        movement.transfer for movement in movements if account in {movement.transfer.payer, movement.transfer.payee}
    ]
    entries, names = _account_lines(account, transfers, total, viewer, own), viewer.game.rules.money.accounts
    title = say(names.get(account, "")) or account_name(account, viewer.names) if figure == "account" else ""
    title = capitalised(title) or _title_with_owner(viewer, figure, subject, own)
    return Explanation(title=title, total=total, entries=entries, is_ledger=True, has_turns=True)


def _account_lines(
    account: str, transfers: list[Transfer], total: int, viewer: Viewer, own: Eyes | None
) -> list[ExplanationLine]:
    """The movements with the balance after each. The first line is the balance from before the ledger existed."""
    names = viewer.game.rules.money.accounts
    balance = total - balance_of(account, transfers)
    entries = [ExplanationLine(None, say(BEFORE_LEDGER), "", balance, balance)] if balance else []
    for transfer in transfers:
        is_in = transfer.payee == account
        amount = transfer.amount if is_in else -transfer.amount
        balance += amount
        other = transfer.payer if is_in else transfer.payee
        name = say(names[other]) if other in names else account_name(other, viewer.names, own)
        what = capitalised(say(transfer.why.replace("_", " ")))
        entries.append(ExplanationLine(transfer.turn, what, name, amount, balance))
    return entries


def _account_of(figure: str, subject: str, seats: int) -> str:
    """The account of a figure, empty if there is none. Accounts without an owner are named by `subject`."""
    if figure == "treasury":
        return treasury_of(subject)
    if figure == "account":
        return "" if ":" in subject or subject == OUTSIDE else subject
    if not subject.isdecimal() or len(subject) > 2 or int(subject) >= seats:
        return ""
    return cash_of(int(subject)) if figure == "cash" else f"{figure}:{int(subject)}"


def _figure_title(viewer: Viewer, figure: str) -> str:
    return say(viewer.board.score if figure == "score" else capitalised(figure.replace("_", " ")))


def _title_with_owner(viewer: Viewer, figure: str, subject: str, own: Eyes | None) -> str:
    title = _figure_title(viewer, figure)
    if own is not None and subject == str(own):
        return say("Your {figure}", figure=inside(title))
    return say("{figure} of {whose}", figure=title, whose=_subject_name(viewer, subject))


def _subject_name(viewer: Viewer, subject: str) -> str:
    """A player's name, the rules' name for the subject, or the company's key."""
    if subject in viewer.game.rules.subjects:
        return say(viewer.game.rules.subjects[subject])
    return viewer.names[int(subject)] if subject.isdecimal() and int(subject) < len(viewer.names) else subject
