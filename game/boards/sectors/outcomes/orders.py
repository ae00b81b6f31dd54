"""What became of orders: filled at which price, rejected for which reason, opened, triggered, covered or expired."""

from __future__ import annotations

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome
from game.boards.sectors.outcomes.reasons import reason_of
from game.boards.sectors.outcomes.scene import Scene, Tellers, mine
from game.engine.phrases import capitalised, plural, thousands
from game.rulesets.sectors.events.orders import (
    ContractBought,
    ContractExpired,
    CoverDropped,
    LimitOpened,
    LimitTriggered,
    OptionExercised,
    OrderFilled,
    OrderLocated,
    OrderRejected,
    OrderRevealed,
    OrderSealed,
    ShortClosed,
    ShortCovered,
    ShortOpened,
)

PLACES = {"ipo": "from the IPO", "market": "on the open market"}
WAITING = {
    "limit": "It opens at the end of the stock round.",
    "short": "It opens after the last sub-round, at the price of that moment.",
    "option": "The contract is sold after the last sub-round.",
    "market": "It is resolved after the last sub-round.",
}


@mine
def placed(event: OrderSealed | OrderLocated, scene: Scene) -> Outcome:
    """An order of which others know less than its owner; whatever comes of it takes the place of this."""
    return scene.own("order", "Placed", f"Your order for {event.company} is placed.", key=_key(event.order), weight=30)


@mine
def revealed(event: OrderRevealed, scene: Scene) -> Outcome:
    """An order that waits to be resolved."""
    what = order_words(event.kind, event.side, event.quantity, event.company, event.price)
    return scene.own(
        "order", "Waiting", f"Your {what} is placed.", reason=WAITING[event.kind], key=_key(event.order), weight=40
    )


@mine
def filled(event: OrderFilled, scene: Scene) -> Outcome:
    """Market and limit orders are filled whole."""
    verb, sign = ("bought", "−") if event.side == "buy" else ("sold", "+")
    at = f"at {thousands(event.price)} each" if event.quantity > 1 else f"at {thousands(event.price)}"
    return scene.own(
        "filled",
        "Filled",
        f"You {verb} {event.quantity} {event.company} {PLACES[event.location]} {at}.",
        reason=_how(event, scene),
        figure=f"{sign}{thousands(event.quantity * event.price)}",
        tone=GOOD,
        key=_key(event.order),
        weight=70,
    )


def _how(event: OrderFilled, scene: Scene) -> str:
    held = scene.held(event.company)
    hold = f"You hold {plural(held, 'share')} of it now." if held else "You hold none of it now."
    if event.kind == "limit":
        return f"That was the price of your limit order. {hold}"
    return hold


@mine
def rejected(event: OrderRejected, scene: Scene) -> Outcome:
    """An order that ended without a trade: why, and who was served before."""
    what = order_words(event.kind, event.side, event.quantity, event.company, event.price)
    return scene.own(
        "rejected",
        "Rejected",
        f"Your {what} was rejected.",
        reason=f"{reason_of(event, scene)} It cost you nothing.",
        rule=event.rule,
        tone=BAD,
        key=_key(event.order),
        weight=84,
    )


def order_words(kind: str, side: str, quantity: int, company: str, price: int) -> str:
    """An order as its owner calls it; logs of old do not say of a rejected one what it was."""
    limit = f" at {thousands(price)}" if price else ""
    return {
        "market": f"order to {side} {quantity} {company}",
        "limit": f"limit order to {side} {quantity} {company}{limit}",
        "short": f"short of {quantity} {company}",
        "option": f"order for the option on {quantity} {company}",
    }.get(kind, f"order for {quantity} {company}")


@mine
def limit_opened(event: LimitOpened, scene: Scene) -> Outcome:
    """From now on a price change triggers it."""
    what = order_words("limit", event.side, event.quantity, event.company, event.price)
    company = scene.company(event.company)
    now = f" It is {thousands(company.price)} now." if company else ""
    return scene.own(
        "limit",
        "Open",
        f"Your {what} is open.",
        reason=f"It is triggered when the price comes to {thousands(event.price)}.{now}",
        key=_key(event.order),
        weight=42,
    )


