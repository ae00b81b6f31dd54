"""Who has which seat: seats are numbered without gaps, and the game row has a copy of which are bots'."""

from __future__ import annotations

from collections.abc import Iterable

from game.engine.actions import Refused
from game.reputation import households
from game.store.game import Game, Seat

BOT_NAMES = (
    *("Abacus", "Bramble", "Clover", "Dynamo", "Ember", "Flint", "Garnet", "Harbour"),
    *("Indigo", "Jigsaw", "Kettle", "Lantern", "Magnet", "Nutmeg", "Orchard", "Pebble"),
    *("Quartz", "Rivet", "Sextant", "Thimble", "Umbra", "Vellum", "Walnut", "Xenon"),
)
"""One for every seat of the largest table; nobody can sign up with one of them."""


def one_line(text: str) -> str:
    """Typed text without line breaks and invisible letters, some of which reverse the text beside them."""
    return " ".join("".join(letter for letter in text if letter.isprintable() or letter.isspace()).split())


def seats_of(game: Game) -> list[Seat]:
    """The seats in order."""
    return list(game.seats.select_related("user").order_by("number"))


def find_seat(game: Game, number: int) -> Seat:
    """A seat of the game with its person. Raises `Refused`."""
    seat = game.seats.filter(number=number).select_related("user").first()
    if seat is None:
        raise Refused("This game has no seat {seat}.", code="no_such_seat", seat=number + 1)
    return seat


def seat_somebody(*, game: Game, user_id: int | None = None, bot: str = "", name: str = "") -> Seat:
    """Give the next free seat of a locked game away; `name` is that of somebody’s bot. Raises `Refused`
    where none is free."""
    seats = seats_of(game)
    if len(seats) >= game.seats_wanted:
        raise Refused("All {n} seats of this game are taken.", code="seat_taken", n=game.seats_wanted)
    if user_id is not None:
        households.check_seat(game=game, user_id=user_id)
    name = free_bot_name(seats) if bot else name
    seat = Seat.objects.create(game=game, number=len(seats), user_id=user_id, bot=bot, name=name)
    note_bots(game)
    return seat


def free_bot_name(seats: Iterable[Seat]) -> str:
    """The first name for a bot that no one in the game has; an account may be older than the name."""
    taken = {seat.shown_name for seat in seats}
    return next(name for name in BOT_NAMES if name not in taken)


def free_seat(*, game: Game, seat: Seat) -> None:
    """Take a seat away from a game that has not begun; those behind it move up."""
    seat.delete()
    for number, other in enumerate(seats_of(game)):
        if other.number != number:
            Seat.objects.filter(pk=other.pk).update(number=number)
    note_bots(game)


def note_bots(game: Game) -> None:
    """Copy to the game row which seats are played by bots, because a move reads only that row."""
    seats = list(game.seats.order_by("number").values_list("number", "bot", "keeper"))
    game.bots = {str(number): bot for number, bot, _ in seats if bot}
    game.keepers = {str(number): keeper for number, bot, keeper in seats if keeper and not bot}
    game.bots_due = game.is_running and game.calls_bots
    game.version += 1
    game.save(update_fields=["bots", "keepers", "bots_due", "version"])
