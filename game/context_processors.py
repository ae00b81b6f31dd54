"""What every template may ask about its reader's games."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from game.needs import Needs


def needs(request: HttpRequest) -> dict[str, Any]:
    """The games that need the reader; nothing is read for a page that does not ask."""
    known = getattr(request, "needs", None)
    return {"needs": known or Needs(getattr(request, "user", None))}
