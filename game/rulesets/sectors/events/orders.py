"""What happens to orders, prices, shorts and contracts."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Event, Names
from game.engine.phrases import plural, thousands
from game.rulesets.sectors.events.base import AboutCompany


class OrderSealed(AboutCompany, frozen=True, kw_only=True, tag="order_sealed"):
    order: int
    seat: int
    topic: ClassVar[str] = "order"
    is_fleeting: ClassVar[bool] = True
    text: ClassVar[str] = "{seat} placed an order for {company}."


class OrderLocated(AboutCompany, frozen=True, kw_only=True, tag="order_located"):
    order: int
    seat: int
    location: str
    topic: ClassVar[str] = "order"
    is_fleeting: ClassVar[bool] = True

    def sentence(self, names: Names) -> str:
        place = {"ipo": "in the IPO", "market": "on the open market", "derivatives": "on the derivatives market"}
        return f"{names(self.seat)} placed an order for {self.company} {place[self.location]}."


class OrderRevealed(AboutCompany, frozen=True, kw_only=True, tag="order_revealed"):
    order: int
    seat: int
    kind: str
    side: str
    location: str
    quantity: int
    price: int
    topic: ClassVar[str] = "order"

    def sentence(self, names: Names) -> str:
        who, what = names(self.seat), f"{self.quantity} {self.company}"
        if self.kind == "limit":
            return f"{who} placed a limit order: {self.side} {what} at {thousands(self.price)}."
        if self.kind == "short":
            return f"{who} ordered a short of {what}."
        if self.kind == "option":
            return f"{who} ordered the option on {what}" + (
                f", bidding {thousands(self.price)}." if self.price else "."
            )
        bid = f", bidding {thousands(self.price)} per share" if self.price else ""
        place = "from the IPO" if self.location == "ipo" else "on the open market"
        return f"{who} ordered to {self.side} {what} {place}{bid}."


class OrderFilled(AboutCompany, frozen=True, kw_only=True, tag="order_filled"):
    order: int
    seat: int
    kind: str
    side: str
    location: str
    quantity: int
    price: int
    topic: ClassVar[str] = "order"

    def sentence(self, names: Names) -> str:
        verb = "bought" if self.side == "buy" else "sold"
        place = "from the IPO" if self.location == "ipo" else "on the open market"
        how = " by a limit order" if self.kind == "limit" else ""
        return f"{names(self.seat)} {verb} {self.quantity} {self.company} {place}{how}."

    def figure(self, names: Names) -> str:
        sign = "−" if self.side == "buy" else "+"
        return f"{self.quantity} × {self.price} = {sign}{thousands(self.quantity * self.price)}"


class OrderRejected(AboutCompany, frozen=True, kw_only=True, tag="order_rejected"):
    order: int
    seat: int
    quantity: int
    reason: str
    rule: str
    kind: str = ""
    side: str = ""
    location: str = ""
    price: int = 0
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = "{seat}'s order for {quantity} {company} was rejected: {reason} (Rule {rule})"


class LimitOpened(AboutCompany, frozen=True, kw_only=True, tag="limit_opened"):
    order: int
    seat: int
    side: str
    quantity: int
    price: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = "{seat}'s limit order opened: {side} {quantity} {company} at {price}."


class LimitTriggered(AboutCompany, frozen=True, kw_only=True, tag="limit_triggered"):
    order: int
    seat: int
    side: str
    quantity: int
    price: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = (
        "{seat}'s limit order to {side} {quantity} {company} at {price} was triggered and will settle next turn."
    )


class CompanyFloated(AboutCompany, frozen=True, kw_only=True, tag="company_floated"):
    text: ClassVar[str] = "{company} floated."


class PriceMoved(AboutCompany, frozen=True, kw_only=True, tag="price_moved"):
    was: int
    now: int
    why: str
    topic: ClassVar[str] = "price"
    figures: ClassVar[str] = "{was} to {now}"

    def sentence(self, names: Names) -> str:
        return f"{self.company} {'rose' if self.now > self.was else 'fell'} ({self.why})."


class ShortOpened(AboutCompany, frozen=True, kw_only=True, tag="short_opened"):
    order: int
    seat: int
    quantity: int
    price: int
    margin: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = "{seat} shorted {quantity} {company} and locked a margin of {margin}."
    figures: ClassVar[str] = "{quantity} × {price}"


class ShortInterestPaid(AboutCompany, frozen=True, kw_only=True, tag="short_interest_paid"):
    order: int
    seat: int
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "{seat} paid interest on the short in {company}."
    figures: ClassVar[str] = "−{amount}"


class ShortCovered(AboutCompany, frozen=True, kw_only=True, tag="short_covered"):
    order: int
    seat: int
    quantity: int
    price: int
    margin: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = "{seat} covered a short of {quantity} {company} and freed the margin of {margin}."
    figures: ClassVar[str] = "−{price} each"


class ShortClosed(AboutCompany, frozen=True, kw_only=True, tag="short_closed"):
    order: int
    seat: int
    paid: int
    margin: int
    why: str
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "{seat}'s short in {company} was closed ({why}), which freed the margin of {margin}."
    figures: ClassVar[str] = "−{paid}"


class CoverDropped(AboutCompany, frozen=True, kw_only=True, tag="cover_dropped"):
    order: int
    seat: int
    cost: int
    cash: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = "{seat} could not cover {company}: it cost {cost}; cash and margin were {cash}. (A32)"


class ContractOffered(AboutCompany, frozen=True, kw_only=True, tag="contract_offered"):
    contract: int
    shares: int
    term: int
    strike: int
    premium: int
    bonus: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = "An option on {shares} {company} was offered: strike {strike}, term {term}."
    figures: ClassVar[str] = "premium {premium}"


class ContractBought(AboutCompany, frozen=True, kw_only=True, tag="contract_bought"):
    contract: int
    order: int
    seat: int
    premium: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = "{seat} bought an option on {company}."
    figures: ClassVar[str] = "−{premium}"


class ContractExpired(AboutCompany, frozen=True, kw_only=True, tag="contract_expired"):
    contract: int
    seat: int
    why: str
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = "{seat}'s option on {company} expired: {why}."


class OptionExercised(AboutCompany, frozen=True, kw_only=True, tag="option_exercised"):
    contract: int
    seat: int
    shares: int
    price: int
    strike: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = "{seat} exercised an option on {shares} {company} at a strike of {strike}."

    def figure(self, names: Names) -> str:
        return (
            f"({self.price} − {self.strike}) × {self.shares} = +{thousands((self.price - self.strike) * self.shares)}"
        )


class StockRoundEnded(Event, frozen=True, kw_only=True, tag="stock_round_ended"):
    sub_rounds: int
    filled: int
    topic: ClassVar[str] = "order"

    def sentence(self, names: Names) -> str:
        sub_rounds, filled = plural(self.sub_rounds, "sub-round"), plural(self.filled, "market order")
        return f"The stock round ended after {sub_rounds} with {filled} filled."
