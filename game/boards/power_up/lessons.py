"""Lessons of Power Up, and the notes next to a newcomer's first decisions."""

from __future__ import annotations

from typing import Any

from game.boards.lessons import LEARNER, Goal, Lesson, Note
from game.engine.language import mark


def has_founded(view: Any) -> bool:
    """True if the learner holds a share of a company that did not exist at the start."""
    return any(company.key not in {"rufus", "eclipse"} and company.holdings.get(LEARNER) for company in view.companies)


def has_merged(view: Any) -> bool:
    """True if a company was taken over."""
    return view.merger is not None


LESSONS = (
    Lesson(
        "merge",
        mark("Found and merge"),
        mark(
            "A tile next to a neutral tile alone founds a company, and you receive one share for free. A tile that "
            "touches two companies lets the larger take over the smaller, whose holders are paid. Play I5 and end your "
            "turn: in a turn you can found or join once. In your next turn play C4."
        ),
        {
            "phase": "take_turn",
            "players": {"you": {"hand": ["I5", "C4", "A9"]}, "other": {"hand": ["J9"]}},
            "neutral": ["I4"],
            "companies": {
                "rufus": {"tiles": ["A4", "B4", "B5"], "shares": {"you": 1}},
                "eclipse": {"tiles": ["D4", "E4"], "shares": {"you": 3, "other": 1}},
            },
            "actions_left": 3,
            "options": {"doe": False},
        },
        (Goal(mark("Found a company."), has_founded), Goal(mark("Merge two companies."), has_merged)),
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
