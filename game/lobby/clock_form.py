"""The form fields of a custom pace: how long phases last, when they close, or how many playable hours they take."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from typing import Any

import msgspec
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from game.deadlines.due import Fixed, Grid, Person
from game.deadlines.paces import (
    DAY,
    DECISION,
    EVERY_DAY,
    HOUR,
    MINUTE,
    PLAIN,
    VOTES,
    WEEKDAYS,
    Timing,
    days_words,
    length_words,
)
from game.engine.language import mark, say
from game.store.availability import WAKING
from game.store.game import Pace

LENGTH, FIXED, PLAYABLE = "length", "fixed", "hours"
WAYS = {
    LENGTH: mark("After a length of time"),
    FIXED: mark("At fixed times"),
    PLAYABLE: mark("After playable hours"),
}
DAY_SETS: Mapping[str, frozenset[int]] = {
    "weekdays": WEEKDAYS,
    "all": EVERY_DAY,
    "mwf": frozenset({0, 2, 4}),
    "tt": frozenset({1, 3}),
    "weekend": frozenset({5, 6}),
    **{str(day): frozenset({day}) for day in range(7)},
}
LENGTHS = (
    *(5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR),
    *(DAY, 2 * DAY, 3 * DAY, 5 * DAY, 7 * DAY),
)
MINIMUM_TIMES = (15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR)
HOURS = (2, 4, 6, 8, 12, 16)
MAXIMUM_TIMES = (DAY, 2 * DAY, 3 * DAY, 5 * DAY, 7 * DAY)
SAME = _("As long as decisions")
LEAST_HINT = _("A phase that opens less than this before one of these times closes at the time after it.")
CAP_HINT = _("The phase closes then, even if a player had fewer hours.")
DEFAULT_TIME = time(20)
CLOCK_FIELDS = ("clock_by", "decision_length", "vote_length", "days", "at", "least", "hours", "cap")
"""The names of the fields."""


def read_length(value: Any) -> int:
    """A length in seconds, from a menu."""
    return int(value)


def lengths_field(label: Any, menu: tuple[int, ...], initial: int, **more: Any) -> forms.TypedChoiceField:
    """A choice of lengths, in seconds."""
    choices = [(str(seconds), "") for seconds in menu]
    field = forms.TypedChoiceField(
        label=label, choices=choices, coerce=read_length, empty_value=str(initial), required=False, **more
    )
    field.initial = str(initial)
    return field


class ClockFields(forms.Form):
    """The fields of a custom pace; at another pace they are ignored. `zone` is the host's, for fixed times."""

    zone = "UTC"
    week = WAKING
    clock_by = forms.ChoiceField(label=_("Phases close"), required=False, initial=LENGTH)
    decision_length = lengths_field(_("Each decision"), LENGTHS, DAY)
    vote_length = lengths_field(_("Each vote"), LENGTHS, 0)
    days = forms.ChoiceField(label=_("Days"), required=False, initial="weekdays")
    at = forms.TimeField(
        label=_("Time"), required=False, initial=DEFAULT_TIME, widget=forms.TimeInput({"type": "time"}, format="%H:%M")
    )
    least = lengths_field(_("Minimum time"), MINIMUM_TIMES, 6 * HOUR, help_text=LEAST_HINT)
    hours = forms.TypedChoiceField(
        label=_("Playable hours"),
        coerce=int,
        required=False,
        empty_value="8",
        initial="8",
        help_text=_("In each phase, every player gets this many of the hours in which they usually play."),
    )
    cap = lengths_field(_("Maximum time"), MAXIMUM_TIMES, 3 * DAY, help_text=CAP_HINT)

    def fit_clocks(self, *, has_votes: bool) -> None:
        """Fill the menus, and remove the length of votes from a game without votes."""
        for name in ("decision_length", "least", "cap"):
            self._choose(name, [(value, length_words(int(value))) for value, _old in self._menu(name)])
        self._choose("vote_length", [("", str(SAME)), *self._menu("decision_length")])
        self.fields["vote_length"].initial = ""
        self._choose("hours", [(str(hours), str(hours)) for hours in HOURS])
        self._choose("clock_by", [(way, say(words)) for way, words in WAYS.items()])
        self._choose("days", [(key, days_words(days)) for key, days in DAY_SETS.items()])
        self.fields["at"].help_text = _("In your time zone, %(zone)s.") % {"zone": self.zone}
        if not has_votes:
            del self.fields["vote_length"]

    def timing(self) -> dict[str, Any]:
        """The chosen timing, as `lobby.create_game` takes it; empty at another pace."""
        values = self.cleaned_data
        if values["pace"] != Pace.CUSTOM:
            return {}
        plain_timing: dict[str, Any] = msgspec.to_builtins(self._timing(values))
        return plain_timing

    def current_timing(self) -> Timing:
        """The timing of the unsubmitted form; fields that cannot be read have their initial values."""
        values: dict[str, Any] = {}
        for name in CLOCK_FIELDS:
            if name in self.fields:
                try:
                    values[name] = self.fields[name].clean(self[name].value())
                except ValidationError:
                    values[name] = self.fields[name].clean(self.fields[name].initial)
        return self._timing(values) if str(self["pace"].value()) == Pace.CUSTOM else PLAIN

    def host(self) -> Person:
        """The host. Their hours stand for all players, because the others are not known yet."""
        return Person(Grid(self.zone, self.week))

    def clock_fields(self) -> dict[str, list[forms.BoundField]]:
        """The bound fields by the way phases close."""
        parts = {
            LENGTH: ("decision_length", "vote_length"),
            FIXED: ("days", "at", "least"),
            PLAYABLE: ("hours", "cap"),
        }
        return {way: [self[name] for name in names if name in self.fields] for way, names in parts.items()}

    def _timing(self, values: Mapping[str, Any]) -> Timing:
        way = values.get("clock_by") or LENGTH
        if way == FIXED:
            at = values.get("at") or DEFAULT_TIME
            days = DAY_SETS[values.get("days") or "weekdays"]
            return Timing({DECISION: int(values["least"])}, fixed=Fixed(self.zone, days, at.hour * 60 + at.minute))
        if way == PLAYABLE:
            return Timing({DECISION: int(values["hours"]) * HOUR}, cap=int(values["cap"]))
        lengths = {DECISION: int(values["decision_length"])}
        votes = int(values.get("vote_length") or 0)
        return Timing({**lengths, **dict.fromkeys(VOTES, votes)} if votes else lengths)

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def _menu(self, name: str) -> list[tuple[str, str]]:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        return list(field.choices)  # type: ignore[arg-type]
