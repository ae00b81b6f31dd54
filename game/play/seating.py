"""Assign and free seats before a game starts; seats are numbered without gaps."""

from __future__ import annotations

from game.engine.actions import Refused
from game.reputation import households
from game.store.game import Game, Seat
from game.store.seating import free_bot_name, note_bots, seats_of


def seat_somebody(*, game: Game, user_id: int | None = None, bot: str = "", name: str = "") -> Seat:
    """Assign the next free seat of a locked game; `name` is the name of a user's bot. Raises `Refused` if none is
    free."""
    seats = seats_of(game)
    if len(seats) >= game.seats_wanted:
        raise Refused("All {n} seats of this game are taken.", code="seat_taken", n=game.seats_wanted)
    if user_id is not None:
        households.check_seat(game=game, user_id=user_id)
    name = free_bot_name(seats) if bot else name
    seat = Seat.objects.create(game=game, number=len(seats), user_id=user_id, bot=bot, name=name)
    note_bots(game)
    return seat


def free_seat(*, game: Game, seat: Seat) -> None:
    """Remove a seat from a game that has not started; the seats behind it move up."""
    seat.delete()
    for number, other in enumerate(seats_of(game)):
        if other.number != number:
            Seat.objects.filter(pk=other.pk).update(number=number)
    note_bots(game)
