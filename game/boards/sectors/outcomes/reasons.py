"""Why an order was rejected, in words to its owner: both numbers, and who was served first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from game.boards.sectors.outcomes.scene import Scene
from game.engine.phrases import capitalised, plural, thousands
from game.rulesets.sectors.events.orders import ContractBought, OrderFilled, OrderRejected, ShortOpened

Numbers = tuple[int, ...]


def reason_of(event: OrderRejected, scene: Scene) -> str:
    """The reason that the resolution gave, told to whom it hit; one of another sort as it is written."""
    for pattern, tell in REASONS:
        if found := pattern.fullmatch(event.reason):
            return tell(tuple(int(number) for number in found.groups()), event, scene)
    return capitalised(event.reason)


def too_few_to_sell(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    wanted, held = numbers
    return f"You wanted to sell {wanted} and held {held}."


def too_few_left(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    """Shares that others bought first, or that were never there."""
    wanted, left = numbers
    place = "in the IPO" if event.location == "ipo" else "on the open market"
    first = list(dict.fromkeys(_served_first(event, scene)))
    why = f" {scene.opening(*first)} bought first." if first else ""
    return f"You wanted {plural(wanted, 'share')}; {_left(left)} {place}.{why}"


def _served_first(event: OrderRejected, scene: Scene) -> Iterator[int]:
    for other in reversed(list(scene.before())):
        if isinstance(other, OrderFilled) and _is_rival(other, event):
            yield other.seat


def _is_rival(filled: OrderFilled, event: OrderRejected) -> bool:
    wanted = (event.company, "buy", event.location)
    return (filled.company, filled.side, filled.location) == wanted and filled.seat != event.seat


def over_the_cap(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    after, cap = numbers
    return f"It would have brought you to {after} shares; the ownership cap is {cap}."


def too_dear(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    cost, cash = numbers
    return f"It cost {thousands(cost)}; you had {thousands(cash)} in cash."


def no_margin(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    margin, cash = numbers
    return f"The margin was {thousands(margin)}; you had {thousands(cash)} in cash."


def nothing_to_borrow(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    wanted, there = numbers
    shorted = [e.seat for e in scene.before() if isinstance(e, ShortOpened) and e.company == event.company]
    first = [seat for seat in dict.fromkeys(reversed(shorted)) if seat != scene.me]
    why = f" {scene.opening(*first)} borrowed first." if first else ""
    return f"You wanted to borrow {plural(wanted, 'share')}; {_left(there)} on the open market.{why}"


def sold_to_another(numbers: Numbers, event: OrderRejected, scene: Scene) -> str:
    buyer = next((e for e in scene.before() if isinstance(e, ContractBought) and e.company == event.company), None)
    if buyer is None:
        return "Another player bought the contract first."
    return f"{scene.opening(buyer.seat)} bought the contract first, for {thousands(buyer.premium)}."


def _left(count: int) -> str:
    return "none were left" if not count else f"only {count} {'was' if count == 1 else 'were'} left"


Tell = Callable[[Numbers, OrderRejected, Scene], str]
REASONS: tuple[tuple[re.Pattern[str], Tell], ...] = (
    (re.compile(r"(\d+) to sell, (\d+) held\."), too_few_to_sell),
    (re.compile(r"(\d+) wanted, (\d+) left\."), too_few_left),
    (re.compile(r"it would make (\d+) shares, the ownership cap is (\d+)\."), over_the_cap),
    (re.compile(r"it costs (\d+), cash is (\d+)\."), too_dear),
    (re.compile(r"the margin is (\d+), cash is (\d+)\."), no_margin),
    (re.compile(r"(\d+) to borrow, (\d+) on the open market\."), nothing_to_borrow),
    (re.compile(r"the contract went to another player\."), sold_to_another),
)
