"""The ladder of modes: values of options that open to an account by games it has finished or won with other people. A
site that does not set `UNLOCKS` opens everything; a host may waive it for a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.db.models import Count, Q

from accounts.models import User
from game.boards.registry import board_of
from game.engine.actions import Refused
from game.engine.language import count, mark
from game.engine.ruleset import Ruleset, Unlock
from game.rulesets.registry import RULESETS, listed_rules
from game.store.game import Game, Keeper, Seat, Status

LEAST_PEOPLE = 2
LOCKED = mark("{value} is locked until you have {needed} with other people. You have {done}.")


def has_ladder(rules: Ruleset) -> bool:
    """True if this site locks any option of a game."""
    return bool(settings.UNLOCKS and rules.unlocks)


def locked(rules: Ruleset, user: User) -> dict[tuple[str, Any], Refused]:
    """The options and values locked to a user, each with the reason and how to open it. Nothing is locked to bots."""
    if not has_ladder(rules) or user.is_bot:
        return {}
    refusals = {}
    for (option, value), unlock in rules.unlocks.items():
        done = _games_done(rules, user, option, unlock)
        if done < unlock.games:
            refusals[option, value] = _reason(rules, option, value, unlock, done)
    return refusals


def check(*, game: Game, user: User) -> None:
    """Raises `Refused` with the reason if a game's options are locked to a user and its host does not waive it."""
    refusal = None if game.waives_unlocks else _refusal(locked(game.rules, user), game.options)
    if refusal:
        raise refusal


def _refusal(closed: Mapping[tuple[str, Any], Refused], options: Mapping[str, Any]) -> Refused | None:
    return next((refusal for (option, value), refusal in closed.items() if options.get(option) == value), None)


def closed_games(user: User) -> Q:
    """The games whose options are locked to a user and whose hosts do not waive it."""
    closed = Q(pk__in=[])
    for key, rules in RULESETS.items():
        for option, value in locked(rules, user):
            closed |= Q(ruleset=key, waives_unlocks=False, **{f"options__{option}": value})
    return closed


def reasons_for(user: User, games: Iterable[Game]) -> dict[int, str]:
    """Why a user cannot join some of these games, by game; two queries for each locked value of their rulesets."""
    waiting = [game for game in games if not game.waives_unlocks]
    closed = {key: locked(listed_rules(key), user) for key in {game.ruleset for game in waiting}}
    refusals = {game.pk: _refusal(closed[game.ruleset], game.options) for game in waiting}
    return {pk: str(refusal) for pk, refusal in refusals.items() if refusal}


def _games_done(rules: Ruleset, user: User, option: str, unlock: Unlock) -> int:
    """Finished games with two or more people in which the user had a seat at the end and had not resigned."""
    seats = Seat.objects.filter(
        user=user,
        game__ruleset=rules.key,
        game__status=Status.FINISHED,
        game__lesson="",
        **{f"game__options__{option}": unlock.after},
    ).exclude(keeper=Keeper.RESIGNED)
    if unlock.is_won:
        seats = seats.filter(place=1)
    people = Count("game__seats", filter=Q(game__seats__user__is_bot=False, game__seats__bot=""))
    return seats.annotate(people=people).filter(people__gte=LEAST_PEOPLE).count()


def _reason(rules: Ruleset, option: str, value: Any, unlock: Unlock, done: int) -> Refused:
    table = board_of(rules.key).options
    after = table.in_words(option, unlock.after)
    if unlock.is_won:
        needed = count("{n} game of {after} won", "{n} games of {after} won", unlock.games, after=after)
    else:
        needed = count("{n} game of {after} finished", "{n} games of {after} finished", unlock.games, after=after)
    value_words = table.in_words(option, value)
    return Refused(LOCKED, value=value_words, needed=needed, done=done, code="locked", field="options")
