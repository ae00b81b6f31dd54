"""How something was and how it is, side by side: for previews and for the record."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.utils import timezone

from game.templatetags.times import moment


class Change(NamedTuple):
    """One fact that differs, in words."""

    name: str
    before: str
    after: str


def changes_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """What differs, in the order of the facts."""
    return [
        Change(name.capitalize(), _words(before.get(name)), _words(value))
        for name, value in after.items()
        if before.get(name) != value
    ]


def _words(value: Any) -> str:
    if value in ("", None):
        return "none"
    text = str(value)
    if len(text) >= 16 and text[4] == "-" and "T" in text:
        return moment(timezone.localtime(datetime.fromisoformat(text)), "D")
    return text
