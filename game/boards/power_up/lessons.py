"""Lessons of Power Up, and the notes next to a newcomer's first decisions."""

from __future__ import annotations

from typing import Any

from game.boards.lessons import LEARNER, Goal, Lesson, Note, Slip
from game.engine.language import mark

TURN = 1  # in which the lessons begin, and in which they end


def founded(view: Any) -> Any:
    """The company on I5, which does not exist at the start; None before it is founded."""
    owner = view.board.get("I5")
    return None if owner in {None, "neutral"} else view.company(owner)


def has_founded(view: Any) -> bool:
    return founded(view) is not None


def has_bought(view: Any) -> bool:
    """True if the learner holds more of the company than the share for founding it."""
    company = founded(view)
    return company is not None and company.holdings.get(LEARNER, 0) > 1


def has_merged(view: Any) -> bool:
    """True if a company was taken over."""
    return view.merger is not None


def has_played(tile: str) -> Any:
    return lambda view: tile in view.board


def is_turn_over(view: Any) -> bool:
    return view.turn > TURN or view.acting != LEARNER


COMPANIES = {
    "rufus": {"tiles": ["A4", "B4", "B5"], "shares": {"you": 1}},
    "eclipse": {"tiles": ["D4", "E4"], "shares": {"you": 3, "other": 1}},
}
LESSONS = (
    Lesson(
        "found",
        mark("Found a company and buy a share"),
        mark("Play a tile that founds a company, and buy a second share of it."),
        {
            "phase": "take_turn",
            "turn": TURN,
            "players": {"you": {"hand": ["I5", "G8", "A9"]}, "other": {"hand": ["J9"]}},
            "neutral": ["I4"],
            "companies": COMPANIES,
            "actions_left": 3,
            "options": {"doe": False},
        },
        (
            Goal(
                mark("Play tile I5 and found a company."),
                mark(
                    "Your tiles have a dashed edge on the map. I5 lies next to the neutral tile I4, and next to no "
                    "company: together they become a new one, whose first share is yours for free."
                ),
                has_founded,
            ),
            Goal(
                mark("Buy a share of your new company."),
                mark("Each action left can buy one share of a company on the map, at its price of the moment."),
                has_bought,
            ),
        ),
        (
            Slip(
                mark("A9 touches nothing, so it founds no company. I5 lies next to a neutral tile."), has_played("A9")
            ),
            Slip(
                mark("G8 touches nothing, so it founds no company. I5 lies next to a neutral tile."), has_played("G8")
            ),
            Slip(
                mark("Your turn is over: drawing tiles or ending the turn uses up the actions that are left."),
                is_turn_over,
            ),
        ),
        mark(
            "You hold the most shares of your company. When a larger one takes it over, its two largest holders are "
            "paid, and all its shares are sold at the old price."
        ),
        "PU 4.2",
    ),
    Lesson(
        "merge",
        mark("Let one company take over another"),
        mark("Connect two companies with a tile, and be paid for your shares of the smaller."),
        {
            "phase": "take_turn",
            "turn": TURN,
            "players": {"you": {"hand": ["C4", "G8", "A9"]}, "other": {"hand": ["J9"]}},
            "neutral": ["I4"],
            "companies": COMPANIES,
            "actions_left": 3,
            "options": {"doe": False},
        },
        (
            Goal(
                mark("Play tile C4 between the two companies."),
                mark(
                    "Rufus has three tiles and Eclipse two, so Rufus takes Eclipse over. You hold three of the four "
                    "shares of Eclipse that were bought: choose C4 and read who is paid before you play it."
                ),
                has_merged,
            ),
        ),
        (
            Slip(mark("A9 touches no company, so nothing was taken over."), has_played("A9")),
            Slip(mark("G8 touches no company, so nothing was taken over."), has_played("G8")),
            Slip(
                mark("Your turn is over: drawing tiles or ending the turn uses up the actions that are left."),
                is_turn_over,
            ),
        ),
        mark(
            "The largest holder of a company that is taken over receives ten times its price, the second five times; "
            "all its shares are sold at the old price."
        ),
        "PU 4.5",
    ),
)


NOTES = (
    Note(
        "tile",
        "take_turn",
        mark(
            "Begin with a tile: your own have a dashed edge on the map. Choose one to read what it would do. Next to a "
            "neutral tile it founds a company, next to a company it makes that one larger."
        ),
        "map",
        mark("The map"),
    ),
    Note(
        "buy",
        "take_turn",
        mark(
            "After a tile, each action left can buy a share of an active company. The two largest holders are paid "
            "when a company is taken over, so small companies next to large ones are worth a look."
        ),
        "companies",
        mark("The companies"),
    ),
    Note(
        "draw",
        "take_turn",
        mark(
            "Drawing tiles takes an action too, and cannot be taken back. Everything else can, until your turn is over."
        ),
    ),
)
