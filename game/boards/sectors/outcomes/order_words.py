"""Orders in their owner's words: placed, opened, triggered, filled, or rejected and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from game.boards.sectors.outcomes.scene import Scene
from game.engine.language import count, mark, say
from game.engine.phrases import capitalised, thousands
from game.rulesets.sectors import causes
from game.rulesets.sectors.events.orders import (
    ContractBought,
    LimitOpened,
    LimitTriggered,
    OrderFilled,
    OrderRejected,
    OrderRevealed,
    ShortOpened,
)

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
"""The text for old logs, which do not say what a rejected order was."""
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
TOO_FEW_LEFT = re.compile(r"(\d+) wanted, (\d+) left\.")
Numbers = tuple[int, ...]
Tell = Callable[[Numbers, OrderRejected, Scene], str]


def placed_words(event: OrderRevealed) -> str:
    """An order that waits to be resolved."""
    return say(PLACED[event.kind, event.side], **_facts(event))


def rejected_words(event: OrderRejected) -> str:
    """An order that ended without a trade."""
    return say(REJECTED.get((event.kind, event.side), REJECTED_OF_OLD), **_facts(event))


def filled_words(event: OrderFilled) -> str:
    """The trade in words: shares, place and price."""
    texts = FILLED if event.quantity > 1 else FILLED_ONE
    return say(texts[event.side, event.location], **_facts(event))


def limit_facts(event: LimitOpened | LimitTriggered) -> Mapping[str, object]:
    """The facts for `OPENED` and `TRIGGERED` about a limit order."""
    return _facts(event)


def _facts(event: OrderRevealed | OrderRejected | OrderFilled | LimitOpened | LimitTriggered) -> dict[str, object]:
    return {"quantity": event.quantity, "company": event.company, "price": thousands(event.price)}


def reason_of(event: OrderRejected, scene: Scene) -> str:
    """The reason given by the resolution, addressed to its owner; any other reason as it is stored."""
    for pattern, tell in REASONS:
        if match := pattern.fullmatch(event.reason):
            return tell(tuple(int(number) for number in match.groups()), event, scene)
    return capitalised(causes.cause_words(event.reason))


def too_few_to_sell(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    wanted, held = numbers
    return say("You wanted to sell {wanted} and held {held}.", wanted=wanted, held=held)


def too_few_left(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    """The reason that shares were bought first by others or never existed."""
    wanted, remaining = numbers
    first = list(dict.fromkeys(_served_first(event, scene)))
    what = count("You wanted {n} share;", "You wanted {n} shares;", wanted)
    there = _left_in_the_ipo(remaining) if event.location == "ipo" else _left_on_the_market(remaining)
    return f"{what} {there}{_bought_first(first, scene)}"


def shortage_words(event: OrderRejected) -> str:
    """The text for anybody that too few shares were left; empty for another reason."""
    match = TOO_FEW_LEFT.fullmatch(event.reason)
    if match is None:
        return ""
    left = int(match[2])
    return capitalised(_left_in_the_ipo(left) if event.location == "ipo" else _left_on_the_market(left))


def _bought_first(seats: Sequence[int], scene: Scene) -> str:
    if not seats:
        return ""
    if len(seats) == 1:
        return f" {say('{player} bought first.', player=scene.opening(*seats))}"
    return f" {say('{players} bought first.', players=scene.opening(*seats))}"


def _served_first(event: OrderRejected, scene: Scene) -> Iterator[int]:
    for other in reversed(list(scene.before())):
        if not isinstance(other, OrderFilled) or other.seat == event.seat:
            continue
        if (other.company, other.side, other.location) == (event.company, "buy", event.location):
            yield other.seat


def over_the_cap(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    after, cap = numbers
    return say("It would have brought you to {after} shares; the ownership cap is {cap}.", after=after, cap=cap)


def too_dear(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    cost, cash = numbers
    return say("It cost {cost}; you had {cash} in cash.", cost=thousands(cost), cash=thousands(cash))


def no_margin(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    margin, cash = numbers
    return say("The margin was {margin}; you had {cash} in cash.", margin=thousands(margin), cash=thousands(cash))


def nothing_to_borrow(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    wanted, there = numbers
    shorted = [e.seat for e in scene.before() if isinstance(e, ShortOpened) and e.company == event.company]
    first = [seat for seat in dict.fromkeys(reversed(shorted)) if seat != scene.me]
    what = count("You wanted to borrow {n} share;", "You wanted to borrow {n} shares;", wanted)
    return f"{what} {_left_on_the_market(there)}{_borrowed_first(first, scene)}"


def _borrowed_first(seats: Sequence[int], scene: Scene) -> str:
    if not seats:
        return ""
    if len(seats) == 1:
        return f" {say('{player} borrowed first.', player=scene.opening(*seats))}"
    return f" {say('{players} borrowed first.', players=scene.opening(*seats))}"


def sold_to_another(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    buyer = next((e for e in scene.before() if isinstance(e, ContractBought) and e.company == event.company), None)
    if buyer is None:
        return say("Another player bought the contract first.")
    who, premium = scene.opening(buyer.seat), thousands(buyer.premium)
    return say("{player} bought the contract first, for {premium}.", player=who, premium=premium)


def _left_in_the_ipo(shares: int) -> str:
    if not shares:
        return say("none were left in the IPO.")
    return count("only {n} was left in the IPO.", "only {n} were left in the IPO.", shares)


def _left_on_the_market(shares: int) -> str:
    if not shares:
        return say("none were left on the open market.")
    return count("only {n} was left on the open market.", "only {n} were left on the open market.", shares)


REASONS: tuple[tuple[re.Pattern[str], Tell], ...] = (
    (re.compile(r"(\d+) to sell, (\d+) held\."), too_few_to_sell),
    (TOO_FEW_LEFT, too_few_left),
    (re.compile(r"it would make (\d+) shares, the ownership cap is (\d+)\."), over_the_cap),
    (re.compile(r"it costs (\d+), cash is (\d+)\."), too_dear),
    (re.compile(r"the margin is (\d+), cash is (\d+)\."), no_margin),
    (re.compile(r"(\d+) to borrow, (\d+) on the open market\."), nothing_to_borrow),
    (re.compile(r"the contract went to another player\."), sold_to_another),
)
