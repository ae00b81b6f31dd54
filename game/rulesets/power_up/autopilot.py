"""What is done for a player whose deadline has passed: a plain turn without purchases. (PU 8, P-19)"""

from __future__ import annotations

from game.engine.play import Play
from game.rulesets.power_up.actions import Draw, EndTurn, PlayTile
from game.rulesets.power_up.forecast import EXPANSION, ISOLATED, Forecast, foresee
from game.rulesets.power_up.state import PowerUpState, table_of
from game.rulesets.power_up.tables.common import HAND_LIMIT


def finish_turn(play: Play[PowerUpState], seat: int) -> None:
    """The next action of the turn from where it stands."""
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
    """The lowest tile that stays alone, else the lowest that expands a company, else the lowest."""
    table = table_of(state)
    ahead = [foresee(table, tile) for tile in sorted(state.hands[seat])]
    for case in (ISOLATED, EXPANSION):
        fitting = [one for one in ahead if one.case == case]
        if fitting:
            return fitting[0]
    return ahead[0]
