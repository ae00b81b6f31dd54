"""Untrusted requests become actions, or a sentence about the first thing that is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from game.engine.actions import Action, Refused

NOT_ASKED = frozenset({"actor"})  # stamped by the server
LONGEST_NAME = 40  # characters of an unknown name that a refusal repeats


def read(raw: Mapping[str, Any], kind: type[Action], *, rule: str) -> Action:
    """The action, strictly decoded. Raises `Refused` under the game's own `rule`."""
    try:
        return msgspec.convert(dict(raw), kind, strict=True)
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
        raise Refused(_complaint(raw, kind), rule) from None


def quoted(name: Any) -> str:
    """A name as a refusal repeats it; nothing of what is no name."""
    return f" “{name}”" if isinstance(name, str) and name.isidentifier() and len(name) <= LONGEST_NAME else ""


def _complaint(raw: Mapping[str, Any], kind: type[Action]) -> str:
    fields = _fields(kind)
    for name in raw:
        if name != "kind" and name not in fields:
            takes = f"it takes {', '.join(map(_words, fields)).lower()}" if fields else "it takes none"
            return f"{kind.title} has no field{quoted(name)}: {takes}."
    for name, field in fields.items():
        must = f"must be {_asked(inspect.type_info(field.type))}"
        if name in raw and not _fits(raw[name], field.type):
            return f"{_words(name)} {must}."
        if name not in raw and field.required:
            return f"{_words(name)} is missing: it {must}."
    return f"{kind.title} cannot be read; reload the page and send it again."


@cache
def _fields(kind: type[Action]) -> dict[str, Any]:
    return {field.encode_name: field for field in msgspec.structs.fields(kind) if field.name not in NOT_ASKED}


def _fits(value: Any, shape: Any) -> bool:
    try:
        msgspec.convert(value, shape, strict=True)
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
        return False
    return True


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _asked(of: inspect.Type) -> str:
    """What a value of a type is, in words and numbers."""
    words = _WORDS.get(type(of))
    return words(of) if words else "of another kind"


def _span(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return f" from {low:,} to {high:,}"
    return "" if low is None else f" of at least {low:,}"


def _length(of: inspect.StrType | inspect.ListType) -> str:
    return "" if of.max_length is None else f" of {of.min_length or 0} to {of.max_length}"


_WORDS: dict[type[inspect.Type], Callable[[Any], str]] = {
    inspect.IntType: lambda of: f"a whole number{_span(of.ge, of.le)}",
    inspect.StrType: lambda of: f"text{_length(of)}" + (" characters" if of.max_length else ""),
    inspect.LiteralType: lambda of: " or ".join(map(str, of.values)),
    inspect.BoolType: lambda of: "true or false",
    inspect.NoneType: lambda of: "left out",
    inspect.ListType: lambda of: f"a list{_length(of)}, each of them {_asked(of.item_type)}",
    inspect.DictType: lambda of: f"a table whose values are each {_asked(of.value_type)}",
    inspect.UnionType: lambda of: ", or ".join(map(_asked, of.types)),
}
