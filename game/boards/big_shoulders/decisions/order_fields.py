"""The fields of a standing order: read from the form, and filled from an order in force. (B-79)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.big_shoulders.decisions.targets import fill_targets, read_targets
from game.boards.decision import BadField, Filled, Missing, Request, Values, one_of, whole
from game.engine.language import mark
from game.engine.offers import Choice, Field, Offer, Queue, Range, Records

ORDER, ORDER_FOR, WISH, ENTRY, OTHERWISE, RECIPE, ANSWER = (
    "order", "order_for", "wish_", "entry_", "otherwise", "recipe_", "answer"
)  # fmt: skip
NAMES = frozenset({ORDER, ORDER_FOR, WISH, ENTRY, OTHERWISE, RECIPE, ANSWER})
KINDS = ("stock_order", "placements", "recipe", "bonus_rule")
TAKE, MONEY = "take", "money"
NUMBERS: Mapping[str, int] = {"dearest": 30, "runs": 1, "steps": 1, "share": 0}
"""What a recipe says, and the usual: a request leaves out what is as usual."""


def orders_of(offers: Sequence[Offer]) -> dict[str, Offer]:
    """What can be ordered, by slot."""
    return {offer.slot: offer for offer in offers if offer.kind in KINDS and not offer.refused}


def read_order(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The order that is chosen. Raises `BadField`."""
    orders = orders_of(offers)
    if not form.get(ORDER):
        raise Missing(ORDER, "Choose what you order.", "B-79")
    offer = orders[one_of(form, ORDER, mark("The order"), orders, rule="B-79")]
    if form.get(ORDER_FOR) not in {"", offer.slot}:
        raise Missing(ORDER, "Fill in this order: the fields shown belonged to another one.", "B-79")
    read = {"stock_order": _read_stock, "placements": _read_entries, "recipe": _read_recipe, "bonus_rule": _read_answer}
    return [{"kind": offer.kind, **offer.fixed, **read[offer.kind](form, offer)}]


def fill_order(request: Mapping[str, Any]) -> Values:
    """The form values of an order."""
    slot = slot_of(request)
    values: Values = {ORDER: [slot], ORDER_FOR: [slot]}
    match request["kind"]:
        case "stock_order":
            values[OTHERWISE] = [request.get("otherwise", "ask")]
            for row, wish in enumerate(request.get("wishes", ())):
                values[f"{WISH}{row}_paper"] = [f"{wish['company']}:{wish['certificate']}:{wish['place']}"]
                values[f"{WISH}{row}_price"] = [str(wish["price"])]
        case "placements":
            for row, entry in enumerate(request["entries"]):
                targets = {f"{ENTRY}{row}_{name}": each for name, each in fill_targets(entry).items()}
                values |= targets | {f"{ENTRY}{row}_at": [entry_key(entry)]}
        case "recipe":
            values |= {f"{RECIPE}{name}": [str(request.get(name, usual))] for name, usual in NUMBERS.items()}
        case "bonus_rule":
            values[ANSWER] = [f"{TAKE}:{request.get('factory', 0)}" if request["take"] else MONEY]
    return values


def slot_of(request: Mapping[str, Any]) -> str:
    """The slot that an order takes: one for each company, or each kind of bonus."""
    if request["kind"] == "recipe":
        return f"recipe:{request['company']}"
    return f"bonus:{request['bonus']}" if request["kind"] == "bonus_rule" else str(request["kind"])


def rows_of(form: Filled, prefix: str, ending: str) -> list[int]:
    """The rows in which something is chosen, in order."""
    rows = [name.removesuffix(ending) for name in form.under(prefix) if name.endswith(ending)]
    return sorted(int(row) for row in rows if row.isdecimal() and form.get(f"{prefix}{row}{ending}"))


def field_of(offer: Offer, name: str) -> Any:
    return next(field for field in offer.fields if field.name == name)


def texts_of(field: Field) -> dict[str, Any]:
    """The values of a choice, by their names in the form."""
    return {str(value): value for value, _ in field.values} if isinstance(field, Choice) else {}


# --- by kind


