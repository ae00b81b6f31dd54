"""Company votes and the actions they choose. (S 6.7–6.11; phases 25–27)"""

from __future__ import annotations

from game.engine.play import Play
from game.rulesets.sectors.actions import VoteActions
from game.rulesets.sectors.companies import become_insolvent_if_broke, charge
from game.rulesets.sectors.effects import COMPANY_ACTIONS, cost_of, prestige_cost_of, refusal_of
from game.rulesets.sectors.events.operations import ActionDone, ActionFailed, CompanyVoted, Tally
from game.rulesets.sectors.numbers import tier
from game.rulesets.sectors.sequence import acting_company
from game.rulesets.sectors.state import ACTIVE, VETO, Company, SectorsState


def take_ballots(play: Play[SectorsState]) -> None:
    """Keep the ballots for phase 26."""
    play.state.ballots = {ballot.actor: ballot.actions for ballot in play.inputs_of(VoteActions)}


def count_ballots(play: Play[SectorsState]) -> None:
    """Choose the actions with the most shares behind them. (S 6.7)"""
    company = acting_company(play.state)
    assert company is not None
    tallies = _tallies(play.state, company)
    play.state.selected = selected_actions([t.action for t in tallies], tier(play.state, company).actions)
    play.state.ballots = {}
    selected = tuple(play.state.selected)
    titles = tuple(COMPANY_ACTIONS[key].title for key in selected)
    play.emit(CompanyVoted(company=company.ticker, tallies=tuple(tallies), selected=selected, titles=titles))


def _tallies(state: SectorsState, company: Company) -> list[Tally]:
    """Voted actions, most shares first; ties by the best-placed voter, then the order of the tables. (S 6.7, A45)"""
    voters: dict[str, list[int]] = {}
    for seat in state.priority:
        for action in state.ballots.get(seat, []):
            voters.setdefault(action, []).append(seat)
    shares = {action: sum(state.shares(company.ticker, seat) for seat in seats) for action, seats in voters.items()}
    table = list(COMPANY_ACTIONS)
    ranked = sorted(voters, key=lambda a: (-shares[a], state.priority.index(voters[a][0]), table.index(a)))
    return [Tally(a, COMPANY_ACTIONS[a].title, shares[a], tuple(voters[a])) for a in ranked if shares[a]]


def selected_actions(ranked: list[str], most: int) -> list[str]:
    """The first `most` of the ranking. VETO counts only in the first place, and then alone; nobody voted: VETO. (VETO,
    A46)"""
    if not ranked or ranked[0] == VETO:
        return [VETO]
    return [action for action in ranked if action != VETO][:most]


def carry_out_actions(play: Play[SectorsState]) -> None:
    """Carry out what was selected, best supported first; insolvency drops the rest. (S 6.7, A47, A48)"""
    state = play.state
    company = acting_company(state)
    assert company is not None
    for key in state.selected or ():
        if company.status == ACTIVE:
            _carry_out(play, company, key)
        else:
            _drop(play, company, key)
    state.selected = None
    state.acted = [*state.acted, company.ticker]


def _drop(play: Play[SectorsState], company: Company, key: str) -> None:
    """Say of a chosen action that it is not carried out. (A48 log)"""
    reason = f"{company.ticker} became insolvent before it."
    play.emit(
        ActionFailed(company=company.ticker, action=key, title=COMPANY_ACTIONS[key].title, reason=reason, rule="A48")
    )


def _carry_out(play: Play[SectorsState], company: Company, key: str) -> None:
    """Check, pay, do, and only then look whether the money is gone. A refused action costs nothing. (A47, A53)"""
    state, action = play.state, COMPANY_ACTIONS[key]
    if refused := refusal_of(state, company, key):
        play.emit(
            ActionFailed(company=company.ticker, action=key, title=action.title, reason=refused.text, rule=refused.rule)
        )
        return
    cost, tokens = cost_of(state, company, key), prestige_cost_of(state, key)
    charge(play, company, cost, key)
    company.prestige -= tokens
    state.executed[key] = state.executed.get(key, 0) + 1
    play.emit(ActionDone(company=company.ticker, action=key, title=action.title, cost=cost, prestige=tokens))
    action.body(play, company)
    become_insolvent_if_broke(play, company, cost)
