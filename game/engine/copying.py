"""Private copies of a state: what may change is copied, what is frozen is shared."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from msgspec import inspect

Copier = Callable[[Any], Any]
PLAIN = (inspect.IntType, inspect.StrType, inspect.BoolType, inspect.FloatType, inspect.NoneType, inspect.LiteralType)


def copier_of(shape: Any) -> Copier:
    """The function that copies values of a type."""
    return _copier(inspect.type_info(shape)) or _itself


def _itself(value: Any) -> Any:
    return value


def _copier(of: inspect.Type) -> Copier | None:
    """How values are copied; None for those that never change. A frozen struct is frozen with all it holds."""
    match of:
        case inspect.StructType():
            return None if of.cls.__struct_config__.frozen else _struct(of)
        case inspect.ListType():
            return _list(_copier(of.item_type))
        case inspect.VarTupleType():
            return deepcopy if _copier(of.item_type) else None
        case inspect.DictType():
            return _dict(_copier(of.value_type))
        case inspect.UnionType():
            return deepcopy if any(map(_copier, of.types)) else None
    return None if isinstance(of, PLAIN) else deepcopy


def _list(item: Copier | None) -> Copier:
    return list if item is None else lambda values: [item(value) for value in values]


def _dict(item: Copier | None) -> Copier:
    return dict if item is None else lambda values: {key: item(value) for key, value in values.items()}


def _struct(of: inspect.StructType) -> Copier:
    shallow: Copier = of.cls.__copy__  # type: ignore[attr-defined]
    deep = [(field.name, inner) for field in of.fields if (inner := _copier(field.type)) is not None]

    def copy(value: Any) -> Any:
        copied = shallow(value)
        for name, inner in deep:
            setattr(copied, name, inner(getattr(value, name)))
        return copied

    return copy if deep else shallow
