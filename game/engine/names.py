"""Names in requests: checked before the rules see the request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

from msgspec import Meta, Struct, inspect, structs

from game.engine.actions import Action, Refused

NAMES = "names"
LONGEST_REPEATED = 40  # characters of an unknown name in its refusal
Finder = Callable[[Any], Iterator[tuple["Named", Any]]]


@dataclass(frozen=True, eq=False)
class Named:
    """A kind of things with names, such as companies. `of` returns the valid names for a state and a seat; if they
    depend on hidden information, those that the seat may use; if there are none at all, it may raise
    its own refusal. `refusal` may contain {name}, {known}, the list of names, and {count}."""

    refusal: str
    rule: str
    code: str
    of: Callable[[Any, int], Collection[Any]]

    def refused(self, name: Any, known: Collection[Any], field: str) -> Refused:
        """The refusal of an unknown name."""
        repeated = name if isinstance(name, int) else "".join(filter(str.isprintable, name[:LONGEST_REPEATED]))
        facts: dict[str, Any] = {"name": repeated, "known": ", ".join(map(str, known)), "count": len(known)}
        places = {fact: value for fact, value in facts.items() if f"{{{fact}}}" in self.refusal}
        return Refused(self.refusal, self.rule, code=self.code, field=field, **places)


def naming(kind: Named) -> Meta:
    """Marks a type as a name: `Annotated[str, naming(COMPANY)]`."""
    return Meta(extra={NAMES: kind})


def names_in(action: Action) -> Iterator[tuple[str, Named, Any]]:
    """Every name in an action, including nested ones, with its field."""
    for field, find in _fields(type(action)):
        for kind, name in find(getattr(action, field)):
            yield field, kind, name


def check(action: Action, state: Any) -> None:
    """Refuse unknown names, then what the rules do not allow. Raises `Refused`."""
    _look_up(action, state)
    action.check(state)


def check_ahead(action: Action, state: Any) -> None:
    """Check an input given ahead once its phase is open or over: refuse unknown names, then what no longer counts.
    Raises `Refused`."""
    _look_up(action, state)
    action.check_ahead(state)


def _look_up(action: Action, state: Any) -> None:
    for field, kind, name in names_in(action):
        valid_names = kind.of(state, action.actor)
        if name not in valid_names:
            raise kind.refused(name, valid_names, field)


@cache
def _fields(struct: type[Struct]) -> tuple[tuple[str, Finder], ...]:
    """The fields of a struct that may contain names."""
    finders = ((field.name, _finder(inspect.type_info(field.type))) for field in structs.fields(struct))
    return tuple((name, finder) for name, finder in finders if finder)


def _finder(type_info: inspect.Type) -> Finder | None:
    """A finder of names in values of a type; None if there can be none."""
    match type_info:
        case inspect.Metadata(type=inner, extra=extra):
            kind = (extra or {}).get(NAMES)
            return _finder(inner) if kind is None else lambda value: iter(((kind, value),))
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            each = _finder(type_info.item_type)
            return each and (lambda values: chain.from_iterable(map(each, values)))
        case inspect.DictType():
            return _in_both(_finder(type_info.key_type), _finder(type_info.value_type))
        case inspect.UnionType():
            return _in_one([(_class_of(one), finder) for one in type_info.types if (finder := _finder(one))])
        case inspect.StructType():
            return _in_struct
    return None


def _in_both(key: Finder | None, value: Finder | None) -> Finder | None:
    """Finds the names in keys and values of a mapping."""
    if key is None and value is None:
        return None
    keys = key or (lambda _: iter(()))
    values = value or (lambda _: iter(()))
    return lambda table: chain.from_iterable(chain(keys(one), values(other)) for one, other in table.items())


def _in_one(alternatives: list[tuple[type, Finder]]) -> Finder | None:
    """Finds the names in a value of one of several types."""
    if not alternatives:
        return None
    return lambda value: chain.from_iterable(find(value) for kind, find in alternatives if isinstance(value, kind))


def _in_struct(value: Struct) -> Iterator[tuple[Named, Any]]:
    return chain.from_iterable(find(getattr(value, name)) for name, find in _fields(type(value)))


def _class_of(type_info: inspect.Type) -> type:
    """The class of a type's values, by which alternatives are told apart; `object` for any other type."""
    if isinstance(type_info, inspect.Metadata):
        return _class_of(type_info.type)
    return type_info.cls if isinstance(type_info, inspect.StructType) else CLASS_OF_TYPE.get(type(type_info), object)


CLASS_OF_TYPE: dict[type[inspect.Type], type] = {
    inspect.StrType: str,
    inspect.IntType: int,
    inspect.ListType: list,
    inspect.VarTupleType: tuple,
    inspect.SetType: set,
    inspect.FrozenSetType: frozenset,
    inspect.DictType: dict,
}
