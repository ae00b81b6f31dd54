"""Answers for the whole game, given once. (ST 8)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import Filled, Question, Request, Values, one_of, whole
from game.boards.shapes import Option
from game.boards.stock_market_tycoon.decisions.entries import EntryField
from game.engine.language import mark, say
from game.engine.offers import Choice, Offer, Range

KINDS = ("keep_withholding", "keep_striking", "keep_premium", "limit_tender", "keep_following")
KEEP = "keep"
MEANS = {
    "keep_withholding": mark("Where you are Director, this card of yours stays unseen."),
    "keep_striking": mark("Where you are Chairman, this card is struck."),
    "keep_premium": mark("Where you are Chairman, options cost this much."),
    "limit_tender": mark("If a buyback pays at least this, this many of your shares are offered; otherwise none."),
    "keep_following": mark(
        "When a player issues rights of it before your turn, you take up to this many shares. That is your turn."
    ),
}


class Answer(msgspec.Struct, frozen=True):
    """An answer that can be given: its box, what it does, and its fields."""

    name: str
    label: str
    means: str
    checked: bool
    fields: tuple[EntryField, ...]


def answers_of(offers: Sequence[Offer]) -> list[Offer]:
    return [offer for offer in offers if offer.kind in KINDS]


def name_of(offer: Offer) -> str:
    """The name of its checkbox; the names of its fields begin with it."""
    return f"{KEEP}_{offer.kind}_{offer.fixed.get('company', '')}"


def read_answers(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The answers that are ticked. Raises `BadField`."""
    return [_read(form, offer) for offer in answers_of(offers) if form.get(name_of(offer))]


def _read(form: Filled, offer: Offer) -> Request:
    request: Request = {"kind": offer.kind, **offer.fixed}
    for field in offer.fields:
        name = f"{name_of(offer)}_{field.name}"
        if isinstance(field, Range):
            request[field.name] = whole(form, name, field.label, field.low, field.high, rule="ST 8", step=field.step)
        elif isinstance(field, Choice):
            values = {str(value): value for value, _ in field.values}
            request[field.name] = values[one_of(form, name, field.label, values, rule="ST 8")]
    return request


def fill_answer(request: Mapping[str, Any]) -> Values:
    """The form values of an answer."""
    name = f"{KEEP}_{request['kind']}_{request.get('company', '')}"
    fields = {key: value for key, value in request.items() if key not in {"kind", "company"}}
    return {name: ["on"]} | {f"{name}_{key}": [str(value)] for key, value in fields.items()}


def answers_form(question: Question) -> tuple[Answer, ...]:
    """Every answer that is not in effect yet, with the values entered for it."""
    return tuple(
        Answer(
            name_of(offer),
            offer.label,
            say(MEANS[offer.kind]),
            bool(question.filled.get(name_of(offer))),
            tuple(_field(question, name_of(offer), field) for field in offer.fields),
        )
        for offer in answers_of(question.offers)
        if offer.slot not in question.view.lasting
    )


def _field(question: Question, prefix: str, field: Any) -> EntryField:
    name = f"{prefix}_{field.name}"
    if isinstance(field, Range):
        value = question.filled.get(name) or str(field.suggested)
        return EntryField("number", name, say(field.label), value, field.low, field.high, field.step)
    chosen = question.filled.get(name) or str(field.values[0][0])
    options = tuple(Option(str(value), words, checked=str(value) == chosen) for value, words in field.values)
    return EntryField("choice", name, say(field.label), chosen, options=options)
