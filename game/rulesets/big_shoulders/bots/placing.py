"""What a placement is worth to a bot, in dollars for the company over the rest of the game."""

from __future__ import annotations

from functools import partial
from typing import Any

from game.engine.offers import Choice, Counts, Flag, Offer, Several
from game.rulesets.big_shoulders.bots.outlook import (
    CUBE_PRICE,
    Outlook,
    appeal_worth,
    goods_of,
    running,
    spaces_free,
)
from game.rulesets.big_shoulders.effects import ASSETS, SPACES, TILES, AssetRow, Effect
from game.rulesets.big_shoulders.placing import effect_of
from game.rulesets.big_shoulders.supply import counted
from game.rulesets.big_shoulders.tables import ASSET_SLOTS, COMPANIES, price_of_workers
from game.rulesets.big_shoulders.values import steps_for
from game.rulesets.big_shoulders.view import CompanyView

Request = dict[str, Any]
WORKER = 22  # dollars a decade for a worker whose factory does not run yet
SAVED = 0.45  # worth of a dollar in the treasury that is not needed for cubes
NEEDED = 2.5  # worth of a dollar that is needed for cubes


def best_placement(outlook: Outlook, offers: list[Offer]) -> Request | None:
    """The placement with the best balance; it ends the turn."""
    ranked = ranked_placements(outlook, offers)
    return ranked[0] | {"end": True} if ranked else None


def ranked_placements(outlook: Outlook, offers: list[Offer]) -> list[Request]:
    """A placement for each offer, the best balance first."""
    valued = [(_balance(outlook, offer, request), -at, request) for at, offer in enumerate(offers)
              if (request := _request_of(outlook, offer))]  # fmt: skip
    return [request for *_, request in sorted(valued, key=lambda each: each[:2], reverse=True)]


def _request_of(outlook: Outlook, offer: Offer) -> Request:
    """The offer with its fields filled in."""
    company = outlook.companies[offer.fixed["company"]]
    request: Request = {"kind": offer.kind, **offer.fixed}
    for field in offer.fields:
        match field:
            case Counts():
                request[field.name] = staff_for(company, field)
            case Several(values=values, least=least):
                request[field.name] = [key for key, _ in values[:least]]
            case Choice(name="cubes", values=values):
                request["cubes"] = max((cubes for cubes, _ in values), key=partial(outlook.worth_of_cubes, company))
            case Choice(values=values):
                request[field.name] = values[0][0]
            case Flag(name="keep"):
                request["keep"] = _is_worth_keeping(outlook, company, offer)
            case Flag():
                request[field.name] = False
    return request


def staff_for(company: CompanyView, field: Counts) -> dict[str, int]:
    """Workers for the leftmost factories, as many as complete one more, and not fewer than asked."""
    free, left = spaces_free(company), field.total
    hired: dict[str, int] = {}
    for at, spaces in enumerate(free):
        if spaces and (spaces <= left or not hired) and left:
            hired[str(at + 1)] = min(spaces, left)
            left -= hired[str(at + 1)]
    return hired


def _is_worth_keeping(outlook: Outlook, company: CompanyView, offer: Offer) -> bool:
    asset = outlook.view.assets[ASSET_SLOTS.index(offer.fixed["asset_slot"])]
    assert asset is not None
    held = ASSETS[company.asset] if company.asset else None
    return _use_worth(outlook, company, ASSETS[asset]) > (_use_worth(outlook, company, held) if held else 0)


def _use_worth(outlook: Outlook, company: CompanyView, row: AssetRow) -> float:
    """Dollars of the uses that are left."""
    once = row.revenue + CUBE_PRICE * len(row.use.fixed) - row.cost + 12 * row.use.appeal + 40 * row.steps
    return once * outlook.operations_left


def _balance(outlook: Outlook, offer: Offer, request: Request) -> float:
    company, space = outlook.companies[request["company"]], request["space"]
    effect = effect_of(space)
    worth = _worth(outlook, company, effect, request)
    cost = _cost(outlook, effect, request)
    gains = 0 if isinstance(space, int) else SPACES[space].gives
    own_fee = TILES[space].fee if isinstance(space, int) and space in outlook.me.built else 0
    reserve = outlook.reserve(company, _free_after(company, request)) if outlook.operations_left else 0
    return worth + own_fee + _gain(company, reserve, gains) - _loss(company, reserve, cost)


