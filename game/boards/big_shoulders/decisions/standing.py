"""Standing orders: one at a time, given while others act, or in one’s own turn and then tried at once. (B-79)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.big_shoulders.decisions import words
from game.boards.big_shoulders.decisions.course import company_of
from game.boards.big_shoulders.decisions.order_fields import (
    ANSWER,
    ENTRY,
    MONEY,
    NAMES,
    NUMBERS,
    ORDER,
    ORDER_FOR,
    OTHERWISE,
    RECIPE,
    WISH,
    answers_of,
    entry_key,
    entry_of,
    field_of,
    fill_order,
    orders_of,
    read_order,
    row_of,
    rows_of,
)
from game.boards.big_shoulders.decisions.targets import Target, targets_of, with_smallest
from game.boards.decision import Decision, Filled, Missing, Question, Request, Values
from game.boards.shapes import Option, Preview, Say, Ticket
from game.engine.language import mark, say
from game.engine.offers import Choice, Offer
from game.engine.phrases import capitalised, thousands
from game.rulesets.big_shoulders.offers_ahead import PLACE_TITLES
from game.rulesets.big_shoulders.stock_checks import KIND_TITLES
from game.rulesets.big_shoulders.tables import BONUS_TITLES, COMPANIES, DECLINED_BONUS, VALUES
from game.rulesets.big_shoulders.view import CompanyView

PANEL = "boards/big_shoulders/panel"
LEAVE = mark("Leave it for my turn")
TITLES = {"stock_order": mark("Trades"), "placements": mark("Placements"), "recipe": mark("Recipe")}
MEANS = {
    "stock_order": mark(
        "On each of your turns the first of these purchases that is possible is made; each is made only once."
    ),
    "placements": mark(
        "On each of your turns the first of these placements that is possible is made; each is made only once."
    ),
    "recipe": mark(
        "It buys the cubes its factories lack, runs what can run, sells at the highest price, and pays as you say here."
    ),
    "bonus_rule": mark("Every bonus of this kind is answered this way."),
}


class OrderRow(msgspec.Struct, frozen=True):
    """One purchase or placement: its choice, for a purchase its limit, and what a placement asks for."""

    name: str
    number: int
    options: tuple[Option, ...]
    limits: tuple[Option, ...] = ()
    targets: tuple[Target, ...] = ()


class OrderForm(msgspec.Struct, frozen=True):
    """The chosen order with its fields; `orders` are all that can be given, those in force with a note. Each number
    follows a choice."""

    orders: tuple[Option, ...]
    order: str
    kind: str
    means: str
    rows: tuple[OrderRow, ...] = ()
    choices: tuple[tuple[str, str, tuple[Option, ...]], ...] = ()
    numbers: tuple[tuple[str, str, str, int, int], ...] = ()


class Standing(Decision):
    """A standing order that can be left while others act."""

    prompt = mark("Leave orders for your turns")
    at_once = mark("Counts from now on")
    names = NAMES
    lists = frozenset({ENTRY})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        return read_order(form, offers) if form.get(ORDER) else []

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        return fill_order(request)

    def with_defaults(self, question: Question) -> Filled:
        return with_order(question)

    def redrawn(self, sent: Filled, fitted: Filled) -> list[str]:
        return [f"{PANEL}/_standing.html"]

    def ticket(self, question: Question) -> Ticket:
        return Ticket(
            f"{PANEL}/standing.html",
            say("Leave orders for your turns."),
            order_form(question),
            order_preview(question),
            mark("Standing orders"),
            say("Cash {cash}", cash=thousands(question.you.cash)),
            say(LEAVE),
        )

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        return words.sentence(request, view)


def in_force(view: Any, slot: str) -> Request | None:
    """The order of this slot that the reader has left."""
    request: Request | None = {**view.lasting, **view.mine}.get(slot)
    return request


def in_own_turn(question: Question) -> Filled:
    """The form, empty if it only repeats an order in force: in its own turn the seat is asked for that turn."""
    form = question.filled
    held = in_force(question.view, form.get(ORDER))
    is_as_held = held is not None and all(form.several(name) == each for name, each in fill_order(held).items())
    return Filled() if is_as_held and not question.is_sent else form


def with_order(question: Question) -> Filled:
    """The form with an order, by default the first. A newly chosen order begins with its values in force, or the usual
    ones."""
    form, orders = question.filled, orders_of(question.offers)
    slot = form.get(ORDER) if form.get(ORDER) in orders else next(iter(orders), "")
    if not slot:
        return form
    if form.get(ORDER_FOR) != slot:
        held = in_force(question.view, slot)
        others = {name: each for name, each in form.all().items() if not _is_field(name)}
        usual = fill_order(held) if held else _usual(orders[slot])
        form = Filled({**others, **usual, ORDER: [slot], ORDER_FOR: [slot]})
    if orders[slot].kind == "placements":
        return _with_targets(form, orders[slot])
    return _with_limits(form, question.view) if orders[slot].kind == "stock_order" else form


def _is_field(name: str) -> bool:
    return name in NAMES or name.startswith((WISH, ENTRY, RECIPE))


def _usual(offer: Offer) -> Values:
    """The initial values of a form of this kind."""
    if offer.kind == "recipe":
        return {f"{RECIPE}{name}": [str(value)] for name, value in NUMBERS.items()}
    if offer.kind == "bonus_rule":
        return {ANSWER: [answers_of(offer)[0]]}
    return {OTHERWISE: ["pass_until_deal"]} if offer.kind == "stock_order" else {}


def _with_targets(form: Filled, offer: Offer) -> Filled:
    """The least of what each placement asks for."""
    queue = field_of(offer, "entries")
    for row in rows_of(form, ENTRY, "_at"):
        entry = entry_of(form.get(f"{ENTRY}{row}_at"), queue)
        if entry is not None:
            filled = with_smallest(row_of(form, row), entry)
            form = Filled(form.all() | {f"{ENTRY}{row}_{name}": each for name, each in filled.all().items()})
    return form


def _with_limits(form: Filled, view: Any) -> Filled:
    """The form with the present value where no limit is entered."""
    for row in rows_of(form, WISH, "_paper"):
        key = form.get(f"{WISH}{row}_paper").partition(":")[0]
        if not form.get(f"{WISH}{row}_price") and key in COMPANIES:
            form = form.with_(**{f"{WISH}{row}_price": str(company_of(view, key).price)})
    return form


def order_form(question: Question) -> OrderForm:
    form, orders = question.filled, orders_of(question.offers)
    slot = form.get(ORDER)
    options = tuple(_order(question, each, offer) for each, offer in orders.items())
    if slot not in orders:
        return OrderForm(options, "", "", "")
    offer = orders[slot]
    plain = OrderForm(options, slot, offer.kind, say(MEANS[offer.kind]))
    match offer.kind:
        case "stock_order":
            return msgspec.structs.replace(
                plain, rows=_wish_rows(question, offer), choices=(_choice(form, OTHERWISE, field_of(offer, OTHERWISE)),)
            )
        case "placements":
            return msgspec.structs.replace(plain, rows=_entry_rows(question, offer))
        case "recipe":
            return _recipe_form(plain, form, offer)
    answers = tuple(Option(each, _answer(each), checked=form.get(ANSWER) == each) for each in answers_of(offer))
    return msgspec.structs.replace(plain, choices=((ANSWER, say("Answer"), answers),))


def _order(question: Question, slot: str, offer: Offer) -> Option:
    company = offer.fixed.get("company", "")
    is_bonus = offer.kind == "bonus_rule"
    label = (
        say("Bonus: {bonus}", bonus=say(BONUS_TITLES[offer.fixed["bonus"]])) if is_bonus else say(TITLES[offer.kind])
    )
    held = in_force(question.view, slot)
    note = say("in force") if held else ""
    return Option(
        slot, capitalised(label), COMPANIES[company].title if company else "", note=note,
        checked=question.filled.get(ORDER) == slot, extra=company,
    )  # fmt: skip


def _recipe_form(plain: OrderForm, form: Filled, offer: Offer) -> OrderForm:
    choices = tuple(_choice(form, f"{RECIPE}{name}", field_of(offer, name)) for name in ("dearest", "steps"))
    numbers = tuple(
        (f"{RECIPE}{name}", say(field.label), form.get(f"{RECIPE}{name}") or "0", field.low, field.high)
        for name in ("runs", "share")
        for field in (field_of(offer, name),)
    )
    return msgspec.structs.replace(plain, choices=choices, numbers=numbers)


def _choice(form: Filled, name: str, field: Choice) -> tuple[str, str, tuple[Option, ...]]:
    options = tuple(Option(str(value), label, checked=form.get(name) == str(value)) for value, label in field.values)
    return name, say(field.label), options


def _answer(answer: str) -> str:
    factory = answer.partition(":")[2]
    if answer == MONEY:
        return say("{amount} instead", amount=DECLINED_BONUS)
    return say("Factory {number}", number=factory) if factory != "0" else say("Take it")


def _in_use(form: Filled, prefix: str, ending: str, most: int) -> range:
    """The rows in use, and an empty one."""
    return range(min(most, max(rows_of(form, prefix, ending), default=-1) + 2))


def _wish_rows(question: Question, offer: Offer) -> tuple[OrderRow, ...]:
    form, most = question.filled, field_of(offer, "wishes").most
    papers = [paper for company in question.view.companies if company.is_started for paper in _papers(company)]
    rows = []
    for row in _in_use(form, WISH, "_paper", most):
        chosen, limit = form.get(f"{WISH}{row}_paper"), form.get(f"{WISH}{row}_price")
        options = tuple(Option(key, label, checked=key == chosen) for key, label in papers)
        limits = tuple(Option(str(v), thousands(v), checked=str(v) == limit) for v in VALUES) if chosen else ()
        rows.append(OrderRow(f"{WISH}{row}", row + 1, options, limits))
    return tuple(rows)


def _papers(company: CompanyView) -> list[tuple[str, str]]:
    """The certificates of a company that can be bought."""
    places = (("treasury", company.treasury), ("pool", company.pool))
    return [
        (
            f"{company.key}:{kind}:{place}",
            say(
                "{company}: {certificate}, {place}, now {price}",
                company=company.title,
                certificate=say(KIND_TITLES[kind]),
                place=say(PLACE_TITLES[place]),
                price=thousands(company.price),
            ),
        )
        for kind in ("P", "C")
        for place, there in places
        if there.get(kind, 0)
    ]


def _entry_rows(question: Question, offer: Offer) -> tuple[OrderRow, ...]:
    form, queue = question.filled, field_of(offer, "entries")
    rows = []
    for row in _in_use(form, ENTRY, "_at", queue.most):
        chosen = form.get(f"{ENTRY}{row}_at")
        options = tuple(_entry(each, chosen) for each in queue.offers)
        entry = entry_of(chosen, queue)
        rows.append(OrderRow(f"{ENTRY}{row}", row + 1, options, targets=_targets(question, row, entry)))
    return tuple(rows)


def _entry(offer: Offer, chosen: str) -> Option:
    key = entry_key(offer.fixed)
    company = COMPANIES[offer.fixed["company"]].title
    label = say("{company}: {place}", company=company, place=capitalised(say(offer.label)))
    return Option(key, label, checked=key == chosen)


def _targets(question: Question, row: int, entry: Offer | None) -> tuple[Target, ...]:
    """The targets of a row's placement, under the names of that row."""
    if entry is None:
        return ()
    alone = targets_of(msgspec.structs.replace(question, filled=row_of(question.filled, row)), entry)
    prefix = f"{ENTRY}{row}_"
    return tuple(
        msgspec.structs.replace(
            target,
            name=f"{prefix}{target.name}",
            options=tuple(msgspec.structs.replace(one, value=f"{prefix}{one.value}") for one in target.options)
            if target.kind == "counts"
            else target.options,
        )
        for target in alone
    )


# --- what it does at once, in one’s own turn


def order_preview(question: Question) -> Preview:
    """The order in words, or what is missing."""
    if question.bad is not None and not isinstance(question.bad, Missing):
        return Preview(says=(Say(question.bad.text, question.bad.rule),))
    request = question.request()
    if request is None:
        return Preview(hint=say("Only you see your orders. If one does not fit, you are asked."))
    return Preview(hint=capitalised(words.sentence(request, question.view)) + ".")
