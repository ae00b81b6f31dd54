"""The table before the first turn. (PU 2)"""

from __future__ import annotations

from game.engine.ledger import OUTSIDE, Ledger, cash_of
from game.engine.play import Play
from game.rulesets.power_up.events import StartTileDrawn, TurnOrderSet
from game.rulesets.power_up.forecast import NEUTRAL
from game.rulesets.power_up.numbers import CELLS, NEIGHBOURS
from game.rulesets.power_up.options import Options
from game.rulesets.power_up.placing import fill_hand
from game.rulesets.power_up.state import PowerUpState
from game.rulesets.power_up.tables import COMPANIES, STARTING_CASH


def setup(options: Options, seats: int) -> PowerUpState:
    """An empty board: all tiles in the bag, no company active."""
    ledger = Ledger(shares={company: {} for company in COMPANIES})
    return PowerUpState(seats=seats, ledger=ledger, options=options, hands=[[] for _ in range(seats)], bag=list(CELLS))


def deal(play: Play[PowerUpState]) -> None:
    """Starting cash, start tiles, the turn order that follows from them, and five tiles for everybody."""
    state = play.state
    for seat in range(state.seats):
        play.pay(OUTSIDE, cash_of(seat), STARTING_CASH, why="set-up")
        draw_start_tile(play, seat)
    state.order = sorted(range(state.seats), key=state.start_tiles.__getitem__)
    play.emit(TurnOrderSet(order=tuple(state.order)))
    for seat in state.order:
        fill_hand(play, seat)


def draw_start_tile(play: Play[PowerUpState], seat: int) -> None:
    """A tile that touches no earlier start tile; it is placed on the board as a neutral one. (P-5)"""
    state = play.state
    allowed = [tile for tile in state.bag if not any(near in state.board for near in NEIGHBOURS[tile])]
    tile = play.chance.pick("start_tile", allowed)
    state.bag.remove(tile)
    state.board[tile] = NEUTRAL
    state.start_tiles.append(tile)
    play.emit(StartTileDrawn(seat=seat, tile=tile))
