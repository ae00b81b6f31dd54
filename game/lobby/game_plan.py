"""What a new game would mean for its players: its length, its end, and how often they must decide."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from functools import cached_property

from django.utils import timezone

from game.deadlines.paces import (
    DAY,
    LIVE,
    decisions_words,
    live_span,
    most_seconds,
    phase_lasts,
    seconds_words,
    simulated_seconds,
    span_of,
)
from game.engine.flow import Mode
from game.engine.language import mark, say
from game.i18n import WEEKDAY_LONG, date_words
from game.lobby.forms import CreateGameForm
from game.store.availability import hours_at
from game.store.game import Game, Pace, Seat, Status

NO_CLOCK = mark("no deadline against bots")


class Plan:
    """Time estimates for a form, as far as they were measured; options chosen one by one were not."""

    def __init__(self, form: CreateGameForm) -> None:
        self._form, self._pace = form, str(form["pace"].value())
        self._preset = form.preset_meant() if self._pace in Pace.values else None

    @cached_property
    def is_timed(self) -> bool:
        """True if decisions have deadlines. One person alone against bots has none, unless the host wants them."""
        seats, bots = str(self._form["seats"].value()), str(self._form["bots"].value())
        is_alone = seats.isdecimal() and bots.isdecimal() and int(bots) == int(seats) - 1
        return self._pace != Pace.NO_CLOCK and (bool(self._form["keeps_clock"].value()) or not is_alone)

    @cached_property
    def lasts(self) -> tuple[int, int]:
        """The shortest and the longest length of the whole game in seconds; 0 if not measured."""
        if self._preset is None or not self.is_timed:
            return 0, 0
        if self._pace == LIVE:
            return live_span(self._preset.live_minutes)
        return span_of(self._seconds(self._preset.fewest), self._seconds(self._preset.windows))

    def _seconds(self, windows: Mapping[str, int]) -> int:
        """Custom clocks are simulated phase by phase, starting now."""
        if self._pace != Pace.CUSTOM:
            return most_seconds(windows, self._pace)
        return simulated_seconds(windows, self._form.timing_meant(), people=(self._form.host(),), now=timezone.now())

    @property
    def span(self) -> str:
        """The length in words, from quick players to patient ones."""
        return seconds_words(*self.lasts)

    @property
    def end(self) -> str:
        """The day of the end if it starts now, from the middle of the span; empty for a game of hours."""
        middle = sum(self.lasts) // 2
        return "" if middle < DAY else day_words(timezone.now() + timedelta(seconds=middle))

    @property
    def often(self) -> str:
        """How often one player must decide; empty for a game of less than two days. In phases with turns, each decision
        is one player's."""
        least, most = self.lasts
        if self._preset is None or most < 2 * DAY:
            return ""
        flow = self._form.rules.flow(self._form.usual)
        in_turns = any(row.phase.mode is Mode.TURNS for row in flow.rows)
        seats = str(self._form["seats"].value())
        players = int(seats) if in_turns and seats.isdecimal() and seats != "0" else 1
        decisions_a_day = [
            sum(windows.values()) / players * DAY / seconds
            for windows, seconds in ((self._preset.windows, most), (self._preset.fewest, least))
        ]
        return decisions_words(*sorted(decisions_a_day))


def plan_rows(form: CreateGameForm) -> list[tuple[str, str]]:
    """The plan as rows of a table."""
    plan = Plan(form)
    if not plan.is_timed:
        return [(say("Takes about"), say(NO_CLOCK))]
    rows = [(say("Takes about"), plan.span), (say("Ends around"), plan.end), (say("Decisions each"), plan.often)]
    return [(label, words) for label, words in rows if words]


def plan_words(form: CreateGameForm) -> str:
    """The plan as a sentence, for the foot of the form."""
    plan = Plan(form)
    if not plan.is_timed:
        return say("Alone against bots, without deadlines.")
    if not plan.end:
        return say("Takes {span}.", span=plan.span) if plan.span else ""
    if plan.often:
        return say("Ends around {end}. Decisions per player: {often}.", end=plan.end, often=plan.often)
    return say("Ends around {end}.", end=plan.end)


def lasts_words(game: Game, seats: Collection[Seat]) -> str:
    """How long a decision lasts for the players of a waiting room, if playable hours count; otherwise empty."""
    timing = game.read_timing()
    people = hours_at(seats) if timing.counts_hours and game.status == Status.WAITING else []
    if not people:
        return ""
    least, most = phase_lasts(timing, people, timezone.now())
    if least >= most:
        return say("By the playable hours of these players, each decision lasts {most} hours.", most=most)
    return say(
        "By the playable hours of these players, each decision lasts {least} to {most} hours.",
        least=least,
        most=most,
    )


def day_words(at: datetime) -> str:
    """`Sun 3 January`, with the year unless it is the current one."""
    here, now = timezone.localtime(at), timezone.localtime()
    return date_words(here, WEEKDAY_LONG, has_year=here.year != now.year)
