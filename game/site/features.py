"""Feature switches of the whole site, checked when something starts; what already runs continues. They are read from
the cache, which every sweep refreshes, so that requests need no query. The row is read while the cache has no entry,
because Redis is down or no sweep ran for two minutes. Values that are only shown, or read by every API request, may be
a second old."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping
from typing import Any, cast

from django.core.cache import cache

from game.engine.actions import Refused
from game.engine.language import mark
from game.rulesets.registry import RULESETS
from game.site.models import SiteState

MAX_AGE_SECONDS = 1.0


class _Cached:
    """The row that this process read last, and when."""

    row: SiteState | None = None
    read_at = -math.inf


def read_row() -> SiteState:
    """Read the row from the database."""
    return SiteState.objects.filter(pk=SiteState.ONLY).first() or SiteState(pk=SiteState.ONLY)


def recent_row() -> SiteState:
    """The row, at most a second old. One thread refreshes it; the others do not wait."""
    now = time.monotonic()
    if _Cached.row is None or now - _Cached.read_at >= MAX_AGE_SECONDS:
        _Cached.read_at = now
        remember_row(read_row())
    assert _Cached.row is not None
    return _Cached.row


def remember_row(row: SiteState) -> None:
    """Cache a row that was just read."""
    _Cached.row, _Cached.read_at = row, time.monotonic()


def forget_row() -> None:
    _Cached.row, _Cached.read_at = None, -math.inf


KEY, LIFETIME_SECONDS = "features-off", 120
SIGN_UP, GUESTS, CHAT, API, WEBHOOKS, PUSH = "sign_up", "guests", "chat", "api", "webhooks", "push"
RULESET = "ruleset:"
OFF: Mapping[str, str] = {
    SIGN_UP: mark("Nobody can sign up at the moment. Please try again later."),
    GUESTS: mark("Nobody can play as a guest at the moment. Please sign up, or try again later."),
    CHAT: mark("The chat is switched off at the moment. Nothing was sent."),
    API: mark("The API is switched off at the moment. Nothing was done."),
    WEBHOOKS: mark("Webhooks are switched off at the moment. Messages wait until they are on again."),
    PUSH: mark("Notifications in browsers are switched off at the moment."),
}
"""The message for each feature while it is off."""
NOT_OFFERED = mark("New games of {game} are switched off at the moment. Games that have begun go on.")


def feature_keys() -> list[str]:
    """Keys of all features, the rulesets last."""
    return [*OFF, *(f"{RULESET}{key}" for key in RULESETS)]


def cache_off_features(off: Collection[str]) -> None:
    """Write the features that are off to the cache."""
    cache.set(KEY, list(off), LIFETIME_SECONDS)


def is_off(feature: str) -> bool:
    """True if the feature is off now."""
    return feature in _or_stored(cache.get(KEY))


def was_recently_off(feature: str) -> bool:
    """True if the feature is off, or was within the last second."""
    return feature in _or_stored(recent_value(KEY))


def check(feature: str) -> None:
    """Check that the feature is on. Raises `Refused`."""
    if is_off(feature):
        raise Refused(OFF[feature], code="switched_off")


def check_ruleset(key: str) -> None:
    """Check that new games of this ruleset are on. Raises `Refused`."""
    if is_off(f"{RULESET}{key}"):
        raise Refused(NOT_OFFERED, code="switched_off", field="ruleset", game=RULESETS[key].title)


def recent_value(key: str) -> Any:
    """A value of the cache, at most a second old."""
    return cast("Any", cache).get_recent(key)


def offered_rulesets() -> list[str]:
    """The rulesets that new games can use; all of them if all are off."""
    off = _or_stored(recent_value(KEY))
    return [key for key in RULESETS if f"{RULESET}{key}" not in off] or list(RULESETS)


def _or_stored(cached: list[str] | None) -> Collection[str]:
    """The features that are off, from the cache entry, which may be empty, or from the row if there is none."""
    off: Collection[str] = recent_row().features_off if cached is None else cached
    return off
