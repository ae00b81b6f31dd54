"""The shares that may vote in a company."""

from __future__ import annotations

from typing import Any

import msgspec

from game.boards.decision import Asked
from game.engine.language import say_as


class Weight(msgspec.Struct, frozen=True):
    """A seat's shares in the weigh bar; `css` is the seat's colour, `letter` its mark everywhere else on the page."""

    name: str
    shares: int
    css: str
    is_you: bool
    letter: str


def weights_of(asked: Asked, company: Any) -> tuple[Weight, ...]:
    """The shares that may vote: yours first, then the largest."""
    held = sorted(company.holdings.items(), key=lambda pair: (pair[0] != asked.view.seat, -pair[1]))
    return tuple(_weight(asked.seats[seat], shares, is_you=seat == asked.view.seat) for seat, shares in held)


def _weight(place: Any, shares: int, *, is_you: bool) -> Weight:
    return Weight(say_as("seat", "You") if is_you else place.name, shares, place.css, is_you, place.letter)
