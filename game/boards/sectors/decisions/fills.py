"""What an order would do if it filled, and why it would be rejected when it resolves. Uses public figures only. (S
5.3–5.7)"""

from __future__ import annotations

from typing import Any

import msgspec

from game.boards.decision import Question, Request
from game.boards.shapes import Meter, Preview, Row, Say
from game.engine.language import count, mark, say
from game.engine.phrases import listed, percent, thousands
from game.rulesets.sectors.prices import after_buying, after_fall
from game.rulesets.sectors.tables.chart import PRICES, slots_at
from game.rulesets.sectors.tables.common import FREEZE_STEPS, INTEREST_PERCENT

STANDING = mark(
    "A standing order waits for the first sub-round of this turn that begins at its price or better, and is then a "
    "market order."
)
SHIELD, FREEZE = "Regulatory Shield", "Price freeze"


FIRST_SERVED = {
    True: mark("Earlier sub-rounds come first. Within a sub-round the highest bid wins, then player priority."),
    False: mark("Earlier sub-rounds come first. Within a sub-round player priority decides."),
}
"""Who gets a contract that several players order, with bids and without."""


def market(question: Question, request: Request) -> Preview:
    """A market order. (S 5.3)"""
    company, quantity = question.view.company(request["company"]), request["quantity"]
    if request["side"] == "sell":
        return _sale(question, company, quantity)
    price = request.get("bid") or (company.ipo_price if request["location"] == "ipo" else company.price)
    there = company.ipo if request["location"] == "ipo" else company.market
    cost = price * quantity
    rows = (
        Row(say("Cost now"), f"{quantity} × {price} = {thousands(cost)}"),
        Row(say("Cash"), thousands(question.you.cash - cost), thousands(question.you.cash)),
        *_held_rows(question, company, quantity),
        _price_after(company, quantity) if request["location"] == "market" else _float_row(company, quantity),
    )
    says = [
        *_short_of_shares(there, quantity, request["location"]),
        *_over_cap(question, company, quantity),
        *_short_of_cash(question, cost),
        *(_dearer(company) if request["location"] == "ipo" else ()),
    ]
    return Preview(_if_filled(company), rows, tuple(says), _served(question, company, quantity, there))


def _if_filled(company: Any) -> str:
    """The caption names the company in full; the list from which it is chosen has only tickers."""
    return say("If the order for {company} fills", company=company.name)


def _sale(question: Question, company: Any, quantity: int) -> Preview:
    held, gain = _held(question, company), company.price * quantity
    rows = (
        Row(say("You get"), f"{quantity} × {company.price} = {thousands(gain)}"),
        Row(say("Cash"), thousands(question.you.cash + gain), thousands(question.you.cash)),
        *_held_rows(question, company, -min(quantity, held)),
        _price_after_fall(company, quantity, FREEZE_STEPS if FREEZE in company.effects else quantity),
    )
    too_many = (
        say(
            "You own only {held} of these {quantity} shares. The whole order would be rejected.",
            held=held,
            quantity=quantity,
        )
        if held
        else say("You own no share of it. The order would be rejected.")
    )
    says = (Say(too_many, "S 5.3"),) if held < quantity else ()
    return Preview(_if_filled(company), rows, says)


def standing(question: Question, request: Request) -> Preview:
    """A standing order: a market order in the first sub-round that begins at its limit or better. (standing order)"""
    company, limit, buys = question.view.company(request["company"]), request["limit"], request["side"] == "buy"
    bid = limit if buys and question.view.options["distribution"] == "bid" else None
    filled = market(question, {**request, "location": "market", "bid": bid})
    if company.price <= limit if buys else company.price >= limit:
        return msgspec.structs.replace(filled, hint=say(STANDING))
    waits = say(
        "It waits for a sub-round of this turn that begins at {limit} or less; the price is {price} now."
        if buys
        else "It waits for a sub-round of this turn that begins at {limit} or more; the price is {price} now.",
        limit=limit,
        price=company.price,
    )
    total = say("Cost at most") if buys else say("You get at least")
    rows = (Row(total, f"{request['quantity']} × {limit} = {thousands(limit * request['quantity'])}"),)
    held = Row(say("Cash now"), thousands(question.you.cash), note=say("no cash is locked"))
    return Preview(say("While it waits"), (*rows, held), (Say(waits, "standing order"),), say(STANDING))


