"""The demand board: drawing tiles, and what the cleanup does with full ones. (BS 1.12, BS 8)"""

from __future__ import annotations

from game.engine.play import Play
from game.rulesets.big_shoulders.company_events import DemandCleared, DemandDrawn
from game.rulesets.big_shoulders.state import DemandTile, ShouldersState
from game.rulesets.big_shoulders.tables import PRINTED_CAPACITY, SLOTS, TRADES, Trade


def fill_slot(play: Play[ShouldersState], trade: Trade, column: int) -> None:
    """Put a tile of the lowest pips that are left into a slot, each equally likely; nothing once the deck is empty.
    (B-58)"""
    state = play.state
    pips = next((pips for pips, left in state.demand_deck.items() if left), None)
    if pips is None:
        return
    capacity = play.chance.pick("demand", state.demand_deck[pips])
    state.demand_deck[pips].remove(capacity)
    state.demand[trade][column] = DemandTile(pips, capacity)
    play.emit(DemandDrawn(trade=trade, slot=SLOTS[column], capacity=capacity))


def clear_demand(play: Play[ShouldersState]) -> None:
    """Remove full tiles and the tile that accepts nothing, empty a full printed slot, let rows slide, and fill the
    slots column by column. (BS 8, B-56, B-57)"""
    state = play.state
    for trade in TRADES:
        row = state.demand[trade]
        for column, tile in enumerate(row):
            if tile is not None and not tile.room:
                row[column] = None
                play.emit(DemandCleared(trade=trade, slot=SLOTS[column], capacity=tile.capacity))
        if state.printed[trade] == PRINTED_CAPACITY:
            state.printed[trade] = 0
            play.emit(DemandCleared(trade=trade, slot=SLOTS[1], capacity=PRINTED_CAPACITY))
        left = [tile for tile in row if tile is not None]
        state.demand[trade] = [*left, *[None] * (len(SLOTS) - len(left))]
    for column in range(len(SLOTS)):
        for trade in TRADES:
            if state.demand[trade][column] is None:
                fill_slot(play, trade, column)
