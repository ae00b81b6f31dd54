"""Addresses of rows on the desk: they name a row by its number, from which no one can tell how many other rows there
are."""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.urls import URLPattern, path, register_converter
from django.urls.converters import get_converters

from game.store.numbers import key_of, number_of

DIGITS = r"[0-9]{1,10}"
AS_DJANGO_HAS_THEM = "path:object_id"


def numbered(model: type[Model]) -> str:
    """What stands in a route for a row of this model: code reads and gives its key, the address has its number."""
    name = f"{model._meta.model_name}_number"

    def to_python(_: Any, text: str) -> str:
        return str(key_of(model, int(text)))

    def to_url(_: Any, key: Any) -> str:
        return str(number_of(model, int(key)))

    if name not in get_converters():
        register_converter(type(name, (), {"regex": DIGITS, "to_python": to_python, "to_url": to_url}), name)
    return name


def with_numbers(model: type[Model], urls: list[URLPattern]) -> list[URLPattern]:
    """Django's own addresses of an admin page, with numbers in place of keys."""
    return [
        path(
            str(each.pattern).replace(AS_DJANGO_HAS_THEM, f"{numbered(model)}:object_id"), each.callback, name=each.name
        )
        if AS_DJANGO_HAS_THEM in str(each.pattern)
        else each
        for each in urls
    ]
