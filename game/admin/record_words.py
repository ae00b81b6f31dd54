"""The moderators' record in words: what was done, with its details, and facts before and after, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Model
from django.utils import timezone
from django.utils.text import capfirst

from game.engine.language import apart
from game.engine.phrases import thousands
from game.store.case_models import Case
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction, number_of
from game.templatetags.times import moment

ANSWERS = {
    "asked_for_second": "Asked for a second person",
    "confirmed_request": "Confirmed a request",
    "refused_request": "Refused a request",
    "withdrawn_request": "Withdrew a request",
}
LOG_COUNTS = ("number", "from_entry", "replayed", "entries")
"""Details that are not shown: they would reveal the number of sealed submissions."""
NUMBERED: Mapping[str, type[Model]] = {"case": Case, "request": ApprovalRequest}
"""Details that are keys of rows; their numbers are shown."""
UNITS = ("minutes", "hours", "days")
DETAIL_LABELS = {
    "did": "", "what": "", "moment": "", "user": "player", "was": "before that", "to": "now", "other": "and",
    "void_seats": "submissions voided of seats", "held_reason": "held because", "factors": "these were",
    "pair": "seats", "state": "now",
}  # fmt: skip
"""Labels of the details of an act; an empty one shows the value alone."""


class Change(NamedTuple):
    """One fact that differs, in words."""

    name: str
    before: str
    after: str


def changes_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """The facts that differ, in their order."""
    return [
        Change(f"{name[:1].upper()}{name[1:]}", _value_text(before.get(name)), _value_text(after.get(name)))
        for name in {**before, **after}
        if before.get(name) != after.get(name)
    ]


def words_of(action: ModeratorAction) -> str:
    facts = ", ".join(
        _detail_text(name, value)
        for name, value in action.details.items()
        if name not in LOG_COUNTS and value not in ("", [])
    )
    return f"{verb_words(action.verb)}: {facts}" if facts else verb_words(action.verb)


def verb_words(verb: str) -> str:
    """The label of a `ModeratorAction.verb`."""
    labels = {**ANSWERS, **{what.value: what.label for what in Intervention}}
    return capfirst(labels.get(verb, verb.replace("_", " ")))


def _value_text(value: Any) -> str:
    if value in ("", None):
        return "none"
    if type(value) is int:
        return thousands(value)
    text = str(value)
    if len(text) >= 16 and text[4] == "-" and "T" in text:
        return moment(timezone.localtime(datetime.fromisoformat(text)), "D")
    return str(apart(text))


def _detail_text(name: str, value: Any) -> str:
    """Users see seats counted from 1."""
    if name in {"seat", "void_seats"}:
        value = [seat + 1 for seat in (value if isinstance(value, list) else [value])]
    if name in NUMBERED:
        value = number_of(NUMBERED[name], value)
    if isinstance(value, list):
        value = ", ".join(str(apart(each)) for each in value)
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if name in UNITS:
        return f"{value} {name.removesuffix('s') if value == 1 else name}"
    value = apart(value)
    label = DETAIL_LABELS.get(name, name.replace("_", " "))
    return f"{label} {value}" if label else str(value)
