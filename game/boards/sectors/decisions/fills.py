"""What an order would do if it filled, and what would make it fail when it resolves. Public figures only. (S
5.3–5.7)"""

from __future__ import annotations

from typing import Any

from game.boards.decision import Request
from game.boards.shapes import Asked, Meter, Preview, Row, Say
from game.engine.phrases import listed, plural, thousands
from game.rulesets.sectors.prices import after_buying, after_fall
from game.rulesets.sectors.tables.chart import PRICES, slots_at
from game.rulesets.sectors.tables.common import FREEZE_STEPS, INTEREST_PERCENT

SHIELD, FREEZE = "Regulatory Shield", "Price freeze"


def market(asked: Asked, request: Request) -> Preview:
    """A market order. (S 5.3)"""
    company, quantity = asked.view.company(request["company"]), request["quantity"]
    if request["side"] == "sell":
        return _sale(asked, company, quantity)
    price = request.get("bid") or (company.ipo_price if request["location"] == "ipo" else company.price)
    there = company.ipo if request["location"] == "ipo" else company.market
    cost = price * quantity
    rows = (
        Row("Cost now", f"{quantity} × {price} = {thousands(cost)}"),
        Row("Cash", thousands(asked.you.cash - cost), thousands(asked.you.cash)),
        *_held_rows(asked, company, quantity),
        _price_after(company, quantity) if request["location"] == "market" else _float_row(company, quantity),
    )
    says = [
        *_short_of_shares(there, quantity, request["location"]),
        *_over_cap(asked, company, quantity),
        *_short_of_cash(asked, cost),
        *(_dearer(company) if request["location"] == "ipo" else ()),
    ]
    return Preview("If the order fills", rows, tuple(says), _served(asked, company, quantity, there))


def _sale(asked: Asked, company: Any, quantity: int) -> Preview:
    held, gain = _held(asked, company), company.price * quantity
    rows = (
        Row("You get", f"{quantity} × {company.price} = {thousands(gain)}"),
        Row("Cash", thousands(asked.you.cash + gain), thousands(asked.you.cash)),
        *_held_rows(asked, company, -min(quantity, held)),
        _price_after_fall(company, quantity, FREEZE_STEPS if FREEZE in company.effects else quantity),
    )
    says = (
        (Say(f"You own only {held} of these {quantity} shares. The whole order would be rejected.", "S 5.3"),)
        if held < quantity
        else ()
    )
    return Preview("If the order fills", rows, says)


def limit(asked: Asked, request: Request) -> Preview:
    """A limit order: settled next turn at its value. (S 5.5)"""
    company, quantity, value = asked.view.company(request["company"]), request["quantity"], request["value"]
    if value == company.price:
        why = f"The price is already {company.price}. Choose another limit price, or place a market order."
        return Preview(says=(Say(why, "limits", "no"),))
    buys, total = request["side"] == "buy", value * quantity
    rows = (
        Row("Triggered", f"when the price {'reaches' if buys else 'falls to'} {value}", note=f"now {company.price}"),
        Row("Settled", "next turn", note="phase 8"),
        Row("Cost then" if buys else "You get then", f"{quantity} × {value} = {thousands(total)}"),
        Row("Cash now", thousands(asked.you.cash), note="no cash is locked"),
        *_held_rows(asked, company, quantity if buys else -min(quantity, _held(asked, company))),
        Row(
            "Limit orders left",
            str((asked.you.limit_actions or 1) - 1),
            str(asked.you.limit_actions),
            "you get it back when the order ends",
        ),
    )
    says = [*_over_cap(asked, company, quantity), *_short_of_cash(asked, total)] if buys else []
    held = _held(asked, company)
    if not buys and held < quantity:
        says.append(
            Say(
                f"You own only {held} of these {quantity} shares. If you still do when it settles, the whole order "
                "is rejected.",
                "S 5.5",
            )
        )
    return Preview("If it is triggered", rows, tuple(says))


