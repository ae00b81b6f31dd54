"""What happens in the operating round: production, dividends, votes, insolvency."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from game.engine.events import Event, Names
from game.engine.phrases import listed, plural, thousands
from game.rulesets.sectors.events.base import AboutCompany


class Produced(AboutCompany, frozen=True, kw_only=True, tag="produced"):
    sold: int
    supply: int
    demand: int
    unit_price: int
    revenue: int
    throughput: int
    prestige: bool
    topic: ClassVar[str] = "money"
    figures: ClassVar[str] = "{revenue}"

    def sentence(self, names: Names) -> str:
        bonus = "; it earned a prestige token" if self.prestige else ""
        return (
            f"{self.company} sold {plural(self.sold, 'unit')} at {self.unit_price} (supply {self.supply}, "
            f"demand {self.demand}, throughput {self.throughput}){bonus}."
        )


class OperatingCostPaid(AboutCompany, frozen=True, kw_only=True, tag="operating_cost_paid"):
    amount: int
    treasury: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "{company} paid its operating cost; {treasury} was left in the treasury."
    figures: ClassVar[str] = "−{amount}"


class BecameInsolvent(AboutCompany, frozen=True, kw_only=True, tag="became_insolvent"):
    text: ClassVar[str] = "{company} ran out of money and became insolvent."


class Tally(msgspec.Struct, frozen=True):
    """Shares that voted for one choice, and whose; the voter with the best player priority first.

    `weights` are the shares of each voter in the same order; games recorded before they were told have none."""

    action: str
    title: str
    shares: int
    voters: tuple[int, ...]
    weights: tuple[int, ...] = ()


class RevenueVoted(AboutCompany, frozen=True, kw_only=True, tag="revenue_voted"):
    choice: str
    full: int
    half: int
    retain: int
    tallies: tuple[Tally, ...] = ()
    topic: ClassVar[str] = "vote"

    def sentence(self, names: Names) -> str:
        if not self.full + self.half + self.retain:
            return f"{self.company} retained its revenue because nobody voted."
        chosen = {"full": "full dividends", "half": "half dividends", "retain": "to retain the revenue"}[self.choice]
        votes = f"full {self.full}, half {self.half}, retain {self.retain} shares"
        return f"The shareholders of {self.company} chose {chosen} ({votes})."

    def seats(self) -> tuple[int, ...]:
        return tuple({seat for tally in self.tallies for seat in tally.voters})


class DividendPaid(AboutCompany, frozen=True, kw_only=True, tag="dividend_paid"):
    seat: int
    amount: int
    shares: int
    topic: ClassVar[str] = "money"
    figures: ClassVar[str] = "+{amount}"

    def sentence(self, names: Names) -> str:
        return f"{names(self.seat)} received dividends of {self.company} on {plural(self.shares, 'share')}."


class ShortDividendPaid(AboutCompany, frozen=True, kw_only=True, tag="short_dividend_paid"):
    seat: int
    amount: int
    owed: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "{seat} owed dividends of {owed} on shorted {company}."
    figures: ClassVar[str] = "−{amount}"


class RevenueRetained(AboutCompany, frozen=True, kw_only=True, tag="revenue_retained"):
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "{company} put revenue into its treasury."
    figures: ClassVar[str] = "+{amount}"


class OrderLocked(Event, frozen=True, kw_only=True, tag="order_locked"):
    order: tuple[str, ...]

    def sentence(self, names: Names) -> str:
        if not self.order:
            return "No company could act this turn."
        return f"The order of the companies was fixed: {listed(list(self.order))}."


class CompanyVoted(AboutCompany, frozen=True, kw_only=True, tag="company_voted"):
    tallies: tuple[Tally, ...]
    selected: tuple[str, ...]
    titles: tuple[str, ...]
    topic: ClassVar[str] = "vote"

    def sentence(self, names: Names) -> str:
        if not self.tallies:
            return f"Nobody voted in {self.company}, so Veto was chosen."
        votes = ", ".join(f"{tally.title} {tally.shares}" for tally in self.tallies)
        return f"The shareholders of {self.company} chose {listed(list(self.titles))} (shares: {votes})."

    def seats(self) -> tuple[int, ...]:
        return tuple({seat for tally in self.tallies for seat in tally.voters})


class ActionDone(AboutCompany, frozen=True, kw_only=True, tag="action_done"):
    action: str
    title: str
    cost: int
    prestige: int
    topic: ClassVar[str] = "vote"
    text: ClassVar[str] = "{company} carried out {title}."

    def figure(self, names: Names) -> str:
        tokens = f" and {self.prestige} prestige" if self.prestige else ""
        return f"−{thousands(self.cost)}{tokens}" if self.cost or self.prestige else ""


class ActionFailed(AboutCompany, frozen=True, kw_only=True, tag="action_failed"):
    action: str
    title: str
    reason: str
    rule: str
    topic: ClassVar[str] = "vote"
    text: ClassVar[str] = "{company} could not carry out {title}: {reason} (Rule {rule})"


class CardDrawn(AboutCompany, frozen=True, kw_only=True, tag="card_drawn"):
    card: str
    title: str
    topic: ClassVar[str] = "vote"

    def sentence(self, names: Names) -> str:
        if not self.card:
            return f"{self.company} paid for research, but no card was left for it. (A9)"
        return f"{self.company} researched {self.title}."


class PrestigeSpent(AboutCompany, frozen=True, kw_only=True, tag="prestige_spent"):
    space: str
    title: str
    cost: int
    bought: bool
    topic: ClassVar[str] = "vote"

    def sentence(self, names: Names) -> str:
        if self.bought:
            return f"{self.company} bought {self.title} on the prestige track."
        return f"{self.company} could not afford {self.title} and moved the prestige track on."

    def figure(self, names: Names) -> str:
        return f"−{self.cost} prestige" if self.bought else ""


class Contributed(AboutCompany, frozen=True, kw_only=True, tag="contributed"):
    seat: int
    cash: int
    shares: int
    price: int
    topic: ClassVar[str] = "money"

    def sentence(self, names: Names) -> str:
        gifts = ([f"{thousands(self.cash)} in cash"] if self.cash else []) + (
            [plural(self.shares, "share")] if self.shares else []
        )
        return f"{names(self.seat)} gave {self.company} {listed(gifts)}."

    def figure(self, names: Names) -> str:
        return f"+{thousands(self.cash + self.shares * self.price)}"


class Reactivated(AboutCompany, frozen=True, kw_only=True, tag="reactivated"):
    worth: int
    shortfall: int
    text: ClassVar[str] = "{company} received {worth} ({shortfall} needed) and became active again."


class WentBankrupt(AboutCompany, frozen=True, kw_only=True, tag="went_bankrupt"):
    worth: int
    shortfall: int
    text: ClassVar[str] = "{company} received {worth} ({shortfall} needed) and went bankrupt."


class LiquidationPaid(AboutCompany, frozen=True, kw_only=True, tag="liquidation_paid"):
    seat: int
    shares: int
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "{seat} was paid 10% of the price for {shares} {company} shares."
    figures: ClassVar[str] = "+{amount}"
