"""The end of a decade, and of the game. (BS 8, BS 9)"""

from __future__ import annotations

from game.engine.play import Play
from game.rulesets.big_shoulders.company_events import AssetLeft, OldestCubesMoved
from game.rulesets.big_shoulders.demand import clear_demand
from game.rulesets.big_shoulders.events import FinalScore, GameEnded, GoalWon
from game.rulesets.big_shoulders.scoring import standings, winners_of
from game.rulesets.big_shoulders.state import ShouldersState
from game.rulesets.big_shoulders.supply import give_to_haymarket, refill
from game.rulesets.big_shoulders.tables import GOAL_PRIZE
from game.rulesets.big_shoulders.turn_ends import draw_asset


def clean_up(play: Play[ShouldersState]) -> None:
    """Tidy cubes, assets and demand, and make everything ready for the next decade. (BS 8)"""
    state = play.state
    oldest = state.cubes_at("10")
    give_to_haymarket(play, "10", oldest)
    if oldest:
        play.emit(OldestCubesMoved(cubes=oldest))
    refill(play)
    _move_assets(play)
    clear_demand(play)
    state.ready = list(state.partners)
    state.sold = [[] for _ in range(state.seats)]
    state.used, state.visits = [], []
    for own in state.companies.values():
        own.is_exhausted = False
    state.is_decade_over = True


def _move_assets(play: Play[ShouldersState]) -> None:
    """Remove the asset for $40 from the game, and draw one for $80. (BS 8, B-40)"""
    state = play.state
    if state.assets[0] is not None:
        play.emit(AssetLeft(asset=state.assets[0]))
    state.assets = [*state.assets[1:], None]
    draw_asset(play)


def is_not_over(state: ShouldersState) -> bool:
    """True before the last decade ends: it has no cleanup, and no decade follows it."""
    return not state.is_last_decade


def end_game(play: Play[ShouldersState]) -> None:
    """Count the goals, then cash and certificates. (BS 9)"""
    state = play.state
    for goal in state.goals:
        for seat in winners_of(state, goal):
            state.awards[seat] += GOAL_PRIZE
            play.emit(GoalWon(seat=seat, goal=goal, amount=GOAL_PRIZE))
    state.end = "decades"
    for row in standings(state):
        cash, certificates = state.cash(row.seat), state.stock_worth(row.seat)
        play.emit(FinalScore(seat=row.seat, score=row.score, cash=cash, certificates=certificates))
    play.emit(GameEnded(end=state.end))
