"""The actions of a seat in Sectors; types reject malformed values, `check` refuses what the rules refuse."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from game.engine.actions import GAME, TURN, Action, ByRules, Pass, Ready, Refused, Withdraw
from game.engine.language import mark, say
from game.engine.ledger import cash_of
from game.engine.play import Play
from game.rulesets.sectors import lasting, numbers
from game.rulesets.sectors.effects import COMPANY_ACTIONS, is_unlocked, refusal_of
from game.rulesets.sectors.naming import (
    CompanyAction,
    HeadlineSlot,
    Number,
    OwnContract,
    OwnShort,
    SeatNumber,
    Ticker,
    TrancheNumber,
)
from game.rulesets.sectors.orders import LimitOrder, MarketOrder, OptionOrder, ShortOrder, StopOrdering, living
from game.rulesets.sectors.phases import contributions
from game.rulesets.sectors.sequence import acting_company, has_yet_to_act, tranche_of
from game.rulesets.sectors.standing_orders import StandingOrder
from game.rulesets.sectors.state import ACTIVE, Company, Pool, SectorsState
from game.rulesets.sectors.tables.sectors import SECTORS


class BidInfluence(Action, frozen=True, kw_only=True, tag="bid_influence"):
    """Bid influence points for priority, 0 to 50, in the first edition 0 to 100; every unused point is paid out as a
    dollar. (S 1.5, D1)"""

    points: Annotated[int, Meta(ge=0, le=1000)]
    title: ClassVar[str] = mark("Influence bid")

    def check(self, state: SectorsState) -> None:
        most = state.tables.influence_points
        if self.points > most:
            raise Refused(
                "You have {most} influence points, not {points}.",
                "S 1.5",
                most=most,
                points=self.points,
                code="not_enough_influence",
                field="points",
            )


class PledgeHeadline(Action, frozen=True, kw_only=True, tag="pledge_headline"):
    """Join the payers of one headline: they pay equal parts of its cost, fractions dropped. (S 1.10, A13)"""

    headline: HeadlineSlot
    title: ClassVar[str] = mark("Headline pledge")

    def check(self, state: SectorsState) -> None:
        headline = state.headlines[self.headline - 1]
        assert headline is not None
        least, cash = headline.cost // state.seats, state.cash(self.actor)
        if cash < least:
            raise Refused(
                "You need at least {least} to pledge (the cost split {seats} ways); you have {cash}.",
                "A13",
                least=least,
                seats=state.seats,
                cash=cash,
                code="not_enough_cash",
            )


class VoteTranche(Action, frozen=True, kw_only=True, tag="vote_tranche"):
    """Vote for one tranche; a tranche is won by a single vote only. Can be given ahead, with the mark to be ready. (S
    7.9, ahead)"""

    tranche: TrancheNumber
    ready: bool = False
    title: ClassVar[str] = mark("Tranche vote")
    phases: ClassVar[frozenset[str]] = frozenset({"tranche_vote"})
    lasts: ClassVar[str] = TURN

    def is_ready_ahead(self) -> bool:
        return self.ready

    def means(self, state: SectorsState) -> list[Action]:
        return [replace(self, ready=False)]


class DistributeTranche(Action, frozen=True, kw_only=True, tag="distribute_tranche"):
    """Distribute a won tranche: cash among all seats, prestige and ability to companies of its sector. Can be given
    ahead, for the `tranche` that the seat votes for, with the mark to be ready; it has no effect unless the tranche is
    won. (S 7.9, A72, A73, ahead)"""

    cash: dict[SeatNumber, Number] = {}
    prestige_to: Ticker | None = None
    ability_to: Ticker | None = None
    tranche: TrancheNumber | None = None
    ready: bool = False
    title: ClassVar[str] = mark("Tranche distribution")
    phases: ClassVar[frozenset[str]] = frozenset({"tranche_distribution"})
    lasts: ClassVar[str] = TURN
    is_conditional: ClassVar[bool] = True

    def is_ready_ahead(self) -> bool:
        return self.ready

    def serves(self, state: SectorsState) -> bool:
        won = tranche_of(state, self.actor)
        return won is not None and self.tranche in (None, won)

    def means(self, state: SectorsState) -> list[Action]:
        return [replace(self, ready=False, tranche=None)]

    def check(self, state: SectorsState) -> None:
        pool = self._pool(state)
        self._check_cash(state, pool.cash)
        if self.prestige_to is not None and not pool.prestige:
            raise Refused("This tranche carries no prestige.", "S 1.9", code="no_prestige", field="prestige_to")
        for field, ticker in (("prestige_to", self.prestige_to), ("ability_to", self.ability_to)):
            if ticker is not None and living(state, ticker, field=field).sector != pool.sector:
                raise Refused(
                    "{ticker} is not in {sector}. Choose a company of the tranche's sector.",
                    "A72",
                    ticker=ticker,
                    sector=say(SECTORS[pool.sector].title),
                    code="wrong_sector",
                    field=field,
                )

    def _pool(self, state: SectorsState) -> Pool:
        """The tranche won; before the votes are counted, the one that the distribution names."""
        won, is_counted = tranche_of(state, self.actor), any(pool.winner is not None for pool in state.tranches)
        number = won if is_counted else self.tranche
        if number is None or self.tranche not in (None, number):
            raise Refused("You have won no tranche this turn.", "S 7.9", code="no_tranche_won")
        return state.tranches[number - 1]

    def _check_cash(self, state: SectorsState, most: int) -> None:
        if (total := sum(self.cash.values())) > most:
            raise Refused(
                "The tranche has {most} in cash; you gave away {given}.",
                "S 7.9",
                most=most,
                given=total,
                code="more_than_there_is",
                field="cash",
            )


class CoverShort(Action, frozen=True, kw_only=True, tag="cover_short"):
    """Buy back the shares of one open short, whole. (S 5.6, A32)"""

    order: OwnShort
    title: ClassVar[str] = mark("Cover")

    def slot(self) -> str:
        return f"cover {self.order}"

    def check(self, state: SectorsState) -> None:
        short = state.orders[self.order]
        cost, cash = short.quantity * state.companies[short.company].price, state.cash(self.actor)
        if cash + short.margin < cost:
            raise Refused(
                "Covering costs {cost}; you have {cash} and the margin frees {margin}. Leave the short open.",
                "A32",
                cost=cost,
                cash=cash,
                margin=short.margin,
                code="not_enough_cash",
            )


class ExerciseOption(Action, frozen=True, kw_only=True, tag="exercise_option"):
    """Exercise a contract of one’s own: receive price − strike per share. (S 5.7)"""

    contract: OwnContract
    title: ClassVar[str] = mark("Exercise")

    def slot(self) -> str:
        return f"exercise {self.contract}"

    def check(self, state: SectorsState) -> None:
        contract = state.contracts[self.contract]
        price = state.companies[contract.company].price
        if price < contract.strike:
            raise Refused(
                "The price of {ticker} is {price}, below the strike of {strike}.",
                "S 5.7",
                ticker=contract.company,
                price=price,
                strike=contract.strike,
                code="below_strike",
                field="contract",
            )


class VoteRevenue(Action, frozen=True, kw_only=True, tag="vote_revenue"):
    """Vote on a company's revenue; each own share is one vote. (S 6.5)"""

    company: Ticker
    choice: Literal["full", "half", "retain"]
    title: ClassVar[str] = mark("Revenue vote")

    def slot(self) -> str:
        return f"vote_revenue {self.company}"

    def check(self, state: SectorsState) -> None:
        company = living(state, self.company)
        if not company.revenue:
            raise Refused(
                "{ticker} has no revenue to distribute this turn.",
                "S 6.5",
                ticker=self.company,
                code="no_revenue",
                field="company",
            )
        if not state.shares(self.company, self.actor):
            raise Refused(
                "You own no {ticker} shares, so you have no vote.",
                "S 6.5",
                ticker=self.company,
                code="no_shares",
                field="company",
            )


