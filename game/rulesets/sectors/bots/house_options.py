"""How the house bot buys options on what will rise, and exercises them."""

from __future__ import annotations

from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.table import Request, Table, allowed
from game.rulesets.sectors.tables.chart import PRICES
from game.rulesets.sectors.view import ContractView

SURE = 0.8  # of a foreseen price counts


def best_option(table: Table) -> Request | None:
    """The contract on sale that promises most for its premium, if it promises enough."""
    if not table.view.options["option_orders"]:
        return None
    ordered = {order.contract for order in table.orders_now()}
    stake = table.me.cash * table.temper.option_stake // 100
    on_sale = [c for c in table.view.contracts if c.owner is None and c.premium <= stake and c.id not in ordered]
    best = max(on_sale, key=lambda contract: _gain(table, contract), default=None)
    if best is None or _gain(table, best) * 100 < table.temper.option_gain:
        return None
    request: Request = {"kind": "option_order", "contract": best.id}
    if table.view.options["distribution"] == "bid":
        request["bid"] = min(best.premium + table.chance.below("bot_bid", 4), max(table.me.cash, best.premium))
    return request


def _gain(table: Table, contract: ContractView) -> float:
    """Gain for every dollar of premium at the best moment of its term: what it pays, and what its steps do for own
    shares."""
    company = table.company(contract.company)
    last = min(contract.term, table.turns_left)
    highest = max(PRICES[step] for step in table.prospects.outlook(company).steps[: last + 1])
    foreseen = company.price + (highest - company.price) * SURE
    if foreseen < contract.strike:
        return -1
    lift = table.shares(company) * company.price * 0.07 * contract.bonus
    return ((foreseen - contract.strike) * contract.shares + lift) / contract.premium - 1


def exercise(table: Table, offered: Offered) -> list[Request]:
    """Everything that pays, or that lifts a price it gains from; it waits while there is time and the price is
    rising."""
    mine = {contract.id: contract for contract in table.view.contracts if contract.owner == table.seat}
    wanted: list[Request] = []
    for offer in allowed(offered):
        contract = mine[offer.fixed["contract"]]
        company = table.company(contract.company)
        pays = company.price > contract.strike or table.shares(company)
        may_wait = (
            min(contract.turns_left or 0, table.turns_left) > 0
            and table.prospects.outlook(company).steps[1] > company.step
        )
        if pays and not may_wait:
            wanted.append({"kind": "exercise_option", "contract": contract.id})
    return wanted
