"""The limits of the site as programs meet them."""

from __future__ import annotations

from django.conf import settings

from game import limits
from game.api.problems import Problem
from game.engine.language import say


def spend(name: str, who: str) -> limits.Spent | None:
    """Count one request. Raises `Problem` where it is one too many; None where the site sets programs no limits."""
    if not settings.API_LIMITS:
        return None
    try:
        return limits.spend(name, who)
    except limits.TooMany as too_many:
        raise Problem(
            "rate-limited",
            say("The limit “{name}” of {most} requests is reached.", name=name, most=too_many.spent.limit.most),
            headers=too_many.headers,
            limit=name,
        ) from too_many
