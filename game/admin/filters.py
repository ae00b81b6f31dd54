"""Filters and columns of the desk's lists: names of games as players see them, and words instead of keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Count, Q
from django.utils.text import capfirst

from game.boards.registry import board_of
from game.engine.language import say
from game.rulesets.registry import RULESETS


def title_of(ruleset: str) -> str:
    """The title of a game; its key where this copy of the site does not know it."""
    return RULESETS[ruleset].title if ruleset in RULESETS else ruleset


def key_words(key: str | None) -> str:
    """The key of a status, a group or a kind of order, in words."""
    return str(capfirst((key or "").replace("_", " ")))


class _Words(admin.AllValuesFieldListFilter):
    """A filter by the values that there are, each in words."""

    words: Callable[[str], str]

    def choices(self, changelist: Any) -> Iterator[Any]:
        everything, *values = super().choices(changelist)
        yield everything
        yield from ({**choice, "display": type(self).words(str(choice["display"]))} for choice in values)


class GameFilter(_Words):
    """Filters a list by game."""

    words = staticmethod(title_of)

    def __init__(self, *place: Any, **more: Any) -> None:
        super().__init__(*place, **more)
        self.title = "game"


class KeyFilter(_Words):
    """Filters a list by a column that holds keys of the rules; keys with the same words are one choice."""

    words = staticmethod(key_words)

    def __init__(self, *place: Any, **more: Any) -> None:
        super().__init__(*place, **more)
        self.keys: dict[str, list[str]] = {}
        for key in self.lookup_choices:
            self.keys.setdefault(key_words(key), []).append(key)
        further = [key for keys in self.keys.values() for key in keys[1:]]
        self.lookup_choices = self.lookup_choices.exclude(**{f"{self.field_path}__in": further})
        values: Any = self.used_parameters.get(self.lookup_kwarg)
        if values:
            groups = (self.keys.get(key_words(key), [key]) for key in values)
            self.used_parameters[self.lookup_kwarg] = [key for group in groups for key in group]

    def get_facet_counts(self, pk_attname: str, filtered_qs: Any) -> dict[str, Any]:
        """How many rows each choice leaves, those of all its keys."""
        counts = {
            f"{i}__c": Count(pk_attname, filter=Q((f"{self.lookup_kwarg}__in", keys)))
            for i, keys in enumerate(self.keys.values())
            if len(keys) > 1
        }
        return {**super().get_facet_counts(pk_attname, filtered_qs), **counts}


def words_column(name: str) -> Callable[[Any, Any], str | None]:
    """A column with the words of the keys in the field `name`."""

    @admin.display(description=name, ordering=name)
    def column(page: Any, row: Any) -> str | None:
        return key_words(getattr(row, name)) or None

    return column


def bot_words(ruleset: str, bot: str) -> str:
    """How a seat's bot plays, as hosts choose it; empty for people."""
    level = board_of(ruleset).level(bot) if bot and ruleset in RULESETS else None
    return say(level.title) if level else key_words(bot)
