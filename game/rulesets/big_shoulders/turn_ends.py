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
    """The turn ends where an earlier command said so and no bonus is open. (B-24)"""
    if play.state.is_ending and not play.state.owed:
        end_turn(play)


def end_turn(play: Play[ShouldersState]) -> None:
    """In the action phase the row of assets is filled; after an operation the supply chain is. (B-62, B-85)"""
    play.state.is_ending = False
    if play.state.operation is None:
        draw_asset(play)
        play.state.acting = None
    else:
        _end_operation(play)


def draw_asset(play: Play[ShouldersState]) -> None:
    """One asset into the slot of $80 if that is empty and the deck lasts. (B-40)"""
    state = play.state
    if state.assets[-1] is None and state.asset_deck:
        asset = play.chance.pick("asset", state.asset_deck)
        state.asset_deck.remove(asset)
        state.assets[-1] = asset
        play.emit(AssetDrawn(asset=asset))


# --- the action phase


def may_place(state: ShouldersState) -> bool:
    """Whether any partner is ready."""
    return any(state.ready)


def whose_turn(state: ShouldersState) -> list[int]:
    """The seat that acts, until its turn has ended."""
    return [] if state.acting is None else [state.acting]


def directors(state: ShouldersState) -> list[int]:
    """The seats with a company, which may leave orders for it. (B-79)"""
    return [seat for seat in range(state.seats) if state.directed_by(seat)]


def begin_action_turn(play: Play[ShouldersState]) -> None:
    """The next seat with a ready partner; a sequence that is through is followed by one in the claimed order.
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
    """A seat without a company gets cash for its partners. (B-46)"""
    state = play.state
    amount, state.ready[seat] = IDLE_PARTNER * state.ready[seat], 0
    play.pay(BANK, cash_of(seat), amount, why="idle partners")
    play.emit(IdlePartners(seat=seat, amount=amount))


def end_action_turn(play: Play[ShouldersState]) -> None:
    """Once no partner is left, what was claimed is the order of the next decade. (B-29)"""
    state = play.state
    if not may_place(state):
        state.sequence = []
        state.order = list(state.next_order)
        state.operating = list(state.track)


# --- operations


def may_operate(state: ShouldersState) -> bool:
    return bool(state.operating)


def begin_visit(play: Play[ShouldersState]) -> None:
    """The next company operates; its director goes on with those that follow at once. (B-47, B-104)"""
    state = play.state
    company = state.operating.pop(0)
    state.operation = Operation(company)
    state.is_by_recipe = False
    state.acting = state.companies[company].director
    play.emit(OperationBegun(seat=state.acting, company=company))


def _end_operation(play: Play[ShouldersState]) -> None:
    """The supply chain is filled, but not after the last operation of the game; nothing before it can be taken back,
    even if nothing was drawn. (B-66, B-80)"""
    state = play.state
    play.reveal()
    state.operation = None
    if state.operating or not state.is_last_decade:
        refill(play)
    if state.operating and state.companies[state.operating[0]].director == state.acting:
        begin_visit(play)
    else:
        state.acting = None