def limit(question: Question, request: Request) -> Preview:
    """A limit order: settled next turn at its value. (S 5.5)"""
    company, quantity, value = question.view.company(request["company"]), request["quantity"], request["value"]
    if value == company.price:
        why = say(
            "The price is already {price}. Choose another limit price, or place a market order.", price=company.price
        )
        return Preview(says=(Say(why, "limits", "no"),))
    buys, total = request["side"] == "buy", value * quantity
    rows = (
        Row(
            say("Triggered"),
            say("when the price reaches {value}" if buys else "when the price falls to {value}", value=value),
            note=say("now {price}", price=company.price),
        ),
        Row(say("Settled"), say("next turn"), note=say("phase {n}", n=8)),
        Row(say("Cost then" if buys else "You then get"), f"{quantity} × {value} = {thousands(total)}"),
        Row(say("Cash now"), thousands(question.you.cash), note=say("no cash is locked")),
        *_held_rows(question, company, quantity if buys else -min(quantity, _held(question, company))),
        Row(
            say("Limit orders left"),
            str((question.you.limit_actions or 1) - 1),
            str(question.you.limit_actions),
            say("you get it back when the order ends"),
        ),
    )
    says = [*_over_cap(question, company, quantity), *_short_of_cash(question, total)]
    if not buys:
        says = _short_of_own(_held(question, company), quantity)
    return Preview(say("If the order for {company} is triggered", company=company.name), rows, tuple(says))


def _short_of_own(held: int, quantity: int) -> list[Say]:
    """The warning if a limit order sells more shares than its player owns: it is rejected when it settles. (S 5.5)"""
    if held >= quantity:
        return []
    if not held:
        none = say("You own no share of it. If you still do not when it settles, the order is rejected.")
        return [Say(none, "S 5.5")]
    too_many = say(
        "You own only {held} of these {quantity} shares. If you still do when it settles, the whole order is rejected.",
        held=held,
        quantity=quantity,
    )
    return [Say(too_many, "S 5.5")]


