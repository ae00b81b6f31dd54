"""The names of companies and spaces in requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.engine.language import say
from game.rulesets.big_shoulders.effects import SPACES, Space
from game.rulesets.big_shoulders.tables import COMPANIES


def company_title(request: Mapping[str, Any]) -> str:
    """The name of the company that a request is about."""
    row = COMPANIES.get(request.get("company", ""))  # type: ignore[call-overload]
    return row.title if row else ""


def space_title(space: Space) -> str:
    """A general space by its name, a tile by its number."""
    return say("Tile {tile}", tile=space) if isinstance(space, int) else say(SPACES[space].title)
