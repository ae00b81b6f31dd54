"""The page that creates a game: its form, and what the game would mean for its players: length, end, and pace."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.utils import timezone

from game.boards.options import Preset, is_switch
from game.boards.registry import board_of
from game.deadlines.paces import (
    DAY,
    LIVE,
    decisions_words,
    live_span,
    most_seconds,
    seconds_words,
    simulated_seconds,
    span_of,
    words_of,
)
from game.engine.flow import Flow, Mode
from game.engine.language import mark, say
from game.i18n import WEEKDAY_LONG, date_words
from game.lobby.clock_form import CLOCK_FIELDS
from game.lobby.forms import CARRIED_FIELDS, CreateGameForm
from game.lobby.game_words import (
    PACES,
    game_cards,
    seats_words,
    spans_of,
)
from game.store.game import Pace

NO_CLOCK = mark("no deadline against bots")


class Plan:
    """Time estimates for a form, as far as they were measured; options chosen one by one were not."""

    def __init__(self, form: CreateGameForm) -> None:
        self._form, self._pace = form, str(form["pace"].value())
        self._preset = form.current_preset() if self._pace in Pace.values else None

    @cached_property
    def is_timed(self) -> bool:
        """True if decisions have deadlines. One person alone against bots has none, unless the host wants them."""
        seats, bots = str(self._form["seats"].value()), str(self._form["bots"].value())
        is_alone = seats.isdecimal() and bots.isdecimal() and int(bots) == int(seats) - 1
        return self._pace != Pace.NO_CLOCK and (bool(self._form["keeps_clock"].value()) or not is_alone)

    @cached_property
    def length_range(self) -> tuple[int, int]:
        """The shortest and the longest length of the whole game in seconds; 0 if not measured."""
        if self._preset is None or not self.is_timed:
            return 0, 0
        if self._pace == LIVE:
            return live_span(self._preset.live_minutes)
        windows, fewest = self._preset.waits(self._seats)
        return span_of(self._seconds(fewest), self._seconds(windows))

    @property
    def _seats(self) -> int:
        seats = str(self._form["seats"].value())
        return int(seats) if seats.isdecimal() and len(seats) < 3 and seats != "0" else 1

    def _seconds(self, windows: Mapping[str, int]) -> int:
        """Custom clocks are simulated phase by phase, starting now."""
        if self._pace != Pace.CUSTOM:
            return most_seconds(windows, self._pace)
        return simulated_seconds(windows, self._form.current_timing(), people=(self._form.host(),), now=timezone.now())

    @property
    def span(self) -> str:
        """The length in words, from quick players to patient ones."""
        return seconds_words(*self.length_range)

    @property
    def end(self) -> str:
        """The day of the end if it starts now, from the middle of the span; empty for a game of hours."""
        middle = sum(self.length_range) // 2
        return "" if middle < DAY else day_words(timezone.now() + timedelta(seconds=middle))

    @property
    def decision_rate(self) -> str:
        """How often one player must decide; empty for a game of less than two days. In phases with turns, each decision
        is one player's."""
        least, most = self.length_range
        if self._preset is None or most < 2 * DAY:
            return ""
        flow = self._form.rules.flow(self._form.usual)
        in_turns = any(row.phase.mode is Mode.TURNS for row in flow.rows)
        players = self._seats if in_turns else 1
        windows, fewest = self._preset.waits(self._seats)
        decisions_a_day = [
            sum(counted.values()) / players * DAY / seconds for counted, seconds in ((windows, most), (fewest, least))
        ]
        return decisions_words(*sorted(decisions_a_day))


def plan_rows(form: CreateGameForm) -> list[tuple[str, str]]:
    """The plan as rows of a table."""
    plan = Plan(form)
    if not plan.is_timed:
        return [(say("Takes about"), say(NO_CLOCK))]
    rows = [
        (say("Takes about"), plan.span),
        (say("Ends around"), plan.end),
        (say("Decisions each"), plan.decision_rate),
    ]
    return [(label, words) for label, words in rows if words]


def plan_words(form: CreateGameForm) -> str:
    """The plan as a sentence, for the foot of the form."""
    plan = Plan(form)
    if not plan.is_timed:
        return say("Alone against bots, without deadlines.")
    if not plan.end:
        return say("Takes {span}.", span=plan.span) if plan.span else ""
    if plan.decision_rate:
        return say("Ends around {end}. Decisions per player: {often}.", end=plan.end, often=plan.decision_rate)
    return say("Ends around {end}.", end=plan.end)


def day_words(at: datetime) -> str:
    """`Sun 3 January`, with the year unless it is the current one."""
    here, now = timezone.localtime(at), timezone.localtime()
    return date_words(here, WEEKDAY_LONG, has_year=here.year != now.year)


INPUT_FIELDS = ("name", "seats", "bots", "level", "least_reliability")
CHECK_BOXES = ("is_open", "is_rated", "welcomes_newcomers", "keeps_clock", "has_chat", "takes_bots")


def create_context(form: CreateGameForm) -> dict[str, Any]:
    """Everything the page that creates a game shows."""
    rules, pace = form.rules, form["pace"].value()
    cards = game_cards(rules.key)
    presets = [_preset_card(form, preset) for preset in form.table.presets]
    fields, checks = form.option_fields(checks=False), form.option_fields(checks=True)
    return {
        "page": "create",
        "form": form,
        "rules": rules,
        "pitch": say(board_of(rules.key).pitch),
        "games": cards if len(cards) > 1 else [],
        "carried": ",".join(CARRIED_FIELDS),
        "presets": presets,
        "note": say(form.table.note),
        "choice": say(form.table.choice),
        "has_spans": any(card["spans"] for card in presets),
        "paces": [{"key": key, "words": words_of(_usual_flow(form), key), "checked": key == pace} for key in PACES],
        "clock": {
            "by": form["clock_by"],
            "ways": form.clock_fields(),
            "has_errors": any(form[name].errors for name in CLOCK_FIELDS if name in form.fields),
        },
        "table": {
            "fields": [form[name] for name in INPUT_FIELDS if name in form.fields],
            "checks": [form[name] for name in CHECK_BOXES],
            "seats": seats_words(rules),
        },
        "rule_fields": fields,
        "rule_checks": checks,
        "rules_open": any(field.errors for field in (*fields, *checks)),
        "effect": _effect_context(form, str(pace)),
        "plan": plan_words(form),
    }


def _preset_card(form: CreateGameForm, preset: Preset) -> dict[str, Any]:
    is_checked = form["preset"].value() == preset.key
    texts = {"title": say(preset.title), "means": say(preset.means)}
    return {"preset": preset, "checked": is_checked, "spans": spans_of(form.rules, preset), **texts}


def _usual_flow(form: CreateGameForm) -> Flow:
    return form.rules.flow(form.usual)


def _effect_context(form: CreateGameForm, pace: str) -> dict[str, Any]:
    """What the form would create: the game and its length, the pace, how long it takes, and every option."""
    options, table = form.current_options(), form.table
    title = ", ".join(filter(None, (form.rules.title, table.length_words(options))))
    text = words_of(_usual_flow(form), pace, form.current_timing()).text if pace in Pace.values else ""
    option_texts = [
        (say(table.label(name)), table.in_words(name, value), is_switch(form.menus[name]))
        for name, value in options.items()
    ]
    return {
        "title": title,
        "text": text,
        "rows": [
            *plan_rows(form),
            *[(label, words) for label, words, is_yes_or_no in option_texts if not is_yes_or_no],
        ],
        "facts": [(label, words) for label, words, is_yes_or_no in option_texts if is_yes_or_no],
        "warning": table.idle_words(options),
    }
