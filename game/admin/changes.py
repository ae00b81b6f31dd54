"""Facts before and after, side by side: for previews and for the record."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.utils import timezone

from game.engine.phrases import thousands
from game.templatetags.times import moment


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


def _value_text(value: Any) -> str:
    if value in ("", None):
        return "none"
    if type(value) is int:
        return thousands(value)
    text = str(value)
    if len(text) >= 16 and text[4] == "-" and "T" in text:
        return moment(timezone.localtime(datetime.fromisoformat(text)), "D")
    return text
