"""The table before the first phase. (S 1)"""

from __future__ import annotations

from game.engine.ledger import BANK, OUTSIDE, cash_of
from game.engine.play import Play
from game.rulesets.sectors.companies import open_company
from game.rulesets.sectors.effects.prestige import lay_track
from game.rulesets.sectors.effects.research import compose_deck
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.state import Sector, SectorsState
from game.rulesets.sectors.tables.common import ECONOMY_START, SECTORS_IN_PLAY
from game.rulesets.sectors.tables.names import STARTING
from game.rulesets.sectors.tables.sectors import SECTORS


def setup(options: Options, seats: int) -> SectorsState:
    """An empty table: options and seats, before anything is dealt."""
    return SectorsState(
        seats=seats,
        turn=1,
        options=options,
        pool=options.consumers,
        economy=ECONOMY_START,
        incomes=[0] * seats,
        priority=list(range(seats)),
    )


def deal(play: Play[SectorsState]) -> None:
    """Fund bank and players, then draw sectors, companies, deck and track. (S 1.1–1.8)"""
    state = play.state
    play.pay(OUTSIDE, BANK, state.options.bank, why="set-up")
    for seat in range(state.seats):
        play.pay(OUTSIDE, cash_of(seat), state.options.starting_cash, why="set-up")
    drawn = draw_sectors(play)
    for place, key in enumerate([key for key in SECTORS if key in drawn], 1):
        state.sectors[key] = Sector(key, place, SECTORS[key].demand)
    for key, count in starting_companies(state, drawn).items():
        for _ in range(count):
            open_company(play, key, state.tables.start_tiers[key], STARTING[key])
    state.deck = compose_deck(play.chance)
    state.track = lay_track(play.chance)


def draw_sectors(play: Play[SectorsState]) -> list[str]:
    """The sectors in play, in drawn order. (S 1.1)"""
    drawn: list[str] = []
    for _ in range(SECTORS_IN_PLAY):
        drawn.append(play.chance.pick("sectors", [key for key in SECTORS if key not in drawn]))
    return drawn


def starting_companies(state: SectorsState, drawn: list[str]) -> dict[str, int]:
    """The number of companies per sector at the start: spread evenly, the rest to the earliest-drawn sectors. (S
    1.3)"""
    total = state.tables.starting_companies[state.seats]
    return {key: total // len(drawn) + (place < total % len(drawn)) for place, key in enumerate(drawn)}
