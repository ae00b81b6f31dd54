"""How a bot operates a company: cubes for the factories that can run, the best sale, and the dividend."""

from __future__ import annotations

from game.engine.offers import Choice, Counts, Offer
from game.rulesets.big_shoulders.bots.outlook import Outlook, running, spaces_free
from game.rulesets.big_shoulders.bots.placing import Request
from game.rulesets.big_shoulders.effects import ASSETS
from game.rulesets.big_shoulders.tables import COLUMN_PRICES, COMPANIES, SLOT_BONUSES, SLOTS
from game.rulesets.big_shoulders.view import CompanyView, ShouldersView


def operate(outlook: Outlook, offers: list[Offer], *, is_last: bool) -> Request:
    """The next step of the operation."""
    kinds = {offer.kind: offer for offer in offers}
    operation = outlook.view.operation
    assert operation is not None
    company = outlook.companies[operation.company]
    if "use_asset" in kinds and _is_useful(company, is_stopped=operation.has_stopped):
        return {"kind": "use_asset", "company": company.key}
    if not operation.has_stopped:
        return _trade(outlook, company, offers) or _produce(outlook, company, kinds)
    if "sell_goods" in kinds:
        return {"kind": "sell_goods", "goods": best_sale(outlook.view, company)}
    dividend = operation.revenue // 10 * 10
    if "pay" in kinds and (dividend >= company.price or is_last):
        return {"kind": "pay", "end": True}
    return {"kind": "withhold", "end": True} if "withhold" in kinds else {"kind": "end_turn"}


def _is_useful(company: CompanyView, *, is_stopped: bool) -> bool:
    """True if the bonus should be used now: cubes before the factories run, everything else as soon as possible."""
    assert company.asset is not None
    row = ASSETS[company.asset]
    return not (row.use.fixed and is_stopped)


def _trade(outlook: Outlook, company: CompanyView, offers: list[Offer]) -> Request | None:
    """Two cubes that the next factory does not need for one that it lacks and the supply chain does not sell."""
    operation = outlook.view.operation
    able = running(company, spaces_free(company))
    if operation is None or operation.runs not in able:
        return None
    inputs = company.factories[operation.runs].inputs
    lacking = outlook.cubes_wanted(company, [operation.runs])
    for offer in offers:
        if offer.kind != "trade" or company.cubes[offer.fixed["give"]] - 2 < inputs.count(offer.fixed["give"]):
            continue
        (field,) = offer.fields
        assert isinstance(field, Choice)
        for cube, _ in field.values:
            on_sale = sum(outlook.view.supply[column].get(cube, 0) for column in COLUMN_PRICES)
            if lacking.get(cube, 0) > (0 if operation.has_bought or operation.runs else on_sale):
                return {"kind": "trade", **offer.fixed, "take": cube}
    return None


def _produce(outlook: Outlook, company: CompanyView, kinds: dict[str, Offer]) -> Request:
    if "buy_cubes" in kinds and (cubes := _shopping(outlook, company, kinds["buy_cubes"])):
        return {"kind": "buy_cubes", "cubes": cubes}
    if "run" not in kinds:
        return {"kind": "stop"}
    run = kinds["run"]
    request: Request = {"kind": "run", **run.fixed}
    for field in run.fields:
        if isinstance(field, Counts):
            request[field.name] = _wanted_cubes(company, run.fixed["factory"], field)
    return request


def _shopping(outlook: Outlook, company: CompanyView, offer: Offer) -> dict[str, int]:
    """The cheapest cubes for as many factories as the cash pays for."""
    able = running(company, spaces_free(company))
    for count in range(len(able), 0, -1):
        missing = outlook.cubes_wanted(company, able[:count])
        basket: dict[str, int] = {}
        for column in COLUMN_PRICES:
            for cube, there in outlook.view.supply[column].items():
                number = min(there, missing.get(cube, 0))
                if number:
                    basket[f"{column}:{cube}"] = number
                    missing[cube] -= number
        cost = sum(COLUMN_PRICES[key.split(":")[0]] * number for key, number in basket.items())
        if not any(missing.values()) and cost <= company.cash:
            return basket
    return {}


def _wanted_cubes(company: CompanyView, factory: int, field: Counts) -> dict[str, int]:
    """The cubes to choose for a field: those that the next factory uses, then any."""
    inputs = company.factories[factory % len(company.factories)].inputs
    counts: dict[str, int] = {}
    for key, _, most in sorted(field.parts, key=lambda part: part[0] not in inputs):
        counts[key] = min(most, field.least - sum(counts.values()))
    return {key: number for key, number in counts.items() if number}


def best_sale(view: ShouldersView, company: CompanyView) -> dict[str, int]:
    """A sale of all goods for the highest revenue."""
    rooms = {slot.slot: slot.room for slot in view.demand if slot.trade == COMPANIES[company.key].trade}
    best: tuple[int, dict[str, int]] = (-1, {})
    goods = company.goods
    for first in range(min(goods, rooms["50"]), -1, -1):
        for second in range(min(goods - first, rooms["20"]), -1, -1):
            third = min(goods - first - second, rooms["0"])
            sale = dict(zip((*SLOTS, "bank"), (first, second, third, goods - first - second - third), strict=True))
            bonus = sum(SLOT_BONUSES[slot] for slot in SLOTS if sale[slot] and sale[slot] == rooms[slot])
            revenue = company.good_price * (goods - sale["bank"]) + company.good_price * sale["bank"] // 2 + bonus
            best = max(best, (revenue, sale), key=lambda each: each[0])
    return {slot: number for slot, number in best[1].items() if number}
