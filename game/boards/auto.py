"""A form for any decision, built from the offers alone, so that a game without a board can be played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import BadField, Decision, Filled, Missing, Question, Request, Values, whole
from game.boards.shapes import Option, Preview, Say, Ticket
from game.engine.language import mark, say
from game.engine.offers import (
    Cells,
    Choice,
    Counts,
    Field,
    Flag,
    Offer,
    Queue,
    Range,
    Records,
    Several,
    Split,
    is_asked,
)

CHOSEN, FIELD = "offer_", "f_"
TURN = "turn"
NOTHING = mark("nothing here")
AHEAD = mark("Save it for my turn")


class AutoField(msgspec.Struct, frozen=True):
    """One field as it is printed. `kind` is range, choice, several, cells or flag; `grid` holds the rows of a board."""

    kind: str
    name: str
    label: str
    value: str = ""
    low: int = 0
    high: int = 0
    options: tuple[Option, ...] = ()
    grid: tuple[tuple[Option | None, ...], ...] = ()
    hint: str = ""
    step: int = 1


class AutoOffer(msgspec.Struct, frozen=True):
    """One possible request with its fields; `heading` is printed above the first offer of a group."""

    option: Option
    text: str
    fields: tuple[AutoField, ...]
    heading: str = ""


class Group(msgspec.Struct, frozen=True):
    """Offers of which one can be chosen; `may_be_empty` allows choosing none."""

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
            if _is_of(offer, request):
                chosen = {f"{CHOSEN}{_group_of(offer, offers)}": [str(index)]}
                return chosen | _filled(f"{FIELD}{index}", offer, request)
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
        return _sentence(request)


def suggested(offers: Sequence[Offer]) -> Values:
    """The initial numbers of the form."""
    fields = [(index, field) for index, offer in enumerate(offers) for field in offer.fields]
    return {
        f"{FIELD}{index}_{field.name}": [str(field.suggested)] for index, field in fields if isinstance(field, Range)
    }


def _groups(offers: Sequence[Offer]) -> dict[str, list[tuple[int, Offer]]]:
    """The offers with their index, those of one choice together."""
    groups: dict[str, list[tuple[int, Offer]]] = {}
    for index, offer in enumerate(offers):
        groups.setdefault(_group_of(offer, offers), []).append((index, offer))
    return groups


def _group_of(offer: Offer, offers: Sequence[Offer]) -> str:
    """The name of an offer's group: offers that fill one slot are one choice; if any offer fills no slot, all are one
    choice."""
    slots = list(dict.fromkeys(each.slot for each in offers))
    return TURN if "" in slots else str(slots.index(offer.slot))


def _request(form: Filled, offers: Sequence[Offer], name: str, chosen: str) -> Request:
    index = whole(form, name, mark("The choice"), 0, len(offers) - 1, rule="") if offers else -1
    if index < 0:
        raise BadField(name, "There is nothing to choose now.")
    offer = offers[index]
    if offer.refused:
        raise BadField(name, offer.refused, offer.rule)
    return _request_for(form, f"{FIELD}{index}", offer)


def _read(form: Filled, name: str, field: Field, rule: str) -> Any:
    """Read one value from the form. Raises `BadField`."""
    value: Any = None
    match field:
        case Range(low=low, high=high, step=step):
            value = whole(form, name, field.label, low, high, rule=rule, step=step)
        case Choice(values=values, optional=optional):
            value = None if optional and not form.get(name) else _pick(name, field.label, form.get(name), values, rule)
        case Cells():
            value = _pick(name, field.label, form.get(name), field.values, rule)
        case Several():
            value = _several(form, name, field, rule)
        case Split(total=total, seats=seats):
            value = {str(seat): _share(form, f"{name}_{seat}", field.label, total, rule) for seat in seats}
        case Counts():
            value = _counts(form, name, field, rule)
        case Flag():
            value = bool(form.get(name))
        case Records(fields=fields, most=most):
            rows_in_use = _rows_in_use(form, name, most)
            value = [_filled_in(form, f"{name}_{row}", fields, rule, {}) for row in rows_in_use]
        case Queue():
            value = _entries(form, name, field)
    return value


def _several(form: Filled, name: str, field: Several, rule: str) -> list[Any]:
    chosen = [_pick(name, field.label, text, field.values, rule) for text in dict.fromkeys(form.several(name))]
    if len(chosen) < field.least:
        raise BadField(
            name,
            "{label}: tick at least {least}; you ticked {n}.",
            rule,
            label=field.label,
            least=field.least,
            n=len(chosen),
        )
    if len(chosen) > field.most:
        raise BadField(
            name,
            "{label}: tick at most {most}; you ticked {n}.",
            rule,
            label=field.label,
            most=field.most,
            n=len(chosen),
        )
    return chosen


def _counts(form: Filled, name: str, field: Counts, rule: str) -> dict[str, int]:
    """The counts above 0, by part; their sum lies between the offer's least and most."""
    counts = {
        key: whole(form, f"{name}_{key}", say(words), 0, most, rule=rule)
        for key, words, most in field.parts
        if form.get(f"{name}_{key}") not in ("", "0")
    }
    if not field.least <= sum(counts.values()) <= field.total:
        raise BadField(
            name,
            "{label}: {n} in all; it must be {least} to {most}.",
            rule,
            label=say(field.label),
            n=sum(counts.values()),
            least=field.least,
            most=field.total,
        )
    return counts


