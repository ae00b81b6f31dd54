"""Who votes on what the players of a game decide together: pausing it, ending it, rewinding it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from accounts.models import User
from game.engine.actions import Refused
from game.models import Game, Keeper, Seat, Status
from game.services import moves, standstill

PLAYED = (Status.RUNNING, Status.PAUSED)
GRACE = {False: timedelta(minutes=10), True: timedelta(days=1)}
"""How long ending or rewinding a game waits for players who are away, who may come back and be asked too; by whether
the game is slow."""


def present_seats(game: Game) -> list[int]:
    """Whose vote counts: the players who are present. Bots do not vote, nor does the caretaker."""
    return [number for number in range(game.seats_wanted) if not game.is_played_for(number)]


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
    if game.status not in statuses:
        raise Refused(standstill.reason_of(game), code="not_running")
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
