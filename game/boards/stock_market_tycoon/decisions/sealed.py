"""The sealed decisions at the beginning and end of a year, and the answer to a buyback: each with the position that it
decides about. (ST 4.10, 4.11)"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from game.boards.decision import BadField, Decision, Filled, Missing, Question, Request, Values, one_of, whole
from game.boards.shapes import Option, Preview, Row, Say, Ticket
from game.boards.stock_market_tycoon.decisions import standing, words
from game.boards.stock_market_tycoon.decisions.standing import KEEP, Answer
from game.engine.language import say
from game.engine.offers import Choice, Offer, Range, Several

PANEL = "boards/stock_market_tycoon/panel"


class Part(msgspec.Struct, frozen=True):
    """What is decided about one company: its figures, and what can be chosen. `kind` says how the options are drawn:
    as cards, as rates, as companies; `number` is a number of shares."""

    company: str
    title: str
    name: str
    kind: str
    facts: tuple[tuple[str, str], ...] = ()
    options: tuple[Option, ...] = ()
    none: str = ""
    low: int = 0
    high: int = 0
    value: str = ""
    quick: tuple[Option, ...] = ()


class SealedForm(msgspec.Struct, frozen=True):
    """The parts, and the answers that may be given for the whole game."""

    parts: tuple[Part, ...]
    answers: tuple[Answer, ...]


class Sealed(Decision):
    """A decision with a part for each company and an answer for the whole game. `kind` is the request that a part
    makes; fields are named after it and the company."""

    kind: ClassVar[str] = ""
    heading: ClassVar[str] = ""
    none: ClassVar[str] = ""

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        chosen = [request for offer in offers if offer.kind == self.kind for request in self.read_part(form, offer)]
        return [*chosen, *standing.read_answers(form, offers)]

    def read_part(self, form: Filled, offer: Offer) -> list[Request]:
        """What the part of an offer asks for: one of its values, or nothing. Raises `BadField`."""
        (field,) = offer.fields
        assert isinstance(field, Choice)
        if not (text := form.get(self.name_of(offer))):
            return []
        values = {str(value): value for value, _ in field.values}
        key = one_of(Filled({self.name_of(offer): [text]}), self.name_of(offer), field.label, values, rule=offer.rule)
        return [{"kind": self.kind, **offer.fixed, field.name: values[key]}]

    def name_of(self, offer: Offer) -> str:
        """The name of a part's field."""
        return f"{self.kind}_{offer.fixed['company']}"

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        if request["kind"] in standing.KINDS:
            return standing.fill_answer(request)
        return self.fill_part(request)

    @abstractmethod
    def fill_part(self, request: Mapping[str, Any]) -> Values:
        """The form values of a part's request."""

    @abstractmethod
    def parts(self, question: Question) -> tuple[Part, ...]:
        """The parts as they stand."""

    @abstractmethod
    def rows(self, question: Question) -> tuple[Row, ...]:
        """The rows that say what the form would change."""

    def requests_in(self, question: Question) -> list[Request]:
        """The requests of the parts, without the answers for the whole game."""
        return [request for request in question.requests if request["kind"] == self.kind]

    def ticket(self, question: Question) -> Ticket:
        form = SealedForm(self.parts(question), standing.answers_form(question))
        title = f"{say(self.prompt)}."
        preview = self._preview(question)
        return Ticket(
            f"{PANEL}/sealed.html", title, form, preview, self.heading, send=say("Submit"), skip=say(self.none)
        )

    def _preview(self, question: Question) -> Preview:
        if question.bad is not None and not isinstance(question.bad, Missing):
            return Preview(says=(Say(question.bad.text, question.bad.rule),))
        return Preview(say("What it would do"), self.rows(question))

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        return words.sentence(request, view)


def choices_of(question: Question, offer: Offer, name: str) -> tuple[Option, ...]:
    """The values of a part's field."""
    (field,) = offer.fields
    assert isinstance(field, Choice)
    chosen = question.filled.get(name)
    return tuple(Option(str(value), text, checked=str(value) == chosen) for value, text in field.values)


def number_in(form: Filled, name: str, field: Range, rule: str) -> int:
    return whole(form, name, field.label, field.low, field.high, rule=rule, step=field.step)


def several_in(form: Filled, name: str, field: Several, rule: str) -> list[str]:
    """The ticked values, at most as many as the field takes. Raises `BadField`."""
    known = {str(value) for value, _ in field.values}
    chosen = list(dict.fromkeys(form.several(name)))
    if unknown := [text for text in chosen if text not in known]:
        raise BadField(name, "“{shown}” is not on offer.", rule, shown=unknown[0][:20])
    if len(chosen) > field.most:
        raise BadField(name, "You may choose up to {most}; you chose {n}.", rule, most=field.most, n=len(chosen))
    return chosen


NAMES = frozenset({f"{KEEP}_"})
