"""The base of the events of City of the Big Shoulders, which says how they name things."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from game.engine.events import Event, Names
from game.engine.language import say
from game.engine.phrases import listed
from game.rulesets.big_shoulders.effects import ASSETS
from game.rulesets.big_shoulders.tables import (
    BONUS_TITLES,
    COMPANIES,
    CUBE_TITLES,
    TRADE_TITLES,
)


def cubes_in_words(cubes: Mapping[Any, int]) -> str:
    """`2 Coal and 1 Wood`."""
    return listed(
        say("{number} {cube}", number=number, cube=say(CUBE_TITLES[cube])) for cube, number in cubes.items() if number
    )


TITLES: Mapping[str, Callable[[Any], str]] = {
    "company": lambda key: COMPANIES[key].title,
    "asset": lambda key: ASSETS[key].title,
    "trade": lambda key: say(TRADE_TITLES[key]),
    "bonus": lambda key: say(BONUS_TITLES[key]),
    "given": lambda key: say(CUBE_TITLES[key]),
    "taken": lambda key: say(CUBE_TITLES[key]),
    "cubes": cubes_in_words,
    "slot": lambda key: say("${n}", n=key),
}
"""How fields of events are named in sentences."""


class ShouldersEvent(Event, frozen=True, kw_only=True):
    """An event that names companies, assets, trades and cubes by their titles."""

    def _words(self, names: Names) -> dict[str, object]:
        words = super()._words(names)
        for field, title in TITLES.items():
            if field in words and not isinstance(value := getattr(self, field), int):
                words[field] = title(value)
        return words
