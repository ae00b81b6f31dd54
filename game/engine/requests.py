"""Untrusted requests become actions, or a sentence about the first thing that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from game.engine.actions import FILLED, Action, Refused
from game.engine.kinds import asked_words
from game.engine.language import say, say_as
from game.engine.phrases import capitalised

LONGEST_NAME = 40  # characters of an unknown name that a refusal repeats


def read(raw: Mapping[str, Any], kind: type[Action], *, rule: str) -> Action:
    """The action, strictly decoded. Raises `Refused` under the game's own `rule`."""
    if raw.keys() <= {"kind", *_fields(kind)}:
        with suppress(msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
            return msgspec.convert(dict(raw), kind, strict=True)
    raise _complaint(raw, kind, rule)


def request_of(action: Action) -> dict[str, Any]:
    """An action as it would be asked again."""
    fields = {"kind", *_fields(type(action))}
    return {name: value for name, value in msgspec.to_builtins(action, str_keys=True).items() if name in fields}


def filled_in(kind: type[Action]) -> frozenset[str]:
    """The fields that no request has: the server or the rules fill them."""
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind)) - _fields(kind).keys()


def is_name(name: Any) -> bool:
    """Whether a refusal may repeat it."""
    return isinstance(name, str) and name.isidentifier() and len(name) <= LONGEST_NAME


def _complaint(raw: Mapping[str, Any], kind: type[Action], rule: str) -> Refused:
    fields, action = _fields(kind), say(kind.title)
    for name in raw:
        if name != "kind" and name not in fields:
            return _unknown(name, action, fields, rule)
    for name, field in fields.items():
        asked, words = asked_words(field.type), capitalised(_plain(name))
        if name in raw and not _fits(raw[name], field.type):
            return Refused("{what} must be {asked}.", rule, code="wrong_value", field=name, what=words, asked=asked)
        if name not in raw and field.required:
            return Refused(
                "{what} is missing: it must be {asked}.", rule, code="missing", field=name, what=words, asked=asked
            )
    return Refused(
        "{action} cannot be read; reload the page and send it again.", rule, code="unreadable", action=action
    )


def _unknown(name: str, action: str, fields: Iterable[str], rule: str) -> Refused:
    takes = ", ".join(map(_plain, fields)) or say_as("fields of a request", "none")
    if not is_name(name):
        return Refused(
            "{action} has no field: it takes {fields}.", rule, code="unknown_field", action=action, fields=takes
        )
    return Refused(
        "{action} has no field “{name}”: it takes {fields}.",
        rule,
        code="unknown_field",
        field=name,
        action=action,
        name=name,
        fields=takes,
    )


@cache
def _fields(kind: type[Action]) -> dict[str, Any]:
    """The fields that a request may have."""
    return {field.encode_name: field for field in msgspec.structs.fields(kind) if not _is_filled(field.type)}


def _is_filled(shape: Any) -> bool:
    of = inspect.type_info(shape)
    return isinstance(of, inspect.Metadata) and FILLED in (of.extra or {})


def _fits(value: Any, shape: Any) -> bool:
    try:
        msgspec.convert(value, shape, strict=True)
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
        return False
    return True


def _plain(name: str) -> str:
    return name.replace("_", " ")
