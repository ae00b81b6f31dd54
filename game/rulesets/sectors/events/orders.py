"""Events of orders, prices, shorts and contracts."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Event, Names
from game.engine.language import count, mark, say
from game.engine.phrases import thousands
from game.rulesets.sectors.causes import cause_words
from game.rulesets.sectors.events.base import AboutCompany


class OrderSealed(AboutCompany, frozen=True, kw_only=True, tag="order_sealed"):
    order: int
    seat: int
    topic: ClassVar[str] = "order"
    is_fleeting: ClassVar[bool] = True
    text: ClassVar[str] = mark("{seat} placed an order for {company}.")


LOCATED = {
    "ipo": mark("{seat} placed an order for {company} in the IPO."),
    "market": mark("{seat} placed an order for {company} on the open market."),
    "derivatives": mark("{seat} placed an order for {company} on the derivatives market."),
}


class OrderLocated(AboutCompany, frozen=True, kw_only=True, tag="order_located"):
    order: int
    seat: int
    location: str
    topic: ClassVar[str] = "order"
    is_fleeting: ClassVar[bool] = True

    def sentence(self, names: Names) -> str:
        return say(LOCATED[self.location], seat=names(self.seat), company=self.company)


REVEALED = {
    "limit buy": mark("{seat} placed a limit order: buy {quantity} {company} at {price}."),
    "limit sell": mark("{seat} placed a limit order: sell {quantity} {company} at {price}."),
    "short": mark("{seat} ordered a short of {quantity} {company}."),
    "option plain": mark("{seat} ordered the option on {quantity} {company}."),
    "option bid": mark("{seat} ordered the option on {quantity} {company}, bidding {price}."),
    "buy ipo plain": mark("{seat} ordered to buy {quantity} {company} from the IPO."),
    "buy ipo bid": mark("{seat} ordered to buy {quantity} {company} from the IPO, bidding {price} per share."),
    "buy market plain": mark("{seat} ordered to buy {quantity} {company} on the open market."),
    "buy market bid": mark("{seat} ordered to buy {quantity} {company} on the open market, bidding {price} per share."),
    "sell market plain": mark("{seat} ordered to sell {quantity} {company} on the open market."),
}


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
        return say(
            self._template(),
            seat=names(self.seat),
            quantity=self.quantity,
            company=self.company,
            price=thousands(self.price),
        )

    def _template(self) -> str:
        bid = "bid" if self.price and self.side == "buy" else "plain"
        if self.kind == "market":
            return REVEALED[f"{self.side} {self.location} {bid}"]
        return REVEALED[{"limit": f"limit {self.side}", "short": "short"}.get(self.kind, f"option {bid}")]


FILLED = {
    "buy ipo": mark("{seat} bought {quantity} {company} from the IPO."),
    "buy market": mark("{seat} bought {quantity} {company} on the open market."),
    "sell market": mark("{seat} sold {quantity} {company} on the open market."),
    "buy limit": mark("{seat} bought {quantity} {company} on the open market by a limit order."),
    "sell limit": mark("{seat} sold {quantity} {company} on the open market by a limit order."),
}


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
        how = self.kind if self.kind == "limit" else self.location
        return say(FILLED[f"{self.side} {how}"], seat=names(self.seat), quantity=self.quantity, company=self.company)

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

    def sentence(self, names: Names) -> str:
        return say(
            "{seat}'s order for {quantity} {company} was rejected: {reason} (Rule {rule})",
            seat=names(self.seat),
            quantity=thousands(self.quantity),
            company=self.company,
            reason=cause_words(self.reason),
            rule=self.rule,
        )


LIMIT_OPENED = {
    "buy": mark("{seat}'s limit order opened: buy {quantity} {company} at {price}."),
    "sell": mark("{seat}'s limit order opened: sell {quantity} {company} at {price}."),
}
LIMIT_TRIGGERED = {
    "buy": mark("{seat}'s limit order to buy {quantity} {company} at {price} was triggered and will settle next turn."),
    "sell": mark(
        "{seat}'s limit order to sell {quantity} {company} at {price} was triggered and will settle next turn."
    ),
}


class LimitOpened(AboutCompany, frozen=True, kw_only=True, tag="limit_opened"):
    order: int
    seat: int
    side: str
    quantity: int
    price: int
    topic: ClassVar[str] = "order"

    def sentence(self, names: Names) -> str:
        return say(LIMIT_OPENED[self.side], **self._words(names))


class LimitTriggered(AboutCompany, frozen=True, kw_only=True, tag="limit_triggered"):
    order: int
    seat: int
    side: str
    quantity: int
    price: int
    topic: ClassVar[str] = "order"

    def sentence(self, names: Names) -> str:
        return say(LIMIT_TRIGGERED[self.side], **self._words(names))


class CompanyFloated(AboutCompany, frozen=True, kw_only=True, tag="company_floated"):
    text: ClassVar[str] = mark("{company} floated.")


class PriceMoved(AboutCompany, frozen=True, kw_only=True, tag="price_moved"):
    was: int
    now: int
    why: str
    topic: ClassVar[str] = "price"
    figures: ClassVar[str] = mark("{was} to {now}")

    def sentence(self, names: Names) -> str:
        return say(
            "{company} rose ({why})." if self.now > self.was else "{company} fell ({why}).",
            company=self.company,
            why=cause_words(self.why),
        )


class ShortOpened(AboutCompany, frozen=True, kw_only=True, tag="short_opened"):
    order: int
    seat: int
    quantity: int
    price: int
    margin: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = mark("{seat} shorted {quantity} {company} and locked a margin of {margin}.")
    figures: ClassVar[str] = "{quantity} × {price}"


class ShortInterestPaid(AboutCompany, frozen=True, kw_only=True, tag="short_interest_paid"):
    order: int
    seat: int
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} paid interest on the short in {company}.")
    figures: ClassVar[str] = "−{amount}"


class ShortCovered(AboutCompany, frozen=True, kw_only=True, tag="short_covered"):
    order: int
    seat: int
    quantity: int
    price: int
    margin: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = mark("{seat} covered a short of {quantity} {company} and freed the margin of {margin}.")
    figures: ClassVar[str] = mark("−{price} each")


class ShortClosed(AboutCompany, frozen=True, kw_only=True, tag="short_closed"):
    order: int
    seat: int
    paid: int
    margin: int
    why: str
    topic: ClassVar[str] = "money"
    figures: ClassVar[str] = "−{paid}"

    def sentence(self, names: Names) -> str:
        return say(
            "{seat}'s short in {company} was closed ({why}), which freed the margin of {margin}.",
            seat=names(self.seat),
            company=self.company,
            why=cause_words(self.why),
            margin=thousands(self.margin),
        )


class CoverDropped(AboutCompany, frozen=True, kw_only=True, tag="cover_dropped"):
    order: int
    seat: int
    cost: int
    cash: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = mark("{seat} could not cover {company}: it cost {cost}; cash and margin were {cash}. (A32)")


class ContractOffered(AboutCompany, frozen=True, kw_only=True, tag="contract_offered"):
    contract: int
    shares: int
    term: int
    strike: int
    premium: int
    bonus: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = mark("An option on {shares} {company} was offered: strike {strike}, term {term}.")
    figures: ClassVar[str] = mark("premium {premium}")


class ContractBought(AboutCompany, frozen=True, kw_only=True, tag="contract_bought"):
    contract: int
    order: int
    seat: int
    premium: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = mark("{seat} bought an option on {company}.")
    figures: ClassVar[str] = "−{premium}"


class ContractExpired(AboutCompany, frozen=True, kw_only=True, tag="contract_expired"):
    contract: int
    seat: int
    why: str
    topic: ClassVar[str] = "order"

    def sentence(self, names: Names) -> str:
        return say(
            "{seat}'s option on {company} expired: {why}.",
            seat=names(self.seat),
            company=self.company,
            why=cause_words(self.why),
        )


class OptionExercised(AboutCompany, frozen=True, kw_only=True, tag="option_exercised"):
    contract: int
    seat: int
    shares: int
    price: int
    strike: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = mark("{seat} exercised an option on {shares} {company} at a strike of {strike}.")

    def figure(self, names: Names) -> str:
        return (
            f"({self.price} − {self.strike}) × {self.shares} = +{thousands((self.price - self.strike) * self.shares)}"
        )


class StockRoundEnded(Event, frozen=True, kw_only=True, tag="stock_round_ended"):
    sub_rounds: int
    filled: int
    topic: ClassVar[str] = "order"

    def sentence(self, names: Names) -> str:
        return say(
            "The stock round ended after {sub_rounds} with {orders} filled.",
            sub_rounds=count("{n} sub-round", "{n} sub-rounds", self.sub_rounds),
            orders=count("{n} market order", "{n} market orders", self.filled),
        )
