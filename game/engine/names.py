"""Names in requests: what each one must be the name of, looked up before the rules see the request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

from msgspec import Meta, Struct, inspect, structs

from game.engine.actions import Action, Refused

NAMES = "names"
LONGEST_REPEATED = 40  # characters of an unknown name that its refusal repeats
Finder = Callable[[Any], Iterator[tuple["Named", Any]]]


@dataclass(frozen=True, eq=False)
class Named:
    """A kind of thing that requests name. `of` says for a state and a seat which names there are; where it depends on
    what a seat may not know, the names are those that the seat may use; where there can be none at all, it may refuse
    in words of its own. `refusal` may hold {name}, {known}, which lists the names, and {count}."""

    refusal: str
    rule: str
    code: str
    of: Callable[[Any, int], Collection[Any]]

    def refused(self, name: Any, known: Collection[Any], field: str) -> Refused:
        """What is said of a name that nothing bears."""
        repeated = name if isinstance(name, int) else "".join(filter(str.isprintable, name[:LONGEST_REPEATED]))
        facts: dict[str, Any] = {"name": repeated, "known": ", ".join(map(str, known)), "count": len(known)}
        used = {fact: value for fact, value in facts.items() if f"{{{fact}}}" in self.refusal}
        return Refused(self.refusal, self.rule, code=self.code, field=field, **used)


def naming(kind: Named) -> Meta:
    """What makes a type that of a name: `Annotated[str, naming(COMPANY)]`."""
    return Meta(extra={NAMES: kind})


def names_in(action: Action) -> Iterator[tuple[str, Named, Any]]:
    """Every name in an action, nested ones too, with the field in which it stands."""
    for field, find in _fields(type(action)):
        for kind, name in find(getattr(action, field)):
            yield field, kind, name


def check(action: Action, state: Any) -> None:
    """Refuse an action that names what is not there, then what the rules do not allow. Raises `Refused`."""
    _look_up(action, state)
    action.check(state)


def check_ahead(action: Action, state: Any) -> None:
    """The same of an input ahead whose time has come, or is over. Raises `Refused`."""
    _look_up(action, state)
    action.check_ahead(state)


def _look_up(action: Action, state: Any) -> None:
    for field, kind, name in names_in(action):
        known = kind.of(state, action.actor)
        if name not in known:
            raise kind.refused(name, known, field)


@cache
def _fields(struct: type[Struct]) -> tuple[tuple[str, Finder], ...]:
    """The fields of a struct in which names may stand."""
    found = ((field.name, _finder(inspect.type_info(field.type))) for field in structs.fields(struct))
    return tuple((name, finder) for name, finder in found if finder)


def _finder(of: inspect.Type) -> Finder | None:
    """What finds the names in a value of a type; None where there can be none."""
    match of:
        case inspect.Metadata(type=inner, extra=extra):
            kind = (extra or {}).get(NAMES)
            return _finder(inner) if kind is None else lambda value: iter(((kind, value),))
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            each = _finder(of.item_type)
            return each and (lambda values: chain.from_iterable(map(each, values)))
        case inspect.DictType():
            return _in_both(_finder(of.key_type), _finder(of.value_type))
        case inspect.UnionType():
            return _in_one([(_class_of(one), found) for one in of.types if (found := _finder(one))])
        case inspect.StructType():
            return _in_struct
    return None


def _in_both(key: Finder | None, value: Finder | None) -> Finder | None:
    """The names in the keys and in the values of a table."""
    if key is None and value is None:
        return None
    keys = key or (lambda _: iter(()))
    values = value or (lambda _: iter(()))
    return lambda table: chain.from_iterable(chain(keys(one), values(other)) for one, other in table.items())


def _in_one(found: list[tuple[type, Finder]]) -> Finder | None:
    """The names in a value of one of several types."""
    if not found:
        return None
    return lambda value: chain.from_iterable(find(value) for kind, find in found if isinstance(value, kind))


def _in_struct(value: Struct) -> Iterator[tuple[Named, Any]]:
    return chain.from_iterable(find(getattr(value, name)) for name, find in _fields(type(value)))


def _class_of(of: inspect.Type) -> type:
    """The class of the values of a type, as far as alternatives differ by it."""
    if isinstance(of, inspect.Metadata):
        return _class_of(of.type)
    return of.cls if isinstance(of, inspect.StructType) else CLASSES.get(type(of), object)


CLASSES: dict[type[inspect.Type], type] = {
    inspect.StrType: str,
    inspect.IntType: int,
    inspect.ListType: list,
    inspect.VarTupleType: tuple,
    inspect.SetType: set,
    inspect.FrozenSetType: frozenset,
    inspect.DictType: dict,
}
