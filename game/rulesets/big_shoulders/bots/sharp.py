"""The sharp bot: it continues each of its candidates as the house bot would, and takes the one that is best for it at
the end of the next stock phase."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from game.engine.chance import Chance
from game.engine.offers import Choice, Offer
from game.engine.position import AnyPosition
from game.engine.ruleset import Bot, Offered, Ruleset
from game.engine.search import Requests, Search
from game.rulesets.big_shoulders.bots.house import FAVOURITES, OPENING, house_bot, promise
from game.rulesets.big_shoulders.bots.outlook import Outlook
from game.rulesets.big_shoulders.bots.placing import ranked_placements
from game.rulesets.big_shoulders.offers import offers_of_turn
from game.rulesets.big_shoulders.offers_sale import needs_sale
from game.rulesets.big_shoulders.state import ShouldersState
from game.rulesets.big_shoulders.tables import COMPANIES, DECADES, Company
from game.rulesets.big_shoulders.view import ShouldersView

ROLLOUTS, STEPS = 16, 420
PURCHASES, STARTS, PLACEMENTS = 3, 2, 5  # most promising candidates that are tried
OPENERS: tuple[Company, ...] = ("cracker", "swift", "elgin", "doggett", "brunswick", "henderson")
"""First companies that led to most where every house bot had started any of them, the best one first."""
GROWTH = 0.2  # part of its price that a share gains in a decade
EARNING = 0.33  # part of the revenue of two factories that a share brings in a decade, in all
CUBE = 22  # dollars a share for a cube that the company has

Ideas = Callable[[Outlook, list[Offer]], list[Requests]]


def sharp_of(rules: Ruleset) -> Bot:
    """The sharp bot of these rules. It plays positions on without offers of standing orders, which the house bot does
    not need."""
    search = Search(replace(rules, offers=offers_of_turn), house_bot, lead, is_far, ROLLOUTS, STEPS)

    def sharp_bot(view: ShouldersView, offered: Offered, chance: Chance) -> Requests:
        offers = [offer for offer in offered() if not offer.refused]
        first = house_bot(view, lambda: offers, chance)
        if not first or view.phase is None:
            return first
        ideas = IDEAS[view.phase.name](Outlook(view), offers)
        candidates = [first, *(idea for idea in ideas if idea != first)]
        return search.best(view, candidates, chance) if len(candidates) > 1 else first

    return sharp_bot


def is_far(view: ShouldersView, position: AnyPosition) -> bool:
    """True once the stock phase of the next decade is over, when what this one brought has been spent."""
    return bool(position.state.turn > view.turn and position.state.acting is None)


def lead(position: AnyPosition, seat: int) -> float:
    """The seat's lead in dollars, halfway between the best of the others and their average: net worth, and what the
    shares are expected to bring."""
    state: ShouldersState = position.state
    worths = [float(state.worth(each)) for each in range(state.seats)]
    if not position.is_over:
        for company in state.companies:
            promised = prospects(state, company)
            worths = [worth + state.units(each, company) * promised for each, worth in enumerate(worths)]
    others = worths[:seat] + worths[seat + 1 :]
    return worths[seat] - (max(others) + sum(others) / len(others)) / 2


def prospects(state: ShouldersState, company: Company) -> float:
    """Dollars that a share brings until the end beyond its price, for a position at the start of a decade. The weights
    fit 60 games among house bots."""
    row, own = COMPANIES[company], state.companies[company]
    revenue = sum(factory.goods for factory in row.factories[:2]) * row.prices[own.salespeople]
    cubes = sum(state.cubes_at(company).values())
    return (DECADES + 1 - state.turn) * (GROWTH * own.price + EARNING * revenue) + CUBE * cubes


# --- candidates besides the house bot's choice, by phase


def _first_companies(outlook: Outlook, offers: list[Offer]) -> list[Requests]:
    by_company = {offer.fixed["company"]: offer for offer in offers}
    return [[_start_request(by_company[company])] for company in OPENERS if company in by_company]


def _start_request(offer: Offer) -> dict[str, object]:
    return {"kind": "start", **offer.fixed, "value": OPENING}


def _deals(outlook: Outlook, offers: list[Offer]) -> list[Requests]:
    """Candidates: to pass, the most promising purchases, and new companies."""
    purchases = [offer for offer in offers if offer.kind == "buy" and not needs_sale(offer)]
    purchases.sort(key=lambda offer: promise(outlook, offer.fixed["company"], offer.fixed["place"]), reverse=True)
    starts = [offer for offer in offers if offer.kind == "start" and not needs_sale(offer, OPENING)]
    starts.sort(key=lambda offer: FAVOURITES.index(offer.fixed["company"]))
    passes: list[Requests] = [[{"kind": "pass_turn"}]] if any(offer.kind == "pass_turn" for offer in offers) else []
    buys: list[Requests] = [[{"kind": "buy", **offer.fixed}] for offer in purchases[:PURCHASES]]
    return [*passes, *buys, *([_start_request(offer)] for offer in starts[:STARTS])]


def _buildings(outlook: Outlook, offers: list[Offer]) -> list[Requests]:
    """Candidates: each tile built, with the first of the others discarded."""
    fields = [(offer, offer.fields[0]) for offer in offers]
    return [[{"kind": "choose", **offer.fixed, "discard": field.values[0][0]}]
            for offer, field in fields if isinstance(field, Choice)]  # fmt: skip


def _placements(outlook: Outlook, offers: list[Offer]) -> list[Requests]:
    places = [offer for offer in offers if offer.kind == "place"]
    return [[place | {"end": True}] for place in ranked_placements(outlook, places)[:PLACEMENTS]]


def _dividends(outlook: Outlook, offers: list[Offer]) -> list[Requests]:
    """Candidates once the goods are sold: to pay and to withhold."""
    kinds = {offer.kind for offer in offers}
    is_due = "pay" in kinds and "sell_goods" not in kinds
    return [[{"kind": kind, "end": True}] for kind in ("pay", "withhold")] if is_due else []


IDEAS: dict[str, Ideas] = {
    "first_company": _first_companies,
    "stock": _deals,
    "building": _buildings,
    "action": _placements,
    "operation": _dividends,
}
