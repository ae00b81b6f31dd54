"""How long a game takes and how often it asks each player: of a game that is being created, or of one that exists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

import msgspec
from django.utils import timezone

from game.boards.options import OptionTable, Preset
from game.boards.registry import board_of
from game.deadlines.due import Person
from game.deadlines.paces import (
    DAY,
    LIVE,
    Timing,
    decisions_words,
    live_span,
    most_seconds,
    seconds_words,
    simulated_seconds,
    span_of,
)
from game.engine.flow import Flow, Mode
from game.engine.language import kept, mark, say
from game.i18n import WEEKDAY_LONG, date_words
from game.rulesets.registry import RULESETS
from game.store.game import Game, Pace

NO_CLOCK = mark("no deadline against bots")


@dataclass(frozen=True)
class Plan:
    """Time estimates from measurements; without a `preset` there are none. `people` are those whose hours
    count."""

    flow: Flow
    preset: Preset | None
    pace: str
    timing: Timing
    seats: int
    is_timed: bool = True
    people: tuple[Person, ...] = ()

    @cached_property
    def length_range(self) -> tuple[int, int]:
        """The shortest and the longest length of the whole game in seconds; 0 if not measured."""
        if self.preset is None or not self.is_timed:
            return 0, 0
        if self.pace == LIVE:
            return live_span(self.preset.live_minutes)
        windows, fewest = self.preset.waits(self.seats)
        return span_of(self._seconds(fewest), self._seconds(windows))

    def _seconds(self, windows: Mapping[str, int]) -> int:
        """Custom clocks are simulated phase by phase, starting now."""
        if self.pace != Pace.CUSTOM:
            return most_seconds(windows, self.pace)
        return simulated_seconds(windows, self.timing, people=self.people, now=timezone.now())

    @property
    def span(self) -> str:
        """The length in words, from quick players to patient ones."""
        return seconds_words(*self.length_range)

    @property
    def end(self) -> str:
        """The day of the end if it starts now, from the middle of the span; empty for a game of hours."""
        middle = sum(self.length_range) // 2
        return "" if middle < DAY else _day_words(timezone.now() + timedelta(seconds=middle))

    @property
    def decision_rate(self) -> str:
        """How often one player must decide; empty for a game of less than two days. In phases with turns, each decision
        is one player's."""
        least, most = self.length_range
        if self.preset is None or most < 2 * DAY:
            return ""
        in_turns = any(row.phase.mode is Mode.TURNS for row in self.flow.rows)
        players = self.seats if in_turns else 1
        windows, fewest = self.preset.waits(self.seats)
        decisions_a_day = [
            sum(counted.values()) / players * DAY / seconds for counted, seconds in ((windows, most), (fewest, least))
        ]
        return decisions_words(*sorted(decisions_a_day))

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The plan as rows of a table."""
        if not self.is_timed:
            return [(say("Takes about"), say(NO_CLOCK))]
        rows = [
            (say("Takes about"), self.span),
            (say("Ends around"), self.end),
            (say("Decisions each"), self.decision_rate),
        ]
        return [(label, words) for label, words in rows if words]

    @property
    def words(self) -> str:
        """The plan as a sentence, for the foot of a form."""
        if not self.is_timed:
            return say("Alone against bots, without deadlines.")
        if not self.end:
            return say("Takes {span}.", span=self.span) if self.span else ""
        if self.decision_rate:
            return say("Ends around {end}. Decisions per player: {often}.", end=self.end, often=self.decision_rate)
        return say("Ends around {end}.", end=self.end)


def _day_words(at: datetime) -> str:
    """`Sun 3 January`, with the year unless it is the current one."""
    here, now = timezone.localtime(at), timezone.localtime()
    return date_words(here, WEEKDAY_LONG, has_year=here.year != now.year)


class Visits(msgspec.Struct, frozen=True):
    """The time that a game takes of its players: `3 to 7 weeks` and `1 to 2 a day`; each empty if it was not
    measured."""

    length: str
    rate: str


def visits_of(game: Game) -> Visits:
    """How long this game takes from its start, and how often it asks each player, if it can be read and has a clock."""
    if game.is_untimed or not game.is_described:
        return Visits("", "")
    options, timing = map(msgspec.json.encode, (game.options, game.timing))
    return _visits(game.ruleset, options, game.pace, timing, game.seats_wanted)


@kept(1024)
def _visits(ruleset: str, options: bytes, pace: str, timing: bytes, seats: int) -> Visits:
    """The visits of a game at a pace; a clock of playable hours is estimated for somebody who is always there."""
    rules, values = RULESETS[ruleset], msgspec.json.decode(options)
    flow = rules.flow(msgspec.convert(values, rules.options_type))
    preset = preset_of(board_of(ruleset).options, values)
    plan = Plan(flow, preset, pace, msgspec.json.decode(timing, type=Timing), seats)
    return Visits(plan.span, plan.decision_rate)


def preset_of(table: OptionTable, options: Mapping[str, Any]) -> Preset | None:
    """The preset with these options; else the first of the same length."""
    exact = [preset for preset in table.presets if preset.options.items() <= options.items()]
    length = table.length_words(options)
    as_long = [preset for preset in table.presets if table.length_words(preset.options) == length]
    closest = sorted(exact, key=lambda preset: -len(preset.options)) or as_long
    return closest[0] if closest else None
