"""The rulebook in the site: docs/rules rendered for one edition, its tables filled from those of the engine."""

from game.rulebook.pages import Book, Section, book

__all__ = ["Book", "Section", "book"]
