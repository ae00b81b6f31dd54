"""Company votes and the actions they choose. (S 6.7–6.11; phases 25–27)"""

from __future__ import annotations

from game.engine.play import Play
from game.rulesets.sectors import causes
from game.rulesets.sectors.actions import VoteActions
from game.rulesets.sectors.companies import become_insolvent_if_broke, charge
from game.rulesets.sectors.counting import rank_actions, selected_actions
from game.rulesets.sectors.effects import COMPANY_ACTIONS, cost_of, prestige_cost_of, refusal_of
from game.rulesets.sectors.events.operations import ActionDone, ActionFailed, CompanyVoted, Tally
from game.rulesets.sectors.numbers import tier
from game.rulesets.sectors.sequence import acting_company
from game.rulesets.sectors.state import ACTIVE, Company, SectorsState


def take_ballots(play: Play[SectorsState]) -> None:
    """Keep the ballots for phase 26; an abstention is no ballot."""
    play.state.ballots = {ballot.actor: ballot.actions for ballot in play.inputs_of(VoteActions) if ballot.actions}


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
    """The actions that received votes, ranked. (S 6.7)"""
    shares = {seat: state.shares(company.ticker, seat) for seat in state.ballots}
    ranked = rank_actions(state.ballots, shares, state.priority)
    return [
        Tally(
            each.key,
            COMPANY_ACTIONS[each.key].title,
            each.shares,
            each.voters,
            tuple(shares[seat] for seat in each.voters),
        )
        for each in ranked
    ]


def carry_out_actions(play: Play[SectorsState]) -> None:
    """Carry out the selected actions, best supported first; insolvency drops the rest. (S 6.7, A47, A48)"""
    state = play.state
    company = acting_company(state)
    assert company is not None
    for key in state.selected or ():
        if company.status == ACTIVE:
            carry_out(play, company, key)
        else:
            _drop(play, company, key)
    state.selected = None
    state.acted = [*state.acted, company.ticker]


def _drop(play: Play[SectorsState], company: Company, key: str) -> None:
    """Record that a chosen action is not carried out. (A48 log)"""
    reason = causes.INSOLVENT_BEFORE.format(company=company.ticker)
    play.emit(
        ActionFailed(company=company.ticker, action=key, title=COMPANY_ACTIONS[key].title, reason=reason, rule="A48")
    )


def carry_out(play: Play[SectorsState], company: Company, key: str) -> None:
    """Check, pay, carry out, and only then check for insolvency. A refused action costs nothing. (A47, A53)"""
    state, action = play.state, COMPANY_ACTIONS[key]
    if refused := refusal_of(state, company, key):
        why = causes.written(refused)
        play.emit(ActionFailed(company=company.ticker, action=key, title=action.title, reason=why, rule=refused.rule))
        return
    cost, tokens = cost_of(state, company, key), prestige_cost_of(state, key)
    charge(play, company, cost, key)
    company.prestige -= tokens
    state.executed[key] = state.executed.get(key, 0) + 1
    state.done[company.ticker] = [*state.done.get(company.ticker, []), key]
    play.emit(ActionDone(company=company.ticker, action=key, title=action.title, cost=cost, prestige=tokens))
    action.body(play, company)
    become_insolvent_if_broke(play, company, cost)
