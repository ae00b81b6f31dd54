"""Private copies of a state: mutable parts are copied, frozen ones shared."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from msgspec import inspect

Copier = Callable[[Any], Any]
PLAIN = (inspect.IntType, inspect.StrType, inspect.BoolType, inspect.FloatType, inspect.NoneType, inspect.LiteralType)


def copier_of(shape: Any) -> Copier:
    """The function that copies values of a type."""
    return _copier(inspect.type_info(shape)) or _identity


def _identity(value: Any) -> Any:
    return value


def _copier(type_info: inspect.Type) -> Copier | None:
    """A copier for values of a type; None if they never change. A frozen struct is frozen with all its contents."""
    match type_info:
        case inspect.StructType():
            return None if type_info.cls.__struct_config__.frozen else _struct(type_info)
        case inspect.ListType():
            return _list(_copier(type_info.item_type))
        case inspect.VarTupleType():
            return deepcopy if _copier(type_info.item_type) else None
        case inspect.DictType():
            return _dict(_copier(type_info.value_type))
        case inspect.UnionType():
            return _union(type_info)
    return None if isinstance(type_info, PLAIN) else deepcopy


def _list(item: Copier | None) -> Copier:
    return list if item is None else lambda values: [item(value) for value in values]


def _dict(item: Copier | None) -> Copier:
    return dict if item is None else lambda values: {key: item(value) for key, value in values.items()}


def _union(type_info: inspect.UnionType) -> Copier | None:
    """One mutable type or None needs no general copy."""
    kinds = [kind for kind in type_info.types if not isinstance(kind, inspect.NoneType)]
    inner = _copier(kinds[0])
    if len(kinds) > 1:
        return deepcopy if any(map(_copier, kinds)) else None
    return inner and (lambda value: None if value is None else inner(value))


def _struct(type_info: inspect.StructType) -> Copier:
    shallow: Copier = type_info.cls.__copy__  # type: ignore[attr-defined]
    deep = [(field.name, inner) for field in type_info.fields if (inner := _copier(field.type)) is not None]

    def copy(value: Any) -> Any:
        copied = shallow(value)
        for name, inner in deep:
            setattr(copied, name, inner(getattr(value, name)))
        return copied

    return copy if deep else shallow
