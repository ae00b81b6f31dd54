"""The board of a game without its own board: the figures of its view, as tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from django import template
from django.template import Context

from game.boards.drawing import seat_name
from game.engine.language import say
from game.engine.phrases import thousands
from game.templatetags.links import why

register = template.Library()

KNOWN = {
    "seat",
    "turn",
    "phase",
    "rail",
    "players",
    "mine",
    "lasting",
    "is_ready",
    "can_undo",
    "can_undo_all",
    "end",
    "standings",
    "left",
    "state",
    "is_you",
}
SEAT = "seat"  # this field, and those ending in `_seat`, are shown as the player's name
EMPTY: tuple[object, ...] = (None, (), [], {})


class PlayerRow(NamedTuple):
    """A player with a figure per column."""

    seat: int
    is_you: bool
    cells: tuple[str, ...]


class PlayerTable(NamedTuple):
    """The figures of all players under their names."""

    names: tuple[str, ...]
    rows: tuple[PlayerRow, ...]


class ThingTable(NamedTuple):
    """Records of one kind, one per row."""

    title: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@register.simple_tag(takes_context=True)
def auto_players(context: Context) -> PlayerTable:
    """The seat fields that only this game has, in the order of the view; figures with an explanation link to it.

    Columns that are empty for everybody are left out, and so are those that only the viewer sees."""
    players = context["view"].players
    own = _private(context["view"])
    names = [
        name
        for name in own_fields(players[0])
        if name not in own and any(getattr(player, name) not in EMPTY for player in players)
    ]
    rows = (PlayerRow(p.seat, p.is_you, tuple(_cell(context, name, p) for name in names)) for p in players)
    return PlayerTable(tuple(map(_label, names)), tuple(rows))


@register.simple_tag(takes_context=True)
def auto_own(context: Context) -> list[tuple[str, str]]:
    """The fields that only the viewer sees of their own seat."""
    own = next((player for player in context["view"].players if player.is_you), None)
    names = _private(context["view"]) if own is not None else ()
    return [(_label(name), _words(context, name, getattr(own, name)) or "–") for name in names]


def _private(view: Any) -> tuple[str, ...]:
    """The private fields, unless they are public: once the game is over, all lines have them, also in its past."""
    private: tuple[str, ...] = view.players[0].private
    others = [player for player in view.players if not player.is_you]
    is_open = view.phase is None or any(getattr(player, name) not in EMPTY for player in others for name in private)
    return () if is_open else private


@register.simple_tag(takes_context=True)
def auto_facts(context: Context) -> list[tuple[str, str]]:
    """The single figures that only this game has."""
    view = context["view"]
    return [
        (_label(name), _words(context, name, getattr(view, name)))
        for name in own_fields(view)
        if getattr(view, name) not in EMPTY and not _things(view, name)
    ]


@register.simple_tag(takes_context=True)
def auto_tables(context: Context) -> list[ThingTable]:
    """The lists that only this game has, as tables."""
    view = context["view"]
    return [_table(context, name, things) for name in own_fields(view) if (things := _things(view, name))]


def own_fields(record: Any) -> list[str]:
    """The fields that only this game has."""
    return [name for name in type(record).__struct_fields__ if name not in KNOWN]


def _cell(context: Context, name: str, player: Any) -> str:
    value = getattr(player, name)
    words = _words(context, name, value)
    return why(context, name, player.seat, words) if type(value) is int else words


def _things(view: Any, name: str) -> Sequence[msgspec.Struct]:
    """The records in a list field; empty for other fields."""
    value = getattr(view, name)
    is_list = isinstance(value, tuple | list) and value and all(isinstance(each, msgspec.Struct) for each in value)
    return value if is_list else ()


def _table(context: Context, name: str, things: Sequence[msgspec.Struct]) -> ThingTable:
    names = type(things[0]).__struct_fields__
    rows = tuple(tuple(_words(context, column, getattr(thing, column)) for column in names) for thing in things)
    return ThingTable(_label(name), tuple(map(_label, names)), rows)


def _label(name: str) -> str:
    words = name.removesuffix(f"_{SEAT}") if name != SEAT else "player"
    return say(words.replace("_", " ").capitalize())


def _words(context: Context, name: str, value: Any) -> str:
    """A value as text; empty values give an empty text."""
    match value:
        case None:
            return ""
        case bool():
            return say("yes") if value else say("no")
        case int():
            return seat_name(context, value) if name == SEAT or name.endswith(f"_{SEAT}") else thousands(value)
        case str():
            return say(value)
    return _several(context, name, value)


def _several(context: Context, name: str, value: Any) -> str:
    """A mapping as `key: value`, a list with commas."""
    if isinstance(value, msgspec.Struct):
        value = msgspec.structs.asdict(value)
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_words(context, '', each)}" for key, each in value.items())
    return ", ".join(_words(context, name, each) for each in value) if isinstance(value, Iterable) else str(value)
