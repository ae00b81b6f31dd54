"""The plan of an operation as the form holds it: its fields, and the commands that they stand for. (BS 7)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from game.boards.big_shoulders.decisions.course import BONUS, Course, answers_in, company_of
from game.boards.big_shoulders.decisions.supplies import PAIR, best_supply, needed
from game.boards.decision import BadField, Filled, Question, Request, whole
from game.engine.language import mark
from game.engine.offers import Counts, Offer, Range
from game.rulesets.big_shoulders.effects import ASSETS
from game.rulesets.big_shoulders.selling import SlotKey, best_split
from game.rulesets.big_shoulders.tables import COMPANIES, CUBES, SLOTS, Cube
from game.rulesets.big_shoulders.view import CompanyView, ShouldersView

CUBE, TRADE, RUNS, TAKE, USE, GOODS, CHOICE, DRAWN_FOR = (
    "cube",
    "exchange",
    "runs",
    "take_",
    "use",
    "goods_",
    "decision",
    "drawn_for",
)
BEFORE, AFTER = "before", "after"
PAY, WITHHOLD = "pay", "withhold"
NAMES = frozenset({CUBE, TRADE, RUNS, TAKE, USE, GOODS, CHOICE, DRAWN_FOR, BONUS})
SALES: tuple[SlotKey, ...] = ("50", "20", "0", "bank")
DEMAND = mark("Goods")


def signature(form: Filled) -> str:
    """A text that changes with the production, and so with the goods. The order of the cubes does not matter."""
    parts = (
        f"{name}={','.join(sorted(values) if name == CUBE else values)}"
        for name, values in sorted(form.all().items())
        if any(values) and (name in {CUBE, TRADE, RUNS, USE} or name.startswith((TAKE, BONUS)))
    )
    return blake2b(";".join(parts).encode(), digest_size=6).hexdigest()


def keeps_goods(form: Filled) -> bool:
    """True if the goods to sell were entered for this production, or since it was changed."""
    return form.get(DRAWN_FOR) == signature(form) or form.is_newer(GOODS, CUBE, RUNS, USE, TAKE, BONUS)


def offer_of(offers: Sequence[Offer], kind: str) -> Offer | None:
    return next((offer for offer in offers if offer.kind == kind and not (kind != "run" and offer.refused)), None)


def read_production(form: Filled, offers: Sequence[Offer]) -> list[list[Request]]:
    """The commands up to the end of production, by stage: before the first factory, each factory, the end. Raises
    `BadField`."""
    stages: list[list[Request]] = [[]]
    asset = offer_for_asset(offers)
    if asset is not None and form.get(USE) == BEFORE:
        stages[0] += [{"kind": "use_asset", **asset.fixed}, *answers_in(form, 0)]
    cubes = Counter(form.several(CUBE))
    if offer_of(offers, "buy_cubes") is not None and cubes:
        stages[0].append({"kind": "buy_cubes", "cubes": dict(cubes)})
    stages[0] += read_trades(form, offers)
    run = offer_of(offers, "run")
    if run is not None:
        first = int(str(run.fixed["factory"]))
        last = whole(form, RUNS, mark("Factories"), 0, 3, rule="BS 7.4") if form.get(RUNS) else 0
        for factory in range(first, last + 1):
            stages.append([_run(form, factory), *answers_in(form, factory)])
    if offer_of(offers, "stop") is not None:
        stages.append([{"kind": "stop"}])
    if asset is not None and form.get(USE) == AFTER:
        stages[-1].append({"kind": "use_asset", **asset.fixed})
    return stages


def read_trades(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The trades of the plan in Haymarket, in order. Raises `BadField`."""
    stop = offer_of(offers, "stop")
    trades = [name.split(":") for name in form.several(TRADE)] if stop is not None else []
    for company, *cubes in trades:
        if company not in COMPANIES or len(cubes) != PAIR or not set(cubes) <= set(CUBES):
            raise BadField(TRADE, "There is no such trade.", "BS 6.5")
    return [{"kind": "trade", "company": company, "give": give, "take": take} for company, give, take in trades]


def offer_for_asset(offers: Sequence[Offer]) -> Offer | None:
    """The asset of the company, also where its moment in the operation is still to come."""
    return next((offer for offer in offers if offer.kind == "use_asset" and is_coming(offer)), None)


def is_coming(offer: Offer) -> bool:
    return not offer.refused or offer.rule == "B-25"


