"""The seats of a game, names of bots, and the copy of the bots' seats in the game's row."""

from __future__ import annotations

from collections.abc import Iterable

from game.engine.actions import Refused
from game.store.game import Game, Seat

BOT_NAMES = (
    *("Abacus", "Bramble", "Clover", "Dynamo", "Ember", "Flint", "Garnet", "Harbour"),
    *("Indigo", "Jigsaw", "Kettle", "Lantern", "Magnet", "Nutmeg", "Orchard", "Pebble"),
    *("Quartz", "Rivet", "Sextant", "Thimble", "Umbra", "Vellum", "Walnut", "Xenon"),
)
"""One for every seat of the largest table; nobody can sign up with one of them."""


def seats_of(game: Game) -> list[Seat]:
    """The seats in order."""
    return list(game.seats.select_related("user").order_by("number"))


def find_seat(game: Game, number: int) -> Seat:
    """A seat of the game with its person. Raises `Refused`."""
    seat = game.seats.filter(number=number).select_related("user").first()
    if seat is None:
        raise Refused("This game has no seat {seat}.", code="no_such_seat", seat=number + 1)
    return seat


def free_bot_name(seats: Iterable[Seat]) -> str:
    """The first bot name that nobody in the game has; an old account may have one of these names."""
    used_names = {seat.shown_name for seat in seats}
    return next(name for name in BOT_NAMES if name not in used_names)


def note_bots(game: Game) -> None:
    """Copy the seats of bots and the caretaker to the game's row, because a move reads only that row."""
    seats = list(game.seats.order_by("number").values_list("number", "bot", "keeper"))
    game.bots = {str(number): bot for number, bot, _ in seats if bot}
    game.keepers = {str(number): keeper for number, bot, keeper in seats if keeper and not bot}
    game.bots_due = game.is_running and game.calls_bots
    game.version += 1
    game.save(update_fields=["bots", "keepers", "bots_due", "version"])
