"""Template variables about the site and the reader's games."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from game.moderation import site_desk
from game.store.pending import PendingDecisions


def site_banner(request: HttpRequest) -> dict[str, Any]:
    """The admins' banner, and whether the site was down recently; read from the cache only."""
    return {"site_banner": site_desk.banner(get_language() or ""), "site_was_away": site_desk.last_outage()}


def needs(request: HttpRequest) -> dict[str, Any]:
    """The games that need the reader; nothing is read unless the page uses them."""
    loaded = getattr(request, "needs", None)
    return {"needs": loaded or PendingDecisions(getattr(request, "user", None))}
