"""Which games may be rated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from accounts.models import User
from game.boards.registry import board_of
from game.engine.actions import Refused
from game.engine.language import mark
from game.rulesets.registry import RULESETS
from game.store.game import Game, Pace

UNRATED_PACES = (Pace.CUSTOM, Pace.NO_CLOCK)
PEOPLE_ONLY = mark("A rated game is for people only. Take the bots out, or create a game that is not rated.")
NAMED_PACE = mark("Only games at a named pace are rated. Choose another pace, or create a game that is not rated.")
NAMED_RULES = mark(
    "Only games with the rules of a preset are rated. Set the options back to the preset’s, or create a game that is "
    "not rated."
)
NO_GUESTS = mark("Guests do not play rated games. Sign up first.")
CHANGED = mark("The host has just changed whether this game is rated. Look at the game again before you take a seat.")
SEATED = mark("Another player has already joined, so you can no longer change whether this game is rated.")


def check_rated(*, host: User, ruleset: str, pace: str, options: Mapping[str, Any], bots: int) -> None:
    """Raises `Refused` if such a game cannot be rated: ratings compare games under equal conditions."""
    if host.is_guest:
        raise Refused(NO_GUESTS, code="guests_play_bots")
    if bots:
        raise Refused(PEOPLE_ONLY, code="people_only")
    if pace in UNRATED_PACES:
        raise Refused(NAMED_PACE, code="not_rateable")
    if not is_preset(ruleset=ruleset, pace=pace, options=options):
        raise Refused(NAMED_RULES, code="not_rateable")


def check_change(*, game: Game, is_rated: bool) -> None:
    """Raises `Refused` if another player has joined on other terms already, or if the game cannot be rated."""
    if game.seats.filter(user__isnull=False).exclude(user=game.host_id).exists():
        raise Refused(SEATED, code="others_seated", field="is_rated")
    if is_rated:
        assert game.host is not None
        bots = game.seats.exclude(bot="").count()
        check_rated(host=game.host, ruleset=game.ruleset, pace=game.pace, options=game.options, bots=bots)


def check_agreed(*, game: Game, is_rated: bool | None) -> None:
    """Raises `Refused` if the terms changed since the joining player saw them; None means that they did not send what
    they saw."""
    if is_rated is not None and is_rated != game.is_rated:
        raise Refused(CHANGED, code="terms_changed", field="is_rated")


def is_preset(*, ruleset: str, pace: str, options: Mapping[str, Any]) -> bool:
    """Whether these are exactly the options of one of the ruleset's presets at that pace, or its default options if it
    has no presets."""
    rules, table = RULESETS[ruleset], board_of(ruleset).options
    presets = [preset.options for preset in table.presets] or [{}]
    preset_options = [msgspec.to_builtins(rules.parse_options({**table.at_pace(pace), **preset})) for preset in presets]
    return dict(options) in preset_options


def check_bots(game: Game) -> None:
    """Bots never play in rated games. Raises `Refused`."""
    if game.is_rated:
        raise Refused(PEOPLE_ONLY, code="people_only")