def short(asked: Asked, request: Request) -> Preview:
    """A short order: opened after the last sub-round at the price of that moment. (S 5.6)"""
    company, quantity = asked.view.company(request["company"]), request["quantity"]
    value, cash = company.price * quantity, asked.you.cash
    margin = -(-value // 2)
    rows = (
        Row("You get", f"{quantity} × {company.price} = {thousands(value)}"),
        Row("Margin locked", thousands(margin), note="half, until you cover"),
        Row("Cash", thousands(cash - margin + value), thousands(cash)),
        Row("Interest per turn", thousands(value * INTEREST_PERCENT // 100), note=f"{INTEREST_PERCENT}%"),
        _price_after_fall(company, quantity, quantity),
        Row(
            "Short orders left",
            str((asked.you.short_actions or 1) - 1),
            str(asked.you.short_actions),
            "you get it back when you cover",
        ),
    )
    says = list(_short_of_shares(company.market, quantity, "market"))
    if margin > cash:
        says.append(
            Say(f"The margin is {margin}; you have {cash}. The order would be rejected when shorts open.", "S 5.6")
        )
    return Preview(
        "If it opens at today’s price",
        rows,
        tuple(says),
        "You owe these shares. Cover the short in a later turn, at the price then.",
    )


def option(asked: Asked, request: Request) -> Preview:
    """An option order: the contract is yours when options open. (S 5.7)"""
    contract = next((c for c in asked.view.contracts if c.id == request["contract"]), None)
    if contract is None:
        return Preview()
    price, cash = asked.view.company(contract.company).price, asked.you.cash
    cost, worth = request.get("bid") or contract.premium, max(price - contract.strike, 0) * contract.shares
    rows = (
        Row("Premium", thousands(cost)),
        Row("Cash", thousands(cash - cost), thousands(cash)),
        Row("Pays on exercise", f"(price − {contract.strike}) × {contract.shares}"),
        Row("Worth today", thousands(worth), note=f"{contract.company} is at {price}"),
        Row("Lasts", plural(contract.term, "turn")),
        Row("Price on exercise", f"{plural(contract.bonus, 'step')} up"),
    )
    says = [*_short_of_cash(asked, cost)]
    return Preview(
        "If you get the contract",
        rows,
        tuple(says),
        "The earliest sub-round's order gets it. Within a sub-round: the highest bid, then player priority.",
    )


def _held(asked: Asked, company: Any) -> int:
    return int(company.holdings.get(asked.view.seat, 0))


def _held_rows(asked: Asked, company: Any, change: int) -> tuple[Row, Row]:
    held, certificates = _held(asked, company), asked.you.certificates
    after, existing = held + change, max(company.existing, 1)
    cap = company.cap * 100 // existing
    meter = Meter(min(held, after) * 100 // existing, abs(change) * 100 // existing, cap)
    own = Row(
        "You own", f"{after} of {company.existing}", str(held), f"{after * 100 // existing} %, cap {cap} %", meter
    )
    return own, Row("Certificates", str(certificates + change), str(certificates), f"of {asked.view.certificate_limit}")


def _price_after_fall(company: Any, quantity: int, most: int) -> Row:
    """The price after so many steps down, `most` at most, with a shield or the end of the chart in the way. (S 3.3,
    3.6, A55)"""
    step = after_fall(company.step, min(quantity, most), is_shielded=SHIELD in company.abilities)
    return Row(
        "Price if only you trade",
        thousands(PRICES[step]),
        thousands(company.price),
        f"{plural(company.step - step, 'step')} down",
    )


def _price_after(company: Any, quantity: int) -> Row:
    """The price after net buying; a frozen one rises two steps at most. (S 3.4, A55)"""
    step, filled = after_buying(company.step, company.filled, quantity)
    if FREEZE in company.effects and step > company.step + FREEZE_STEPS:
        step, filled = company.step + FREEZE_STEPS, 0
    slots = slots_at(step)
    note = f"and {filled} of {plural(slots, 'slot')}" if filled else ""
    return Row("Price if only you trade", thousands(PRICES[step]), thousands(company.price), note)


def _float_row(company: Any, quantity: int) -> Row:
    if not company.float_needs:
        return Row("Price", thousands(company.price), note="IPO purchases do not move it")
    if quantity >= company.float_needs:
        return Row("Floats", "yes", note=f"{plural(company.float_needs, 'share')} needed")
    return Row("Shares still needed to float", str(company.float_needs - quantity), str(company.float_needs))


def _short_of_shares(there: int, quantity: int, location: str) -> list[Say]:
    if there >= quantity:
        return []
    where = "in the IPO" if location == "ipo" else "on the open market"
    return [
        Say(
            f"Only {plural(there, 'share')} {'is' if there == 1 else 'are'} {where}. An order for {quantity} would "
            "be rejected.",
            "S 5.3",
        )
    ]


def _over_cap(asked: Asked, company: Any, quantity: int) -> list[Say]:
    after = _held(asked, company) + quantity
    if after <= company.cap:
        return []
    return [
        Say(f"You would own {after} shares; the ownership cap is {company.cap}. The order would be rejected.", "R-19")
    ]


def _dearer(company: Any) -> list[Say]:
    """The IPO of a floated company keeps its price while the stock price falls. (S 5.3)"""
    if not company.is_floated or company.ipo_price <= company.price:
        return []
    asks = f"The IPO asks {thousands(company.ipo_price)} per share; the stock price is {thousands(company.price)}."
    if company.market:
        verb = "is" if company.market == 1 else "are"
        return [Say(f"{asks} {plural(company.market, 'share')} {verb} on the open market.", "S 5.3")]
    return [Say(f"{asks} You could sell it for the stock price only.", "S 5.3")]


def _short_of_cash(asked: Asked, cost: int) -> list[Say]:
    if cost <= asked.you.cash:
        return []
    return [
        Say(
            f"It costs {thousands(cost)}; you have {thousands(asked.you.cash)}. "
            "If you still cannot pay when it resolves, it will be rejected.",
            "S 5.3",
        )
    ]


def _served(asked: Asked, company: Any, quantity: int, there: int) -> str:
    """Who may take the shares away first. (S 5.3)"""
    if asked.view.options["distribution"] == "bid":
        return "The highest bid comes first; player priority breaks ties."
    ahead = [asked.name(player.seat) for player in asked.view.players if player.priority < asked.you.priority]
    if not ahead or there < quantity:
        return "Nobody comes before you." if not ahead else ""
    verb = "comes" if len(ahead) == 1 else "come"
    return (
        f"{listed(ahead)} {verb} before you. If fewer than {plural(quantity, 'share')} are left, your order is "
        "rejected at no cost."
    )
