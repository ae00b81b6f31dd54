"""Where the game stands in its sequence of play."""

from __future__ import annotations

from functools import lru_cache

from game.engine import progress
from game.engine.flow import Flow, Mode
from game.engine.position import AnyPosition
from game.rulesets.sectors.flow import flow
from game.rulesets.sectors.sequence import acting_company
from game.rulesets.sectors.state import Company
from game.rulesets.sectors.view.shapes import PhaseView, RailPhase, RailRound

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
    row = flow(position.state.options).rows[position.cursor.row]
    phase = row.phase
    return PhaseView(
        serial=position.cursor.serial,
        number=phase.number,
        name=phase.name,
        title=phase.title,
        mode=phase.mode.value,
        clock=phase.clock,
        round=row.rounds[-1].title,
        default=phase.default,
        sub_round=position.state.sub_round + (phase.name == "stock_orders"),
        company=acting.ticker if acting else None,
    )


def rail(position: AnyPosition) -> tuple[RailRound, ...]:
    """The turn's rows in groups, a group being the round just inside the turn."""
    return _rail_at(flow(position.state.options), position.cursor.row, frozenset(position.cursor.trail))


@lru_cache(maxsize=1024)
def _rail_at(rows_of: Flow, now: int | None, trail: frozenset[int]) -> tuple[RailRound, ...]:
    groups: dict[tuple[str, str], list[RailPhase]] = {}
    for row in rows_of.rows:
        group = next((r for r in row.rounds if r.name != "turn"), row.rounds[0])
        phase, state = row.phase, progress.row_state(row.index, now, trail)
        rail_phase = RailPhase(phase.number, phase.name, phase.title, state, phase.mode is not Mode.AUTOMATIC)
        groups.setdefault((group.name, group.title), []).append(rail_phase)
    return tuple(RailRound(name, title, _group_state(phases), tuple(phases)) for (name, title), phases in groups.items())


def _group_state(phases: list[RailPhase]) -> str:
    states = {phase.state for phase in phases}
    if "now" in states:
        return "now"
    return next((state for state in ("todo", "done") if state in states), "skip")
