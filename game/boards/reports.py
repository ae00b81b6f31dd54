"""Tables of a round of one game, and the sections of a report on many bot games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from game.boards.sheets import Sheet
from game.engine.events import Event

E = TypeVar("E", bound=Event)
Game = dict[str, Any]
"""One game of a survey, as `game.engine.simulation.survey` reports it."""
NEVER_USED = ("events", "ends")  # registries with sections of their own


class PhaseEvents(msgspec.Struct, frozen=True):
    """The events of one phase that the reader may know, with its number, its title and its place in the game: a table
    names the moment of its figures by that place."""

    name: str
    number: str
    title: str
    events: tuple[Event, ...]
    serial: int = 0


Phases = Sequence[PhaseEvents]
RoundTables = Callable[[str, Phases, Sequence[str]], tuple[Sheet, ...]]
"""A round's key, its phases and the players' names -> its tables; those without rows are left out."""


def no_tables(key: str, phases: Phases, names: Sequence[str]) -> tuple[Sheet, ...]:
    """Default for a game whose rounds are shown by their log alone."""
    return ()


def all_of(phases: Phases, kind: type[E]) -> list[E]:
    """All events of one type, in order."""
    return [event for phase in phases for event in phase.events if isinstance(event, kind)]


@dataclass(frozen=True)
class Section:
    """A table of the report, and next to it a bar chart if `bars` are given: each bar's label, length and end text."""

    key: str
    title: str
    intro: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    bars: Sequence[tuple[str, float, str]] = ()
    bars_title: str = ""


def no_sections(games: Sequence[Game], occurrences: Mapping[str, Mapping[str, int]]) -> list[Section]:
    """Default for a game whose reports have only the common sections."""
    return []


@dataclass(frozen=True)
class Report:
    """The texts and sections of a game's reports."""

    score: str = "Score"  # what the score is called
    not_income: tuple[str, ...] = ("set-up",)  # reasons of payments that are neither income nor spending
    counted: tuple[str, ...] = ()  # events whose number in each game is told
    counted_title: str = "Events"
    used: tuple[str, ...] = ()  # registries whose use is told; otherwise all but events and ends
    sections: Callable[[Sequence[Game], Mapping[str, Mapping[str, int]]], list[Section]] = no_sections

    def registries(self, occurrences: Mapping[str, Any]) -> tuple[str, ...]:
        """The registries whose entries the report counts."""
        return self.used or tuple(name for name in occurrences if name not in NEVER_USED)


def winners(game: Game) -> list[int]:
    return [standing["seat"] for standing in game["standings"] if standing["place"] == 1]


def percent(part: float, whole: float) -> float:
    """A share in percent, to one decimal place."""
    return round(100 * part / whole, 1) if whole else 0.0
