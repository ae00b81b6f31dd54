"""A bot for measurements: it leaves standing orders by the house bot's valuation, so that nobody waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from game.engine.chance import Chance
from game.engine.language import mark
from game.engine.offers import Offer, Queue
from game.engine.ruleset import Bot, Offered, TimeSaver
from game.rulesets.big_shoulders.bots.house import promise
from game.rulesets.big_shoulders.bots.outlook import Outlook
from game.rulesets.big_shoulders.bots.placing import Request, ranked_placements
from game.rulesets.big_shoulders.standing import MOST_WISHES
from game.rulesets.big_shoulders.standing_companies import MOST_ENTRIES
from game.rulesets.big_shoulders.view import ShouldersView


def leaving(orders: Callable[[Outlook, list[Offer]], Iterator[Request]]) -> Callable[[Bot], Bot]:
    """A bot that leaves these orders whenever others act."""

    def wrap(bot: Bot) -> Bot:
        def use(view: ShouldersView, offered: Offered, chance: Chance) -> list[Request]:
            if view.phase is None or view.seat is None or view.acting_seat in (None, view.seat):
                return bot(view, offered, chance)
            return [*orders(Outlook(view), offered()), *bot(view, offered, chance)]

        return use

    return wrap


def _stock(outlook: Outlook, offers: list[Offer]) -> Iterator[Request]:
    """An order to buy what the bot would buy at the present values, or to pass if it can buy none of it."""
    if not any(offer.kind == "stock_order" for offer in offers):
        return
    wishes = [
        (
            promise(outlook, company.key, place),
            {"company": company.key, "certificate": kind, "place": place, "price": company.price},
        )
        for company in outlook.view.companies
        if company.is_started
        for place, there in (("treasury", company.treasury), ("pool", company.pool))
        for kind in ("P", "C")
        for _ in range(there.get(kind, 0))
    ]
    best = [wish for worth, wish in sorted(wishes, key=lambda each: -each[0]) if worth > 1]
    yield {"kind": "stock_order", "wishes": best[:MOST_WISHES], "otherwise": "pass"}


def _placements(outlook: Outlook, offers: list[Offer]) -> Iterator[Request]:
    for offer in offers:
        if offer.kind == "placements":
            (queue,) = offer.fields
            assert isinstance(queue, Queue)
            yield {"kind": "placements", "entries": ranked_placements(outlook, list(queue.offers))[:MOST_ENTRIES]}


def _recipes(outlook: Outlook, offers: list[Offer]) -> Iterator[Request]:
    for offer in offers:
        if offer.kind == "recipe":
            yield {"kind": "recipe", **offer.fixed, "dearest": 30, "runs": 0, "steps": 1}
        elif offer.kind == "bonus_rule":
            yield {"kind": "bonus_rule", **offer.fixed, "take": True}


TIME_SAVERS = {
    "stock": TimeSaver(mark("Standing order for the stock phase"), leaving(_stock)),
    "placements": TimeSaver(mark("Placements in order"), leaving(_placements)),
    "recipes": TimeSaver(mark("Recipes and answers to bonuses"), leaving(_recipes)),
}
