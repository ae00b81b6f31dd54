"""What the board of a game that nobody drew one for prints: the players' figures and the table's, as its view has them."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
from django import template

register = template.Library()

KNOWN = {"seat", "turn", "phase", "rail", "players", "mine", "is_ready", "can_undo", "end", "standings", "state", "is_you"}


class PlayerRow(NamedTuple):
    """A player with the figures of each column."""

    seat: int
    is_you: bool
    cells: tuple[str, ...]


class PlayerTable(NamedTuple):
    """Every player's figures under their names."""

    names: tuple[str, ...]
    rows: tuple[PlayerRow, ...]


@register.filter
def auto_players(view: Any) -> PlayerTable:
    """The fields of the seats that only this game has, in the order in which the view declares them."""
    names = [name for name in type(view.players[0]).__struct_fields__ if name not in KNOWN]
    rows = (PlayerRow(p.seat, p.is_you, tuple(_words(getattr(p, name)) for name in names)) for p in view.players)
    return PlayerTable(tuple(map(_label, names)), tuple(rows))


@register.filter
def auto_facts(view: Any) -> list[tuple[str, str]]:
    """The fields of the view that only this game has."""
    names = [name for name in type(view).__struct_fields__ if name not in KNOWN]
    return [(_label(name), _words(getattr(view, name)) or "–") for name in names]


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _words(value: Any) -> str:
    """A value as a person reads it; what is empty prints nothing."""
    if value is None or value == ():
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_words(each)}" for key, each in value.items())
    if isinstance(value, msgspec.Struct):
        return _words(msgspec.structs.asdict(value))
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(_words, value))
    return f"{value:,}" if isinstance(value, int) else str(value)
