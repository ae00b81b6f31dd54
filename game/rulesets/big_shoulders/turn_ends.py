"""How turns of the action phase and operations begin and end. (BS 6.2, BS 7.1)"""

from __future__ import annotations

from game.engine.ledger import BANK, cash_of
from game.engine.play import Play
from game.rulesets.big_shoulders.company_events import AssetDrawn, OperationBegun
from game.rulesets.big_shoulders.events import IdlePartners
from game.rulesets.big_shoulders.state import Operation, ShouldersState
from game.rulesets.big_shoulders.supply import refill
from game.rulesets.big_shoulders.tables import IDLE_PARTNER


def end_if_asked(play: Play[ShouldersState]) -> None:
    """End the turn if an earlier command said so and no bonus is open. (B-24)"""
    if play.state.is_ending and not play.state.owed:
        end_turn(play)


def end_turn(play: Play[ShouldersState]) -> None:
    """End the turn: fill the row of assets in the action phase, the supply chain after an operation. (B-62, B-85)"""
    play.state.is_ending = False
    if play.state.operation is None:
        draw_asset(play)
        play.state.acting = None
    else:
        _end_operation(play)


def draw_asset(play: Play[ShouldersState]) -> None:
    """Draw one asset into the slot of $80 if that is empty and the deck is not. (B-40)"""
    state = play.state
    if state.assets[-1] is None and state.asset_deck:
        asset = play.chance.pick("asset", state.asset_deck)
        state.asset_deck.remove(asset)
        state.assets[-1] = asset
        play.emit(AssetDrawn(asset=asset))


# --- the action phase


def may_place(state: ShouldersState) -> bool:
    """True if any partner is ready."""
    return any(state.ready)


def whose_turn(state: ShouldersState) -> list[int]:
    """The seat that acts, until its turn has ended."""
    return [] if state.acting is None else [state.acting]


def directors(state: ShouldersState) -> list[int]:
    """The seats with a company, which may leave orders for it. (B-79)"""
    return [seat for seat in range(state.seats) if state.directed_by(seat)]


def begin_action_turn(play: Play[ShouldersState]) -> None:
    """Let the next seat with a ready partner act; after a complete sequence, the next one follows the claimed order.
    (BS 6.2, B-29)"""
    state = play.state
    state.has_placed = False
    while may_place(state):
        if not state.sequence:
            state.order = list(state.next_order)
            state.sequence = list(state.order)
        seat = state.sequence.pop(0)
        if not state.ready[seat]:
            continue
        if state.directed_by(seat):
            state.acting = seat
            return
        _release_partners(play, seat)


def _release_partners(play: Play[ShouldersState], seat: int) -> None:
    """Pay a seat without a company for its partners. (B-46)"""
    state = play.state
    amount, state.ready[seat] = IDLE_PARTNER * state.ready[seat], 0
    play.pay(BANK, cash_of(seat), amount, why="idle partners")
    play.emit(IdlePartners(seat=seat, amount=amount))


def end_action_turn(play: Play[ShouldersState]) -> None:
    """End the action phase once no partner is left: the claimed order is that of the next decade. (B-29)"""
    state = play.state
    if not may_place(state):
        state.sequence = []
        state.order = list(state.next_order)
        state.operating = list(state.track)


# --- operations


def may_operate(state: ShouldersState) -> bool:
    return bool(state.operating)


def begin_visit(play: Play[ShouldersState]) -> None:
    """Let the next company operate, together with those of the same director that follow it at once. (B-47, B-104)"""
    state = play.state
    company = state.operating.pop(0)
    state.operation = Operation(company)
    state.is_by_recipe = False
    state.acting = state.companies[company].director
    play.emit(OperationBegun(seat=state.acting, company=company))


def _end_operation(play: Play[ShouldersState]) -> None:
    """Fill the supply chain, but not after the last operation of the game. Nothing before it can be taken back, even if
    nothing was drawn. (B-66, B-80)"""
    state = play.state
    play.reveal()
    state.operation = None
    if state.operating or not state.is_last_decade:
        refill(play)
    if state.operating and state.companies[state.operating[0]].director == state.acting:
        begin_visit(play)
    else:
        state.acting = None
