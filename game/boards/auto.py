"""A complete decision made from nothing but offers: enough to play any game on its first day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import BadField, Decision, Filled, Missing, Question, Request, Values, whole
from game.boards.shapes import Option, Preview, Say, Ticket
from game.engine.language import mark, say
from game.engine.offers import Cells, Choice, Field, Flag, Offer, Range, Records, Several, Split, is_asked

CHOSEN, FIELD = "offer_", "f_"
TURN = "turn"
NOTHING = mark("nothing here")
AHEAD = mark("Leave it for my turn")


class AutoField(msgspec.Struct, frozen=True):
    """One field as it is printed. `kind` is range, choice, several, cells or flag; `grid` are the rows of a board."""

    kind: str
    name: str
    label: str
    value: str = ""
    low: int = 0
    high: int = 0
    options: tuple[Option, ...] = ()
    grid: tuple[tuple[Option | None, ...], ...] = ()
    hint: str = ""


class AutoOffer(msgspec.Struct, frozen=True):
    """One thing that can be asked, with its fields."""

    option: Option
    text: str
    fields: tuple[AutoField, ...]


class Group(msgspec.Struct, frozen=True):
    """Offers of which one can be chosen; `may_be_empty` lets none be."""

    name: str
    offers: tuple[AutoOffer, ...]
    may_be_empty: bool


class AutoDecision(Decision):
    """The form of any phase: the offers to choose from, each with its fields."""

    names = frozenset({CHOSEN, FIELD})
    lists = frozenset({FIELD})
    at_once = mark("Each action counts at once")

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        chosen = [(f"{CHOSEN}{group}", form.get(f"{CHOSEN}{group}")) for group in form.under(CHOSEN)]
        return [_request(form, offers, name, index) for name, index in chosen if index]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        for index, offer in enumerate(offers):
            if offer.kind == request["kind"] and all(request.get(name) == value for name, value in offer.fixed.items()):
                chosen = {f"{CHOSEN}{_group_of(offer, offers)}": [str(index)]}
                return chosen | {
                    name: strings for field in offer.fields for name, strings in _filled(index, field, request).items()
                }
        return {}

    def with_defaults(self, question: Question) -> Filled:
        """The first offer of each choice, and every number as the offers suggest it."""
        filled = Filled({**suggested(question.offers), **question.filled.all()})
        if question.is_sent:
            return filled
        for group, offers in _groups(question.offers).items():
            free = [index for index, offer in offers if not offer.refused]
            if free and not filled.several(f"{CHOSEN}{group}") and not question.view.mine:
                filled = filled.with_(**{f"{CHOSEN}{group}": str(free[0])})
        return filled

    def ticket(self, question: Question) -> Ticket:
        is_turn = question.view.phase.mode in {"turns", "open"}
        groups = tuple(_group(question, group, offers, is_turn) for group, offers in _groups(question.offers).items())
        heading = say(question.view.phase.title)
        title = say("{phase}: choose what to do.", phase=heading)
        send = say(AHEAD) if question.is_ahead else say("Do it") if is_turn else say("Submit")
        return Ticket("boards/auto/panel/offers.html", title, groups, _preview(question), heading, "", send)

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        values = [f"{_plain(name)} {_value(value)}" for name, value in request.items() if name != "kind"]
        return ": ".join(part for part in (_plain(request["kind"]), ", ".join(values)) if part)


def suggested(offers: Sequence[Offer]) -> Values:
    """The form's numbers before anybody has changed one."""
    fields = [(index, field) for index, offer in enumerate(offers) for field in offer.fields]
    return {
        f"{FIELD}{index}_{field.name}": [str(field.suggested)] for index, field in fields if isinstance(field, Range)
    }


def _groups(offers: Sequence[Offer]) -> dict[str, list[tuple[int, Offer]]]:
    """The offers with their numbers, those of one choice together."""
    groups: dict[str, list[tuple[int, Offer]]] = {}
    for index, offer in enumerate(offers):
        groups.setdefault(_group_of(offer, offers), []).append((index, offer))
    return groups


