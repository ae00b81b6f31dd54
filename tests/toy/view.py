"""What a seat may see of a game of Toy, and what it may ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from game.engine.flow import Flow, Phase
from game.engine.offers import Cell, Cells, Choice, Offer, Range, When
from game.engine.position import AnyPosition
from game.engine.progress import seat_states
from game.engine.view import SeatView, View, common_view, own_fields
from tests.toy.actions import HIGH, MOST_WAGERED
from tests.toy.flow import FLOW
from tests.toy.scoring import end_reason, standings
from tests.toy.state import COLUMNS, ROWS, ToyState


class ToySeat(SeatView, frozen=True, kw_only=True):
    """A seat as everybody sees it; the cards of a hand are its owner's alone."""

    coins: int
    points: int
    cards: int
    hand: tuple[int, ...] = ()


class Placed(msgspec.Struct, frozen=True):
    """A card on the board."""

    cell: str
    card: int
    seat: int


class ToyView(View, frozen=True, kw_only=True):
    """The table as one viewer may see it."""

    players: tuple[ToySeat, ...]
    board: tuple[Placed, ...]
    deck_left: int
    acting_seat: int | None


def viewer(position: AnyPosition) -> Callable[[int | None], ToyView]:
    """The views of a position. Hands are cut here and nowhere else."""
    state: ToyState = position.state
    states = seat_states(position, FLOW)
    seats = [_seat(state, seat, states[seat]) for seat in range(state.seats)]
    public = ToyView(
        seat=None,
        players=tuple(seats),
        board=tuple(Placed(cell, card, seat) for cell, (seat, card) in sorted(state.board.items())),
        deck_left=len(state.deck),
        acting_seat=state.acting,
        **common_view(position, FLOW, end=end_reason(state), standings=standings(state)),
    )

    def view(seat: int | None) -> ToyView:
        players = tuple(_own(state, player) if player.seat == seat else player for player in seats)
        return msgspec.structs.replace(public, players=players, **own_fields(position, seat, FLOW))

    return view


def _seat(state: ToyState, seat: int, progress: str) -> ToySeat:
    cards = len(state.hands[seat])
    coins, points = state.coins(seat), state.points[seat]
    return ToySeat(seat=seat, state=progress, score=state.score(seat), coins=coins, points=points, cards=cards)


def _own(state: ToyState, player: ToySeat) -> ToySeat:
    return msgspec.structs.replace(player, is_you=True, hand=tuple(sorted(state.hands[player.seat])))


def offers(state: ToyState, seat: int, flow: Flow, phase: Phase) -> list[Offer]:
    """What the seat may ask in the open phase."""
    if phase.name == "bidding":
        return [Offer("bid", "Bid", fields=(Range("coins", "Coins", 0, state.coins(seat), 0),), slot="bid", rule="T 2")]
    if state.acting != seat:
        return [_place(state, seat)]
    empty = "" if state.deck else "The deck is empty."
    return [
        _place(state, seat),
        Offer("draw", "Draw a card", refused=empty, rule="T 3"),
        Offer("stop", "End the turn", rule="T 3"),
    ]


def _place(state: ToyState, seat: int) -> Offer:
    hand = sorted(state.hands[seat])
    refused = "" if hand and state.free_cells else "You hold no card." if not hand else "Every cell is taken."
    high = When("card", tuple(card for card in hand if card >= HIGH))
    most = min(MOST_WAGERED, state.coins(seat))
    fields: tuple[Any, ...] = (
        Choice("card", "Card", tuple((card, str(card)) for card in hand)),
        Cells(
            "cell",
            "Cell",
            tuple(Cell(cell, cell, COLUMNS.index(cell[0]), ROWS.index(cell[1])) for cell in state.free_cells),
        ),
        Range("wager", "Wager", 0, most, 0, when=high),
    )
    return Offer("place", "Place a card", fields=() if refused else fields, refused=refused, slot="place", rule="T 4")
