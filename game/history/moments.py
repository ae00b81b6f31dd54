"""The moments of a game's past in words: what a page that walks through them prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from game.engine.flow import Flow, Mode
from game.engine.language import say
from game.engine.phrases import ordinal
from game.history.past import Course, Stop


class Moment(NamedTuple):
    """A stop with its title; it `waits` for decisions. `number` is the phase's in the rules."""

    serial: int
    title: str
    waits: bool
    number: str


class Past(NamedTuple):
    """Where the reader stands in the past, and where one can go from there: numbers of phases, None at either end.

    `turns` are the first moments of each turn; `passed` says that another phase was asked for, which passed at once."""

    stop: Stop
    title: str
    at: datetime
    moments: Sequence[Moment]
    of_turn: Sequence[Moment]
    turns: Mapping[int, int]
    place: int
    passed: int | None

    @property
    def first(self) -> int:
        """The oldest moment."""
        return self.moments[0].serial

    @property
    def last(self) -> int:
        """The newest."""
        return self.moments[-1].serial

    @property
    def earlier(self) -> int | None:
        """The moment before this one."""
        return self.moments[self.place - 1].serial if self.place else None

    @property
    def later(self) -> int | None:
        """The moment after this one."""
        return self.moments[self.place + 1].serial if self.place + 1 < len(self.moments) else None


def past_of(course: Course, stop: Stop, *, flow: Flow, names: Sequence[str], asked: str | None) -> Past:
    """The course in words, from one of its stops."""
    phases = {row.phase.name: row.phase for row in flow.rows}
    titles = {
        name: say("phase {number}: {title}", number=phase.number, title=say(phase.title))
        for name, phase in phases.items()
    }
    waits = {name for name, phase in phases.items() if phase.mode is not Mode.AUTOMATIC}
    told = _told_apart([_title(each, titles, names) for each in course.stops])
    numbers = {name: phase.number for name, phase in phases.items()}
    moments = [
        Moment(each.serial, title, each.name in waits, numbers.get(each.name, ""))
        for each, title in zip(course.stops, told, strict=True)
    ]
    turns: dict[int, int] = {}
    for each in course.stops:
        turns.setdefault(each.turn, each.serial)
    place = next(index for index, each in enumerate(course.stops) if each.number == stop.number)
    pairs = zip(course.stops, moments, strict=True)
    of_turn = [moment for each, moment in pairs if each.turn == stop.turn]
    passed = int(asked) if asked is not None and int(asked) != stop.serial else None
    return Past(stop, moments[place].title, stop.at, moments, of_turn, turns, place, passed)


def _told_apart(titles: Sequence[str]) -> list[str]:
    """What has the same title, as the sub-rounds of a turn and the votes of its companies, is counted."""
    totals, seen = Counter(titles), Counter[str]()
    told = []
    for title in titles:
        seen[title] += 1
        told.append(_numbered(title, seen[title], totals[title]) if totals[title] > 1 else title)
    return told


def _numbered(title: str, number: int, total: int) -> str:
    return say("{title}, {number} of {total}", title=title, number=ordinal(number), total=total)


def _title(stop: Stop, titles: Mapping[str, str], names: Sequence[str]) -> str:
    if not stop.name:
        return say("The end of the game")
    said = titles.get(stop.name, stop.name)
    told = say("Turn {turn}, {phase}", turn=stop.turn, phase=said) if stop.turn else said[:1].upper() + said[1:]
    return told if stop.seat is None else f"{told} ({names[stop.seat]})"
