"""Untrusted requests become actions, or a sentence about the first thing that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from game.engine.actions import Action, Refused
from game.engine.kinds import asked_words
from game.engine.language import say, say_as
from game.engine.phrases import capitalised

NOT_ASKED = frozenset({"actor"})  # stamped by the server
LONGEST_NAME = 40  # characters of an unknown name that a refusal repeats


def read(raw: Mapping[str, Any], kind: type[Action], *, rule: str) -> Action:
    """The action, strictly decoded. Raises `Refused` under the game's own `rule`."""
    try:
        return msgspec.convert(dict(raw), kind, strict=True)
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
        raise _complaint(raw, kind, rule) from None


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
    return {field.encode_name: field for field in msgspec.structs.fields(kind) if field.name not in NOT_ASKED}


def _fits(value: Any, shape: Any) -> bool:
    try:
        msgspec.convert(value, shape, strict=True)
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
        return False
    return True


def _plain(name: str) -> str:
    return name.replace("_", " ")
