"""The course of a game: prices and net worths by turn, as lines for charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from game.engine.language import say_as
from game.store.game import Game


@dataclass(frozen=True)
class History:
    """Prices and net worths by turn, for charts; `opening` prices are those at the end of the previous turn."""

    labels: list[str] = field(default_factory=list)
    prices: dict[str, list[int]] = field(default_factory=dict)
    worth: dict[int, list[int]] = field(default_factory=dict)
    opening: dict[str, int] = field(default_factory=dict)


def history_of(game: Game) -> History:
    """The stored course as lines."""
    return history_of_course(game.course)


def history_of_course(course: Sequence[Mapping[str, Any]]) -> History:
    """A course as lines; lines that start late are shorter, lines that have ended are left out."""
    if not course:
        return History()
    companies = course[-1]["prices"]
    return History(
        labels=[str(point["turn"]) if point["turn"] else say_as("moment", "Start") for point in course],
        prices={
            company: [point["prices"][company] for point in course if company in point["prices"]]
            for company in companies
        },
        worth={seat: [point["worth"][seat] for point in course] for seat in range(len(course[-1]["worth"]))},
        opening=course[-2]["prices"] if len(course) > 1 else {},
    )