def _gain(company: CompanyView, reserve: int, dollars: int) -> float:
    """The worth of dollars to a company: those for its cubes count more than the others."""
    needed = min(dollars, max(0, reserve - company.cash))
    return NEEDED * needed + SAVED * (dollars - needed)


def _loss(company: CompanyView, reserve: int, dollars: int) -> float:
    """The loss from dollars spent: those that the company then lacks for its cubes count more than the others."""
    needed = min(dollars, max(0, dollars + reserve - company.cash))
    return NEEDED * needed + SAVED * (dollars - needed)


def _free_after(company: CompanyView, request: Request) -> list[int]:
    """Free staff spaces after the workers of a request are placed."""
    free = spaces_free(company)
    for key, number in request.get("workers", {}).items():
        free[int(key) - 1] -= number
    return free


def _cost(outlook: Outlook, effect: Effect, request: Request) -> int:
    space = request["space"]
    cost = 0 if not isinstance(space, int) or TILES[space].is_paid_by_bank else TILES[space].fee
    if not isinstance(space, int):
        cost += SPACES[space].costs
    if effect.hires:
        cost += price_of_workers(outlook.view.market, sum(request["workers"].values()))
    if effect.discount is not None:
        cost += request["asset_slot"] - effect.discount
    return cost + effect.dividend


def _worth(outlook: Outlook, company: CompanyView, effect: Effect, request: Request) -> float:
    """Every part of an effect, with the bonus of a bought asset."""
    left = outlook.operations_left
    worth = _staff_worth(outlook, company, request.get("workers", {})) if "workers" in request else 0.0
    for factory in request.get("managers", ()):
        worth += manager_worth(company, factory) * left
    if effect.salespeople and company.next_price:
        goods = max(2, outlook.goods_per_run(company))
        worth += (company.next_price - company.good_price) * goods * left
    if "automate" in request:
        worth += WORKER * max(1, left - 1)
    there = {cube: min(number, outlook.view.haymarket.get(cube, 0)) for cube, number in counted(effect.fixed).items()}
    worth += outlook.worth_of_cubes(company, there) + outlook.worth_of_cubes(company, request.get("cubes", {}))
    worth += 0.8 * company.good_price * effect.goods * bool(left)
    worth += appeal_worth(company.appeal, effect.appeal)
    worth += _dividend_worth(outlook, company, effect.dividend)
    if effect.discount is not None:
        asset = outlook.view.assets[ASSET_SLOTS.index(request["asset_slot"])]
        assert asset is not None
        worth += appeal_worth(company.appeal, ASSETS[asset].bonus.appeal)
        worth += _use_worth(outlook, company, ASSETS[asset]) if request.get("keep") else 0
    return worth


def _staff_worth(outlook: Outlook, company: CompanyView, workers: dict[str, int]) -> float:
    """Goods of the factories that can run with them, and something for those that cannot yet."""
    before = running(company, spaces_free(company))
    free = _free_after(company, {"workers": workers})
    more = [at for at in running(company, free) if at not in before]
    goods = sum(goods_of(company, at) for at in more)
    cubes = sum(len(company.factories[at].inputs) for at in more)
    a_decade = max(0, goods * company.good_price - CUBE_PRICE * cubes)
    return outlook.operations_left * (a_decade + (0 if more else WORKER * sum(workers.values()) / 2))


def manager_worth(company: CompanyView, factory: int) -> float:
    """The worth of a manager, in dollars a decade."""
    printed, at = COMPANIES[company.key].factory(factory), factory - 1
    is_running = at in running(company, spaces_free(company))
    once = printed.extra * company.good_price + 11 * printed.appeal + CUBE_PRICE * printed.cubes
    return once * (1 if is_running else 0.3)


def _dividend_worth(outlook: Outlook, company: CompanyView, dividend: int) -> float:
    """What one’s own shares get, and the rise of their value; the treasury gets its part back."""
    if not dividend:
        return 0
    units = outlook.me.shares.get(company.key, 0)
    in_treasury = company.treasury.get("C", 0) + 2 * company.treasury.get("P", 0)
    rise = (0, 1, 2, 3)[steps_for(dividend, company.price)] * max(10, company.price // 5)
    return units * (dividend / 10 + rise) + SAVED * in_treasury * dividend / 10
