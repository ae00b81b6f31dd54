"""The titles of actions and of the figures that they change, inside of a sentence."""

from __future__ import annotations

from game.engine.language import ENGLISH, mark, say, spoken

FIGURES = (mark("Company tier"), mark("Stock price"), mark("On the open market"))
OF_SECTOR = (mark("Demand of {sector}"), mark("Waiting in {sector}"))
"""What the forecast of an action calls figures that nothing else on the board names so."""


def inside(title: str) -> str:
    """A title, in small letters where the language writes nouns so."""
    told = say(title)
    return told.lower() if spoken().code == ENGLISH.code else told


def figure_words(figure: str) -> str:
    """A figure of the forecast, in words."""
    for template in OF_SECTOR:
        before = template.removesuffix("{sector}")
        if figure.startswith(before):
            return say(template, sector=say(figure.removeprefix(before)))
    return say(figure)
