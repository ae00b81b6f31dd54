"""What happens in Toy."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Event
from game.engine.language import mark


class BidPaid(Event, frozen=True, kw_only=True, tag="bid_paid"):
    """The bids were opened."""

    seat: int
    coins: int
    text: ClassVar[str] = mark("{seat} bid for an early turn.")
    figures: ClassVar[str] = "{coins}"
    you: ClassVar[str] = mark("You bid for an early turn.")
    label: ClassVar[str] = mark("Bid")
    weight: ClassVar[int] = 40


class HandGrew(Event, frozen=True, kw_only=True, tag="hand_grew"):
    """Everybody sees that a card was drawn."""

    seat: int
    text: ClassVar[str] = mark("{seat} drew a card.")
    you: ClassVar[str] = mark("You drew a card.")


class CardDrawn(Event, frozen=True, kw_only=True, tag="card_drawn"):
    """Only its owner sees which."""

    seat: int
    card: int
    text: ClassVar[str] = mark("You drew the {card}.")


class CardPlaced(Event, frozen=True, kw_only=True, tag="card_placed"):
    """A card lies on the board."""

    seat: int
    card: int
    cell: str
    text: ClassVar[str] = mark("{seat} placed the {card} on {cell}.")
    you: ClassVar[str] = mark("You placed the {card} on {cell}.")
    label: ClassVar[str] = mark("Placed")
    tone: ClassVar[str] = "good"


class CardExchanged(Event, frozen=True, kw_only=True, tag="card_exchanged"):
    """Only its owner sees that there was an exchange at all."""

    seat: int
    card: int
    other: int
    text: ClassVar[str] = mark("You exchanged the {card} for the {other}.")
    label: ClassVar[str] = mark("Exchanged")


class WentBroke(Event, frozen=True, kw_only=True, tag="went_broke"):
    """A seat is out of the game."""

    seat: int
    text: ClassVar[str] = mark("{seat} has no coins left and is out of the game.")
    you: ClassVar[str] = mark("You have no coins left and are out of the game.")


class VotedOut(Event, frozen=True, kw_only=True, tag="voted_out"):
    """The others have put a seat out of the game."""

    seat: int
    text: ClassVar[str] = mark("{seat} is out of the game: the others voted for it.")
    you: ClassVar[str] = mark("You are out of the game: the others voted for it.")


class TurnEnded(Event, frozen=True, kw_only=True, tag="turn_ended"):
    """A seat has done its turn."""

    seat: int
    text: ClassVar[str] = mark("{seat} ended the turn.")
    you: ClassVar[str] = mark("You ended the turn.")


AnyEvent = BidPaid | HandGrew | CardDrawn | CardPlaced | CardExchanged | WentBroke | VotedOut | TurnEnded
EVENTS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in AnyEvent.__args__}
