"""The offers of a seat in the open phase, with the choices that the rules allow. (BS 5 to 7)"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from game.engine.actions import Action, Refused, tag_of
from game.engine.flow import Flow, Phase
from game.engine.language import mark, say
from game.engine.offers import Choice, Counts, Field, Offer, Range, When
from game.engine.phrases import thousands
from game.rulesets.big_shoulders.descriptions import asset_in_words, space_in_words
from game.rulesets.big_shoulders.effects import ASSETS
from game.rulesets.big_shoulders.free_acts import TRADED, Bonus, EndTurn, Trade, UseAsset
from game.rulesets.big_shoulders.offers_ahead import PLACE_TITLES, company_orders, stock_order
from game.rulesets.big_shoulders.offers_placing import move_words, placing
from game.rulesets.big_shoulders.offers_sale import Part, sale_for, sellable_by
from game.rulesets.big_shoulders.operating import (
    BuyCubes,
    Raise,
    Run,
    Stop,
    haymarket_after,
    manager_effect,
    operation_of,
)
from game.rulesets.big_shoulders.selling import Pay, SellGoods, Withhold
from game.rulesets.big_shoulders.staff import moves_in
from game.rulesets.big_shoulders.state import HAYMARKET, ShouldersState
from game.rulesets.big_shoulders.stock import Buy, Done, PassTurn, Sell, Start
from game.rulesets.big_shoulders.stock_checks import CERTIFICATES, KIND_TITLES, is_over_limit, place_of, title_of
from game.rulesets.big_shoulders.stock_turns import BOUGHT, PLACES
from game.rulesets.big_shoulders.tables import (
    APPEAL_BONUSES,
    BONUS_TITLES,
    COLUMN_PRICES,
    COMMON,
    COMPANIES,
    COMPANY_KEYS,
    CUBE_TITLES,
    DECLINED_BONUS,
    DIRECTOR,
    OPENING_VALUES,
    PREFERRED,
    SLOTS,
    UNITS,
    Company,
    Cube,
)
from game.rulesets.big_shoulders.telling import cubes_in_words


def offers(state: ShouldersState, seat: int, flow: Flow, phase: Phase) -> list[Offer]:
    """Every offer of the open phase for a seat."""
    return list(OFFERS[phase.name](state, seat))


def offers_of_turn(state: ShouldersState, seat: int, flow: Flow, phase: Phase) -> list[Offer]:
    """The offers of a seat that is asked now, without standing orders: for bots that continue positions."""
    return list(OFFERS_OF_TURN[phase.name](state, seat)) if state.acting in (None, seat) else []


def offered(state: ShouldersState, action: Action, label: str, rule: str, *fields: Field, text: str = "",
            group: str = "", slot: str = "", **fixed: object) -> Offer:  # fmt: skip
    """An offer. It is refused if its smallest request is, for the same reason."""
    refused = ""
    try:
        action.check(state)
    except Refused as refusal:
        refused, rule = refusal.text, refusal.rule
    return Offer(tag_of(action), label, fixed, () if refused else fields, refused, rule, slot, text, group=group)


# --- the start and the stock phase


def _stock(state: ShouldersState, seat: int) -> Iterator[Offer]:
    if state.acting == seat:
        yield from _dealing(state, seat)
    yield stock_order(state)


def _dealing(state: ShouldersState, seat: int) -> Iterator[Offer]:
    yield from _selling(state, seat)
    sellable = sellable_by(state, seat)
    for company in COMPANY_KEYS:
        if company in state.companies:
            yield from _buying(state, seat, company, sellable)
    yield from _starting(state, seat, sellable)
    yield offered(state, PassTurn(actor=seat), say(PassTurn.title), "BS 5.1")
    yield offered(state, Done(actor=seat), say(Done.title), "B-9")


def _selling(state: ShouldersState, seat: int) -> Iterator[Offer]:
    """The field of certificates to sell; over the limit, it asks for at least the number in the rules."""
    parts = []
    for name, (company, kind) in CERTIFICATES.items():
        held = state.held(seat, company, kind)
        if held and (kind != DIRECTOR or not _refusal(Sell(actor=seat, certificates={name: 1}), state)):
            parts.append((name, title_of(company, kind), held))
    if not parts:
        return
    total = sum(most for _, _, most in parts)
    least = min(total, state.certificates(seat) - state.limit) if is_over_limit(state, seat) else 1
    everything = {name: most for name, _, most in parts}
    field = Counts("certificates", say("Certificates to sell"), total, tuple(parts), least=least)
    yield offered(state, Sell(actor=seat, certificates=everything), say(Sell.title), "BS 5.2", field)


def _refusal(action: Action, state: ShouldersState) -> str:
    try:
        action.check(state)
    except Refused as refusal:
        return refusal.code
    return ""


def _buying(state: ShouldersState, seat: int, company: Company, sellable: Sequence[Part]) -> Iterator[Offer]:
    title, price = COMPANIES[company].title, state.price(company)
    for kind, place in ((kind, place) for kind in BOUGHT for place in PLACES):
        there = state.at(company, kind, place_of(company, place))
        if not there:
            continue
        label = say(
            "{certificate} at {price}", certificate=say(KIND_TITLES[kind]), price=thousands(UNITS[kind] * price)
        )
        text = say("{place}: {there}", there=there, place=say(PLACE_TITLES[place]))
        fixed = {"company": company, "certificate": kind, "place": place}
        action = Buy(actor=seat, company=company, certificate=kind, place=place)
        offer = offered(state, action, label, "BS 5.3", text=text, group=title, **fixed)
        sale = sale_for(state, action, sellable, is_needed=bool(offer.refused))
        yield _with_sale(offer, sale) if sale else offer


def _with_sale(offer: Offer, *fields: Field) -> Offer:
    """A purchase or start with the sale that it may include, which can make a refused one possible."""
    text = say("Only with a sale: {reason}", reason=offer.refused) if offer.refused else offer.text
    return msgspec.structs.replace(offer, refused="", fields=fields, text=text)


def _starting(state: ShouldersState, seat: int, sellable: Sequence[Part] = ()) -> Iterator[Offer]:
    for company in COMPANY_KEYS:
        if company in state.companies:
            continue
        label = say("Start {company}", company=COMPANIES[company].title)
        starts = {value: Start(actor=seat, company=company, value=value) for value in OPENING_VALUES}
        values = [value for value, start in starts.items() if not _refusal(start, state)]
        sales = [sale for value, start in starts.items()
                 if (sale := sale_for(state, start, sellable, When("value", (value,)), is_needed=value not in values))
                ]  # fmt: skip
        values += [value for sale in sales if sale.when for value in sale.when.values if value not in values]
        field = Choice("value", say("Value"), tuple((value, thousands(value)) for value in values))
        first = starts[OPENING_VALUES[0]]
        offer = offered(state, first, label, "BS 5.5", field, *sales, group=mark("New companies"), company=company)
        yield _with_sale(offer, field, *sales) if sales else offer


# --- buildings


def _building(state: ShouldersState, seat: int) -> Iterator[Offer]:
    tiles = tuple((tile, say("Tile {tile}", tile=tile)) for tile in state.hands[seat])
    for build, label in tiles:
        others = tuple(other for other in tiles if other[0] != build)
        field = Choice("discard", say("Discard"), others)
        build_label = say("Build {tile}", tile=label)
        yield Offer(
            "choose", build_label, {"build": build}, (field,), rule="BS 6.1", slot="choose", text=space_in_words(build)
        )


# --- free acts


def _bonus(state: ShouldersState, seat: int) -> Iterator[Offer]:
    owed = state.owed[0]
    bonus, free = APPEAL_BONUSES[owed.space], state.free_spaces(owed.company)
    fields: tuple[Field, ...] = ()
    if bonus == "worker":
        values = tuple((number, factory_words(number)) for number, spaces in enumerate(free, 1) if spaces)
        fields = (Choice("factory", say("Factory"), values),)
    elif bonus == "automation":
        moves = moves_in(state.workers_in(owed.company), free)
        fields = (Choice("move", say("Automation"), tuple((move, move_words(move)) for move in moves)),)
    company = COMPANIES[owed.company].title
    label = say("Take the bonus of {company}: {bonus}", company=company, bonus=say(BONUS_TITLES[bonus]))
    yield Offer("bonus", label, {"take": True}, fields, rule="BS 1.5")
    yield offered(
        state, Bonus(actor=seat, take=False), say("Take {amount} instead", amount=DECLINED_BONUS), "BS 1.5", take=False
    )


def factory_words(number: int) -> str:
    return say("Factory {number}", number=number)


def _free_acts(state: ShouldersState, seat: int, companies: list[Company]) -> Iterator[Offer]:
    for company in companies:
        title, own = COMPANIES[company].title, state.companies[company]
        if own.asset is not None:
            action = UseAsset(actor=seat, company=company)
            label = say("Use the asset of {company}", company=title)
            text = asset_in_words(ASSETS[own.asset])
            group = mark("Assets and trades")
            yield offered(state, action, label, "BS 1.11", text=text, group=group, company=company)
        yield from _trades(state, seat, company)


def _trades(state: ShouldersState, seat: int, company: Company) -> Iterator[Offer]:
    """One offer for each kind of cube of which the company has enough to trade."""
    there = state.cubes_at(HAYMARKET)
    for give, number in state.cubes_at(company).items():
        takes = tuple((cube, say(CUBE_TITLES[cube])) for cube in there if cube != give)
        if number >= TRADED and takes:
            label = say("{company}: two {cube} for one", company=COMPANIES[company].title, cube=say(CUBE_TITLES[give]))
            field = Choice("take", say("Cube"), takes)
            action = Trade(actor=seat, company=company, give=give, take=takes[0][0])
            yield offered(state, action, label, "BS 6.5", field, group=mark("Assets and trades"),
                          company=company, give=give)  # fmt: skip


def _action(state: ShouldersState, seat: int) -> Iterator[Offer]:
    yield from company_orders(state, seat, with_placements=True)
    if state.acting == seat:
        yield from _acting(state, seat)


def _acting(state: ShouldersState, seat: int) -> Iterator[Offer]:
    if state.owed:
        yield from _bonus(state, seat)
        return
    companies = state.directed_by(seat)
    if not state.has_placed:
        for company in companies:
            yield from placing(state, seat, company)
    yield from _free_acts(state, seat, companies)
    yield offered(state, EndTurn(actor=seat), say(EndTurn.title), "BS 6.2")


# --- operations


def _operation(state: ShouldersState, seat: int) -> Iterator[Offer]:
    yield from company_orders(state, seat, with_placements=False)
    if state.acting == seat:
        yield from _operating(state, seat)


def _operating(state: ShouldersState, seat: int) -> Iterator[Offer]:
    if state.owed:
        yield from _bonus(state, seat)
        return
    operation = operation_of(state)
    if not operation.has_stopped:
        yield from _producing(state, seat)
    elif not operation.is_paid:
        yield from _deciding(state, seat)
    yield from _free_acts(state, seat, [operation.company])
    if operation.is_paid:
        yield offered(state, EndTurn(actor=seat), say("End the operation"), "B-62")


def _producing(state: ShouldersState, seat: int) -> Iterator[Offer]:
    operation = operation_of(state)
    company = operation.company
    if not operation.runs and not operation.has_bought:
        if state.options.advanced and not operation.has_raised:
            yield from _raising(state, seat, company)
        yield from _buying_cubes(state, seat, company)
    factory = operation.runs + 1
    if factory <= len(COMPANIES[company].factories):
        yield _running(state, seat, company, factory)
    yield offered(state, Stop(actor=seat), say(Stop.title), "B-91")


def _raising(state: ShouldersState, seat: int, company: Company) -> Iterator[Offer]:
    preferred, commons = state.in_treasury(company, PREFERRED), state.in_treasury(company, COMMON)
    if preferred:
        fields = (Range("commons", say("Common"), 0, commons, 0),)
        action = Raise(actor=seat, preferred=1)
        label = say("Sell the preferred certificate of the treasury")
        yield offered(state, action, label, "BS 7.2", *fields, preferred=1)
    if commons:
        fields = (Range("commons", say("Common"), 1, commons, 1),)
        label = say("Sell common certificates of the treasury")
        yield offered(state, Raise(actor=seat, commons=1), label, "BS 7.2", *fields)


def _buying_cubes(state: ShouldersState, seat: int, company: Company) -> Iterator[Offer]:
    cash = state.treasury(company)
    parts = tuple(
        (
            f"{column}:{cube}",
            say("{cube} at {price}", cube=say(CUBE_TITLES[cube]), price=price),
            min(there, cash // price),
        )
        for column, price in COLUMN_PRICES.items()
        for cube, there in state.cubes_at(column).items()
        if price <= cash
    )
    if parts:
        field = Counts("cubes", say("Cubes"), sum(most for _, _, most in parts), parts, least=1)
        action = BuyCubes(actor=seat, cubes={parts[0][0]: 1})  # type: ignore[dict-item]
        yield offered(state, action, say(BuyCubes.title), "BS 7.3", field)


def _running(state: ShouldersState, seat: int, company: Company, factory: int) -> Offer:
    there = haymarket_after(state, COMPANIES[company].factory(factory))
    granted = min(manager_effect(state, company, factory).cubes, sum(there.values()))
    fields = (chosen_cubes(there, granted),) if granted else ()
    least: dict[Cube, int] = {}
    for cube, number in there.items():
        least[cube] = min(number, granted - sum(least.values()))
    action = Run(actor=seat, factory=factory, cubes=least)
    label = say("Run factory {factory}", factory=factory)
    text = cubes_in_words({cube: COMPANIES[company].factory(factory).inputs.count(cube) for cube in CUBE_TITLES})
    return offered(state, action, label, "BS 7.4", *fields, text=text, factory=factory)


def chosen_cubes(there: dict[Cube, int], granted: int) -> Counts:
    """A choice of a number of cubes from those in a place."""
    parts = tuple((cube, say(CUBE_TITLES[cube]), min(number, granted)) for cube, number in there.items())
    return Counts("cubes", say("Cubes"), granted, parts, least=granted)


def _deciding(state: ShouldersState, seat: int) -> Iterator[Offer]:
    operation = operation_of(state)
    company = operation.company
    goods, trade = state.companies[company].goods, COMPANIES[company].trade
    if goods and not operation.has_sold:
        parts = [
            (slot, say("${n}", n=slot), min(goods, state.room(trade, column))) for column, slot in enumerate(SLOTS)
        ]
        open_parts = (*(part for part in parts if part[2]), ("bank", say("Bank, half price"), goods))
        field = Counts("goods", say("Goods"), goods, open_parts, least=1)
        yield offered(state, SellGoods(actor=seat, goods={"bank": 1}), say(SellGoods.title), "BS 7.4", field)
    revenue = say("Revenue {revenue}", revenue=thousands(operation.revenue))
    yield offered(state, Pay(actor=seat), say(Pay.title), "BS 7.5", text=revenue)
    yield offered(state, Withhold(actor=seat), say(Withhold.title), "BS 7.5", text=revenue)


OFFERS: dict[str, Callable[[ShouldersState, int], Iterator[Offer]]] = {
    "first_company": _starting,
    "stock": _stock,
    "building": _building,
    "action": _action,
    "operation": _operation,
}
OFFERS_OF_TURN = OFFERS | {"stock": _dealing, "action": _acting, "operation": _operating}
