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
    you: ClassVar[str] = mark("You placed an order for {company}.")


LOCATED = {
    "ipo": mark("{seat} placed an order for {company} in the IPO."),
    "market": mark("{seat} placed an order for {company} on the open market."),
    "derivatives": mark("{seat} placed an order for {company} on the derivatives market."),
}
YOU_LOCATED = {
    "ipo": mark("You placed an order for {company} in the IPO."),
    "market": mark("You placed an order for {company} on the open market."),
    "derivatives": mark("You placed an order for {company} on the derivatives market."),
}


class OrderLocated(AboutCompany, frozen=True, kw_only=True, tag="order_located"):
    order: int
    seat: int
    location: str
    topic: ClassVar[str] = "order"
    is_fleeting: ClassVar[bool] = True

    def sentence(self, names: Names) -> str:
        return say(LOCATED[self.location], **self._words(names))

    def yours(self, seat: int) -> str:
        return YOU_LOCATED[self.location]


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
YOU_REVEALED = {
    "limit buy": mark("You placed a limit order: buy {quantity} {company} at {price}."),
    "limit sell": mark("You placed a limit order: sell {quantity} {company} at {price}."),
    "short": mark("You ordered a short of {quantity} {company}."),
    "option plain": mark("You ordered the option on {quantity} {company}."),
    "option bid": mark("You ordered the option on {quantity} {company}, bidding {price}."),
    "buy ipo plain": mark("You ordered to buy {quantity} {company} from the IPO."),
    "buy ipo bid": mark("You ordered to buy {quantity} {company} from the IPO, bidding {price} per share."),
    "buy market plain": mark("You ordered to buy {quantity} {company} on the open market."),
    "buy market bid": mark("You ordered to buy {quantity} {company} on the open market, bidding {price} per share."),
    "sell market plain": mark("You ordered to sell {quantity} {company} on the open market."),
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
    is_routine: ClassVar[bool] = True

    def sentence(self, names: Names) -> str:
        return say(REVEALED[self._what()], **self._words(names))

    def yours(self, seat: int) -> str:
        return YOU_REVEALED[self._what()]

    def _what(self) -> str:
        bid = "bid" if self.price and self.side == "buy" else "plain"
        if self.kind == "market":
            return f"{self.side} {self.location} {bid}"
        return {"limit": f"limit {self.side}", "short": "short"}.get(self.kind, f"option {bid}")


FILLED = {
    "buy ipo": mark("{seat} bought {quantity} {company} from the IPO."),
    "buy market": mark("{seat} bought {quantity} {company} on the open market."),
    "sell market": mark("{seat} sold {quantity} {company} on the open market."),
    "buy limit": mark("{seat} bought {quantity} {company} on the open market by a limit order."),
    "sell limit": mark("{seat} sold {quantity} {company} on the open market by a limit order."),
}
YOU_FILLED = {
    "buy ipo": mark("You bought {quantity} {company} from the IPO."),
    "buy market": mark("You bought {quantity} {company} on the open market."),
    "sell market": mark("You sold {quantity} {company} on the open market."),
    "buy limit": mark("You bought {quantity} {company} on the open market by a limit order."),
    "sell limit": mark("You sold {quantity} {company} on the open market by a limit order."),
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
        return say(FILLED[self._how()], **self._words(names))

    def yours(self, seat: int) -> str:
        return YOU_FILLED[self._how()]

    def _how(self) -> str:
        return f"{self.side} {self.kind if self.kind == 'limit' else self.location}"

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

    text: ClassVar[str] = mark("{seat}'s order for {quantity} {company} was rejected: {reason} (Rule {rule})")
    you: ClassVar[str] = mark("Your order for {quantity} {company} was rejected: {reason} (Rule {rule})")

    def _words(self, names: Names) -> dict[str, object]:
        return {**super()._words(names), "reason": cause_words(self.reason)}


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
YOUR_LIMIT_OPENED = {
    "buy": mark("Your limit order opened: buy {quantity} {company} at {price}."),
    "sell": mark("Your limit order opened: sell {quantity} {company} at {price}."),
}
YOUR_LIMIT_TRIGGERED = {
    "buy": mark("Your limit order to buy {quantity} {company} at {price} was triggered and will settle next turn."),
    "sell": mark("Your limit order to sell {quantity} {company} at {price} was triggered and will settle next turn."),
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

    def yours(self, seat: int) -> str:
        return YOUR_LIMIT_OPENED[self.side]


class LimitTriggered(AboutCompany, frozen=True, kw_only=True, tag="limit_triggered"):
    order: int
    seat: int
    side: str
    quantity: int
    price: int
    topic: ClassVar[str] = "order"

    def sentence(self, names: Names) -> str:
        return say(LIMIT_TRIGGERED[self.side], **self._words(names))

    def yours(self, seat: int) -> str:
        return YOUR_LIMIT_TRIGGERED[self.side]


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
    you: ClassVar[str] = mark("You shorted {quantity} {company} and locked a margin of {margin}.")
    figures: ClassVar[str] = "{quantity} × {price}"


class ShortInterestPaid(AboutCompany, frozen=True, kw_only=True, tag="short_interest_paid"):
    order: int
    seat: int
    amount: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} paid interest on the short in {company}.")
    you: ClassVar[str] = mark("You paid interest on your short in {company}.")
    figures: ClassVar[str] = "−{amount}"


class ShortCovered(AboutCompany, frozen=True, kw_only=True, tag="short_covered"):
    order: int
    seat: int
    quantity: int
    price: int
    margin: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = mark("{seat} covered a short of {quantity} {company} and freed the margin of {margin}.")
    you: ClassVar[str] = mark("You covered a short of {quantity} {company} and freed the margin of {margin}.")
    figures: ClassVar[str] = mark("−{price} each")


class ShortClosed(AboutCompany, frozen=True, kw_only=True, tag="short_closed"):
    order: int
    seat: int
    paid: int
    margin: int
    why: str
    topic: ClassVar[str] = "money"
    figures: ClassVar[str] = "−{paid}"

    text: ClassVar[str] = mark("{seat}'s short in {company} was closed ({why}), which freed the margin of {margin}.")
    you: ClassVar[str] = mark("Your short in {company} was closed ({why}), which freed the margin of {margin}.")

    def _words(self, names: Names) -> dict[str, object]:
        return {**super()._words(names), "why": cause_words(self.why)}


class CoverDropped(AboutCompany, frozen=True, kw_only=True, tag="cover_dropped"):
    order: int
    seat: int
    cost: int
    cash: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = mark("{seat} could not cover {company}: it cost {cost}; cash and margin were {cash}. (A32)")
    you: ClassVar[str] = mark("You could not cover {company}: it cost {cost}; cash and margin were {cash}. (A32)")


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
    you: ClassVar[str] = mark("You bought an option on {company}.")
    figures: ClassVar[str] = "−{premium}"


class ContractExpired(AboutCompany, frozen=True, kw_only=True, tag="contract_expired"):
    contract: int
    seat: int
    why: str
    topic: ClassVar[str] = "order"

    text: ClassVar[str] = mark("{seat}'s option on {company} expired: {why}.")
    you: ClassVar[str] = mark("Your option on {company} expired: {why}.")

    def _words(self, names: Names) -> dict[str, object]:
        return {**super()._words(names), "why": cause_words(self.why)}


class OptionExercised(AboutCompany, frozen=True, kw_only=True, tag="option_exercised"):
    contract: int
    seat: int
    shares: int
    price: int
    strike: int
    topic: ClassVar[str] = "order"
    text: ClassVar[str] = mark("{seat} exercised an option on {shares} {company} at a strike of {strike}.")
    you: ClassVar[str] = mark("You exercised an option on {shares} {company} at a strike of {strike}.")

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
