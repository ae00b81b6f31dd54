"""Positions that differ only in what a viewer may not know."""

from __future__ import annotations

import msgspec

from game.engine.position import AnyPosition
from game.rulesets.big_shoulders.building import Choose
from game.rulesets.big_shoulders.effects import TILES
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS
from game.rulesets.big_shoulders.state import ShouldersState


def otherwise(position: AnyPosition, viewer: int | None) -> AnyPosition:
    """The same position to `viewer`: others' hands, their discards and the era decks are the same tiles the other way
    round, others have chosen otherwise, and have left no standing orders."""
    state: ShouldersState = BIG_SHOULDERS.codec.copy(position.state)
    others = [seat for seat in range(state.seats) if seat != viewer]
    for era in state.era_decks:
        _turn_round(state, others, era)
    pending = {
        seat: inputs if seat == viewer else {slot: _other_choice(state, seat) for slot in inputs if slot == "choose"}
        for seat, inputs in position.pending.items()
    }
    return msgspec.structs.replace(position, state=state, pending=pending)


def _turn_round(state: ShouldersState, others: list[int], era: int) -> None:
    """The unseen tiles of an era, dealt out again from their other end."""
    places = [*(state.hands[seat] for seat in others), *(state.discarded[seat] for seat in others)]
    piles = [*places, state.era_decks[era]]
    counts = [sum(TILES[tile].era == era for tile in pile) for pile in piles]
    unseen = sorted(tile for pile in piles for tile in pile if TILES[tile].era == era)[::-1]
    for pile, count in zip(piles, counts, strict=True):
        pile[:] = sorted([*(tile for tile in pile if TILES[tile].era != era), *unseen[:count]])
        unseen = unseen[count:]


def _other_choice(state: ShouldersState, seat: int) -> Choose:
    hand = state.hands[seat]
    return Choose(actor=seat, build=hand[-1], discard=hand[0])
