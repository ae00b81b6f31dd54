"""What a game that is being created would mean for its players: how long, until when, and how often they must
decide."""

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
    """What a form says about time, as far as it was measured: options chosen one by one were not."""

    def __init__(self, form: CreateGameForm) -> None:
        self._form, self._pace = form, str(form["pace"].value())
        self._preset = form.preset_meant() if self._pace in Pace.values else None

    @cached_property
    def is_timed(self) -> bool:
        """Whether decisions have deadlines: not where one person plays against bots, unless the host wants them."""
        seats, bots = str(self._form["seats"].value()), str(self._form["bots"].value())
        is_alone = seats.isdecimal() and bots.isdecimal() and int(bots) == int(seats) - 1
        return self._pace != Pace.NO_CLOCK and (bool(self._form["keeps_clock"].value()) or not is_alone)

    @cached_property
    def lasts(self) -> tuple[int, int]:
        """From how many seconds to how many the whole game takes; to 0 if it was not measured."""
        if self._preset is None or not self.is_timed:
            return 0, 0
        if self._pace == LIVE:
            return live_span(self._preset.live_minutes)
        return span_of(self._seconds(self._preset.fewest), self._seconds(self._preset.windows))

    def _seconds(self, windows: Mapping[str, int]) -> int:
        """Custom clocks are simulated phase by phase, from now on."""
        if self._pace != Pace.CUSTOM:
            return most_seconds(windows, self._pace)
        return simulated_seconds(windows, self._form.timing_meant(), people=(self._form.host(),), now=timezone.now())

    @property
    def span(self) -> str:
        """How long it takes, from quick players to patient ones."""
        return seconds_words(*self.lasts)

    @property
    def end(self) -> str:
        """When it ends if it starts now: the middle of the span, as a day; "" of hours, on one evening or several."""
        middle = sum(self.lasts) // 2
        return "" if middle < DAY else day_words(timezone.now() + timedelta(seconds=middle))

    @property
    def often(self) -> str:
        """How often one player must decide; "" in a game of less than two days. Where they act one after another, a
        decision is one player's."""
        least, most = self.lasts
        if self._preset is None or most < 2 * DAY:
            return ""
        flow = self._form.rules.flow(self._form.usual)
        in_turns = any(row.phase.mode is Mode.TURNS for row in flow.rows)
        seats = str(self._form["seats"].value())
        players = int(seats) if in_turns and seats.isdecimal() and seats != "0" else 1
        a_day = [
            sum(windows.values()) / players * DAY / seconds
            for windows, seconds in ((self._preset.windows, most), (self._preset.fewest, least))
        ]
        return decisions_words(*sorted(a_day))


def plan_rows(form: CreateGameForm) -> list[tuple[str, str]]:
    """The same as lines of a table."""
    plan = Plan(form)
    if not plan.is_timed:
        return [(say("Takes about"), say(NO_CLOCK))]
    told = [(say("Takes about"), plan.span), (say("Ends around"), plan.end), (say("Decisions each"), plan.often)]
    return [(label, words) for label, words in told if words]


def plan_words(form: CreateGameForm) -> str:
    """The same as a sentence, for the foot of the form."""
    plan = Plan(form)
    if not plan.is_timed:
        return say("Alone against bots, without deadlines.")
    if not plan.end:
        return say("Takes {span}.", span=plan.span) if plan.span else ""
    if plan.often:
        return say("Ends around {end}. Decisions per player: {often}.", end=plan.end, often=plan.often)
    return say("Ends around {end}.", end=plan.end)


def lasts_words(game: Game, seats: Collection[Seat]) -> str:
    """How long a decision of those who sit in a waiting room would last, where playable hours count; "" elsewhere."""
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
    """`Sun 3 January`; the year where it is another one."""
    here, now = timezone.localtime(at), timezone.localtime()
    return date_words(here, WEEKDAY_LONG, has_year=here.year != now.year)
