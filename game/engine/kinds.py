"""Describes types of values in words and numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from msgspec import inspect

from game.engine.language import say
from game.engine.phrases import thousands


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
        return say("a list, each of them {asked}", asked=item_text)
    return say(
        "a list of {low} to {high}, each of them {asked}", low=of.min_length or 0, high=of.max_length, asked=item_text
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
