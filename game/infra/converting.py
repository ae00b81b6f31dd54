"""Converts rows from the driver to the values of model fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from django.db import connection, models
from django.db.models.expressions import Col


class Converting:
    """Converts rows with the same columns; decodes JSON five times as fast as Django."""

    def __init__(self, compiler: Any, selected: Sequence[Any]) -> None:
        self._json = [
            place for place, each in enumerate(selected) if isinstance(each, Col) and is_plain_json(each.output_field)
        ]
        converters = compiler.get_converters(selected)
        self._others = [
            (place, expression, convert)
            for place, (several, expression) in converters.items()
            for convert in several
            if place not in self._json
        ]

    def rows(self, found: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        return [tuple(self.row(row)) for row in found] if self._json or self._others else list(found)

    def row(self, found: Sequence[Any]) -> list[Any]:
        values = list(found)
        for place in self._json:
            if values[place] is not None:
                values[place] = msgspec.json.decode(values[place])
        for place, expression, convert in self._others:
            values[place] = convert(values[place], expression, connection)
        return values


def is_plain_json(field: Any) -> bool:
    return isinstance(field, models.JSONField) and field.encoder is None and field.decoder is None
