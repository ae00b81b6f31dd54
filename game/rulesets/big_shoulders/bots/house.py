"""The bot for free seats: it staffs its company, runs what it can, pays dividends, and puts its cash into shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.engine.chance import Chance
from game.engine.offers import Choice, Offer
from game.engine.ruleset import Offered
from game.rulesets.big_shoulders.bots.operating import operate
from game.rulesets.big_shoulders.bots.outlook import Outlook
from game.rulesets.big_shoulders.bots.placing import Request, best_placement
from game.rulesets.big_shoulders.effects import TILES
from game.rulesets.big_shoulders.offers_sale import needs_sale
from game.rulesets.big_shoulders.tables import DECADES, Company
from game.rulesets.big_shoulders.view import ShouldersView

FAVOURITES: tuple[Company, ...] = (
    "swift", "elgin", "fairbank", "brunswick", "anglo", "libby", "henderson", "cracker", "spalding", "doggett"
)  # fmt: skip
"""First companies, the best one first."""
OPENING = 35
RISE = 12  # dollars a decade by which the value of a company that pays may rise


def house_bot(view: ShouldersView, offered: Offered, chance: Chance) -> list[Request]:
    """One request in a turn, or a choice of tiles."""
    offers = [offer for offer in offered() if not offer.refused]
    if not offers or view.phase is None or view.acting_seat not in (None, view.seat):
        return []
    return [DECISIONS[view.phase.name](Outlook(view), offers)]


def _first_company(outlook: Outlook, offers: list[Offer]) -> Request:
    best = min(offers, key=lambda offer: FAVOURITES.index(offer.fixed["company"]))
    return {"kind": "start", **best.fixed, "value": OPENING}


def _stock(outlook: Outlook, offers: list[Offer]) -> Request:
    """The share that promises most for its price; what must be sold is sold.

    It never starts a second company, which it would not know how to use: tried against house bots, one of decade 3
    costs 300 dollars or more; one of decade 4 or 5, once nothing is worth buying, costs 240 with two players, and wins
    no more games with four."""
    kinds = {offer.kind: offer for offer in offers}
    if "pass_turn" not in kinds and "done" not in kinds:
        return _least_sale(kinds["sell"])
    purchases = [offer for offer in offers if offer.kind == "buy" and not needs_sale(offer)]
    best = max(purchases, key=lambda offer: _promise(outlook, offer), default=None)
    if best is not None and _promise(outlook, best) > 1:
        return {"kind": "buy", **best.fixed}
    return {"kind": "done" if "done" in kinds else "pass_turn"}


def _least_sale(offer: Offer) -> Request:
    """The smallest sale that meets the limit, common certificates first."""
    (field,) = offer.fields
    left, sale = field.least, {}  # type: ignore[union-attr]
    for name, _, most in sorted(field.parts, key=lambda part: part[0][-1]):  # type: ignore[union-attr]
        sale[name] = min(left, most)
        left -= sale[name]
    return {"kind": "sell", "certificates": {name: number for name, number in sale.items() if number}}


def _promise(outlook: Outlook, offer: Offer) -> float:
    return promise(outlook, offer.fixed["company"], offer.fixed["place"])


def promise(outlook: Outlook, key: Company, place: str) -> float:
    """The dollars that a share is expected to bring until the end, for each dollar of its price; the bot's own company
    also gets the money."""
    company = outlook.companies[key]
    is_own = company.director_seat == outlook.seat
    a_decade = outlook.potential(company) * (1 if is_own else 0.8)
    worth = company.price + outlook.operations_left * (a_decade + min(RISE, company.price / 3))
    bonus = 0.3 if is_own and place == "treasury" else 0
    return worth / company.price + bonus


def _building(outlook: Outlook, offers: list[Offer]) -> Request:
    """A request to build the tile that brings most and to discard the one that brings least."""
    ranked = sorted((offer.fixed["build"] for offer in offers), key=_tile_worth)
    offer = next(offer for offer in offers if offer.fixed["build"] == ranked[-1])
    assert isinstance(offer.fields[0], Choice)
    return {"kind": "choose", "build": ranked[-1], "discard": ranked[0]}


def _tile_worth(tile: int) -> float:
    """The worth of a tile in dollars: others use a cheap one more often, and a fee from the bank discourages nobody."""
    row = TILES[tile]
    return row.fee * (1.2 if row.is_paid_by_bank else 1) + 6 * row.workers


def _action(outlook: Outlook, offers: list[Offer]) -> Request:
    if answers := [offer for offer in offers if offer.kind == "bonus"]:
        return answer(answers)
    places = [offer for offer in offers if offer.kind == "place"]
    return best_placement(outlook, places) or {"kind": "end_turn"}


def answer(offers: list[Offer]) -> Request:
    """Take the bonus, with the first target there is."""
    take = next((offer for offer in offers if offer.fixed["take"]), offers[0])
    targets: dict[str, Any] = {field.name: field.values[0][0] for field in take.fields if isinstance(field, Choice)}
    return {"kind": "bonus", **take.fixed, **targets}


def _operation(outlook: Outlook, offers: list[Offer]) -> Request:
    if answers := [offer for offer in offers if offer.kind == "bonus"]:
        return answer(answers)
    return operate(outlook, offers, is_last=outlook.view.turn == DECADES)


DECISIONS: dict[str, Callable[[Outlook, list[Offer]], Request]] = {
    "first_company": _first_company,
    "stock": _stock,
    "building": _building,
    "action": _action,
    "operation": _operation,
}
