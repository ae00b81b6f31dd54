"""Who votes on what the players of a game decide together: pausing it, ending it, rewinding it."""

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
"""How long ending or rewinding a game waits for players who are away, who may come back and be asked too; by whether
the game is slow."""


def present_seats(game: Game) -> list[int]:
    """Whose vote counts: the players who are present. Bots do not vote, nor does the caretaker."""
    return game.present_seats


def waits_until(game: Game, asked: Mapping[str, Any]) -> datetime | None:
    """The instant before which nothing is done, because a player who is away may still come back; None if no one is. A
    request made by an earlier version does not say when: it waits until its end."""
    if Keeper.AWAY not in game.keepers.values():
        return None
    return datetime.fromisoformat(asked.get("at", asked["until"])) + GRACE[game.is_slow]


def have_agreed(game: Game, asked: Mapping[str, Any]) -> bool:
    """Whether all who are present have agreed, and those who are away had their time to come back."""
    waits = waits_until(game, asked)
    return set(present_seats(game)) <= set(asked["agreed"]) and (waits is None or game.now >= waits)


def take_voter(
    game_id: int, user: User, statuses: Sequence[Status] = PLAYED, *, is_of_time: bool = False
) -> tuple[Game, Seat]:
    """The locked game and the seat for which this person may vote. Raises `Refused`. A proxy votes if it `is_of_time`,
    such as a pause, because the clock counts the proxy's time and the player is away. On ending or rewinding the game
    only the player votes, because it is their result."""
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
    """Limit how often one player proposes and agrees in one game: each time all others read it, and withdrawing it is
    free. Raises `limits.TooMany`."""
    limits.spend("proposal", f"{user.pk}.{game.pk}")


def forget_words(game: Game, seat: int) -> None:
    """Nobody speaks by what another person said who had the seat before: what that one proposed is gone, and so are
    their answers. Saves the locked game."""
    asked = {"ending": game.ending, "pause": game.pause.get("proposal", {}), "rewinding": game.rewinding}
    left = {name: {} if stands.get("by") == seat else _without(stands, seat) for name, stands in asked.items()}
    if left == asked:
        return
    game.ending, game.rewinding = left["ending"], left["rewinding"]
    kept = {name: value for name, value in game.pause.items() if name != "proposal"}
    game.pause = {**kept, "proposal": left["pause"]} if left["pause"] else kept
    game.save(update_fields=["ending", "pause", "rewinding"])


def _without(stands: Mapping[str, Any], seat: int) -> dict[str, Any]:
    answers = {name: [each for each in stands[name] if each != seat] for name in ANSWERS if name in stands}
    return {**stands, **answers}
