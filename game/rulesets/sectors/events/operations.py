"""Events of the operating round: production, dividends, votes, insolvency."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from game.engine.events import Event, Names
from game.engine.language import count, mark, say
from game.engine.phrases import listed, thousands
from game.rulesets.sectors.causes import cause_words
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
        return say(
            "{company} sold {units} at {price} (supply {supply}, demand {demand}, gap {gap}); "
            "it earned a prestige token."
            if self.prestige
            else "{company} sold {units} at {price} (supply {supply}, demand {demand}, gap {gap}).",
            company=self.company,
            units=count("{n} unit", "{n} units", self.sold),
            price=self.unit_price,
            supply=self.supply,
            demand=self.demand,
            gap=self.throughput,
        )


class OperatingCostPaid(AboutCompany, frozen=True, kw_only=True, tag="operating_cost_paid"):
    amount: int
    treasury: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{company} paid its operating cost; {treasury} was left in the treasury.")
    figures: ClassVar[str] = "−{amount}"


class BecameInsolvent(AboutCompany, frozen=True, kw_only=True, tag="became_insolvent"):
    text: ClassVar[str] = mark("{company} ran out of money and became insolvent.")


class Tally(msgspec.Struct, frozen=True):
    """Shares and voters of one choice, best player priority first. `weights` are the shares of each voter in the same
    order; older logs have none."""

    action: str
    title: str
    shares: int
    voters: tuple[int, ...]
    weights: tuple[int, ...] = ()


REVENUE_VOTES = {
    "full": mark(
        "The shareholders of {company} chose full dividends (full {full}, half {half}, retain {retain} shares)."
    ),
    "half": mark(
        "The shareholders of {company} chose half dividends (full {full}, half {half}, retain {retain} shares)."
    ),
    "retain": mark(
        "The shareholders of {company} chose to retain the revenue (full {full}, half {half}, retain {retain} shares)."
    ),
}


class RevenueVoted(AboutCompany, frozen=True, kw_only=True, tag="revenue_voted"):
    choice: str
    full: int
    half: int
    retain: int
    tallies: tuple[Tally, ...] = ()
    topic: ClassVar[str] = "vote"

    def sentence(self, names: Names) -> str:
        if not self.full + self.half + self.retain:
            return say("{company} retained its revenue because nobody voted.", company=self.company)
        return say(REVENUE_VOTES[self.choice], company=self.company, full=self.full, half=self.half, retain=self.retain)

    def seats(self) -> tuple[int, ...]:
        return tuple({seat for tally in self.tallies for seat in tally.voters})


class DividendPaid(AboutCompany, frozen=True, kw_only=True, tag="dividend_paid"):
    seat: int
    amount: int
    shares: int
    topic: ClassVar[str] = "money"
    figures: ClassVar[str] = "+{amount}"

    def sentence(self, names: Names) -> str:
        return count(
            "{seat} received dividends of {company} on {n} share.",
            "{seat} received dividends of {company} on {n} shares.",
            self.shares,
            seat=names(self.seat),
            company=self.company,
        )

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat != self.seat:
            return self.sentence(names)
        return count(
            "You received dividends of {company} on {n} share.",
            "You received dividends of {company} on {n} shares.",
            self.shares,
            company=self.company,
        )


class ShortDividendPaid(AboutCompany, frozen=True, kw_only=True, tag="short_dividend_paid"):
    seat: int
    amount: int
    owed: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} owed dividends of {owed} on shorted {company}.")
    you: ClassVar[str] = mark("You owed dividends of {owed} on shorted {company}.")
    figures: ClassVar[str] = "−{amount}"


class RevenueRetained(AboutCompany, frozen=True, kw_only=True, tag="revenue_retained"):
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{company} put revenue into its treasury.")
    figures: ClassVar[str] = "+{amount}"


class OrderLocked(Event, frozen=True, kw_only=True, tag="order_locked"):
    order: tuple[str, ...]

    def sentence(self, names: Names) -> str:
        if not self.order:
            return say("No company could act this turn.")
        return say("The order of the companies was fixed: {companies}.", companies=listed(self.order))


class CompanyVoted(AboutCompany, frozen=True, kw_only=True, tag="company_voted"):
    tallies: tuple[Tally, ...]
    selected: tuple[str, ...]
    titles: tuple[str, ...]
    topic: ClassVar[str] = "vote"

    def sentence(self, names: Names) -> str:
        if not self.tallies:
            return say("Nobody voted in {company}, so Veto was chosen.", company=self.company)
        return say(
            "The shareholders of {company} chose {actions} (shares: {votes}).",
            company=self.company,
            actions=listed([say(title) for title in self.titles]),
            votes=", ".join(f"{say(tally.title)} {tally.shares}" for tally in self.tallies),
        )

    def seats(self) -> tuple[int, ...]:
        return tuple({seat for tally in self.tallies for seat in tally.voters})


class ActionDone(AboutCompany, frozen=True, kw_only=True, tag="action_done"):
    action: str
    title: str
    cost: int
    prestige: int
    topic: ClassVar[str] = "vote"

    def sentence(self, names: Names) -> str:
        return say("{company} carried out {title}.", company=self.company, title=say(self.title))

    def figure(self, names: Names) -> str:
        if self.prestige:
            return say("−{cost} and {prestige} prestige", cost=thousands(self.cost), prestige=self.prestige)
        return f"−{thousands(self.cost)}" if self.cost else ""


class ActionFailed(AboutCompany, frozen=True, kw_only=True, tag="action_failed"):
    action: str
    title: str
    reason: str
    rule: str
    topic: ClassVar[str] = "vote"

    def sentence(self, names: Names) -> str:
        return say(
            "{company} could not carry out {title}: {reason} (Rule {rule})",
            company=self.company,
            title=say(self.title),
            reason=cause_words(self.reason),
            rule=self.rule,
        )


class CardDrawn(AboutCompany, frozen=True, kw_only=True, tag="card_drawn"):
    card: str
    title: str
    topic: ClassVar[str] = "vote"

    def sentence(self, names: Names) -> str:
        if not self.card:
            return say("{company} paid for research, but no card was left for it. (A9)", company=self.company)
        return say("{company} researched {title}.", company=self.company, title=say(self.title))


class PrestigeSpent(AboutCompany, frozen=True, kw_only=True, tag="prestige_spent"):
    space: str
    title: str
    cost: int
    bought: bool
    topic: ClassVar[str] = "vote"

    def sentence(self, names: Names) -> str:
        return say(
            "{company} bought {title} on the prestige track."
            if self.bought
            else "{company} could not afford {title} and moved the prestige track on.",
            company=self.company,
            title=say(self.title),
        )

    def figure(self, names: Names) -> str:
        return say("−{cost} prestige", cost=self.cost) if self.bought else ""


class Contributed(AboutCompany, frozen=True, kw_only=True, tag="contributed"):
    seat: int
    cash: int
    shares: int
    price: int
    topic: ClassVar[str] = "money"

    def sentence(self, names: Names) -> str:
        return say("{seat} gave {company} {gifts}.", seat=names(self.seat), company=self.company, gifts=self._gifts())

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat != self.seat:
            return self.sentence(names)
        return say("You gave {company} {gifts}.", company=self.company, gifts=self._gifts())

    def _gifts(self) -> str:
        gifts = [say("{amount} in cash", amount=thousands(self.cash))] if self.cash else []
        gifts += [count("{n} share", "{n} shares", self.shares)] if self.shares else []
        return listed(gifts)

    def figure(self, names: Names) -> str:
        return f"+{thousands(self.cash + self.shares * self.price)}"


class Reactivated(AboutCompany, frozen=True, kw_only=True, tag="reactivated"):
    worth: int
    shortfall: int
    text: ClassVar[str] = mark("{company} received {worth} ({shortfall} needed) and became active again.")


class WentBankrupt(AboutCompany, frozen=True, kw_only=True, tag="went_bankrupt"):
    worth: int
    shortfall: int
    text: ClassVar[str] = mark("{company} received {worth} ({shortfall} needed) and went bankrupt.")


class LiquidationPaid(AboutCompany, frozen=True, kw_only=True, tag="liquidation_paid"):
    seat: int
    shares: int
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} was paid 10% of the price for {shares} {company} shares.")
    you: ClassVar[str] = mark("You were paid 10% of the price for {shares} {company} shares.")
    figures: ClassVar[str] = "+{amount}"
