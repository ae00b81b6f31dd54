"""Requests made of the types of actions alone, with names that exist and with names that do not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache
from itertools import chain
from typing import Any

import msgspec
from msgspec import inspect

from game.engine.actions import Action, Refused
from game.engine.names import NAMES, Named
from game.engine.requests import filled_in
from game.engine.ruleset import Ruleset

Pick = Callable[[Named, inspect.Type], Any]
NEVER = ("no such thing", "ZZ", "", "-1", "99", 0, 7, 99_999, None, True, 1.5, [], {"0": 1})
"""What bears no name anywhere, or is one of a kind that another field takes."""


def tag_of(kind: type[Action]) -> str:
    """A kind as requests name it."""
    return str(kind.__struct_config__.tag)


@cache
def fields_of(kind: type[Action]) -> dict[str, inspect.Type]:
    """The fields that a request of a kind may have."""
    filled = filled_in(kind)
    found = {field.encode_name: inspect.type_info(field.type) for field in msgspec.structs.fields(kind)}
    return {name: of for name, of in found.items() if name not in filled}


def parts_of(of: inspect.Type) -> Iterator[inspect.Type]:
    """A type and all that it is made of, but not what a name is made of."""
    yield of
    if named_by(of) is not None:
        return
    match of:
        case inspect.Metadata():
            inner: Collection[inspect.Type] = (of.type,)
        case inspect.ListType() | inspect.VarTupleType():
            inner = (of.item_type,)
        case inspect.DictType():
            inner = (of.key_type, of.value_type)
        case inspect.UnionType():
            inner = of.types
        case inspect.StructType():
            inner = [field.type for field in of.fields]
        case _:
            inner = ()
    yield from chain.from_iterable(map(parts_of, inner))


def named_by(of: inspect.Type) -> Named | None:
    """What values of a type are names of."""
    return (of.extra or {}).get(NAMES) if isinstance(of, inspect.Metadata) else None


def names_of(of: inspect.Type) -> set[Named]:
    """Every kind of name that stands in values of a type."""
    return {kind for part in parts_of(of) if (kind := named_by(part)) is not None}


def kinds_of(rules: Ruleset) -> set[Named]:
    """Every kind of name in the requests of a game."""
    return _kinds_of(*rules.actions.values())


@cache
def _kinds_of(*actions: type[Action]) -> set[Named]:
    return {kind for action in actions for of in fields_of(action).values() for kind in names_of(of)}


def known(kind: Named, state: Any, seat: int) -> list[Any]:
    """The names that there are; none where the game has none at all."""
    try:
        return list(kind.of(state, seat))
    except Refused:
        return []


def request(kind: type[Action], pick: Pick, *, instead: dict[str, Any]) -> dict[str, Any]:
    """A request with every field, most of them as small as they may be; some with other values `instead`."""
    return {"kind": tag_of(kind)} | {name: value_of(of, pick) for name, of in fields_of(kind).items()} | instead


def value_of(of: inspect.Type, pick: Pick) -> Any:
    """A value of a type, with the names that are picked."""
    made: Any = "x"
    match of:
        case _ if (kind := named_by(of)) is not None:
            made = pick(kind, of)
        case inspect.Metadata():
            made = value_of(of.type, pick)
        case inspect.ListType() | inspect.VarTupleType():
            made = [value_of(of.item_type, pick)]
        case inspect.DictType():
            made = {value_of(of.key_type, pick): value_of(of.value_type, pick)}
        case inspect.UnionType():
            made = value_of(next(one for one in of.types if not isinstance(one, inspect.NoneType)), pick)
        case inspect.StructType():
            made = _struct_of(of, pick)
        case inspect.LiteralType():
            made = of.values[0]
        case inspect.IntType():
            made = max(of.ge or 0, 1)
        case inspect.BoolType():
            made = False
    return made


def _struct_of(of: inspect.StructType, pick: Pick) -> dict[str, Any]:
    """A struct as a request has it: an action in a list of actions names its kind."""
    if issubclass(of.cls, Action):
        return request(of.cls, pick, instead={})
    return {field.encode_name: value_of(field.type, pick) for field in of.fields}