def _share(form: Filled, name: str, label: str, total: int, rule: str) -> int:
    return whole(form, name, label, 0, total, rule=rule) if form.get(name) else 0


def _rows_in_use(form: Filled, name: str, most: int) -> list[int]:
    return [row for row in range(most) if form.get(f"{name}_{row}_on")]


def _entries(form: Filled, name: str, queue: Queue) -> list[Request]:
    """The rows in which an offer was chosen, in order."""
    entries: list[Request] = []
    for row in _rows_in_use(form, name, queue.most):
        index = whole(form, f"{name}_{row}_on", queue.label, 0, len(queue.offers) - 1, rule="")
        entries.append(_request_for(form, f"{name}_{row}_{index}", queue.offers[index]))
    if len(entries) < queue.least:
        raise Missing(
            f"{name}_0_on",
            "{label}: choose at least {least}; you chose {n}.",
            label=say(queue.label),
            least=queue.least,
            n=len(entries),
        )
    return entries


def _request_for(form: Filled, name: str, offer: Offer) -> Request:
    """The request for an offer whose form fields begin with `name`."""
    return _filled_in(form, name, offer.fields, offer.rule, {"kind": offer.kind, **offer.fixed})


def _filled_in(form: Filled, name: str, fields: Iterable[Field], rule: str, fixed: Mapping[str, Any]) -> Request:
    """The values of the fields that are shown."""
    request = dict(fixed)
    for field in fields:
        if is_asked(field, request):
            request[field.name] = _read(form, f"{name}_{field.name}", field, rule)
    return request


def _pick(name: str, label: str, text: str, values: Iterable[tuple[Any, str]], rule: str) -> Any:
    known = {str(value): value for value, _ in values}
    if text not in known:
        choice = ", ".join(known) or say(NOTHING)
        if not text:
            raise Missing(name, "{label}: choose one of {known}.", rule, label=label, known=choice)
        raise BadField(
            name,
            "{label}: “{shown}” is not on offer; it is one of {known}.",
            rule,
            label=label,
            shown=text[:20],
            known=choice,
        )
    return known[text]


def _filled(name: str, offer: Offer, request: Mapping[str, Any]) -> Values:
    """A request as the form values of its offer's fields."""
    values: Values = {}
    for field in offer.fields:
        values |= _filled_field(f"{name}_{field.name}", field, request.get(field.name))
    return values


def _filled_field(name: str, field: Field, value: Any) -> Values:
    if value is None or value is False:
        return {}
    match field:
        case Split() | Counts():
            return {f"{name}_{seat}": [str(amount)] for seat, amount in value.items()}
        case Records(fields=fields):
            rows = [
                {f"{name}_{row}_on": ["on"]} | _filled(f"{name}_{row}", Offer("", "", fields=fields), record)
                for row, record in enumerate(value)
            ]
        case Queue(offers=offers):
            rows = [_filled_entry(f"{name}_{row}", offers, entry) for row, entry in enumerate(value)]
        case _:
            strings = [str(each) for each in value] if isinstance(value, list) else [str(value)]
            return {name: ["on"] if value is True else strings}
    return {name: strings for row in rows for name, strings in row.items()}


def _filled_entry(name: str, offers: Sequence[Offer], entry: Mapping[str, Any]) -> Values:
    for index, offer in enumerate(offers):
        if _is_of(offer, entry):
            return {f"{name}_on": [str(index)]} | _filled(f"{name}_{index}", offer, entry)
    return {}


def _is_of(offer: Offer, request: Mapping[str, Any]) -> bool:
    """True if the request is for this offer."""
    return offer.kind == request["kind"] and all(request.get(name) == value for name, value in offer.fixed.items())


def _group(question: Question, group: str, offers: Sequence[tuple[int, Offer]], is_turn: bool) -> Group:
    chosen = question.filled.get(f"{CHOSEN}{group}")
    printed: list[AutoOffer] = []
    for heading in dict.fromkeys(offer.group for _, offer in offers):
        first = len(printed)
        printed += [_offer(question, index, offer, chosen) for index, offer in offers if offer.group == heading]
        printed[first] = msgspec.structs.replace(printed[first], heading=say(heading) if heading else "")
    return Group(f"{CHOSEN}{group}", tuple(printed), not is_turn)


