"""Positions that differ only in what a viewer may not know."""

from __future__ import annotations

from collections import Counter

import msgspec

from game.engine.position import AnyPosition
from game.rulesets.stock_market_tycoon.cards import cards_of, deck_of
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON
from game.rulesets.stock_market_tycoon.state import OwnedCard, TycoonState


def otherwise(position: AnyPosition, viewer: int | None) -> AnyPosition:
    """The same position to `viewer`: others' hands are dealt from all that the viewer does not hold, the other way
    round, and their Directors withheld and kept other cards."""
    state: TycoonState = STOCK_MARKET_TYCOON.codec.copy(position.state)
    unknown = Counter(deck_of(state.options.variant))
    if viewer is not None:
        unknown.subtract(state.hands[viewer])
    pool = sorted((+unknown).elements(), reverse=position.cursor.serial % 2 == 0)
    for seat in range(state.seats):
        if seat != viewer:
            count = len(state.hands[seat])
            state.hands[seat], pool = pool[:count], pool[count:]
    for company, kept in state.withheld.items():
        if kept.seat != viewer:
            other = next(card for card in cards_of(company, deck_of(state.options.variant)) if card != kept.card)
            state.withheld[company] = OwnedCard(kept.seat, other)
    state.kept_cards = {
        seat: own if seat == viewer else ["blank" for _ in own] for seat, own in state.kept_cards.items()
    }
    return msgspec.structs.replace(position, state=state)


def views_differ(position: AnyPosition, viewer: int | None) -> bool:
    """Whether the viewer could tell the position from one that is otherwise where they may not look."""
    encode, view = STOCK_MARKET_TYCOON.codec.encode, STOCK_MARKET_TYCOON.view
    return encode(view(position, viewer)) != encode(view(otherwise(position, viewer), viewer))
