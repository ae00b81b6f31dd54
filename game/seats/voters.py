"""Votes of players on pausing, ending or rewinding a game: who may vote, and whether all have agreed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from accounts import limits
from accounts.models import User
from game.engine.actions import Refused
from game.play import authority, moves, not_running
from game.store.game import Game, Keeper, Seat, Status

PLAYED = (Status.RUNNING, Status.PAUSED)
ANSWERS = ("agreed", "declined")
GRACE = {False: timedelta(minutes=10), True: timedelta(days=1)}
"""How long ending or rewinding a game waits for absent players to come back and vote, by whether the game is slow."""


def present_seats(game: Game) -> list[int]:
    """The seats whose votes count: those of present players. Bots and the caretaker do not vote."""
    return game.present_seats


def waits_until(game: Game, asked: Mapping[str, Any]) -> datetime | None:
    """Until when a proposal waits for players who are away; None if nobody is. Proposals of an earlier version, without
    `at`, count from their end."""
    if Keeper.AWAY not in game.keepers.values():
        return None
    return datetime.fromisoformat(asked.get("at", asked["until"])) + GRACE[game.is_slow]


def have_agreed(game: Game, asked: Mapping[str, Any]) -> bool:
    """True if all present players have agreed, and absent ones had their time to come back."""
    waits = waits_until(game, asked)
    return set(present_seats(game)) <= set(asked["agreed"]) and (waits is None or game.now >= waits)


def take_voter(
    game_id: int, user: User, statuses: Sequence[Status] = PLAYED, *, is_of_time: bool = False
) -> tuple[Game, Seat]:
    """Lock the game, and find the seat for which this person may vote. Raises `Refused`. A proxy votes if it
    `is_of_time`, such as a pause, because the clock counts the proxy's time and the player is away. Only the player
    votes on ending or rewinding the game, because it is their result."""
    game = moves.lock(game_id)
    seat = game.seats.select_related("user").filter(user=user).first() if game else None
    if game is None or seat is None:
        raise Refused("You have no seat in this game.", code="not_seated")
    authority.check_is_free(seat.user or user)
    if game.status not in statuses:
        raise Refused(not_running.reason_of(game), code="not_running")
    if user.is_bot:
        raise Refused("Bots have no say in this.", code="bots_have_no_say")
    if seat.keeper == Keeper.RESIGNED:
        raise Refused("You have resigned, so you have no say in this.", code="has_resigned")
    if seat.keeper:
        raise Refused(
            "The caretaker plays your seat, so you have no say in this. Take your seat back first.",
            code="caretaker_plays",
        )
    if game.has_proxy(seat.number) and not is_of_time:
        raise Refused(
            "You play this seat for its player. Only they can agree to this: they take their seat back first.",
            code="not_yours",
        )
    return game, seat


def count_proposal(game: Game, user: User) -> None:
    """Limit how often a player proposes and agrees in one game, because all others read it each time. Withdrawing is
    not counted. Raises `limits.TooMany`."""
    limits.spend("proposal", f"{user.pk}.{game.pk}")


def forget_words(game: Game, seat: int) -> None:
    """A new player does not inherit the previous player's votes or proposals; remove them. Saves the locked game."""
    proposals = {"ending": game.ending, "pause": game.pause.get("proposal", {}), "rewinding": game.rewinding}
    remaining = {
        name: {} if proposal.get("by") == seat else _remove_votes(proposal, seat)
        for name, proposal in proposals.items()
    }
    if remaining == proposals:
        return
    game.ending, game.rewinding = remaining["ending"], remaining["rewinding"]
    pause = {name: value for name, value in game.pause.items() if name != "proposal"}
    game.pause = {**pause, "proposal": remaining["pause"]} if remaining["pause"] else pause
    game.save(update_fields=["ending", "pause", "rewinding"])


def _remove_votes(proposal: Mapping[str, Any], seat: int) -> dict[str, Any]:
    answers = {name: [each for each in proposal[name] if each != seat] for name in ANSWERS if name in proposal}
    return {**proposal, **answers}
