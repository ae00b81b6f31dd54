"""What the ticket of an operation prints: cubes for sale, factories, managers' cubes, demand slots, and what paying and
withholding would bring. (BS 7)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from game.boards.big_shoulders.charters import AssetCard, asset_card
from game.boards.big_shoulders.decisions import plan, words
from game.boards.big_shoulders.decisions.course import BonusField, Course, company_of
from game.boards.big_shoulders.decisions.standing import OrderForm
from game.boards.big_shoulders.decisions.supplies import needed, supplied
from game.boards.decision import Question, Request
from game.boards.shapes import Option
from game.engine.actions import Refused
from game.engine.language import mark, say
from game.engine.phrases import capitalised, thousands
from game.rulesets.big_shoulders.tables import COLUMN_PRICES, CUBE_TITLES, CUBES, Cube
from game.rulesets.big_shoulders.telling import cubes_in_words
from game.rulesets.big_shoulders.view import CompanyView, FactoryView, ShouldersView


class CubeCell(msgspec.Struct, frozen=True):
    """A cube of the supply chain that can be bought; `value` names its column and kind."""

    value: str
    cube: Cube
    price: int
    checked: bool


class FactoryRow(msgspec.Struct, frozen=True):
    """A factory in the plan. `state` is done, runs, idle or no; `note` says why it cannot run."""

    number: int
    factory: FactoryView
    state: str
    note: str = ""
    checked: bool = False
    may_run: bool = False


class TakeField(msgspec.Struct, frozen=True):
    """A cube that the manager of a factory takes from Haymarket."""

    name: str
    label: str
    options: tuple[Option, ...]


class SlotField(msgspec.Struct, frozen=True):
    """Goods that go to a slot of demand, or to the bank; `bonus` comes on top where the slot is completed."""

    name: str
    label: str
    short: str
    value: str
    most: int
    note: str


class Outcome(msgspec.Struct, frozen=True):
    """What paying or withholding would bring: a dividend for each share, the value before and after, the reader's part
    and the company's. `refused` says why it is impossible."""

    key: str
    revenue: int
    a_share: int = 0
    was: int = 0
    price: int = 0
    yours: int = 0
    company: int = 0
    after: ShouldersView | None = None
    refused: str = ""


class PlanForm(msgspec.Struct, frozen=True):
    """The whole ticket. `use_at` is when the asset is used if it is; `raising` are the least and most common
    certificates that can be sold."""

    acts: tuple[Option, ...]
    act: str
    cubes: tuple[tuple[int, tuple[CubeCell, ...]], ...]
    trades: tuple[Option, ...]
    factories: tuple[FactoryRow, ...]
    takes: tuple[TakeField, ...]
    bonuses: tuple[BonusField, ...]
    use: str
    use_at: str
    slots: tuple[SlotField, ...]
    outcomes: tuple[Outcome, ...]
    choice: str
    deeds: tuple[Option, ...]
    raising: tuple[tuple[int, int], ...]
    may_sell_preferred: bool
    commons: str
    sells_preferred: bool
    runs_done: int
    drawn_for: str
    orders: OrderForm | None = None
    asset: AssetCard | None = None

    @property
    def bought(self) -> Mapping[Cube, int]:
        """The cubes of the plan."""
        return Counter(cell.cube for _, cells in self.cubes for cell in cells if cell.checked)

    @property
    def cost(self) -> int:
        """The dollars that all cubes of the plan cost."""
        return sum(cell.price for _, cells in self.cubes for cell in cells if cell.checked)

    @property
    def taken(self) -> Mapping[str, int]:
        """The cubes that managers take."""
        return Counter(option.value for take in self.takes for option in take.options if option.checked)

    @property
    def sold(self) -> list[SlotField]:
        """The slots to which the plan sells."""
        return [slot for slot in self.slots if slot.value != "0"]


def cube_cells(question: Question) -> tuple[tuple[int, tuple[CubeCell, ...]], ...]:
    """The cubes that can be bought, by price; those of the plan are checked."""
    if plan.offer_of(question.offers, "buy_cubes") is None:
        return ()
    chosen = Counter(question.filled.several(plan.CUBE))
    columns = []
    for column, price in COLUMN_PRICES.items():
        cells = []
        for cube in CUBES:
            value = f"{column}:{cube}"
            for at in range(question.view.supply[column].get(cube, 0)):
                cells.append(CubeCell(value, cube, price, at < chosen[value]))
        columns.append((price, tuple(cells)))
    return tuple(columns)


def trade_options(question: Question) -> tuple[Option, ...]:
    """The trades of the plan in words; each can be left out."""
    trades = plan.read_trades(question.filled, question.offers)
    values = question.filled.several(plan.TRADE)
    return tuple(
        Option(value, capitalised(words.sentence(trade, question.view)), checked=True)
        for value, trade in zip(values, trades, strict=False)
    )


