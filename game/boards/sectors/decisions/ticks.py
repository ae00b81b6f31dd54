"""Checkboxes and rows of checkboxes that several forms share."""

from __future__ import annotations

import msgspec

from game.boards.decision import DOLLARS, Filled, Question, Request, whole
from game.boards.shapes import Option, Tick
from game.engine.language import say

MOST_ROWS = 40
DONE, STOP_ORDERING = "done", "stop_ordering"  # “Done for this stock round” (decision *rounds*)
ALWAYS, VOTE_FULL = "always", "vote_full_revenue"  # “Full dividends from now on” (S 6.5, decision *ahead*)


class Ticks(msgspec.Struct, frozen=True):
    """Rows of checkboxes."""

    name: str
    legend: str
    options: tuple[Option, ...]


def ticked_numbers(form: Filled, name: str, label: str, rule: str) -> list[int]:
    """The numbers of the ticked rows, without duplicates."""
    ticked = list(dict.fromkeys(form.several(name)))[:MOST_ROWS]
    return [whole(Filled({name: [text]}), name, label, *DOLLARS, rule=rule) for text in ticked]


def done_words() -> str:
    """The checkbox as part of a sentence."""
    return say("no more orders in this stock round")


def done_tick(question: Question) -> Tick:
    return Tick(
        DONE,
        say("Done for this stock round"),
        say(
            "You are asked again only if the order you send with this fails, a share you own falls, a share you owe "
            "rises, or you could buy shares of a company that others have just floated or bought into. Orders "
            "rejected before do not count. Nobody else sees this."
        ),
        bool(question.filled.get(DONE)),
    )


def read_always(form: Filled) -> list[Request]:
    """The request if the box is ticked."""
    return [{"kind": VOTE_FULL}] if form.get(ALWAYS) else []


def always_words() -> str:
    """The checkbox as part of a sentence."""
    return say("full dividends from now on")


def always_tick(question: Question) -> Tick | None:
    """The box for all later revenue votes; None if it cannot be ticked."""
    offer = next(iter(question.of(VOTE_FULL)), None)
    if offer is None:
        return None
    detail = say(
        "In every later revenue vote your shares vote for full dividends unless you vote otherwise, and the "
        "game does not wait for you. This ends when a company of yours is insolvent or you owe more of its "
        "shares than you own. Nobody else sees it."
    )
    chosen = bool(question.filled.get(ALWAYS))
    return Tick(ALWAYS, say("Full dividends from now on"), detail, chosen, offer.refused, offer.rule)


def new_always_tick(question: Question) -> Tick | None:
    """The tick on the sheet of another phase; None once it is in effect, because the panel lists it then."""
    return None if VOTE_FULL in question.view.lasting else always_tick(question)
