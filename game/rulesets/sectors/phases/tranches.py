"""Tranches: offered, voted for, and distributed by their winners. (S 1.9, 7.9; phases 4–7)"""

from __future__ import annotations

from game.engine.ledger import BANK, cash_of
from game.engine.play import Play
from game.rulesets.sectors.actions import DistributeTranche, VoteTranche
from game.rulesets.sectors.effects.abilities import ABILITIES, give_ability
from game.rulesets.sectors.events.opening import (
    AbilityGiven,
    PrestigeGiven,
    TrancheOffered,
    TranchePaid,
    TranchesDoubled,
    TrancheVoted,
)
from game.rulesets.sectors.state import BANKRUPT, Pool, SectorsState, Wish
from game.rulesets.sectors.tables.common import tranche_pools
from game.rulesets.sectors.tables.sectors import SECTORS


def offer_tranches(play: Play[SectorsState]) -> None:
    """Offer tranches, each with the ability of a sector and a drawn part of the pot, and one prestige token in the
    first two. (S 1.9)"""
    state = play.state
    sectors = play.chance.order("tranche_sectors", list(state.sectors))
    amounts = _draw_cash(play, tranche_pools(state.seats))
    state.tranches = [Pool(sectors[i % len(sectors)], cash, 1 if i < 2 else 0) for i, cash in enumerate(amounts)]
    for number, pool in enumerate(state.tranches, 1):
        play.emit(
            TrancheOffered(pool=number, sector=SECTORS[pool.sector].title, cash=pool.cash, prestige=pool.prestige)
        )


def _draw_cash(play: Play[SectorsState], pools: int) -> list[int]:
    pot, amounts = play.state.tables.tranche_pot, []
    if play.state.tables.tranche_split == "even":
        return [pot // pools + (pool < pot % pools) for pool in range(pools)]
    for _ in range(pools - 1):
        amounts.append(play.chance.integer("tranche_cash", 0, pot - 1))
        pot -= amounts[-1]
    return [*amounts, pot]


def take_votes(play: Play[SectorsState]) -> None:
    """Keep the votes for phase 5."""
    play.state.tranche_votes = {action.actor: action.tranche for action in play.inputs_of(VoteTranche)}


def resolve_votes(play: Play[SectorsState]) -> None:
    """A tranche is won by its single voter; if all are won, all their cash doubles. (S 7.9)"""
    state = play.state
    for number, pool in enumerate(state.tranches, 1):
        voters = state.by_priority([seat for seat, vote in state.tranche_votes.items() if vote == number])
        pool.winner = voters[0] if len(voters) == 1 else None
        play.emit(TrancheVoted(pool=number, voters=tuple(voters)))
    state.tranche_votes = {}
    if all(pool.winner is not None for pool in state.tranches):
        for pool in state.tranches:
            pool.cash *= 2
        play.emit(TranchesDoubled())


def take_distributions(play: Play[SectorsState]) -> None:
    """Keep the winners' distributions for phase 7."""
    for action in play.inputs_of(DistributeTranche):
        cash = {int(seat): amount for seat, amount in action.cash.items()}
        play.state.wishes[action.actor] = Wish(cash, action.prestige_to, action.ability_to)


def resolve_distributions(play: Play[SectorsState]) -> None:
    """Pay the tranches out in ascending order; cash not given away is the winner's, the rest is lost. (S 7.9, A72,
    A73)"""
    for number, pool in enumerate(play.state.tranches, 1):
        if pool.winner is not None:
            _give(play, number, pool, play.state.wishes.get(pool.winner) or Wish())
    play.state.wishes = {}


def _give(play: Play[SectorsState], number: int, pool: Pool, wish: Wish) -> None:
    state, winner = play.state, pool.winner
    assert winner is not None
    gifts = {seat: wish.cash.get(seat, 0) for seat in range(state.seats)}
    gifts[winner] += pool.cash - sum(gifts.values())
    for seat, amount in gifts.items():
        if amount:
            play.pay(BANK, cash_of(seat), amount, why="tranche")
            state.incomes[seat] += amount
            play.emit(TranchePaid(seat=seat, pool=number, giver=winner, amount=amount))
    if pool.prestige and wish.prestige_to and state.companies[wish.prestige_to].status != BANKRUPT:
        state.companies[wish.prestige_to].prestige += pool.prestige
        play.emit(PrestigeGiven(company=wish.prestige_to, seat=winner, tokens=pool.prestige))
    if wish.ability_to and state.companies[wish.ability_to].status != BANKRUPT:
        ability = SECTORS[pool.sector].passive
        give_ability(state, ability, state.companies[wish.ability_to])
        play.emit(AbilityGiven(company=wish.ability_to, seat=winner, ability=ABILITIES[ability].title))
