"""The table before the first companies. (BS 2)"""

from __future__ import annotations

from game.engine.ledger import OUTSIDE, Ledger, cash_of
from game.engine.play import Play
from game.rulesets.big_shoulders.building import deal_tiles
from game.rulesets.big_shoulders.demand import fill_slot
from game.rulesets.big_shoulders.effects import ASSET_KEYS, LAST_START_ASSET, START_ASSETS, TILES, tiles_of
from game.rulesets.big_shoulders.events import FirstSeatDrawn, GoalsShown
from game.rulesets.big_shoulders.options import Options
from game.rulesets.big_shoulders.state import (
    BAG,
    HAYMARKET,
    MARKET,
    SUPPLY,
    WORKERS,
    ShouldersState,
    unissued,
)
from game.rulesets.big_shoulders.supply import refill
from game.rulesets.big_shoulders.tables import (
    CUBES,
    CUBES_IN_GAME,
    DEMAND,
    FIRST_WORKERS,
    GOALS,
    GOALS_SHOWN,
    HAND_SIZE,
    HAYMARKET_START,
    PARTNERS,
    STARTING_CASH,
    TRADES,
    demand_of,
)

ALL_WORKERS = 60
"""More than the market and all factories together hold, so that the supply never ends. (BS 1.7)"""


def setup(options: Options, seats: int) -> ShouldersState:
    """A table without started companies, with all tiles in their decks."""
    shares = unissued()
    for cube in CUBES:
        shares[cube] = {BAG: CUBES_IN_GAME[cube] - HAYMARKET_START, HAYMARKET: HAYMARKET_START}
    shares[WORKERS] = {SUPPLY: ALL_WORKERS - FIRST_WORKERS, MARKET: FIRST_WORKERS}
    return ShouldersState(
        seats=seats,
        turn=1,
        options=options,
        ledger=Ledger(shares=shares),
        sold=[[] for _ in range(seats)],
        partners=[PARTNERS] * seats,
        ready=[PARTNERS] * seats,
        first_companies=[None] * seats,
        hands=[[] for _ in range(seats)],
        built=[[] for _ in range(seats)],
        discarded=[[] for _ in range(seats)],
        era_decks={era: tiles_of(era, seats) for era in sorted({row.era for row in TILES.values()})},
        demand={trade: [None, None, None] for trade in TRADES},
        demand_deck={pips: demand_of(pips, seats) for pips in DEMAND},
        printed=dict.fromkeys(TRADES, 0),
        asset_deck=[asset for asset in ASSET_KEYS if asset not in (*START_ASSETS, LAST_START_ASSET)],
        awards=[0] * seats,
    )


def deal(play: Play[ShouldersState]) -> None:
    """Deal cash, the first seat, goals, demand, assets, building tiles and cubes, in this order. (BS 2, B-3)"""
    state = play.state
    for seat in range(state.seats):
        play.pay(OUTSIDE, cash_of(seat), STARTING_CASH, why="set-up")
    first = play.chance.pick("first_seat", range(state.seats))
    state.queue = [(first - step) % state.seats for step in range(state.seats)]
    state.order = state.queue[::-1]
    state.next_order = list(state.order)
    state.priority = state.order[0]
    play.emit(FirstSeatDrawn(seat=first, order=tuple(state.queue)))
    if state.options.goals:
        state.goals = sorted(play.chance.sample("goals", list(GOALS), GOALS_SHOWN))
        play.emit(GoalsShown(goals=tuple(state.goals)))
    for column in range(3):
        for trade in TRADES:
            fill_slot(play, trade, column)
    state.assets = [*play.chance.order("asset_start", list(START_ASSETS)), LAST_START_ASSET]
    deal_tiles(play, HAND_SIZE)
    refill(play)