def factory_rows(question: Question) -> tuple[FactoryRow, ...]:
    """Every factory while one may run: those that have run, those that would, and why others cannot."""
    view = question.view
    if plan.offer_of(question.offers, "run") is None:
        return ()
    company = company_of(view, view.operation.company)
    run_count = view.operation.runs
    runs = int(question.filled.get(plan.RUNS) or 0)
    may_produce = True
    rows = []
    for number, factory in enumerate(company.factories, 1):
        free = factory.staff - factory.workers - factory.automated
        if number <= run_count:
            rows.append(FactoryRow(number, factory, "done", say("has run")))
        elif not may_produce or free:
            rows.append(
                FactoryRow(
                    number, factory, "no", say("{n} of {most} staffed", n=factory.staff - free, most=factory.staff)
                )
            )
        else:
            state = "runs" if number <= runs else "idle"
            note = "" if number <= runs else _lack(question, company, run_count + 1, number)
            rows.append(FactoryRow(number, factory, state, note, checked=number == runs, may_run=True))
        if rows[-1].state == "no":
            may_produce = False
    return tuple(rows)


def _lack(question: Question, company: CompanyView, first: int, last: int) -> str:
    """Cubes for these factories that neither the company nor the supply chain has."""
    on_sale: Counter[Cube] = Counter()
    for column in COLUMN_PRICES:
        on_sale.update(question.view.supply[column])
    missing = needed(company, first, last) - on_sale
    if missing:
        return say("{cubes} not for sale", cubes=cubes_in_words(missing))
    is_paid = supplied(question.view, company, first, last, may_buy=True, may_trade=False) is not None
    return "" if is_paid else say("its cash of {cash} is not enough for the cubes", cash=thousands(company.cash))


def take_fields(course: Course, company: str, factory: int) -> list[TakeField]:
    """A choice for each cube that the manager takes; no kind is offered more often than Haymarket holds it."""
    fields: list[TakeField] = []
    granted = plan.granted_cubes(course, company, factory)
    there = plan.haymarket(course, company, factory) if granted else Counter()
    for at in range(1, granted + 1):
        name = f"{plan.TAKE}{factory}_{at}"
        chosen = course.filled.get(name)
        if not there.get(chosen, 0) > 0:  # type: ignore[call-overload]
            chosen = plan.usual_cube(course, company, factory, there)
        options = tuple(
            Option(cube, say(CUBE_TITLES[cube]), checked=cube == chosen) for cube in CUBES if there.get(cube, 0) > 0
        )
        there[chosen] -= 1  # type: ignore[index]
        label = say("Manager of factory {number}: cube {at}", number=factory, at=at)
        fields.append(TakeField(name, label, options))
    return fields


def card_for_use(question: Question) -> AssetCard | None:
    """The asset that the company may use in this operation."""
    asset = company_of(question.view, question.view.operation.company).asset
    return asset_card(asset) if asset is not None and plan.offer_for_asset(question.offers) else None


SLOT_NOTES = {
    "50": mark("+50 when full"),
    "20": mark("+20 when full"),
    "0": mark("no bonus"),
    "bank": mark("half price"),
}


def slot_fields(question: Question, after: ShouldersView) -> tuple[SlotField, ...]:
    """Where the goods of the plan can be sold."""
    assert after.operation is not None
    company = company_of(after, after.operation.company)
    if after.operation.has_sold or not company.goods:
        return ()
    rooms = {slot.slot: slot.room for slot in plan.slots_of(after, company)} | {"bank": company.goods}
    return tuple(
        SlotField(
            f"{plan.GOODS}{slot}",
            say("Bank") if slot == "bank" else say("Demand +${slot}", slot=slot),
            say("Bank") if slot == "bank" else say("+${n}", n=slot),
            question.filled.get(f"{plan.GOODS}{slot}") or "0",
            min(rooms[slot], company.goods),
            say("{note}, room {n}", note=say(SLOT_NOTES[slot]), n=rooms[slot])
            if slot != "bank"
            else say(SLOT_NOTES[slot]),
        )
        for slot in plan.SALES
        if rooms[slot]
    )


def outcomes_of(question: Question, course: Course, sale: list[Request]) -> tuple[Outcome, ...]:
    """Both decisions, tried after the sale."""
    outcomes = []
    for key in (plan.PAY, plan.WITHHOLD):
        try:
            sold = question.foresee(*course.requests, *sale)
            after = question.foresee(*course.requests, *sale, {"kind": key})
        except Refused as refusal:
            outcomes.append(Outcome(key, 0, refused=refusal.text))
            continue
        if sold is None or after is None:
            continue
        name, seat = sold.operation.company, question.view.seat
        before, then = company_of(sold, name), company_of(after, name)
        revenue = sold.operation.revenue
        outcomes.append(
            Outcome(
                key,
                revenue,
                revenue // 10 if key == plan.PAY else 0,
                before.price,
                then.price,
                after.player(seat).cash - sold.player(seat).cash,
                then.cash - before.cash,
                after,
            )
        )
    return tuple(outcomes)
