"""An ordered list of turns: the plan for the year and the list for a sub-round. (T-30, T-37)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import BadField, Filled, Missing, Question, Request, Values, one_of, whole
from game.boards.shapes import Option, Preview, Row, Say
from game.boards.stock_market_tycoon.decisions import words
from game.engine.language import mark, say
from game.engine.offers import Choice, Field, Flag, Offer, Queue, Range
from game.engine.phrases import capitalised

ENTRY = "entry"
LIST_PARTS = ("on", "shares", "contract", "dividend", "price", "is_up_to", "limit", "sub_round")
SHOWN = 3  # rows of an empty list
HINTS = {
    "plan": mark(
        "When your turn comes, the first line that is possible is played at once. If none is possible, you "
        "are asked. Only you see the plan."
    ),
    "batch": mark(
        "In your turn of this sub-round, the first line that is possible is played. If none is possible, you "
        "pass. Only you see the list."
    ),
}


class EntryField(msgspec.Struct, frozen=True):
    """A field of a line: a number with its limits, a choice, or a box."""

    kind: str
    name: str
    label: str
    value: str
    low: int = 0
    high: int = 0
    step: int = 1
    options: tuple[Option, ...] = ()


class Line(msgspec.Struct, frozen=True):
    """A line of the list: what is chosen in it, by company, and the fields of that."""

    number: int
    name: str
    groups: tuple[tuple[str, tuple[Option, ...]], ...]
    fields: tuple[EntryField, ...]
    is_chosen: bool


class ListForm(msgspec.Struct, frozen=True):
    """The whole list; `hint` says how it is played, `refused` why it cannot be given."""

    kind: str
    lines: tuple[Line, ...]
    hint: str
    refused: str = ""


def list_offer(offers: Sequence[Offer]) -> Offer | None:
    """The plan or the list that can be given."""
    return next((offer for offer in offers if offer.kind in HINTS), None)


def queue_of(offer: Offer) -> Queue | None:
    return next((field for field in offer.fields if isinstance(field, Queue)), None)


def read_list(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The list that a form holds; none if no line is chosen. Raises `BadField`."""
    offer = list_offer(offers)
    queue = queue_of(offer) if offer else None
    if offer is None:
        return []
    if queue is None:
        raise BadField("", offer.refused, offer.rule)
    entries = []
    for row in range(queue.most):
        if key := form.get(f"{ENTRY}_{row}_on"):
            entries.append(_read_line(form, row, key, queue))
    return [{"kind": offer.kind, "entries": entries}] if entries else []


def _read_line(form: Filled, row: int, key: str, queue: Queue) -> Request:
    offers = {_key(offer): offer for offer in queue.offers}
    if key not in offers:
        raise BadField(f"{ENTRY}_{row}_on", "Line {n} asks for something that is not on offer.", "T-37", n=row + 1)
    offer = offers[key]
    return {"kind": offer.kind, **offer.fixed} | {
        field.name: _read_field(form, f"{ENTRY}_{row}_{field.name}", field) for field in offer.fields
    }


def _key(offer: Offer) -> str:
    return f"{offer.kind}:{offer.fixed.get('company', '')}"


def _read_field(form: Filled, name: str, field: Field) -> Any:
    match field:
        case Range():
            if not form.get(name):
                return field.suggested
            return whole(form, name, field.label, field.low, field.high, rule="T-30", step=field.step)
        case Choice():
            values = {str(value): value for value, _ in field.values}
            key = form.get(name) or next(iter(values))
            return values[one_of(Filled({name: [key]}), name, field.label, values, rule="T-37")]
    return bool(form.get(name))


def fill_list(request: Mapping[str, Any]) -> Values:
    """The form values of a list."""
    values: Values = {}
    for row, entry in enumerate(request["entries"]):
        values[f"{ENTRY}_{row}_on"] = [f"{entry['kind']}:{entry.get('company', '')}"]
        for name, value in entry.items():
            if name in LIST_PARTS and value is not False:
                values[f"{ENTRY}_{row}_{name}"] = ["on" if value is True else str(value)]
    return values


def list_form(question: Question) -> ListForm | None:
    """The list as it stands, with an empty line at its end; None where none can be given."""
    offer = list_offer(question.offers)
    if offer is None:
        return None
    queue = queue_of(offer)
    if queue is None:
        return ListForm(offer.kind, (), "", offer.refused)
    used = [row for row in range(queue.most) if question.filled.get(f"{ENTRY}_{row}_on")]
    line_count = min(queue.most, max(SHOWN, used[-1] + 2 if used else 0))
    lines = tuple(_line(question, row, queue) for row in range(line_count))
    return ListForm(offer.kind, lines, say(HINTS[offer.kind]))


def _line(question: Question, row: int, queue: Queue) -> Line:
    chosen = question.filled.get(f"{ENTRY}_{row}_on")
    groups: dict[str, list[Option]] = {}
    for each in queue.offers:
        option = Option(_key(each), each.label, checked=_key(each) == chosen)
        groups.setdefault(each.group or say("Without a company"), []).append(option)
    offer = next((each for each in queue.offers if _key(each) == chosen), None)
    fields = tuple(_field(question, f"{ENTRY}_{row}_{field.name}", field) for field in offer.fields) if offer else ()
    named = tuple((title, tuple(options)) for title, options in groups.items())
    return Line(row + 1, f"{ENTRY}_{row}", named, fields, offer is not None)


def _field(question: Question, name: str, field: Field) -> EntryField:
    form = question.filled
    match field:
        case Range(low=low, high=high, suggested=suggested, step=step, label=label):
            return EntryField("number", name, label, form.get(name) or str(suggested), low, high, step)
        case Choice(values=values, label=label):
            chosen = form.get(name) or str(values[0][0])
            options = tuple(Option(str(value), text, checked=str(value) == chosen) for value, text in values)
            return EntryField("choice", name, label, chosen, options=options)
    assert isinstance(field, Flag)
    return EntryField("flag", name, say(field.label), form.get(name))


def list_preview(question: Question, request: Request | None) -> Preview:
    """The lines in the order in which they are tried."""
    if question.bad is not None and not isinstance(question.bad, Missing):
        return Preview(says=(Say(question.bad.text, question.bad.rule),))
    if request is None:
        return Preview(
            hint=say("Choose what the first line does. A further line counts if those before it are not possible.")
        )
    rows = tuple(
        Row(say("{n}.", n=number), capitalised(words.sentence(entry, question.view)), note=_when(entry))
        for number, entry in enumerate(request["entries"], 1)
    )
    caption = mark("In your next turns, the first line that is possible") if request["kind"] == "plan" else mark(
        "In your turn, the first line that is possible"
    )  # fmt: skip
    return Preview(say(caption), rows, _after_all(request))


def _when(entry: Mapping[str, Any]) -> str:
    if entry.get("sub_round"):
        return say("turn {n} only", n=entry["sub_round"])
    return ""


def _after_all(request: Request) -> tuple[Say, ...]:
    """The fields that say what happens if no line is possible."""
    if any(entry["kind"] == "end_turn" for entry in request["entries"]):
        return (Say(say("If no line before it is possible, you pass and nobody waits for you."), "T-37", "ok"),)
    if request["kind"] == "plan":
        return (
            Say(
                say("If no line is possible, you are asked. End the plan with a pass if nobody should wait for you."),
                "T-37",
                "ok",
            ),
        )
    return ()
