"""Titles and navigation of a game's past moments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from game.engine.flow import Flow, Mode
from game.engine.language import apart, say
from game.engine.phrases import ordinal, turn_words
from game.history.past import Course, Stop


class Moment(NamedTuple):
    """A stop with its title; `waits` is true if it waits for decisions. `number` is the phase's number in the rules."""

    serial: int
    title: str
    waits: bool
    number: str


class Past(NamedTuple):
    """The reader's place in the past, and where they can go from there: phase serials, None at either end.

    `turns` are the first moments of each turn; `passed` is the requested phase if it passed without a stop."""

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
        return self.moments[0].serial

    @property
    def last(self) -> int:
        return self.moments[-1].serial

    @property
    def earlier(self) -> int | None:
        return self.moments[self.place - 1].serial if self.place else None

    @property
    def later(self) -> int | None:
        return self.moments[self.place + 1].serial if self.place + 1 < len(self.moments) else None


def past_of(course: Course, stop: Stop, *, flow: Flow, names: Sequence[str], requested: str | None) -> Past:
    """The moments of a course in words, seen from one of its stops."""
    phases = {row.phase.name: row.phase for row in flow.rows}
    titles = {
        name: say("phase {number}: {title}", number=phase.number, title=say(phase.title))
        for name, phase in phases.items()
    }
    waiting_phases = {name for name, phase in phases.items() if phase.mode is not Mode.AUTOMATIC}
    unique_titles = _number_duplicates([_title(flow, each_stop, titles, names) for each_stop in course.stops])
    numbers = {name: phase.number for name, phase in phases.items()}
    moments = [
        Moment(each_stop.serial, title, each_stop.name in waiting_phases, numbers.get(each_stop.name, ""))
        for each_stop, title in zip(course.stops, unique_titles, strict=True)
    ]
    turns: dict[int, int] = {}
    for each_stop in course.stops:
        turns.setdefault(each_stop.turn, each_stop.serial)
    place = next(index for index, each_stop in enumerate(course.stops) if each_stop.number == stop.number)
    pairs = zip(course.stops, moments, strict=True)
    of_turn = [moment for each_stop, moment in pairs if each_stop.turn == stop.turn]
    passed_serial = int(requested) if requested is not None and int(requested) != stop.serial else None
    return Past(stop, moments[place].title, stop.at, moments, of_turn, turns, place, passed_serial)


def _number_duplicates(titles: Sequence[str]) -> list[str]:
    """Number equal titles, such as the sub-rounds of a turn or the votes of its companies."""
    totals, seen_titles = Counter(titles), Counter[str]()
    numbered = []
    for title in titles:
        seen_titles[title] += 1
        if totals[title] > 1:
            facts = {"number": ordinal(seen_titles[title]), "total": totals[title]}
            numbered.append(say("{title}, {number} of {total}", title=title, **facts))
        else:
            numbered.append(title)
    return numbered


def _title(flow: Flow, stop: Stop, titles: Mapping[str, str], names: Sequence[str]) -> str:
    if not stop.name:
        return say("The end of the game")
    phase = titles.get(stop.name, stop.name)
    title = phase[:1].upper() + phase[1:]
    if stop.turn:
        title = say("{turn}, {phase}", turn=turn_words(flow.turn_title, stop.turn), phase=phase)
    return title if stop.seat is None else f"{title} ({apart(names[stop.seat])})"
