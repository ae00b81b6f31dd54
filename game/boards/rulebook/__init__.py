"""The rulebook of any game: its page of docs/rules, with tables, sentences and notes for the variant that is shown, and
its search."""

from game.boards.rulebook.book import Line, Numbering, Rulebook, Start, Table, Tables, Term, Turn, Variant, written
from game.boards.rulebook.option_tables import option_rows, preset_rows
from game.boards.rulebook.pages import Pages, Section, pages_of

__all__ = [
    "Line",
    "Numbering",
    "Pages",
    "Rulebook",
    "Section",
    "Start",
    "Table",
    "Tables",
    "Term",
    "Turn",
    "Variant",
    "option_rows",
    "pages_of",
    "preset_rows",
    "written",
]