def _offer(question: Question, index: int, offer: Offer, chosen: str) -> AutoOffer:
    fixed = ", ".join(_value(value) for value in offer.fixed.values())
    option = Option(
        str(index), say(offer.label), fixed, checked=chosen == str(index), refused=offer.refused, rule=offer.rule
    )
    asking = (field for field in offer.fields if field.when is None or field.when.values)
    fields = [printed for field in asking for printed in _fields(question, f"{FIELD}{index}_{field.name}", field)]
    return AutoOffer(option, say(offer.text), tuple(fields))


def _fields(question: Question, name: str, field: Field) -> list[AutoField]:
    """The printed fields for one field of an offer; a split, counts and a list of records need several."""
    form, hint, label = question.filled, _when(field), say(field.label)
    match field:
        case Range(low=low, high=high, suggested=suggested, step=step):
            return [AutoField("range", name, label, form.get(name, str(suggested)), low, high, hint=hint, step=step)]
        case Split() | Counts():
            return _numbers(question, name, field, hint)
        case Records(most=most) | Queue(most=most):
            count = min(most, max(_rows_in_use(form, name, most), default=-1) + 2)  # those in use and an empty one
            return [printed for row in range(count) for printed in _row(question, f"{name}_{row}", label, row, field)]
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


def _numbers(question: Question, name: str, field: Split | Counts, hint: str) -> list[AutoField]:
    """A number for each seat, or for each part."""
    if isinstance(field, Split):
        parts = [(str(seat), question.name(seat), field.total) for seat in field.seats]
    else:
        parts = [(key, f"{say(field.label)}: {say(words)}", most) for key, words, most in field.parts]
    return [
        AutoField("range", f"{name}_{key}", words, question.filled.get(f"{name}_{key}", "0"), 0, most, hint=hint)
        for key, words, most in parts
    ]


def _row(question: Question, name: str, label: str, row: int, field: Records | Queue) -> list[AutoField]:
    """A record with its checkbox, or an entry with its choice."""
    numbered = f"{label} {row + 1}"
    if isinstance(field, Queue):
        return _entry(question, name, numbered, field)
    switch = AutoField("flag", f"{name}_on", numbered, question.filled.get(f"{name}_on"))
    return [switch, *(printed for each in field.fields for printed in _fields(question, f"{name}_{each.name}", each))]


def _entry(question: Question, name: str, label: str, queue: Queue) -> list[AutoField]:
    """The choice among offers in one row, with the fields of the chosen one, or with all fields if the row is empty."""
    chosen = question.filled.get(f"{name}_on")
    options = [Option("", say("None"), checked=not chosen)]
    options += [Option(str(index), say(o.label), checked=chosen == str(index)) for index, o in enumerate(queue.offers)]
    printed = [AutoField("choice", f"{name}_on", label, options=tuple(options))]
    for index, offer in enumerate(queue.offers):
        for field in offer.fields if chosen in {"", str(index)} else ():
            hint = say("Only with {field} {values}.", field=label, values=say(offer.label))
            fields = _fields(question, f"{name}_{index}_{field.name}", field)
            printed += fields if chosen else [msgspec.structs.replace(each, hint=hint) for each in fields]
    return printed


def _grid(field: Cells, chosen: str) -> tuple[tuple[Option | None, ...], ...]:
    """The board's rows from the top; None if there is nothing to choose."""
    at = {
        (cell.row, cell.column): Option(str(cell.value), cell.words, checked=str(cell.value) == chosen)
        for cell in field.cells
    }
    width, height = (1 + max((place[axis] for place in at), default=-1) for axis in (1, 0))
    return tuple(tuple(at.get((row, column)) for column in range(width)) for row in range(height))


def _when(field: Field) -> str:
    """The earlier choice on which a field depends."""
    if field.when is None:
        return ""
    values = ", ".join(map(str, field.when.values))
    return say("Only with {field} {values}.", field=_plain(field.when.name), values=values)


def _preview(question: Question) -> Preview:
    """The errors of a form that was sent. A form that was just opened or is half filled in has none."""
    is_wrong = question.bad is not None and question.is_sent and not isinstance(question.bad, Missing)
    return Preview(says=(Say(question.bad.text, question.bad.rule),)) if question.bad and is_wrong else Preview()


def _plain(name: str) -> str:
    return say(name.replace("_", " "))


def _sentence(request: Mapping[str, Any]) -> str:
    """A request, or a record, in words."""
    values = [f"{_plain(name)} {_value(value)}" for name, value in request.items() if name != "kind"]
    kind = _plain(request["kind"]) if "kind" in request else ""
    return ": ".join(part for part in (kind, ", ".join(values)) if part)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return _sentence(value)
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    return ", ".join(map(_value, value)) if isinstance(value, list | tuple) else str(value)