def _group_of(offer: Offer, offers: Sequence[Offer]) -> str:
    """Offers that fill one slot are one choice; where any fills none, all of them are."""
    slots = list(dict.fromkeys(each.slot for each in offers))
    return TURN if "" in slots else str(slots.index(offer.slot))


def _request(form: Filled, offers: Sequence[Offer], name: str, chosen: str) -> Request:
    index = whole(form, name, mark("The choice"), 0, len(offers) - 1, rule="") if offers else -1
    if index < 0:
        raise BadField(name, "Nothing is on offer now.")
    offer = offers[index]
    if offer.refused:
        raise BadField(name, offer.refused, offer.rule)
    request: Request = {"kind": offer.kind, **offer.fixed}
    for field in offer.fields:
        if is_asked(field, request):
            request[field.name] = _read(form, f"{FIELD}{index}_{field.name}", field, offer.rule)
    return request


def _read(form: Filled, name: str, field: Field, rule: str) -> Any:
    """One value out of the form. Raises `BadField`."""
    value: Any = None
    match field:
        case Range(low=low, high=high):
            value = whole(form, name, field.label, low, high, rule=rule)
        case Choice(values=values, optional=optional):
            value = None if optional and not form.get(name) else _pick(name, field.label, form.get(name), values, rule)
        case Cells():
            value = _pick(name, field.label, form.get(name), field.values, rule)
        case Several(values=values, most=most, least=least):
            value = [_pick(name, field.label, text, values, rule) for text in dict.fromkeys(form.several(name))]
            if len(value) < least:
                raise BadField(
                    name,
                    "{label} takes at least {least}; you ticked {n}.",
                    rule,
                    label=field.label,
                    least=least,
                    n=len(value),
                )
            if len(value) > most:
                raise BadField(
                    name,
                    "{label} takes up to {most}; you ticked {n}.",
                    rule,
                    label=field.label,
                    most=most,
                    n=len(value),
                )
        case Split(total=total, seats=seats):
            value = {str(seat): _share(form, f"{name}_{seat}", field.label, total, rule) for seat in seats}
        case Flag():
            value = bool(form.get(name))
        case Records(fields=fields, most=most):
            value = _records(form, name, fields, most, rule)
    return value


def _share(form: Filled, name: str, label: str, total: int, rule: str) -> int:
    return whole(form, name, label, 0, total, rule=rule) if form.get(name) else 0


def _records(form: Filled, name: str, fields: Iterable[Any], most: int, rule: str) -> list[dict[str, Any]]:
    """The rows whose box is ticked."""
    rows = [row for row in range(most) if form.get(f"{name}_{row}_on")]
    return [{field.name: _read(form, f"{name}_{row}_{field.name}", field, rule) for field in fields} for row in rows]


def _pick(name: str, label: str, text: str, values: Iterable[tuple[Any, str]], rule: str) -> Any:
    known = {str(value): value for value, _ in values}
    if text not in known:
        choice = ", ".join(known) or say(NOTHING)
        if not text:
            raise Missing(name, "{label}: nothing is chosen; it is one of {known}.", rule, label=label, known=choice)
        raise BadField(
            name,
            "{label}: “{shown}” is not on offer; it is one of {known}.",
            rule,
            label=label,
            shown=text[:20],
            known=choice,
        )
    return known[text]


def _filled(index: int, field: Field, request: Mapping[str, Any]) -> Values:
    """What a field holds when it shows a request."""
    name, value = f"{FIELD}{index}_{field.name}", request.get(field.name)
    if value is None or value is False:
        return {}
    if isinstance(field, Split):
        return {f"{name}_{seat}": [str(amount)] for seat, amount in value.items()}
    if isinstance(field, Records):
        fields = {
            f"{name}_{row}_{key}": [str(each)] for row, record in enumerate(value) for key, each in record.items()
        }
        return fields | {f"{name}_{row}_on": ["on"] for row in range(len(value))}
    return {name: [str(each) for each in value] if isinstance(value, list) else ["on" if value is True else str(value)]}


