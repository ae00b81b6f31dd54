"""Drawing tiles from the bag. (PU 4.1)"""

from __future__ import annotations

from game.engine.play import Play
from game.rulesets.power_up.events import TilesDrawn, TilesSeen
from game.rulesets.power_up.state import PowerUpState
from game.rulesets.power_up.tables.common import HAND_LIMIT


def fill_hand(play: Play[PowerUpState], seat: int) -> None:
    """Draw up to five tiles in hand, or all that the bag still holds; only their owner learns which. (P-6, P-13)"""
    state = play.state
    hand = state.hands[seat]
    drawn = play.chance.sample("tiles", state.bag, min(HAND_LIMIT - len(hand), len(state.bag)))
    state.bag = [tile for tile in state.bag if tile not in drawn]
    state.hands[seat] = sorted([*hand, *drawn])
    play.emit(TilesDrawn(seat=seat, count=len(drawn), left=len(state.bag)))
    play.emit(TilesSeen(audience=(seat,), seat=seat, tiles=tuple(sorted(drawn))))
