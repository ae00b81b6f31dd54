"""How much one person, token or address may ask for, counted in fixed windows of the cache."""

from __future__ import annotations

import time
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache

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
        Limit("draft", 120, MINUTE),  # at one game; pages save them by themselves
        Limit("create", 20, DAY),
        Limit("heavy", 30, MINUTE),  # logs and the past
    )
}


OF_A_GAME = frozenset({"move", "draft"})


def limit_of(name: str) -> Limit:
    """A limit with the number that the operator has given it, if any."""
    limit = LIMITS[name]
    return limit._replace(most=int(settings.LIMITS.get(name, limit.most)))


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


class TooMany(Exception):
    """One request more than the limit allows; `spent` says which and until when."""

    def __init__(self, spent: Spent) -> None:
        super().__init__(spent.limit.name)
        self.spent = spent

    @property
    def headers(self) -> dict[str, str]:
        """What an answer of 429 carries."""
        return {**self.spent.headers, "Retry-After": str(self.spent.left_seconds)}


def spend(name: str, who: str) -> Spent:
    """Count one request. Raises `TooMany` where it is one too many."""
    limit, now = limit_of(name), int(time.time())
    left = limit.seconds - now % limit.seconds
    key = f"limit:{name}:{who}:{now // limit.seconds}"
    cache.add(key, 0, limit.seconds + 1)
    try:
        used = cache.incr(key)
    except ValueError:  # a cache that lost it
        used = 1
    spent = Spent(limit, key, used, left)
    if used > limit.most:
        raise TooMany(spent)
    return spent
