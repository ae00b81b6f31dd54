"""The game's place in its sequence of play."""

from __future__ import annotations

from game.engine.position import AnyPosition
from game.engine.view import RailRound, phase_of_view, rail_at
from game.rulesets.sectors.flow import flow
from game.rulesets.sectors.sequence import acting_company
from game.rulesets.sectors.state import Company
from game.rulesets.sectors.view.shapes import PhaseView

AFTERWARDS = {"company_action", "contribution_result"}  # phases that show a company which has acted in them


def company_at_work(position: AnyPosition) -> Company | None:
    """The company whose turn it is; where its action or rescue is being looked at, still that one. (S 6.7, 6.12)"""
    state = position.state
    row = None if position.cursor.row is None else flow(state.options).rows[position.cursor.row]
    if row is None or row.rounds[-1].name != "company":
        return None
    if row.phase.name in AFTERWARDS and state.acted:
        acted: Company = state.companies[state.acted[-1]]
        return acted
    return acting_company(state)


def phase_view(position: AnyPosition, acting: Company | None) -> PhaseView | None:
    """The open phase; None when the game is over."""
    if position.cursor.row is None:
        return None
    common = phase_of_view(flow(position.state.options), position.cursor)
    assert common is not None
    return PhaseView(
        **common,
        sub_round=position.state.sub_round + (common["name"] == "stock_orders"),
        company=acting.ticker if acting else None,
    )


def rail(position: AnyPosition) -> tuple[RailRound, ...]:
    """The turn's rows in groups, a group being the round just inside the turn."""
    return rail_at(flow(position.state.options), position.cursor.row, frozenset(position.cursor.trail))
