"""Addresses that contain a row's number in place of its key, so that nobody can tell how many rows there are."""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.urls import register_converter
from django.urls.converters import get_converters

from game.store.moderation_models import key_of, number_of

DIGITS = r"[0-9]{1,10}"


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
