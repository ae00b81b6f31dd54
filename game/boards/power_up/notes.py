"""What a newcomer to Power Up reads beside the first decisions."""

from __future__ import annotations

from game.boards.lessons import Note
from game.engine.language import mark

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
