"""The fields that a space asks for: workers, managers, automations, cubes, an asset, the first place. (BS 6.3)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import BadField, Filled, Missing, Question, Values, whole
from game.boards.shapes import Option
from game.engine.language import mark, say
from game.engine.offers import Choice, Counts, Field, Flag, Offer, Several
from game.rulesets.big_shoulders.offers_placing import smallest

WORKERS = "workers_"
NAMES = frozenset({WORKERS, "managers", "automate", "then_automate", "cubes", "keep", "claim"})
YES, NO = "yes", "no"


class Target(msgspec.Struct, frozen=True):
    """A field as it is printed: `kind` is counts, several, choice or flag. Of counts each option is a number of its
    own, whose value is its name."""

    kind: str
    name: str
    label: str
    options: tuple[Option, ...]
    most: int = 0


def read_targets(form: Filled, offer: Offer) -> dict[str, Any]:
    """The effect's targets, as read from the form. Raises `BadField`."""
    return {field.name: _read(form, field, offer.rule) for field in offer.fields}


def fill_targets(request: Mapping[str, Any]) -> Values:
    """The form values of the targets of a request."""
    values: Values = {f"{WORKERS}{key}": [str(number)] for key, number in request.get("workers", {}).items()}
    values |= {name: [key_of(request[name])] for name in ("automate", "then_automate", "cubes") if request.get(name)}
    values |= {name: [YES if request[name] else NO] for name in ("keep", "claim") if request.get(name) is not None}
    return values | ({"managers": [str(factory) for factory in request["managers"]]} if request.get("managers") else {})


def _read(form: Filled, field: Field, rule: str) -> Any:
    match field:
        case Counts(parts=parts):
            named = {
                key: whole(form, f"{field.name}_{key}", label, 0, most, rule=rule)
                for key, label, most in parts
                if form.get(f"{field.name}_{key}")
            }
            return {key: number for key, number in named.items() if number}
        case Several(values=values):
            value_of = {str(value): value for value, _ in values}
            return [value_of[key] for key in form.several(field.name) if key in value_of]
        case Choice(values=values, optional=optional):
            return _pick(form, field.name, values, optional=optional, rule=rule)
    return form.get(field.name) == YES


def _pick(form: Filled, name: str, values: Sequence[tuple[Any, str]], *, optional: bool, rule: str) -> Any:
    """One of the values by its key."""
    key = form.get(name)
    if optional and not key:
        return None
    for value, _ in values:
        if key_of(value) == key:
            return value
    if not key:
        raise Missing(name, "Choose what the space asks for.", rule)
    raise BadField(name, "“{shown}” is not on offer here.", rule, shown=key[:20])


def key_of(value: Any) -> str:
    """The form's name for a value: `coal+wood` for cubes."""
    if isinstance(value, dict):
        return "+".join(cube for cube, number in value.items() for _ in range(number))
    return str(value)


def with_smallest(form: Filled, offer: Offer) -> Filled:
    """Fill empty fields with the least that the rules accept, and flags with the likelier answer."""
    for field in offer.fields:
        match field:
            case Counts(parts=parts):
                names = [f"{field.name}_{key}" for key, _, _ in parts]
                if not any(form.get(name) for name in names):
                    least = smallest(field)
                    form = form.with_(**{f"{field.name}_{key}": str(least[key]) for key, _, _ in parts})
            case Several() if not form.several(field.name):
                form = Filled(form.all() | {field.name: [str(value) for value in smallest(field)]})
            case Choice(values=values, optional=optional) if not optional:
                if form.get(field.name) not in {key_of(value) for value, _ in values}:
                    form = form.with_(**{field.name: key_of(values[0][0])})
            case Flag() if form.get(field.name) not in {YES, NO}:
                form = form.with_(**{field.name: YES})
    return form


def targets_of(question: Question, offer: Offer) -> tuple[Target, ...]:
    return tuple(_target(question.filled, field) for field in offer.fields)


ANSWERS = {
    "keep": (mark("Keep it in the slot"), mark("Only its bonus")),
    "claim": (mark("Place first in the next sequence"), mark("Keep the order")),
}


def _target(form: Filled, field: Field) -> Target:
    label = say(getattr(field, "label", ""))
    match field:
        case Counts(parts=parts, total=total):
            options = tuple(
                Option(
                    f"{field.name}_{key}", words, figure=form.get(f"{field.name}_{key}") or "0", extra=min(most, total)
                )
                for key, words, most in parts
            )
            return Target("counts", field.name, label, options, total)
        case Several(values=values, most=most):
            chosen = form.several(field.name)
            options = tuple(Option(str(value), words, checked=str(value) in chosen) for value, words in values)
            return Target("several", field.name, label, options, most)
        case Choice(values=values, optional=optional):
            chosen_key = form.get(field.name)
            options = tuple(
                Option(key_of(value), words, checked=key_of(value) == chosen_key) for value, words in values
            )
            none = (Option("", say("None"), checked=not chosen_key),) if optional else ()
            return Target("choice", field.name, label, (*options, *none))
    yes, no = ANSWERS[field.name]
    is_yes = form.get(field.name) == YES
    return Target(
        "choice", field.name, label, (Option(YES, say(yes), checked=is_yes), Option(NO, say(no), checked=not is_yes))
    )
