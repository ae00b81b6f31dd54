"""URLs of rules in a game's rulebook, in the variant that is played."""

from __future__ import annotations

from functools import cache

from django.urls import reverse

from game.boards.registry import board_of
from game.boards.rulebook import Rulebook
from game.store.game import Game


def book_of(key: str) -> Rulebook | None:
    """The rulebook of a game of this site, if it has one."""
    return board_of(key).book


def rulebook_url(game: Game, anchor: str) -> str:
    """The URL of an anchor in the rulebook, in the game's variant; "" if the game has no rulebook."""
    book = book_of(game.ruleset)
    return f"{address(game.ruleset)}{book.query(variant_of(game, book))}#{anchor}" if book else ""


def variant_of(game: Game, book: Rulebook) -> str:
    """The game's variant: the value of its option, or the default."""
    return str(game.options.get(book.option, book.usual.key))


@cache
def address(key: str) -> str:
    """The URL of a rulebook."""
    return reverse("rulebook", args=[key])