def _group(question: Question, group: str, offers: Sequence[tuple[int, Offer]], is_turn: bool) -> Group:
    chosen = question.filled.get(f"{CHOSEN}{group}")
    return Group(
        f"{CHOSEN}{group}", tuple(_offer(question, index, offer, chosen) for index, offer in offers), not is_turn
    )


def _offer(question: Question, index: int, offer: Offer, chosen: str) -> AutoOffer:
    fixed = ", ".join(_value(value) for value in offer.fixed.values())
    option = Option(
        str(index), say(offer.label), fixed, checked=chosen == str(index), refused=offer.refused, rule=offer.rule
    )
    asking = (field for field in offer.fields if field.when is None or field.when.values)
    fields = [printed for field in asking for printed in _fields(question, f"{FIELD}{index}_{field.name}", field)]
    return AutoOffer(option, say(offer.text), tuple(fields))


def _fields(question: Question, name: str, field: Field) -> list[AutoField]:
    """A field as it is printed; a split and a list of records are several."""
    form, hint, label = question.filled, _when(field), say(field.label)
    match field:
        case Range(low=low, high=high, suggested=suggested):
            return [AutoField("range", name, label, form.get(name, str(suggested)), low, high, hint=hint)]
        case Split(total=total, seats=seats):
            return [
                AutoField("range", f"{name}_{seat}", question.name(seat), form.get(f"{name}_{seat}", "0"), 0, total)
                for seat in seats
            ]
        case Records(fields=fields, most=most):
            return [
                printed for row in range(most) for printed in _record(question, f"{name}_{row}", label, row, fields)
            ]
        case Cells():
            return [AutoField("cells", name, label, grid=_grid(field, form.get(name)), hint=hint)]
        case Flag():
            return [AutoField("flag", name, label, form.get(name), hint=hint)]
    kind, ticked = ("several" if isinstance(field, Several) else "choice"), form.several(name)
    options = tuple(Option(str(value), say(words), checked=str(value) in ticked) for value, words in field.values)
    none = (
        (Option("", say("None"), checked=not form.get(name)),) if isinstance(field, Choice) and field.optional else ()
    )
    return [AutoField(kind, name, label, options=none + options, hint=hint)]


def _record(question: Question, name: str, label: str, row: int, fields: Iterable[Any]) -> list[AutoField]:
    switch = AutoField("flag", f"{name}_on", f"{label} {row + 1}", question.filled.get(f"{name}_on"))
    return [switch, *(printed for field in fields for printed in _fields(question, f"{name}_{field.name}", field))]


def _grid(field: Cells, chosen: str) -> tuple[tuple[Option | None, ...], ...]:
    """The board's rows from the top; None where there is nothing to choose."""
    at = {
        (cell.row, cell.column): Option(str(cell.value), cell.words, checked=str(cell.value) == chosen)
        for cell in field.cells
    }
    width, height = (1 + max((place[axis] for place in at), default=-1) for axis in (1, 0))
    return tuple(tuple(at.get((row, column)) for column in range(width)) for row in range(height))


def _when(field: Field) -> str:
    """Which earlier choice a field belongs to."""
    if field.when is None:
        return ""
    values = ", ".join(map(str, field.when.values))
    return say("Only with {field} {values}.", field=_plain(field.when.name), values=values)


def _preview(question: Question) -> Preview:
    """What is wrong with a form that was sent; one that is just opened or half filled in is not complained about."""
    is_wrong = question.bad is not None and question.is_sent and not isinstance(question.bad, Missing)
    return Preview(says=(Say(question.bad.text, question.bad.rule),)) if question.bad and is_wrong else Preview()


def _plain(name: str) -> str:
    return say(name.replace("_", " "))


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    return ", ".join(map(_value, value)) if isinstance(value, list | tuple) else str(value)