def _run(form: Filled, factory: int) -> Request:
    cubes = [form.get(f"{TAKE}{name}") for name in sorted(form.under(TAKE)) if name.startswith(f"{factory}_")]
    return {"kind": "run", "factory": factory, "cubes": dict(Counter(cube for cube in cubes if cube))}


def read_sale(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The sale that the form holds; none where no goods are named. Raises `BadField`."""
    named = {
        slot: whole(form, f"{GOODS}{slot}", DEMAND, 0, 99, rule="BS 7.4")
        for slot in SALES
        if form.get(f"{GOODS}{slot}")
    }
    goods = {slot: number for slot, number in named.items() if number}
    return [{"kind": "sell_goods", "goods": goods}] if goods else []


# --- likely choices


def staffed(company: CompanyView, first: int) -> int:
    """The last of the factories, from the first on, that could run one after another."""
    last = first - 1
    for number, factory in enumerate(company.factories[first - 1 :], first):
        if factory.workers + factory.automated < factory.staff:
            break
        last = number
    return last


def usual_plan(question: Question, view: ShouldersView) -> dict[str, list[str]]:
    """A plan with as many factories as can be staffed, supplied and paid for from a position on. It takes the cheapest
    cubes, and trades for missing ones if that pays."""
    assert view.operation is not None
    company = company_of(view, view.operation.company)
    run = offer_of(question.offers, "run")
    if run is None:
        return {}
    first = int(str(run.fixed["factory"]))
    may_buy = offer_of(question.offers, "buy_cubes") is not None
    last, supply = best_supply(view, company, first, staffed(company, first), may_buy=may_buy)
    trades = [f"{company.key}:{trade}" for trade in supply.trades]
    return {CUBE: list(supply.cubes), TRADE: trades, RUNS: [str(last)]}


def usual_use(question: Question) -> str:
    """When the asset is used if it is: cubes and appeal come first, money and steps of the value last."""
    view = question.view
    asset = company_of(view, view.operation.company).asset
    offer = offer_for_asset(question.offers)
    if asset is None or offer is None:
        return ""
    return AFTER if ASSETS[asset].steps or ASSETS[asset].revenue else BEFORE


def granted_cubes(course: Course, company: str, factory: int) -> int:
    """How many cubes the manager of a factory takes from Haymarket."""
    row = COMPANIES[company].factory(factory)  # type: ignore[index]
    if course.after is None or not company_of(course.after, company).factories[factory - 1].has_manager:
        return 0
    return min(row.cubes, sum(haymarket(course, company, factory).values()))


def haymarket(course: Course, company: str, factory: int) -> Counter[Cube]:
    """The cubes in Haymarket once the factory has spent its own. (B-51)"""
    assert course.after is not None
    there = Counter(course.after.haymarket)
    there.update(COMPANIES[company].factory(factory).inputs)  # type: ignore[index]
    return there


def usual_cube(course: Course, company: str, factory: int, there: Mapping[Cube, int]) -> Cube:
    """A cube that the factories after this one lack, or else any that the company uses."""
    assert course.after is not None
    now = company_of(course.after, company)
    later = needed(now, factory + 1, len(now.factories))
    used = [cube for each in now.factories for cube in each.inputs]
    order = [*later, *used, *CUBES]
    return next(cube for cube in order if there.get(cube, 0) > 0)


def sale_for(view: ShouldersView) -> dict[SlotKey, int]:
    """The best sale of all goods that the company has now."""
    company = company_of(view, view.operation.company)  # type: ignore[union-attr]
    rooms = [slot.room for slot in slots_of(view, company)]
    return best_split(company.goods, rooms, company.good_price)


def slots_of(view: ShouldersView, company: CompanyView) -> list:
    """The demand slots of the company's trade, the dearest first."""
    by_slot = {slot.slot: slot for slot in view.demand if slot.trade == company.trade}
    return [by_slot[slot] for slot in SLOTS]


def most_of(offer: Offer | None, name: str) -> dict[str, int]:
    """The most of each part of a field of counts."""
    fields = [field for field in offer.fields if field.name == name] if offer else []
    return {str(key): most for field in fields if isinstance(field, Counts) for key, _, most in field.parts}


def range_in(offer: Offer, name: str) -> tuple[int, int]:
    field = next(field for field in offer.fields if field.name == name)
    assert isinstance(field, Range)
    return field.low, field.high
