"""Orders that a seat may give ahead, in its own turn or while others act. (B-79)"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from game.engine.language import mark, say
from game.engine.offers import Choice, Field, Offer, Queue, Range, Records
from game.engine.phrases import thousands
from game.rulesets.big_shoulders.offers_placing import placing
from game.rulesets.big_shoulders.standing import MOST_WISHES, OTHERWISE, StockOrder
from game.rulesets.big_shoulders.standing_companies import MOST_ENTRIES, NEVER, BonusRule, PlacementList, Recipe
from game.rulesets.big_shoulders.state import ShouldersState
from game.rulesets.big_shoulders.stock_checks import KIND_TITLES
from game.rulesets.big_shoulders.tables import (
    BONUS_TITLES,
    COLUMN_PRICES,
    COMMON,
    COMPANIES,
    COMPANY_KEYS,
    PREFERRED,
    VALUES,
    Company,
)

PLACE_TITLES = {"treasury": mark("Treasury"), "pool": mark("Bank pool")}
GROUP = mark("Standing orders")
ASKED = ("worker", "salesperson", "automation", "goods_token", "stock_step")
"""Bonuses that need an answer."""


def stock_order(state: ShouldersState) -> Offer:
    """Purchases with limits, and when to pass."""
    companies = tuple((key, COMPANIES[key].title) for key in COMPANY_KEYS if key in state.companies)
    kinds = tuple((kind, say(KIND_TITLES[kind])) for kind in (PREFERRED, COMMON))
    wish = (
        Choice("company", say("Company"), companies),
        Choice("certificate", say("Certificate"), kinds),
        Choice("place", say("From"), tuple((place, say(title)) for place, title in PLACE_TITLES.items())),
        Range("price", say("Highest value"), VALUES[0], VALUES[-1], VALUES[-1]),
    )
    otherwise = Choice("otherwise", say("If none is possible"), tuple((k, say(w)) for k, w in OTHERWISE.items()))
    return Offer(
        "stock_order", say(StockOrder.title), fields=(Records("wishes", say("Buy"), wish, MOST_WISHES), otherwise),
        rule="B-79", slot="stock_order", group=GROUP,
    )  # fmt: skip


def company_orders(state: ShouldersState, seat: int, *, with_placements: bool) -> Iterator[Offer]:
    """Placements, recipes and answers to bonuses of a seat's companies."""
    companies = state.directed_by(seat)
    if with_placements and companies and state.ready[seat]:
        yield from _placements(state, seat, companies)
    for company in companies:
        yield _recipe(company)
    if companies:
        yield from _bonus_rules()


def _placements(state: ShouldersState, seat: int, companies: list[Company]) -> Iterator[Offer]:
    """The placements that the seat could make if its turn began now."""
    own_turn = msgspec.structs.replace(state, has_placed=False, owed=[])
    entries = tuple(
        offer for company in companies for offer in placing(own_turn, seat, company) if not offer.refused
    )  # fmt: skip
    if entries:
        queue = Queue("entries", say("Placement"), entries, MOST_ENTRIES, least=1)
        yield Offer(
            "placements", say(PlacementList.title), fields=(queue,), rule="B-79", slot="placements", group=GROUP
        )


def _recipe(company: Company) -> Offer:
    row = COMPANIES[company]
    prices = (*((price, thousands(price)) for price in COLUMN_PRICES.values()), (0, say("buy none")))
    steps = ((0, say("always")), (1, say("one step")), (2, say("two steps")), (3, say("three steps")))
    fields: tuple[Field, ...] = (
        Choice("dearest", say("Highest price for a cube"), prices),
        Range("runs", say("Factories that must run"), 0, len(row.factories), 1),
        Choice("steps", say("Pay for"), (*steps, (NEVER, say("never")))),
        Range("share", say("Or from this dividend per share"), 0, 999, 0),
    )
    label = say("{recipe}: {company}", recipe=say(Recipe.title), company=row.title)
    return Offer("recipe", label, {"company": company}, fields, rule="B-79", slot=f"recipe:{company}", group=GROUP)


def _bonus_rules() -> Iterator[Offer]:
    for bonus in ASKED:
        label = say("{rule}: {bonus}", rule=say(BonusRule.title), bonus=say(BONUS_TITLES[bonus]))
        fields: tuple[Field, ...] = (Choice("take", say("Answer"), ((True, say("Take it")), (False, say("$25")))),)
        if bonus in ("worker", "automation"):
            factories = (
                (0, say("The first factory that can")),
                *((n, say("Factory {number}", number=n)) for n in (1, 2, 3)),
            )
            fields = (*fields, Choice("factory", say("Factory"), factories))
        yield Offer("bonus_rule", label, {"bonus": bonus}, fields, rule="B-79", slot=f"bonus:{bonus}", group=GROUP)
