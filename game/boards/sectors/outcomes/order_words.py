"""Orders in the words of their owner: placed, rejected, opened, triggered or filled, each by its kind and side."""

from __future__ import annotations

from collections.abc import Mapping

from game.engine.language import mark, say
from game.engine.phrases import thousands
from game.rulesets.sectors.events.orders import LimitOpened, LimitTriggered, OrderFilled, OrderRejected, OrderRevealed

PLACED = {
    ("market", "buy"): mark("Your order to buy {quantity} {company} is placed."),
    ("market", "sell"): mark("Your order to sell {quantity} {company} is placed."),
    ("limit", "buy"): mark("Your limit order to buy {quantity} {company} at {price} is placed."),
    ("limit", "sell"): mark("Your limit order to sell {quantity} {company} at {price} is placed."),
    ("short", "sell"): mark("Your short of {quantity} {company} is placed."),
    ("option", "buy"): mark("Your order for the option on {quantity} {company} is placed."),
}
REJECTED = {
    ("market", "buy"): mark("Your order to buy {quantity} {company} was rejected."),
    ("market", "sell"): mark("Your order to sell {quantity} {company} was rejected."),
    ("limit", "buy"): mark("Your limit order to buy {quantity} {company} at {price} was rejected."),
    ("limit", "sell"): mark("Your limit order to sell {quantity} {company} at {price} was rejected."),
    ("short", "sell"): mark("Your short of {quantity} {company} was rejected."),
    ("option", "buy"): mark("Your order for the option on {quantity} {company} was rejected."),
}
REJECTED_OF_OLD = mark("Your order for {quantity} {company} was rejected.")
"""Logs of old do not say of a rejected order what it was."""
OPENED = {
    "buy": mark("Your limit order to buy {quantity} {company} at {price} is open."),
    "sell": mark("Your limit order to sell {quantity} {company} at {price} is open."),
}
TRIGGERED = {
    "buy": mark("Your limit order to buy {quantity} {company} at {price} was triggered."),
    "sell": mark("Your limit order to sell {quantity} {company} at {price} was triggered."),
}
FILLED = {
    ("buy", "ipo"): mark("You bought {quantity} {company} from the IPO at {price} each."),
    ("buy", "market"): mark("You bought {quantity} {company} on the open market at {price} each."),
    ("sell", "market"): mark("You sold {quantity} {company} on the open market at {price} each."),
}
FILLED_ONE = {
    ("buy", "ipo"): mark("You bought {quantity} {company} from the IPO at {price}."),
    ("buy", "market"): mark("You bought {quantity} {company} on the open market at {price}."),
    ("sell", "market"): mark("You sold {quantity} {company} on the open market at {price}."),
}


def placed_words(event: OrderRevealed) -> str:
    """An order that waits to be resolved."""
    return say(PLACED[event.kind, event.side], **_facts(event))


def rejected_words(event: OrderRejected) -> str:
    """An order that ended without a trade."""
    return say(REJECTED.get((event.kind, event.side), REJECTED_OF_OLD), **_facts(event))


def filled_words(event: OrderFilled) -> str:
    """What was traded where at which price."""
    texts = FILLED if event.quantity > 1 else FILLED_ONE
    return say(texts[event.side, event.location], **_facts(event))


def limit_facts(event: LimitOpened | LimitTriggered) -> Mapping[str, object]:
    """What `OPENED` and `TRIGGERED` tell of a limit order."""
    return _facts(event)


def _facts(event: OrderRevealed | OrderRejected | OrderFilled | LimitOpened | LimitTriggered) -> dict[str, object]:
    return {"quantity": event.quantity, "company": event.company, "price": thousands(event.price)}
