"""What players of Power Up can say."""

from __future__ import annotations

import re

from game.engine.scenarios.language import known
from game.engine.scenarios.story import Story
from game.engine.scenarios.words import Request
from game.rulesets.power_up.scenarios.words import WORDS
from game.rulesets.power_up.tables.companies import COMPANIES

BY_NAME = {card.title.split()[0]: key for key, card in COMPANIES.items()}


def company(name: str) -> str:
    """The key of a company that was named by the first word of its title."""
    return BY_NAME[known(name, BY_NAME, "company")]


@WORDS.sentence(
    r"plays (\w+)(?: founding (\w+)| letting (\w+) survive)?",
    "plays E5",
    "plays E5 founding Superslick",
    "plays E5 letting Cortex survive",
)
def _play(story: Story, match: re.Match[str]) -> Request:
    named = {"found": match[2], "survivor": match[3]}
    return {"kind": "play_tile", "tile": match[1]} | {field: company(name) for field, name in named.items() if name}


@WORDS.sentence(r"draws", "draws")
def _draw(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "draw"}


@WORDS.sentence(r"buys (\w+)", "buys Rufus")
def _buy(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "buy", "company": company(match[1])}


@WORDS.sentence(r"ends the turn", "ends the turn")
def _end(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "end_turn"}
