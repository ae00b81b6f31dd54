"""The requests that a button sends: what is chosen, what is taken back, and whether its seat is ready."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from game.engine.ruleset import Ruleset
from game.forms.readers import Request

PASS: Request = {"kind": "pass"}


def submission(rules: Ruleset, mine: Mapping[str, Any], wanted: Sequence[Request], *, ready: bool) -> list[Request]:
    """Everything chosen, and the withdrawal of what was sent earlier and is chosen no more; nothing chosen is a pass."""
    if not wanted:
        return [PASS, *_ready(ready)]
    slots = {rules.parse(request, 0).slot() for request in wanted}
    return [*wanted, *withdrawal(slot for slot in mine if slot not in slots and slot != "pass"), *_ready(ready)]


def passing(*, ready: bool) -> list[Request]:
    """Nothing, on purpose."""
    return [PASS, *_ready(ready)]


def withdrawal(slots: Iterable[str]) -> list[Request]:
    """Take inputs back and be no longer ready."""
    return [{"kind": "withdraw", "of": slot} for slot in slots]


def readiness(*, on: bool) -> list[Request]:
    """Nothing more to do here, or something after all."""
    return [{"kind": "ready", "on": on}]


def _ready(ready: bool) -> list[Request]:
    return readiness(on=True) if ready else []
