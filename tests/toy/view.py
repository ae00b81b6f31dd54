"""What a seat may see of a game of Toy, and what it may ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec

from game.engine.flow import Flow, Phase
from game.engine.language import mark, say
from game.engine.offers import Cell, Cells, Choice, Offer, Queue, Range, When
from game.engine.position import AnyPosition
from game.engine.progress import shown_states
from game.engine.view import SeatView, View, common_view, own_fields
from tests.toy.actions import HIGH, MOST_PLANNED, MOST_WAGERED
from tests.toy.flow import LONG_FLOW, flow_of
from tests.toy.scoring import end_reason, standings
from tests.toy.state import COLUMNS, ROWS, ToyState


class ToySeat(SeatView, frozen=True, kw_only=True):
    """A seat as everybody sees it; the cards of a hand are its owner's alone."""

    coins: int
    points: int
    cards: int
    hand: tuple[int, ...] = ()
    private: ClassVar[tuple[str, ...]] = ("hand",)


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
    flow = flow_of(state.options)
    states = shown_states(position, flow, None)
    seats = [_seat(state, seat, states[seat]) for seat in range(state.seats)]
    public = ToyView(
        seat=None,
        players=tuple(seats),
        board=tuple(Placed(cell, card, seat) for cell, (seat, card) in sorted(state.board.items())),
        deck_left=len(state.deck),
        acting_seat=state.acting,
        **common_view(position, flow, end=end_reason(state), standings=standings(state)),
    )

    def view(seat: int | None) -> ToyView:
        own = shown_states(position, flow, seat)
        players = tuple(_own(state, player, own) if player.seat == seat else player for player in seats)
        return msgspec.structs.replace(public, players=players, **own_fields(position, seat, flow))

    return view


def _seat(state: ToyState, seat: int, progress: str) -> ToySeat:
    cards = len(state.hands[seat])
    coins, points = state.coins(seat), state.points[seat]
    return ToySeat(seat=seat, state=progress, score=state.score(seat), coins=coins, points=points, cards=cards)


def _own(state: ToyState, player: ToySeat, states: list[str]) -> ToySeat:
    hand = tuple(sorted(state.hands[player.seat]))
    return msgspec.structs.replace(player, is_you=True, state=states[player.seat], hand=hand)


def offers(state: ToyState, seat: int, flow: Flow, phase: Phase) -> list[Offer]:
    """What the seat may ask in the open phase."""
    if phase.name == "bidding":
        coins = Range("coins", mark("Coins"), 0, state.coins(seat), 0, step=state.options.bid_step)
        return [Offer("bid", mark("Bid"), fields=(coins,), slot="bid", rule="T 2")]
    if phase.name == "exchange":
        return [_exchange(state, seat)]
    planned = [_plan(state, seat)] if flow is LONG_FLOW else []
    if state.acting != seat:
        return [_place(state, seat), *planned]
    empty = "" if state.deck else say("The deck is empty.")
    ahead = [_exchange(state, seat)] if flow is LONG_FLOW else []
    return [
        _place(state, seat),
        Offer("draw", mark("Draw a card"), refused=empty, rule="T 3"),
        Offer("stop", mark("End the turn"), rule="T 3"),
        *planned,
        *ahead,
    ]


def _exchange(state: ToyState, seat: int) -> Offer:
    low = state.low_cards(seat)
    fields = (Choice("card", mark("Card"), tuple((card, str(card)) for card in low)),) if low else ()
    refused = "" if low else say("You hold no low card.")
    return Offer(
        "exchange",
        mark("Exchange a low card"),
        fields=fields,
        refused=refused,
        slot="exchange",
        rule="T 9",
        group=mark("For later"),
    )


def _plan(state: ToyState, seat: int) -> Offer:
    place = _place(state, seat)
    entries = Queue("entries", mark("Step"), (place, Offer("stop", mark("End the turn"))), MOST_PLANNED, least=1)
    fields = () if place.refused else (entries,)
    return Offer(
        "plan",
        mark("Plan ahead"),
        fields=fields,
        refused=place.refused,
        slot="plan",
        rule="T 8",
        group=mark("For later"),
    )


def _place(state: ToyState, seat: int) -> Offer:
    hand = sorted(state.hands[seat])
    refused = "" if hand and state.free_cells else say("You hold no card.") if not hand else say("Every cell is taken.")
    high = When("card", tuple(card for card in hand if card >= HIGH))
    most = min(MOST_WAGERED, state.coins(seat))
    fields: tuple[Any, ...] = (
        Choice("card", mark("Card"), tuple((card, str(card)) for card in hand)),
        Cells(
            "cell",
            mark("Cell"),
            tuple(Cell(cell, cell, COLUMNS.index(cell[0]), ROWS.index(cell[1])) for cell in state.free_cells),
        ),
        Range("wager", mark("Wager"), 0, most, 0, when=high),
    )
    return Offer(
        "place", mark("Place a card"), fields=() if refused else fields, refused=refused, slot="place", rule="T 4"
    )
