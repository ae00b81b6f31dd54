"""What pages say of seats that the caretaker plays, and of leaving a game."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from django.urls import reverse

from game.engine.phrases import listed
from game.models import Game, Keeper, Seat, Status
from game.seat_badges import ordinal

PLAYED = (Status.RUNNING, Status.PAUSED)


class Kept(NamedTuple):
    """What somebody reads whose own seat the caretaker plays; `url` takes the seat back, where that is possible."""

    lead: str
    text: str
    url: str = ""


class Leave(NamedTuple):
    """What the foot of a game's page offers those who cannot stay."""

    resign_url: str = ""


class Seated(Protocol):
    """A seat, read whole or in part."""

    @property
    def number(self) -> int: ...
    @property
    def keeper(self) -> str: ...


def kept_of(game: Game, keeper: str) -> Kept | None:
    """What the owner of a seat is told while the caretaker plays it; nobody else is."""
    caretaker = game.rules.caretaker
    if not keeper or game.status not in {*PLAYED, Status.HELD}:
        return None
    if keeper == Keeper.RESIGNED:
        return Kept("You have resigned.", f"The caretaker plays your seat: {caretaker.once_resigned}.")
    text = f"You missed two decisions in a row, so for now {caretaker.while_away}. Your next decision is yours again."
    return Kept("The caretaker plays for you – take your seat back.", text, reverse("take_seat_back", args=[game.pk]))


def leave_of(game: Game, seat: Seated | None) -> Leave:
    """What this reader may do to leave; nothing before the start and after the end."""
    may_resign = seat is not None and seat.keeper != Keeper.RESIGNED and game.status in PLAYED
    return Leave(reverse("resign", args=[game.pk]) if may_resign else "")


def resign_context(*, game: Game, seat: Seat) -> dict[str, Any]:
    """What resigning means, before it is done: who plays on, the place at the end, and what cannot be undone."""
    seats = {each.number: each for each in game.seats.select_related("user")}
    left = game.load_position().state.left
    place = len(seats) - len(left)
    above = listed(seats[number].shown_name for number in reversed(left))
    present = [number for number in seats if not game.is_played_for(number) and number != seat.number]
    return {
        "game": game,
        "caretaker": game.rules.caretaker.once_resigned,
        "place": f"{ordinal(place)} of {len(seats)}",
        "above": above,
        "is_last": not present,
        "is_open": game.is_open,
        "resign_url": reverse("resign", args=[game.pk]),
    }
