"""How much one token or address may ask for, counted in fixed windows of the cache."""

from __future__ import annotations

import time
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache

from game.api.problems import Problem
from game.engine.language import say

MINUTE, DAY = 60, 86_400


class Limit(NamedTuple):
    """`most` requests in a window of so many seconds."""

    name: str
    most: int
    seconds: int

    @property
    def per(self) -> str:
        """Its window in words, as the page about the API says it."""
        return {MINUTE: "a minute", DAY: "a day"}[self.seconds]


LIMITS = {
    limit.name: limit
    for limit in (
        Limit("anon", 60, MINUTE),  # without a token, of an address
        Limit("read", 300, MINUTE),
        Limit("write", 60, MINUTE),
        Limit("move", 60, MINUTE),  # at one game
        Limit("create", 20, DAY),
        Limit("heavy", 30, MINUTE),  # logs and the past
    )
}


class Spent(NamedTuple):
    """What a request took of a limit; it can be given back."""

    limit: Limit
    key: str
    used: int
    left_seconds: int

    @property
    def headers(self) -> dict[str, str]:
        """How it stands, in the words of the IETF's draft on rate limit headers."""
        limit, left = self.limit, max(self.limit.most - self.used, 0)
        return {
            "RateLimit-Policy": f'"{limit.name}";q={limit.most};w={limit.seconds}',
            "RateLimit": f'"{limit.name}";r={left};t={self.left_seconds}',
        }

    def give_back(self) -> None:
        """An answer that says that nothing is new costs nothing."""
        try:
            cache.decr(self.key)
        except ValueError:  # its window is over
            return


def spend(name: str, who: str) -> Spent | None:
    """Count one request. Raises `Problem` where it is one too many; None where the site sets no limits."""
    if not settings.API_LIMITS:
        return None
    limit, now = LIMITS[name], int(time.time())
    left = limit.seconds - now % limit.seconds
    key = f"api:{name}:{who}:{now // limit.seconds}"
    cache.add(key, 0, limit.seconds + 1)
    try:
        used = cache.incr(key)
    except ValueError:  # a cache that lost it
        used = 1
    spent = Spent(limit, key, used, left)
    if used > limit.most:
        raise Problem(
            "rate-limited",
            say("The limit “{name}” of {most} requests is reached.", name=name, most=limit.most),
            headers={**spent.headers, "Retry-After": str(left)},
            limit=name,
        )
    return spent