def _read_stock(form: Filled, offer: Offer) -> Request:
    wishes = [_read_wish(form, row, field_of(offer, "wishes")) for row in rows_of(form, WISH, "_paper")]
    otherwise = one_of(form, OTHERWISE, mark("If none is possible"), texts_of(field_of(offer, OTHERWISE)), rule="B-79")
    if not wishes and otherwise == "ask":
        raise Missing(OTHERWISE, "Name a certificate to buy, or say when to pass.", "B-79")
    return {"wishes": wishes, "otherwise": otherwise}


def _read_wish(form: Filled, row: int, records: Records) -> Request:
    fields = {field.name: field for field in records.fields}
    paper = form.get(f"{WISH}{row}_paper").split(":")
    names = ("company", "certificate", "place")
    if len(paper) != len(names) or any(
        part not in texts_of(fields[name]) for name, part in zip(names, paper, strict=True)
    ):
        raise BadField(f"{WISH}{row}_paper", "There is no such certificate to order.", "B-79")
    if not form.get(f"{WISH}{row}_price"):
        raise Missing(f"{WISH}{row}_price", "Choose the highest value you will pay.", "B-79")
    price = fields["price"]
    assert isinstance(price, Range)
    limit = whole(form, f"{WISH}{row}_price", mark("Highest value"), price.low, price.high, rule="B-79")
    return {**dict(zip(names, paper, strict=True)), "price": limit}


def _read_entries(form: Filled, offer: Offer) -> Request:
    queue = field_of(offer, "entries")
    assert isinstance(queue, Queue)
    entries = [_read_entry(form, row, queue) for row in rows_of(form, ENTRY, "_at")][: queue.most]
    if not entries:
        raise Missing(f"{ENTRY}0_at", "Name at least one placement.", "B-79")
    return {"entries": entries}


def _read_entry(form: Filled, row: int, queue: Queue) -> Request:
    entry = entry_of(form.get(f"{ENTRY}{row}_at"), queue)
    if entry is None:
        raise BadField(f"{ENTRY}{row}_at", "That placement cannot be ordered.", "B-79")
    return {"kind": entry.kind, **entry.fixed, **read_targets(row_of(form, row), entry)}


def entry_key(fixed: Mapping[str, Any]) -> str:
    """The form's name for a placement: `swift:fund_40`, `swift:capital_investment:40`."""
    return ":".join(str(fixed[name]) for name in ("company", "space", "asset_slot") if fixed.get(name) is not None)


def entry_of(key: str, queue: Queue) -> Offer | None:
    return next((offer for offer in queue.offers if entry_key(offer.fixed) == key), None)


def row_of(form: Filled, row: int) -> Filled:
    """The fields of one row of placements, under the names that a single placement uses."""
    prefix = f"{ENTRY}{row}_"
    return Filled({name.removeprefix(prefix): each for name, each in form.all().items() if name.startswith(prefix)})


def _read_recipe(form: Filled, offer: Offer) -> Request:
    runs, share = field_of(offer, "runs"), field_of(offer, "share")
    assert isinstance(runs, Range)
    assert isinstance(share, Range)
    prices, steps = texts_of(field_of(offer, "dearest")), texts_of(field_of(offer, "steps"))
    return {
        "dearest": prices[one_of(form, f"{RECIPE}dearest", mark("Highest price for a cube"), prices, rule="B-79")],
        "runs": whole(form, f"{RECIPE}runs", runs.label, runs.low, runs.high, rule="B-79"),
        "steps": steps[one_of(form, f"{RECIPE}steps", mark("Pay for"), steps, rule="B-79")],
        "share": whole(form, f"{RECIPE}share", share.label, share.low, share.high, rule="B-79"),
    }


def _read_answer(form: Filled, offer: Offer) -> Request:
    answer = one_of(form, ANSWER, mark("Answer"), answers_of(offer), rule="B-79")
    if answer == MONEY:
        return {"take": False}
    factory = int(answer.partition(":")[2])
    return {"take": True, "factory": factory} if factory else {"take": True}


def answers_of(offer: Offer) -> list[str]:
    """The possible answers to a bonus: the money, or the bonus, for the first factory that can use it or for a certain
    one."""
    factories = [str(value) for field in offer.fields if field.name == "factory" for value in texts_of(field)]
    return [*(f"{TAKE}:{factory}" for factory in factories or ["0"]), MONEY]
