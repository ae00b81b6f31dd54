"""What can be switched off for the whole site: one table, checked where something begins. What already runs continues.
It is read from the cache, which every sweep writes again, so that no request needs a statement for it. If the cache has
no entry, the row is read (`site_row`). What is only shown, or read by every request of a program, may be a second
old."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from django.core.cache import cache

from game.engine.actions import Refused
from game.engine.language import mark
from game.rulesets.registry import RULESETS
from game.site import site_row

KEY, KEPT = "features-off", 120  # seconds
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
"""What pages say about each while it is off."""
NOT_OFFERED = mark("New games of {game} are switched off at the moment. Games that have begun go on.")


def every() -> list[str]:
    """All that can be switched off, the rulesets last."""
    return [*OFF, *(f"{RULESET}{key}" for key in RULESETS)]


def keep(off: Collection[str]) -> None:
    """Bring what requests read up to date."""
    cache.set(KEY, list(off), KEPT)


def is_off(feature: str) -> bool:
    """Whether this is switched off now."""
    return feature in _or_stored(cache.get(KEY))


def was_off(feature: str) -> bool:
    """Whether this is switched off, or was within the last second."""
    return feature in _or_stored(lately(KEY))


def check(feature: str) -> None:
    """Raises `Refused` where this is switched off."""
    if is_off(feature):
        raise Refused(OFF[feature], code="switched_off")


def check_ruleset(key: str) -> None:
    """Raises `Refused` where new games of this ruleset are switched off."""
    if is_off(f"{RULESET}{key}"):
        raise Refused(NOT_OFFERED, code="switched_off", field="ruleset", game=RULESETS[key].title)


def lately(key: str) -> Any:
    """What the cache holds, or held within the last second."""
    return cast("Any", cache).lately(key)


def offered() -> list[str]:
    """The rulesets of which games can begin; all of them rather than none."""
    off = _or_stored(lately(KEY))
    return [key for key in RULESETS if f"{RULESET}{key}" not in off] or list(RULESETS)


def _or_stored(kept: list[str] | None) -> Collection[str]:
    """What the cache holds; nothing switched off is an entry too."""
    off: Collection[str] = site_row.lately().features_off if kept is None else kept
    return off
