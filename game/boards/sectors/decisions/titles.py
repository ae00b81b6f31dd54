"""The figures that an action changes, in words."""

from __future__ import annotations

from game.engine.language import mark, say

FIGURES = (mark("Company tier"), mark("Stock price"), mark("On the open market"))
OF_SECTOR = (mark("Demand of {sector}"), mark("Waiting in {sector}"))
"""What the forecast of an action calls figures that nothing else on the board names so."""


def figure_words(figure: str) -> str:
    """A figure of the forecast, in words."""
    for template in OF_SECTOR:
        before = template.removesuffix("{sector}")
        if figure.startswith(before):
            return say(template, sector=say(figure.removeprefix(before)))
    return say(figure)
