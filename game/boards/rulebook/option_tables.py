"""A game's options as rows for its rulebook, with the defaults of the page that creates games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.boards.options import OptionTable
from game.boards.rulebook.book import Table

MANY = 10  # a longer menu is shown as `first to last`
NOTHING: Mapping[str, Any] = {}


def option_rows(
    table: OptionTable, menus: Mapping[str, tuple[Any, ...]], usual: Any, fixed: Mapping[str, Any] = NOTHING
) -> Table:
    """Each option with its key, its default and its menu. `usual` are the options of a game for which nothing was
    chosen; `fixed` are those that nobody can choose."""
    return [
        (
            table.words_of(name).label,
            f"`{name}`",
            *(
                (value_words(table, name, fixed[name]), "always")
                if name in fixed
                else (_default(table, name, getattr(usual, name)), _menu(table, name, menu))
            ),
        )
        for name, menu in menus.items()
    ]


def preset_rows(table: OptionTable, usual: Any) -> Table:
    """Each preset with the value of every option that presets set."""
    names = dict.fromkeys(name for preset in table.presets for name in preset.options)
    return [
        (
            preset.title,
            *(value_words(table, name, preset.options.get(name, getattr(usual, name))) for name in names),
        )
        for preset in table.presets
    ]


def value_words(table: OptionTable, name: str, value: Any) -> str:
    """A value in the words for the middle of a sentence."""
    if isinstance(value, bool):
        return "on" if value else "off"
    words = table.words_of(name).values.get(value)
    return words[0].lower() + words[1:] if words else f"{value:,}" if isinstance(value, int) else str(value)


def _default(table: OptionTable, name: str, value: Any) -> str:
    set_by = {"preset": f"by the {table.choice}", "pace": "by the pace"}
    return set_by.get(table.set_by(name)) or value_words(table, name, value)


def _menu(table: OptionTable, name: str, menu: tuple[Any, ...]) -> str:
    if len(menu) > MANY:
        return f"{menu[0]} to {menu[-1]}"
    return " / ".join(value_words(table, name, value) for value in menu)
