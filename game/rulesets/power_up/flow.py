"""The sequence of play: turn after turn until the game ends, then everything is sold. (PU 3)"""

from __future__ import annotations

from game.engine.flow import Flow, Mode, Phase, Round
from game.engine.language import mark
from game.engine.play import Play
from game.rulesets.power_up.actions import Buy, Draw, EndTurn, PlayTile
from game.rulesets.power_up.events import ActionsRolled, CompanyCashedIn, FinalCash, GameEnded
from game.rulesets.power_up.forecast import EXPANSION, ISOLATED, Forecast, foresee
from game.rulesets.power_up.numbers import payouts, price_at
from game.rulesets.power_up.placing import pay_out
from game.rulesets.power_up.scoring import standings
from game.rulesets.power_up.state import PowerUpState, table_of
from game.rulesets.power_up.tables import ACTION_WEIGHTS, HAND_LIMIT


def finish_turn(play: Play[PowerUpState], seat: int) -> None:
    """The next action for a player whose deadline has passed: a simple turn without purchases. (PU 8, P-19)"""
    state = play.state
    hand = state.hands[seat]
    can_draw = bool(state.bag) and len(hand) < HAND_LIMIT
    if not state.tile_played and hand:
        ahead = _plainest(state, seat)
        named = {ahead.choice: ahead.companies[0]} if ahead.choice else {}
        PlayTile(actor=seat, tile=ahead.tile, **named).carry_out(play)  # type: ignore[arg-type]
    elif can_draw:
        Draw(actor=seat).carry_out(play)
    else:
        EndTurn(actor=seat).carry_out(play)


def _plainest(state: PowerUpState, seat: int) -> Forecast:
    """The lowest tile that stays neutral, else the lowest that expands a company, else the lowest."""
    table = table_of(state)
    ahead = [foresee(table, tile) for tile in sorted(state.hands[seat])]
    for case in (ISOLATED, EXPANSION):
        fitting = [one for one in ahead if one.case == case]
        if fitting:
            return fitting[0]
    return ahead[0]


def whose_turn(state: PowerUpState) -> list[int]:
    """The seat that acts, while it has actions left and the game is not over."""
    return [state.acting] if state.acting is not None and state.actions_left and not state.end else []


def begin_turn(play: Play[PowerUpState]) -> None:
    """The next seat's turn begins; its number of actions is rolled. (PU 3)"""
    state = play.state
    state.acting = state.order[state.turn % state.seats]
    state.turn += 1
    state.tile_played = state.tile_lock = False
    state.rolled = state.actions_left = play.chance.weighted("actions", ACTION_WEIGHTS)
    play.emit(ActionsRolled(seat=state.acting, actions=state.rolled))


def sell_everything(play: Play[PowerUpState]) -> None:
    """Every active company pays its bonuses and buys back its shares; the most cash wins. (PU 6, P-11)"""
    state = play.state
    state.acting, state.actions_left = None, 0
    play.emit(GameEnded(end=state.end))
    for company, size in state.sizes().items():
        price = price_at(company, size)
        paid = payouts(state.holdings(company), price)
        play.emit(CompanyCashedIn(company=company, size=size, price=price, payouts=paid))
        pay_out(play, company, price, paid)
    for standing in standings(state):
        play.emit(FinalCash(seat=standing.seat, place=standing.place, cash=standing.score))


TURN = Phase("1", "take_turn", mark("Turn"), Mode.TURNS, "turn", (Draw, PlayTile, Buy, EndTurn), whose_turn,
             enter=begin_turn, absent=finish_turn,
             default=mark("your tile that changes least is played, your hand is filled and nothing is bought"),
             instead=mark("your tile that changed least was played, your hand filled and nothing bought"))  # fmt: skip
SALE = Phase("2", "final_sale", mark("Final sale"), Mode.AUTOMATIC, "review", enter=sell_everything)
FLOW = Flow(
    Round("turns", mark("Turns"), (TURN,), again=lambda state: not state.end),
    Round("end", mark("End of the game"), (SALE,)),
)
