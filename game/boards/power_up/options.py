"""The options of Power Up as a host reads them, and its presets. (PU 2)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.boards.options import OptionTable, OptionWords, Preset
from game.engine.language import mark, say
from game.rulesets.power_up.options import LABELS

WORDS = {
    "doe": OptionWords(
        LABELS["doe"],
        rule="PU 4.3",
        hint=mark("A holder without a player. It receives shares when a company is founded and competes for bonuses."),
    ),
}

PRESETS = (
    Preset(
        "contested",
        mark("With the Department of Energy"),
        {"doe": True},
        mark("every bonus is contested; best for 2 players"),
        is_recommended=True,
        windows={"turn": 54},
        fewest={"turn": 54},
        live_minutes=50,
    ),
    Preset(
        "plain",
        mark("Players only"),
        {"doe": False},
        mark("founders are alone in their companies at first"),
        windows={"turn": 54},
        fewest={"turn": 54},
        live_minutes=50,
    ),
)

TURNS = mark("about 55 turns")  # of all players together; in thousands of games among bots 52 to 60


def length_words(options: Mapping[str, Any]) -> str:
    """How long a game is, whatever was chosen."""
    return say(TURNS)


POWER_UP_OPTIONS = OptionTable(WORDS, PRESETS, length_words=length_words, choice=mark("variant"))