class VoteFullRevenue(Action, frozen=True, kw_only=True, tag="vote_full_revenue"):
    """Vote full dividends in every revenue vote from now on, and be ready for it; a vote for a single company takes
    precedence. (S 6.5, ahead) It ends when one of the seat's companies becomes insolvent, or when the seat owes more
    shares of it than it owns."""

    title: ClassVar[str] = mark("Full dividends from now on")
    phases: ClassVar[frozenset[str]] = frozenset({"revenue_vote"})
    lasts: ClassVar[str] = GAME
    is_lasting: ClassVar[bool] = True

    def is_ready_ahead(self) -> bool:
        return True

    def means(self, state: SectorsState) -> list[Action]:
        return [
            VoteRevenue(actor=self.actor, company=c.ticker, choice="full")
            for c in lasting.companies_to_vote_on(state, self.actor)
        ]

    def check(self, state: SectorsState) -> None:
        lasting.check_full_dividends(state, self.actor)


class VoteActions(Action, frozen=True, kw_only=True, tag="vote_actions"):
    """Vote for up to as many different actions as the company's tier allows; also ahead, for a company that votes
    later. An empty, ready vote ahead abstains. A vote ahead for an action that the company cannot carry out by then
    does not make its seat ready, unless it was impossible already when it was given: the rules then set `in_vain`. (S
    6.7, votes)"""

    company: Ticker
    actions: Annotated[list[CompanyAction], Meta(max_length=3)]
    ready: bool = False
    in_vain: ByRules[bool] = False
    title: ClassVar[str] = mark("Company vote")

    def slot(self) -> str:
        return f"vote_actions {self.company}"

    def serves(self, state: SectorsState) -> bool:
        acting = acting_company(state)
        return acting is not None and acting.ticker == self.company

    def is_ready_ahead(self) -> bool:
        return self.ready

    def with_facts(self, state: SectorsState) -> Action:
        return replace(self, in_vain=self.ready and self._failure(state) is not None)

    def doubt(self, state: SectorsState) -> Refused | None:
        return None if self.in_vain else self._failure(state)

    def _failure(self, state: SectorsState) -> Refused | None:
        """Why the company could not carry out one of the actions now."""
        company = state.companies[self.company]
        return next(filter(None, (refusal_of(state, company, key) for key in self.actions)), None)

    def means(self, state: SectorsState) -> list[Action]:
        return [replace(self, ready=False, in_vain=False)] if self.actions else []

    def check(self, state: SectorsState) -> None:
        company = living(state, self.company)
        if not has_yet_to_act(state, company) or company.status != ACTIVE:
            raise Refused(
                "{ticker} has no vote left this turn.",
                "S 6.7",
                ticker=self.company,
                code="no_vote_left",
                field="company",
            )
        if not state.shares(self.company, self.actor):
            raise Refused(
                "You own no {ticker} shares, so you have no vote.",
                "S 6.7",
                ticker=self.company,
                code="no_shares",
                field="company",
            )
        if not self.actions and not self.ready:
            raise Refused(
                "Choose an action for {ticker}, or abstain in advance by being ready for its vote.",
                "S 6.7",
                ticker=self.company,
                code="nothing_chosen",
                field="actions",
            )
        most = numbers.tier(state, company).actions
        if len(self.actions) > most or len(set(self.actions)) < len(self.actions):
            raise Refused(
                "{ticker} takes up to {most} different actions; you chose {chosen}.",
                "S 6.7",
                ticker=self.company,
                most=most,
                chosen=len(self.actions),
                code="too_many_actions",
                field="actions",
            )
        for key in self.actions:
            self._check_action(state, company, key)

    def _check_action(self, state: SectorsState, company: Company, key: str) -> None:
        if not is_unlocked(state, company, key):
            title = COMPANY_ACTIONS[key].title  # in English: a ballot cast ahead may be dropped, which is stored
            raise Refused(
                "{ticker} cannot take {action}.",
                "S 6.10",
                ticker=self.company,
                action=title,
                code="company_action_locked",
                field="actions",
            )


