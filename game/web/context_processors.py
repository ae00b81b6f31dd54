"""What every template may ask about its reader's games."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from game.moderation import site_desk
from game.store.pending import Needs


def site_banner(request: HttpRequest) -> dict[str, Any]:
    """What admins have put on every page, and whether the site was away lately; read from the cache alone."""
    return {"site_banner": site_desk.banner(get_language() or ""), "site_was_away": site_desk.was_away()}


def needs(request: HttpRequest) -> dict[str, Any]:
    """The games that need the reader; nothing is read for a page that does not ask."""
    known = getattr(request, "needs", None)
    return {"needs": known or Needs(getattr(request, "user", None))}
