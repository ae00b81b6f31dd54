"""The address of a rule on the site: in the game's own rulebook, in the variant that is played."""

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
    """A place in the rulebook as this game plays it; "" if the game has no rulebook."""
    book = book_of(game.ruleset)
    return f"{address(game.ruleset)}{book.query(variant_of(game, book))}#{anchor}" if book else ""


def variant_of(game: Game, book: Rulebook) -> str:
    """The value of the option that chooses the variant; the usual one unless the host chose another."""
    return str(game.options.get(book.option, book.usual.key))


@cache
def address(key: str) -> str:
    """The page of a rulebook."""
    return reverse("rulebook", args=[key])
