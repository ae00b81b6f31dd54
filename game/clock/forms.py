"""Forms and context of the page about play times and vacations."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from game.clock import play_times
from game.deadlines.paces import DAYS
from game.engine.language import mark, say
from game.store import availability
from game.store.availability import WAKING, Vacation

BLOCK = 4  # hours
BLOCKS = range(24 // BLOCK)
PRESETS = {
    "waking": (mark("8 am to 11 pm"), WAKING),
    "evenings": (
        mark("Evenings and weekends"),
        frozenset(day * 24 + hour for day in range(7) for hour in range(24) if hour >= 16 or (day > 4 and hour >= 8)),
    ),
    "not_office": (
        mark("Outside office hours"),
        frozenset(day * 24 + hour for day in range(7) for hour in range(4, 24) if day > 4 or not 8 <= hour < 16),
    ),
    "always": (mark("Always"), frozenset(range(168))),
}


class HoursForm(forms.Form):
    """The week in blocks of four hours, one number for each ticked block. A preset is a whole week."""

    preset = forms.ChoiceField(choices=[(key, key) for key in PRESETS], required=False)
    block = forms.TypedMultipleChoiceField(
        choices=[(str(number), str(number)) for number in range(7 * len(BLOCKS))], coerce=int, required=False
    )

    def hours(self) -> frozenset[int]:
        if preset := self.cleaned_data["preset"]:
            return PRESETS[preset][1]
        starts = [number * BLOCK for number in self.cleaned_data["block"]]
        return frozenset(start + hour for start in starts for hour in range(BLOCK))


class VacationForm(forms.Form):
    """The first and the last day of a vacation."""

    first = forms.DateField(label=_("First day"), widget=forms.DateInput({"type": "date"}))
    last = forms.DateField(label=_("Last day"), widget=forms.DateInput({"type": "date"}))


def times_context(user: User, form: VacationForm) -> dict[str, Any]:
    hours, now = availability.week_hours(user), timezone.now()
    vacations = Vacation.objects.filter(user=user, ends_at__gt=now)
    return {
        "form": form,
        "blocks": [f"{block * BLOCK}–{block * BLOCK + BLOCK}" for block in BLOCKS],
        "week": [(say(name), [_block(hours, day, block) for block in BLOCKS]) for day, name in enumerate(DAYS)],
        "presets": [(key, say(title), preset_hours == hours) for key, (title, preset_hours) in PRESETS.items()],
        "vacations": [(vacation, vacation.begins_at <= now) for vacation in vacations],
        "bank": play_times.VACATION_A_YEAR.days,
        "days_left": play_times.vacation_days_left(user, now.year),
        "year": now.year,
        "longest": play_times.LONGEST_VACATION.days,
    }


def _block(hours: frozenset[int], day: int, block: int) -> dict[str, Any]:
    """A box of the week; it is checked if any of its hours is chosen."""
    number = day * len(BLOCKS) + block
    inside = range(number * BLOCK, number * BLOCK + BLOCK)
    label = f"{say(DAYS[day])}, {block * BLOCK}–{block * BLOCK + BLOCK}"
    return {"number": number, "checked": not hours.isdisjoint(inside), "label": label}
