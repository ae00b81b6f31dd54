"""Command-line arguments that several commands share."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError

from game.engine.actions import Refused
from game.engine.chance import Chance
from game.engine.ruleset import Bot, Ruleset
from game.rulesets.registry import RULESETS

MIXED = "mixed"


def ruleset_of(key: str) -> Ruleset:
    """The ruleset named on the command line."""
    if key not in RULESETS:
        raise CommandError(f"There is no ruleset {key}; there are {', '.join(RULESETS)}.")
    return RULESETS[key]


def options_of(rules: Ruleset, given: list[str]) -> Any:
    """Options from `key=value` words; what is not on its menu is refused with the menu."""
    raw = dict(_pair(rules, word) for word in given)
    try:
        return rules.parse_options(raw)
    except Refused as refused:
        raise CommandError(str(refused)) from None


def _pair(rules: Ruleset, word: str) -> tuple[str, Any]:
    key, equals, value = word.partition("=")
    if not equals:
        raise CommandError(f"An option is written key=value, not {word!r}.")
    return key, next((choice for choice in rules.menus.get(key, ()) if str(choice).lower() == value.lower()), value)


def bots_of(rules: Ruleset, name: str, seats: int, secret: str) -> list[Bot]:
    """One bot a seat: all of one kind, or with `mixed` drawn for each seat."""
    if name not in (*rules.bots, MIXED):
        raise CommandError(f"{rules.title} has no bot {name}; there are {', '.join((*rules.bots, MIXED))}.")
    if name == MIXED:
        chance = Chance(secret)
        return [rules.bots[chance.pick("bots", sorted(rules.bots))] for _ in range(seats)]
    return [rules.bots[name]] * seats
