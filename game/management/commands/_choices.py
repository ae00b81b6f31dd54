"""Command-line arguments shared by several commands."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError

from game.apps import register_rulesets
from game.engine.actions import Refused
from game.engine.chance import Chance
from game.engine.ruleset import Ruleset
from game.rulesets.registry import RULESETS
from sectors_site.embedded import EXTRA_GAMES

MIXED = "mixed"


def ruleset_of(key: str) -> Ruleset:
    """The ruleset with this key, also one that is playable on this machine only."""
    if key not in RULESETS and key in EXTRA_GAMES:
        register_rulesets([EXTRA_GAMES[key]])
    if key not in RULESETS:
        raise CommandError(
            f"There is no ruleset {key}. Choose one of {', '.join(dict.fromkeys((*RULESETS, *EXTRA_GAMES)))}."
        )
    return RULESETS[key]


def options_of(rules: Ruleset, words: list[str]) -> Any:
    """Options from `key=value` words. A value that is not on its menu is refused with the menu."""
    raw = dict(_parse_option(rules, word) for word in words)
    try:
        return rules.parse_options(raw)
    except Refused as refused:
        raise CommandError(str(refused)) from None


def _parse_option(rules: Ruleset, word: str) -> tuple[str, Any]:
    key, equals, value = word.partition("=")
    if not equals:
        raise CommandError(f"An option is written key=value, not {word!r}.")
    return key, next((choice for choice in rules.menus.get(key, ()) if str(choice).lower() == value.lower()), value)


def bots_of(rules: Ruleset, bot_list: str, seats: int, game: int, secret: str) -> list[str]:
    """The name of a bot for each seat: one for all (`mixed` picks house or random for each seat), or one per seat,
    rotated by a seat with every game."""
    names = bot_list.split(",")
    for name in names:
        if name not in (*rules.bots, MIXED):
            raise CommandError(f"{rules.title} has no bot {name}. Choose one of {', '.join((*rules.bots, MIXED))}.")
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        raise CommandError(f"--bots names one bot or one a seat; it names {len(names)} for {seats} seats.")
    chance, first = Chance(secret), -game % seats
    quick = [bot for bot in ("house", "random") if bot in rules.bots]
    bots = [chance.pick("bots", quick) if name == MIXED else name for name in names]
    return bots[first:] + bots[:first]
