"""What a report on many games among bots prints of one game only: its words, and sections of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Game = dict[str, Any]
"""One game of a survey, as `game.engine.simulation.survey` reports it."""
NEVER_USED = ("events", "ends")  # registries with sections of their own


@dataclass(frozen=True)
class Section:
    """A table of the report, and beside it a bar for each of `bars`: its label, its length and the words at its end."""

    key: str
    title: str
    intro: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    bars: Sequence[tuple[str, float, str]] = ()
    bars_title: str = ""


def no_sections(games: Sequence[Game], occurrences: Mapping[str, Mapping[str, int]]) -> list[Section]:
    """A game whose reports have what all have."""
    return []


@dataclass(frozen=True)
class Report:
    """How the reports of one game read."""

    score: str = "Score"  # what the score is called
    not_income: tuple[str, ...] = ("set-up",)  # reasons of payments that are neither income nor spending
    counted: tuple[str, ...] = ()  # events whose number in each game is told
    counted_title: str = "Events"
    used: tuple[str, ...] = ()  # registries whose use is told; otherwise all but events and ends
    sections: Callable[[Sequence[Game], Mapping[str, Mapping[str, int]]], list[Section]] = no_sections

    def registries(self, occurrences: Mapping[str, Any]) -> tuple[str, ...]:
        """The registries whose use is told."""
        return self.used or tuple(name for name in occurrences if name not in NEVER_USED)


def winners(game: Game) -> list[int]:
    """The seats in first place."""
    return [standing["seat"] for standing in game["standings"] if standing["place"] == 1]


def percent(part: float, whole: float) -> float:
    """A part in percent, to one place."""
    return round(100 * part / whole, 1) if whole else 0.0