class Contribute(Action, frozen=True, kw_only=True, tag="contribute"):
    """Give an insolvent company cash, or own shares sold at today's price; public, immediate and final. (S 6.12)"""

    cash: Number = 0
    shares: Number = 0
    title: ClassVar[str] = mark("Contribution")
    is_public: ClassVar[bool] = True

    def check(self, state: SectorsState) -> None:
        company = acting_company(state)
        if company is None:
            raise Refused("No company is asking for contributions.", "S 6.12", code="nobody_asks")
        held, cash = state.shares(company.ticker, self.actor), state.ledger.balance(cash_of(self.actor))
        if not held:
            raise Refused(
                "You own no {ticker} shares, so you cannot contribute.",
                "R-18",
                ticker=company.ticker,
                code="no_shares",
                field="company",
            )
        if not self.cash and not self.shares:
            raise Refused("Contribute at least 1 dollar or 1 share.", "S 6.12", code="nothing_offered")
        if self.cash > cash:
            raise Refused(
                "You have {cash}; you offered {offered}.",
                "S 6.12",
                cash=cash,
                offered=self.cash,
                code="not_enough_cash",
                field="cash",
            )
        if self.shares > held:
            raise Refused(
                "You own {held} {ticker} shares; you offered {shares}.",
                "S 6.12",
                held=held,
                ticker=company.ticker,
                shares=self.shares,
                code="not_enough_shares",
                field="shares",
            )

    def carry_out(self, play: Play[SectorsState]) -> None:
        contributions.give(play, self.actor, self.cash, self.shares)


SectorsAction = (
    Ready
    | Pass
    | Withdraw
    | BidInfluence
    | PledgeHeadline
    | VoteTranche
    | DistributeTranche
    | MarketOrder
    | LimitOrder
    | ShortOrder
    | OptionOrder
    | StandingOrder
    | StopOrdering
    | CoverShort
    | ExerciseOption
    | VoteRevenue
    | VoteFullRevenue
    | VoteActions
    | Contribute
)
ACTIONS: dict[str, type[Action]] = {str(kind.__struct_config__.tag): kind for kind in SectorsAction.__args__}
