"""What a form shows of a draft, which may be older than the rules, the phase or the site that reads it."""

from __future__ import annotations

from typing import Any

from game.boards.shapes import Request
from game.engine import requests
from game.engine.actions import Action, Ready, Refused, Undo, Withdraw
from game.engine.flow import Phase
from game.engine.ruleset import Ruleset

AT_ONCE = (Ready, Withdraw, Undo)
"""What no form shows: it is asked by a button, and a late submission may have kept it."""


def shown_of(rules: Ruleset, phase: Phase | None, content: Any) -> list[Request] | None:
    """The requests of a stored draft that the form of a phase shows; None where the phase does not take all of it."""
    if not isinstance(content, list):
        return None
    kinds = [_kind_of(rules, request) for request in content]
    if phase is None or not all(kind and issubclass(kind, (*phase.takes, *AT_ONCE)) for kind in kinds):
        return None
    return [request for request, kind in zip(content, kinds, strict=True) if kind not in AT_ONCE]


def _kind_of(rules: Ruleset, request: Any) -> type[Action] | None:
    """The kind of a request; None where it cannot be read."""
    kind = rules.actions.get(str(request.get("kind"))) if isinstance(request, dict) else None
    if kind is None:
        return None
    try:
        requests.read(request, kind, rule="")
    except Refused:
        return None
    return kind
