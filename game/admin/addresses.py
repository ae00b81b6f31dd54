"""URLs of rows on the desk: they contain a row's number, which does not reveal how many rows there are."""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.urls import URLPattern, path, register_converter
from django.urls.converters import get_converters

from game.store.numbers import key_of, number_of

DIGITS = r"[0-9]{1,10}"
DJANGO_PARAMETER = "path:object_id"


def numbered(model: type[Model]) -> str:
    """The name of a URL converter for rows of this model: the URL has the row's number, code uses its key."""
    name = f"{model._meta.model_name}_number"

    def to_python(_: Any, text: str) -> str:
        return str(key_of(model, int(text)))

    def to_url(_: Any, key: Any) -> str:
        return str(number_of(model, int(key)))

    if name not in get_converters():
        register_converter(type(name, (), {"regex": DIGITS, "to_python": to_python, "to_url": to_url}), name)
    return name


def with_numbers(model: type[Model], urls: list[URLPattern]) -> list[URLPattern]:
    """Django's own URLs of an admin page, with numbers in place of keys."""
    return [
        path(str(each.pattern).replace(DJANGO_PARAMETER, f"{numbered(model)}:object_id"), each.callback, name=each.name)
        if DJANGO_PARAMETER in str(each.pattern)
        else each
        for each in urls
    ]
