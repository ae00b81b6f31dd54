"""The results of orders: filled (with the price), rejected (with the reason), opened, triggered, covered or expired."""

from __future__ import annotations

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome
from game.boards.sectors.outcomes.order_words import (
    OPENED,
    TRIGGERED,
    filled_words,
    limit_facts,
    placed_words,
    reason_of,
    rejected_words,
)
from game.boards.sectors.outcomes.scene import Scene, Tellers, mine
from game.engine.language import count, mark, say, say_as
from game.engine.phrases import capitalised, thousands
from game.rulesets.sectors import causes
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

WAITING = {
    "limit": mark("It opens at the end of the stock round."),
    "short": mark("It opens after the last sub-round, at the stock price at that time."),
    "option": mark("The contract is sold after the last sub-round."),
    "market": mark("It is resolved after the last sub-round."),
}


@mine
def placed(event: OrderSealed | OrderLocated, scene: Scene) -> Outcome:
    """An order that others cannot fully see; its later result replaces this."""
    text = say("Your order for {company} is placed.", company=event.company)
    return scene.own("order", say("Placed"), text, key=_key(event.order), weight=30)


@mine
def revealed(event: OrderRevealed, scene: Scene) -> Outcome:
    """An order that waits to be resolved."""
    text, why = placed_words(event), say(WAITING[event.kind])
    return scene.own("order", say("Waiting"), text, reason=why, key=_key(event.order), weight=40)


@mine
def filled(event: OrderFilled, scene: Scene) -> Outcome:
    """Market and limit orders are filled whole."""
    sign = "−" if event.side == "buy" else "+"
    return scene.own(
        "filled",
        say("Filled"),
        filled_words(event),
        reason=_how(event, scene),
        figure=f"{sign}{thousands(event.quantity * event.price)}",
        tone=GOOD,
        key=_key(event.order),
        weight=70,
    )


def _how(event: OrderFilled, scene: Scene) -> str:
    held = scene.held(event.company)
    hold = (
        count("You hold {n} share of it now.", "You hold {n} shares of it now.", held)
        if held
        else say("You hold none of it now.")
    )
    return f"{say('That was the price of your limit order.')} {hold}" if event.kind == "limit" else hold


@mine
def rejected(event: OrderRejected, scene: Scene) -> Outcome:
    """An order that ended without a trade: why, and who was served before."""
    return scene.own(
        "rejected",
        say("Rejected"),
        rejected_words(event),
        reason=f"{reason_of(event, scene)} {say('It cost you nothing.')}",
        rule=event.rule,
        tone=BAD,
        key=_key(event.order),
        weight=84,
    )


@mine
def limit_opened(event: LimitOpened, scene: Scene) -> Outcome:
    """The order is open: a price change can trigger it from now on."""
    company = scene.company(event.company)
    why = say("It is triggered when the price reaches {price}.", price=thousands(event.price))
    now = f" {say('It is {price} now.', price=thousands(company.price))}" if company else ""
    return scene.own(
        "limit",
        say_as("limit order", "Open"),
        say(OPENED[event.side], **limit_facts(event)),
        reason=why + now,
        key=_key(event.order),
        weight=42,
    )


@mine
def limit_triggered(event: LimitTriggered, scene: Scene) -> Outcome:
    """The order settles at the start of the next stock round."""
    return scene.own(
        "limit",
        say("Triggered"),
        say(TRIGGERED[event.side], **limit_facts(event)),
        reason=say("It settles at that price when the next stock round begins, if shares and cash are available then."),
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
        say_as("short", "Opened"),
        say(
            "You shorted {quantity} {company} at {price} each.",
            quantity=event.quantity,
            company=event.company,
            price=thousands(event.price),
        ),
        reason=say(
            "You were paid {value}; a margin of {margin} is locked.",
            value=thousands(value),
            margin=thousands(event.margin),
        ),
        figure=_signed(value - event.margin),
        tone=GOOD,
        key=_key(event.order),
        weight=72,
    )


@mine
def short_covered(event: ShortCovered, scene: Scene) -> Outcome:
    """The shares are bought back and the margin is free again."""
    cost = event.quantity * event.price
    return scene.own(
        "cover",
        say("Covered"),
        say(
            "You covered your short of {quantity} {company} at {price} each.",
            quantity=event.quantity,
            company=event.company,
            price=thousands(event.price),
        ),
        reason=say(
            "That cost {cost}; the margin of {margin} is yours again.",
            cost=thousands(cost),
            margin=thousands(event.margin),
        ),
        figure=_signed(event.margin - cost),
        tone=GOOD,
        key=_key(event.order),
        weight=70,
    )


@mine
def cover_dropped(event: CoverDropped, scene: Scene) -> Outcome:
    """A cover that the player could not pay: the short stays open."""
    return scene.own(
        "cover",
        say("Dropped"),
        say("Your short in {company} was not covered and stays open.", company=event.company),
        reason=say(
            "Covering cost {cost}; cash and margin were {cash}.",
            cost=thousands(event.cost),
            cash=thousands(event.cash),
        ),
        rule="A32",
        tone=BAD,
        weight=86,
    )


@mine
def short_closed(event: ShortClosed, scene: Scene) -> Outcome:
    """A short closed by the rules, at a bankruptcy or at the end."""
    return scene.own(
        "cover",
        say_as("short", "Closed"),
        _closed_words(event),
        reason=say(
            "You paid {paid}; the margin of {margin} is yours again.",
            paid=thousands(event.paid),
            margin=thousands(event.margin),
        ),
        figure=_signed(event.margin - event.paid),
        key=_key(event.order),
        weight=74,
    )


def _closed_words(event: ShortClosed) -> str:
    if event.why == causes.GAME_OVER:
        return say("Your short in {company} was closed because the game is over.", company=event.company)
    return say("Your short in {company} was closed because {company} is bankrupt.", company=event.company)


@mine
def option_bought(event: ContractBought, scene: Scene) -> Outcome:
    """The reader bought the contract."""
    return scene.own(
        "option",
        say("Bought"),
        say("You bought the option on {company}.", company=event.company),
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
    return count(
        "It pays for {n} share above a price of {strike}.",
        "It pays for {n} shares above a price of {strike}.",
        contract.shares,
        strike=thousands(contract.strike),
    )


@mine
def option_expired(event: ContractExpired, scene: Scene) -> Outcome:
    """A contract that expired without value."""
    why = say("{cause}; the premium is lost.", cause=capitalised(causes.cause_words(event.why)))
    text = say("Your option on {company} expired.", company=event.company)
    return scene.own("option", say("Expired"), text, reason=why, tone=BAD, weight=68)


@mine
def option_exercised(event: OptionExercised, scene: Scene) -> Outcome:
    """The gain: price less strike for each share."""
    paid = (event.price - event.strike) * event.shares
    return scene.own(
        "option",
        say("Exercised"),
        say("You exercised your option on {shares} {company}.", shares=event.shares, company=event.company),
        reason=say(
            "The price was {price}, {above} above the strike.",
            price=thousands(event.price),
            above=thousands(event.price - event.strike),
        ),
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