@mine
def limit_triggered(event: LimitTriggered, scene: Scene) -> Outcome:
    """It settles at the start of the next stock round."""
    what = order_words("limit", event.side, event.quantity, event.company, event.price)
    return scene.own(
        "limit",
        "Triggered",
        f"Your {what} was triggered.",
        reason="It settles at that price when the next stock round begins, if shares and cash are there then.",
        tone=GOOD,
        key=_key(event.order),
        weight=64,
    )


@mine
def short_opened(event: ShortOpened, scene: Scene) -> Outcome:
    """The sale is paid out and half of it locked as margin."""
    value = event.quantity * event.price
    return scene.own(
        "short",
        "Opened",
        f"You shorted {event.quantity} {event.company} at {thousands(event.price)} each.",
        reason=f"You were paid {thousands(value)}; a margin of {thousands(event.margin)} is locked.",
        figure=_signed(value - event.margin),
        tone=GOOD,
        key=_key(event.order),
        weight=72,
    )


@mine
def short_covered(event: ShortCovered, scene: Scene) -> Outcome:
    """Bought back, and the margin free again."""
    cost = event.quantity * event.price
    return scene.own(
        "cover",
        "Covered",
        f"You covered your short of {event.quantity} {event.company} at {thousands(event.price)} each.",
        reason=f"That cost {thousands(cost)}; the margin of {thousands(event.margin)} is yours again.",
        figure=_signed(event.margin - cost),
        tone=GOOD,
        key=_key(event.order),
        weight=70,
    )


@mine
def cover_dropped(event: CoverDropped, scene: Scene) -> Outcome:
    """A cover that could not be paid: the short stays open."""
    return scene.own(
        "cover",
        "Dropped",
        f"Your short in {event.company} was not covered and stays open.",
        reason=f"Covering cost {thousands(event.cost)}; cash and margin were {thousands(event.cash)}.",
        rule="A32",
        tone=BAD,
        weight=86,
    )


@mine
def short_closed(event: ShortClosed, scene: Scene) -> Outcome:
    """Closed by the rules, at a bankruptcy or at the end."""
    return scene.own(
        "cover",
        "Closed",
        f"Your short in {event.company} was closed because {event.why}.",
        reason=f"You paid {thousands(event.paid)}; the margin of {thousands(event.margin)} is yours again.",
        figure=_signed(event.margin - event.paid),
        key=_key(event.order),
        weight=74,
    )


@mine
def option_bought(event: ContractBought, scene: Scene) -> Outcome:
    """The contract is the reader's."""
    return scene.own(
        "option",
        "Bought",
        f"You bought the option on {event.company}.",
        reason=_terms(event.contract, scene),
        figure=f"−{thousands(event.premium)}",
        tone=GOOD,
        key=_key(event.order),
        weight=70,
    )


def _terms(number: int, scene: Scene) -> str:
    contract = next((one for one in scene.view.contracts if one.id == number), None)
    if contract is None:
        return ""
    return f"It pays for {plural(contract.shares, 'share')} above a price of {thousands(contract.strike)}."


@mine
def option_expired(event: ContractExpired, scene: Scene) -> Outcome:
    """Worth nothing any more."""
    why = f"{capitalised(event.why)}; the premium is lost."
    return scene.own("option", "Expired", f"Your option on {event.company} expired.", reason=why, tone=BAD, weight=68)


@mine
def option_exercised(event: OptionExercised, scene: Scene) -> Outcome:
    """Price less strike for each share."""
    paid = (event.price - event.strike) * event.shares
    return scene.own(
        "option",
        "Exercised",
        f"You exercised your option on {event.shares} {event.company}.",
        reason=f"The price was {thousands(event.price)}, {thousands(event.price - event.strike)} above the strike.",
        figure=f"+{thousands(paid)}",
        tone=GOOD if paid else NEUTRAL,
        weight=72,
    )


def _key(order: int) -> str:
    return f"order {order}"


def _signed(amount: int) -> str:
    return f"+{thousands(amount)}" if amount > 0 else thousands(amount)


TELLERS: Tellers = {
    OrderSealed: placed,
    OrderLocated: placed,
    OrderRevealed: revealed,
    OrderFilled: filled,
    OrderRejected: rejected,
    LimitOpened: limit_opened,
    LimitTriggered: limit_triggered,
    ShortOpened: short_opened,
    ShortCovered: short_covered,
    CoverDropped: cover_dropped,
    ShortClosed: short_closed,
    ContractBought: option_bought,
    ContractExpired: option_expired,
    OptionExercised: option_exercised,
}
