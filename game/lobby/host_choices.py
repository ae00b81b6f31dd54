"""Checks a host's choices for a game: the rules, the pace and its timing, the options, the bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.conf import settings

from accounts.models import User
from game.boards.registry import board_of
from game.deadlines.paces import DECISION, LENGTHS, PLAIN, Timing, length_words
from game.engine.actions import Refused
from game.engine.language import count, mark
from game.engine.ruleset import Ruleset
from game.play import devices
from game.play.authority import BOTS_ALONE
from game.reputation.ratings import ONE_DEVICE
from game.rulesets.registry import RULESETS
from game.site import features
from game.store.game import Pace

HOUSE = "house"
NEEDS_A_CLOCK = mark(
    "A game without a clock is for one person and bots. Choose another pace to play with other people."
)
LEAST_LENGTH, MOST_LENGTH = 60, 14 * 86400  # seconds


def rules_for(ruleset: str, seats: int) -> Ruleset:
    """The rules of that name, if they allow this number of players. Raises `Refused`."""
    if ruleset not in RULESETS:
        raise Refused(
            "There is no game {game}. Choose one of {games}.",
            game=ruleset,
            games=", ".join(RULESETS),
            code="no_such_ruleset",
            field="ruleset",
        )
    features.check_ruleset(ruleset)
    rules = RULESETS[ruleset]
    if seats not in rules.seats:
        least, most = min(rules.seats), max(rules.seats)
        raise rules.refused(
            "seats",
            "{title} is for {least} to {most} players, not for {seats}.",
            title=rules.title,
            least=least,
            most=most,
            seats=seats,
        )
    return rules


def read_options(*, ruleset: str, raw: Mapping[str, Any]) -> Any:
    """Options from untrusted input, each from its menu or from the choices that tests add. Raises `Refused`."""
    rules, extra = RULESETS[ruleset], _extra_choices(RULESETS[ruleset])
    extra_options = {
        name: value
        for name, value in raw.items()
        if any(type(value) is type(choice) and value == choice for choice in extra.get(name, ()))
    }
    parsed_options = rules.parse_options({name: value for name, value in raw.items() if name not in extra_options})
    return msgspec.structs.replace(parsed_options, **extra_options) if extra_options else parsed_options


def check_pace(pace: str, *, seats: int, bots: int) -> None:
    if pace not in Pace.values:
        raise Refused(
            "There is no pace {pace}. Choose one of {paces}.",
            pace=pace,
            paces=", ".join(Pace.values),
            code="no_such_pace",
            field="pace",
        )
    if pace == Pace.NO_CLOCK and bots != seats - 1:
        raise Refused(NEEDS_A_CLOCK, code="needs_a_clock", field="pace")


def read_timing(pace: str, raw: Mapping[str, Any]) -> Timing:
    """The timing of a custom pace from untrusted input. Raises `Refused`."""
    if pace != Pace.CUSTOM:
        return PLAIN
    if not raw:
        return Timing({DECISION: LENGTHS[pace][DECISION]})
    try:
        timing = msgspec.convert(raw, Timing)
    except msgspec.ValidationError as error:
        raise Refused(
            "These lengths and times do not work: {why}.", why=str(error), code="wrong_timing", field="timing"
        ) from error
    lengths = [*timing.lengths.values(), *([timing.cap] if timing.counts_hours else [])]
    if any(not LEAST_LENGTH <= length <= MOST_LENGTH for length in lengths) or timing.cap < 0:
        raise Refused(
            "A phase lasts {least} to {most}.",
            least=length_words(LEAST_LENGTH),
            most=length_words(MOST_LENGTH),
            code="wrong_length",
            field="timing",
        )
    return timing


def menus_of(rules: Ruleset) -> dict[str, tuple[Any, ...]]:
    """The choices for each option on this copy of the site."""
    extra = _extra_choices(rules)
    return {name: (*menu, *extra.get(name, ())) for name, menu in rules.menus.items()}


def check_level(ruleset: str, level: str) -> None:
    board = board_of(ruleset)
    if board.level(level) is None:
        names = ", ".join(bot_level.key for bot_level in board.levels)
        raise Refused("There is no such bot. Choose one of {known}.", known=names, code="no_such_bot", field="level")


def levels_of(ruleset: str, level: str | Sequence[str], bots: int) -> Sequence[str]:
    """The level of each bot. Raises `Refused`."""
    levels = [level] * bots if isinstance(level, str) else level
    for each in dict.fromkeys(levels):
        check_level(ruleset, each)
    return levels


def _extra_choices(rules: Ruleset) -> dict[str, tuple[Any, ...]]:
    """Choices on no menu, such as very short games; tests and benchmarks set `EXTRA_CHOICES`, by option."""
    return {name: tuple(more) for name, more in getattr(settings, "EXTRA_CHOICES", {}).items() if name in rules.menus}


def check_companions(host: User, typed: Sequence[str], *, free: int, is_rated: bool) -> list[str]:
    """The names of the others at the host's device, for whom there are `free` seats. Raises `Refused`."""
    names = devices.read_names(host, typed)
    if not names:
        return []
    if host.is_guest:
        raise Refused(BOTS_ALONE, code="bots_alone", field="companions")
    if is_rated:
        raise Refused(ONE_DEVICE, code="one_device", field="is_rated")
    check_room(len(names), free)
    return names


def check_room(companions: int, free: int) -> None:
    """Check that others at the host's device find seats. Raises `Refused`."""
    if companions > free:
        raise Refused(
            "You named {names} at your device, and there is room for {free}. Take more seats or fewer bots.",
            names=count("{n} other player", "{n} other players", companions),
            free=free,
            code="no_room",
            field="companions",
        )


def check_bots(host: User, seats: int, bots: int, *, is_open: bool) -> None:
    """Check the number of bots; a guest plays with bots alone. Raises `Refused`."""
    if host.is_bot:
        raise Refused("Bots can only join games of people; they cannot create games.", code="bots_host_nothing")
    check_bot_count(seats, bots)
    if host.is_guest and (is_open or bots != seats - 1):
        raise Refused(BOTS_ALONE, code="bots_alone", field="bots")


def check_bot_count(seats: int, bots: int) -> None:
    """Check that the bots leave the host a seat. Raises `Refused`."""
    if not 0 <= bots < seats:
        raise Refused(
            "With {seats} seats you can add up to {most}; you chose {bots}.",
            seats=seats,
            most=count("{n} bot", "{n} bots", seats - 1),
            bots=bots,
            code="too_many_bots",
            field="bots",
        )