def short(question: Question, request: Request) -> Preview:
    """A short order: opened after the last sub-round at the price of that moment. (S 5.6)"""
    company, quantity = question.view.company(request["company"]), request["quantity"]
    value, cash = company.price * quantity, question.you.cash
    margin = -(-value // 2)
    rows = (
        Row(say("You get"), f"{quantity} × {company.price} = {thousands(value)}"),
        Row(say("Margin locked"), thousands(margin), note=say("half, until you cover")),
        Row(say("Cash"), thousands(cash - margin + value), thousands(cash)),
        Row(say("Interest per turn"), thousands(value * INTEREST_PERCENT // 100), note=percent(INTEREST_PERCENT)),
        _price_after_fall(company, quantity, quantity),
        Row(
            say("Short orders left"),
            str((question.you.short_actions or 1) - 1),
            str(question.you.short_actions),
            say("you get it back when you cover"),
        ),
    )
    says = list(_short_of_shares(company.market, quantity, "market"))
    if margin > cash:
        too_dear = say(
            "The margin is {margin}; you have {cash}. The order would be rejected when shorts open.",
            margin=margin,
            cash=cash,
        )
        says.append(Say(too_dear, "S 5.6"))
    return Preview(
        say("If the short of {company} opens at today’s price", company=company.name),
        rows,
        tuple(says),
        say("You owe these shares. Cover the short in a later turn, at the price then."),
    )


def option(question: Question, request: Request) -> Preview:
    """An option order: the contract is bought when options open. (S 5.7)"""
    contract = next((c for c in question.view.contracts if c.id == request["contract"]), None)
    if contract is None:
        return Preview()
    price, cash = question.view.company(contract.company).price, question.you.cash
    cost, worth = request.get("bid") or contract.premium, max(price - contract.strike, 0) * contract.shares
    rows = (
        Row(say("Premium"), thousands(cost)),
        Row(say("Cash"), thousands(cash - cost), thousands(cash)),
        Row(
            say("Pays on exercise"),
            say("(price − {strike}) × {shares}", strike=contract.strike, shares=contract.shares),
        ),
        Row(
            say("Worth today"),
            thousands(worth),
            note=say("{company} is at {price}", company=contract.company, price=price),
        ),
        Row(say("Lasts"), count("{n} turn", "{n} turns", contract.term)),
        Row(say("Price on exercise"), count("{n} step up", "{n} steps up", contract.bonus)),
    )
    says = [*_short_of_cash(question, cost)]
    return Preview(
        say("If you get the contract"),
        rows,
        tuple(says),
        say(FIRST_SERVED["bid" in request]),
    )


def _held(question: Question, company: Any) -> int:
    return int(company.holdings.get(question.view.seat, 0))


def _held_rows(question: Question, company: Any, change: int) -> tuple[Row, Row]:
    held, certificates = _held(question, company), question.you.certificates
    after, existing = held + change, max(company.existing, 1)
    cap = company.cap * 100 // existing
    meter = Meter(min(held, after) * 100 // existing, abs(change) * 100 // existing, cap)
    own = Row(
        say("You own"),
        say("{n} of {all}", n=after, all=company.existing),
        str(held),
        say("{share}, cap {cap}", share=percent(after * 100 // existing), cap=percent(cap)),
        meter,
    )
    limit = say("of {n}", n=question.view.certificate_limit)
    return own, Row(say("Certificates"), str(certificates + change), str(certificates), limit)


def _price_after_fall(company: Any, quantity: int, most: int) -> Row:
    """The price after `quantity` steps down, but at most `most`; a shield or the end of the chart may stop it earlier.
    (S 3.3, 3.6, A55)"""
    step = after_fall(company.step, min(quantity, most), is_shielded=SHIELD in company.abilities)
    return Row(
        say("Price if only you trade"),
        thousands(PRICES[step]),
        thousands(company.price),
        count("price falls {n} step", "price falls {n} steps", company.step - step),
    )


def _price_after(company: Any, quantity: int) -> Row:
    """The price after net buying; a frozen price rises two steps at most. (S 3.4, A55)"""
    step, filled = after_buying(company.step, company.filled, quantity)
    if FREEZE in company.effects and step > company.step + FREEZE_STEPS:
        step, filled = company.step + FREEZE_STEPS, 0
    slots = slots_at(step)
    note = count("and {filled} of {n} slot", "and {filled} of {n} slots", slots, filled=filled) if filled else ""
    return Row(say("Price if only you trade"), thousands(PRICES[step]), thousands(company.price), note)


def _float_row(company: Any, quantity: int) -> Row:
    if not company.float_needs:
        return Row(say("Price"), thousands(company.price), note=say("IPO purchases do not move it"))
    if quantity >= company.float_needs:
        return Row(say("Floats"), say("yes"), note=count("{n} share needed", "{n} shares needed", company.float_needs))
    return Row(say("Shares still needed to float"), str(company.float_needs - quantity), str(company.float_needs))


def _short_of_shares(there: int, quantity: int, location: str) -> list[Say]:
    if there >= quantity:
        return []
    if not there:
        none_left = (
            say("No shares are left in the IPO. Your order would be rejected.")
            if location == "ipo"
            else say("No shares are on the open market. Your order would be rejected.")
        )
        return [Say(none_left, "S 5.3")]
    if location == "ipo":
        too_few = count(
            "Only {n} share is in the IPO. An order for {quantity} would be rejected.",
            "Only {n} shares are in the IPO. An order for {quantity} would be rejected.",
            there,
            quantity=quantity,
        )
    else:
        too_few = count(
            "Only {n} share is on the open market. An order for {quantity} would be rejected.",
            "Only {n} shares are on the open market. An order for {quantity} would be rejected.",
            there,
            quantity=quantity,
        )
    return [Say(too_few, "S 5.3")]


def _over_cap(question: Question, company: Any, quantity: int) -> list[Say]:
    after = _held(question, company) + quantity
    if after <= company.cap:
        return []
    too_many = say(
        "You would own {shares} shares; the ownership cap is {cap}. The order would be rejected.",
        shares=after,
        cap=company.cap,
    )
    return [Say(too_many, "R-19")]


def _dearer(company: Any) -> list[Say]:
    """The warning that the IPO of a floated company keeps its price while the stock price falls. (S 5.3)"""
    if not company.is_floated or company.ipo_price <= company.price:
        return []
    question, price = thousands(company.ipo_price), thousands(company.price)
    if company.market:
        warning = count(
            "The IPO asks {asked} per share; the stock price is {price}. {n} share is on the open market.",
            "The IPO asks {asked} per share; the stock price is {price}. {n} shares are on the open market.",
            company.market,
            asked=question,
            price=price,
        )
    else:
        warning = say(
            "The IPO asks {asked} per share; the stock price is {price}. You could sell it only for the stock price.",
            asked=question,
            price=price,
        )
    return [Say(warning, "S 5.3")]


def _short_of_cash(question: Question, cost: int) -> list[Say]:
    if cost <= question.you.cash:
        return []
    return [
        Say(
            say(
                "It costs {cost}; you have {cash}. If you still cannot pay when it resolves, it will be rejected.",
                cost=thousands(cost),
                cash=thousands(question.you.cash),
            ),
            "S 5.3",
        )
    ]


def _served(question: Question, company: Any, quantity: int, there: int) -> str:
    """The words on who is served before the viewer. (S 5.3)"""
    if question.view.options["distribution"] == "bid":
        return say("The highest bid comes first; player priority breaks ties.")
    ahead = [question.name(player.seat) for player in question.view.players if player.priority < question.you.priority]
    if not ahead or there < quantity:
        return say("Nobody comes before you.") if not ahead else ""
    if len(ahead) == 1:
        return count(
            "{name} comes before you. If no share is left by then, your order is rejected at no cost.",
            "{name} comes before you. If fewer than {n} shares are left, your order is rejected at no cost.",
            quantity,
            name=ahead[0],
        )
    return count(
        "{names} come before you. If no share is left by then, your order is rejected at no cost.",
        "{names} come before you. If fewer than {n} shares are left, your order is rejected at no cost.",
        quantity,
        names=listed(ahead),
    )
