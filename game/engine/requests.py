"""Parses untrusted requests into actions, or refuses them with a sentence about the first fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache, reduce
from typing import Any

import msgspec
from msgspec import inspect

from game.engine.actions import FILLED, Action, Refused
from game.engine.language import say, say_as
from game.engine.phrases import capitalised, thousands

LONGEST_NAME = 40  # characters of an unknown name in a refusal


def read(raw: Mapping[str, Any], kind: type[Action], *, rule: str) -> Action:
    """The strictly decoded action. Raises `Refused`, which cites the game's own `rule`."""
    if raw.keys() <= {"kind", *_fields(kind)}:
        with suppress(msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
            action = msgspec.convert(dict(raw), kind, strict=True)
            _refuse_filled_entries(raw, action, rule)
            return action
    raise _complaint(raw, kind, rule)


def request_of(action: Action) -> dict[str, Any]:
    """The request from which `read` makes this action."""
    fields = {"kind", *_fields(type(action))}
    request = {name: value for name, value in msgspec.to_builtins(action, str_keys=True).items() if name in fields}
    entries = {name: [request_of(entry) for entry in getattr(action, name)] for name in list_fields(type(action))}
    return request | {name: each for name, each in entries.items() if name in request}


def of_seat(action: Action, seat: int) -> Action:
    """A copy of an action with this seat as its actor, also in each action of its lists."""
    entries = {name: [of_seat(entry, seat) for entry in getattr(action, name)] for name in list_fields(type(action))}
    return msgspec.structs.replace(action, actor=seat, **entries)


@cache
def list_fields(kind: type[Action]) -> tuple[str, ...]:
    """The fields that hold a list of other actions, such as the one that an offer's `Queue` fills."""
    return tuple(name for name, field in _fields(kind).items() if _lists_actions(inspect.type_info(field.type)))


def _lists_actions(of: inspect.Type) -> bool:
    while isinstance(of, inspect.Metadata):
        of = of.type
    if not isinstance(of, inspect.ListType):
        return False
    entries = of.item_type.types if isinstance(of.item_type, inspect.UnionType) else (of.item_type,)
    return all(isinstance(entry, inspect.StructType) and issubclass(entry.cls, Action) for entry in entries)


def _refuse_filled_entries(raw: Mapping[str, Any], action: Action, rule: str) -> None:
    """Refuse listed actions that contain a field which only the server or the rules may fill. Raises `Refused`."""
    for name in list_fields(type(action)):
        entries: list[Action] = getattr(action, name)
        for raw_entry, entry in zip(raw.get(name, ()), entries, strict=False):
            known = _fields(type(entry))
            for field in raw_entry:
                if field != "kind" and field not in known:
                    raise _refuse_unknown_field(field, say(entry.title), known, rule)
            _refuse_filled_entries(raw_entry, entry, rule)


@cache
def filled_in(kind: type[Action]) -> frozenset[str]:
    """The fields that the server or the rules fill; no request contains them."""
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind)) - _fields(kind).keys()


def is_name(name: Any) -> bool:
    """True if a refusal may repeat it."""
    return isinstance(name, str) and name.isidentifier() and len(name) <= LONGEST_NAME


def _complaint(raw: Mapping[str, Any], kind: type[Action], rule: str) -> Refused:
    fields, action = _fields(kind), say(kind.title)
    for name in raw:
        if name != "kind" and name not in fields:
            return _refuse_unknown_field(name, action, fields, rule)
    for name, field in fields.items():
        expected, label = asked_words(field.type), capitalised(_spaced(name))
        if name in raw and not _fits(raw[name], field.type):
            return Refused("{what} must be {asked}.", rule, code="wrong_value", field=name, what=label, asked=expected)
        if name not in raw and field.required:
            return Refused(
                "{what} is missing: it must be {asked}.", rule, code="missing", field=name, what=label, asked=expected
            )
    return Refused(
        "{action} cannot be read; reload the page and send it again.", rule, code="unreadable", action=action
    )


def _refuse_unknown_field(name: str, action: str, fields: Iterable[str], rule: str) -> Refused:
    field_names = ", ".join(map(_spaced, fields)) or say_as("fields of a request", "none")
    if not is_name(name):
        return Refused(
            "{action} has no such field: it takes {fields}.",
            rule,
            code="unknown_field",
            action=action,
            fields=field_names,
        )
    return Refused(
        "{action} has no field “{name}”: it takes {fields}.",
        rule,
        code="unknown_field",
        field=name,
        action=action,
        name=name,
        fields=field_names,
    )


@cache
def _fields(kind: type[Action]) -> dict[str, Any]:
    """The fields that a request may have."""
    return {field.encode_name: field for field in msgspec.structs.fields(kind) if not _is_filled(field.type)}


def _is_filled(shape: Any) -> bool:
    type_info = inspect.type_info(shape)
    return isinstance(type_info, inspect.Metadata) and FILLED in (type_info.extra or {})


def _fits(value: Any, shape: Any) -> bool:
    try:
        msgspec.convert(value, shape, strict=True)
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
        return False
    return True


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def asked_words(kind: Any) -> str:
    """The text after “must be”."""
    return _describe(inspect.type_info(kind))


def _describe(type_info: inspect.Type) -> str:
    describe = _DESCRIPTIONS.get(type(type_info))
    return describe(type_info) if describe else say("of another kind")


def _number(of: inspect.IntType) -> str:
    if of.ge is not None and of.le is not None:
        return say("a whole number from {low} to {high}", low=thousands(of.ge), high=thousands(of.le))
    return say("a whole number") if of.ge is None else say("a whole number of at least {low}", low=thousands(of.ge))


def _text(of: inspect.StrType) -> str:
    if of.pattern is not None:
        return say("text of the form {pattern}", pattern=of.pattern)
    if of.max_length is None:
        return say("text")
    return say("text of {low} to {high} characters", low=of.min_length or 0, high=of.max_length)


def _list(of: inspect.ListType) -> str:
    item_text = _describe(of.item_type)
    if of.max_length is None:
        return say("a list of items, each of them {asked}", asked=item_text)
    return say(
        "a list of {low} to {high} items, each of them {asked}",
        low=of.min_length or 0,
        high=of.max_length,
        asked=item_text,
    )


def _table(of: inspect.DictType) -> str:
    if isinstance(of.value_type, inspect.AnyType):
        return say("an object")
    return say("a table whose values are each {asked}", asked=_describe(of.value_type))


_DESCRIPTIONS: dict[type[inspect.Type], Callable[[Any], str]] = {
    inspect.Metadata: lambda of: _describe(of.type),
    inspect.IntType: _number,
    inspect.StrType: _text,
    inspect.LiteralType: lambda of: reduce(
        lambda one, other: say("{one} or {other}", one=one, other=other), map(str, of.values)
    ),
    inspect.BoolType: lambda of: say("true or false"),
    inspect.NoneType: lambda of: say("left out"),
    inspect.ListType: _list,
    inspect.DictType: _table,
    inspect.StructType: lambda of: say("an object"),
    inspect.DateType: lambda of: say("a date like {example}", example="2030-12-31"),
    inspect.UnionType: lambda of: reduce(
        lambda one, other: say("{one}, or {other}", one=one, other=other), map(_describe, of.types)
    ),
}
