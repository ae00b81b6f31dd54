"""Converts a variant's Markdown to HTML: replaces sentences and tables, drops raw HTML, and gives each listed rule an
anchor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html import escape
from itertools import takewhile

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from game.boards.rulebook.book import Lengths, Rulebook, Table, Tables, Variant

NUMERIC = re.compile(r"[\d\s/–%,−]*\d[\d\s/–%,−]*")
TABLE = re.compile(r"(?m)(?:^\|.*\n)+")


def _open_table(_: RendererHTML, tokens: Sequence[Token], place: int, *rest: object) -> str:
    """Make a table focusable, because the keyboard must scroll it on a phone; its accessible name lists its columns."""
    heads = ", ".join(cell.content.replace("*", "") for cell in _heads(tokens[place:]) if cell.content)
    return f'<div class="scroll" tabindex="0" role="group" aria-label="Table: {escape(heads)}"><table class="data">'


def _heads(tokens: Sequence[Token]) -> Iterator[Token]:
    row = takewhile(lambda token: token.type != "tr_close", tokens)
    return (token for token in row if token.type == "inline")


def _renderer() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", lambda *rest: "</table></div>")
    return parser


PARSER = _renderer()


def rendered(text: str, anchor_of: Callable[[str], str] | None = None) -> str:
    """A section's Markdown as HTML. With `anchor_of`, the rows of its first table are rules, each with an anchor."""
    tokens = PARSER.parse(text)
    for place, table in enumerate(_tables(tokens)):
        rows = list(_rows(table))
        _say_which_are_numbers(rows)
        _head(rows)
        if anchor_of and not place:
            _give_addresses(table, anchor_of)
    return str(PARSER.renderer.render(tokens, PARSER.options, {}))


def _tables(tokens: list[Token]) -> Iterator[list[Token]]:
    start = 0
    for place, token in enumerate(tokens):
        if token.type == "table_open":
            start = place
        elif token.type == "table_close":
            yield tokens[start:place]


def _rows(table: list[Token]) -> Iterator[list[list[Token]]]:
    """Each row's cells; a cell is its opening, content and closing token."""
    row: list[list[Token]] = []
    for place, token in enumerate(table):
        if token.type in {"th_open", "td_open"}:
            row.append(table[place : place + 3])
        elif token.type == "tr_close":
            yield row
            row = []


def _say_which_are_numbers(rows: list[list[list[Token]]]) -> None:
    """Right-align columns of numbers and their heads."""
    for column in zip(*rows, strict=True):
        values = [cell[1].content.replace("*", "") for cell in column[1:]]
        css = "num" if values and all(NUMERIC.fullmatch(value) for value in values) else "l"
        for cell in column:
            cell[0].attrs = {"class": css}


def _head(rows: list[list[list[Token]]]) -> None:
    """Make the first cell of each row its head."""
    rows[0][0][0].attrs = {"class": "l"}
    for opening, _, closing in (row[0] for row in rows[1:]):
        opening.tag = closing.tag = "th"
        opening.attrs = {"scope": "row"}


def _give_addresses(table: list[Token], anchor_of: Callable[[str], str]) -> None:
    for row, head, name in zip(table, table[1:], table[2:], strict=False):
        if row.type == "tr_open" and "scope" in head.attrs:
            row.attrs = {"id": anchor_of(name.content)}


def plain(html: str) -> str:
    """The words of a piece of HTML, still escaped."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def of_variant(book: Rulebook, number: str, text: str, variant: Variant, lengths: Lengths) -> str:
    """The Markdown of one section with the variant's sentences and numbers, as players read it."""
    return _without_keys(_with_tables(book, number, _with_sentence(book, number, text, variant), variant, lengths))


def _without_keys(text: str) -> str:
    """Leave out the columns headed `key`, which are for readers of the code."""

    def players_columns(match: re.Match[str]) -> str:
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in match[0].splitlines()]
        if "key" not in rows[0]:
            return match[0]
        place = rows[0].index("key")
        return "".join(f"| {' | '.join([*row[:place], *row[place + 1 :]])} |\n" for row in rows)

    return TABLE.sub(players_columns, text)


def _with_sentence(book: Rulebook, number: str, text: str, variant: Variant) -> str:
    if number not in variant.sentences:
        return text
    return re.sub(r"\s+".join(map(re.escape, book.usual.sentences[number].split())), variant.sentences[number], text)


@cache
def _tables_of_variant(book: Rulebook, key: str, lengths: Lengths) -> Tables:
    return book.tables(key, lengths)


def _with_tables(book: Rulebook, number: str, text: str, variant: Variant, lengths: Lengths) -> str:
    tables, usual = _tables_of_variant(book, variant.key, lengths), _tables_of_variant(book, book.usual.key, lengths)
    places = iter(range(len(TABLE.findall(text))))

    def filled(match: re.Match[str]) -> str:
        place = (number, next(places))
        return fill(match[0], tables[place], usual[place]) if place in tables else match[0]

    fill_each: Callable[[re.Match[str]], str] = filled
    return TABLE.sub(fill_each, text)


def fill(block: str, rows: Table, usual: Table) -> str:
    """A table of the document with its first columns from the engine; values that differ from the usual variant are
    bold."""
    head, line, *old = block.splitlines()
    rest = [[cell.strip() for cell in row.strip().strip("|").split("|")][len(rows[0]) :] for row in old]
    is_alike = len(rows) == len(usual)
    lines = []
    for place, row in enumerate(rows):
        new = [f"**{cell}**" if is_alike and cell != usual[place][i] else cell for i, cell in enumerate(row)]
        lines.append(f"| {' | '.join([*new, *(rest[place] if place < len(rest) else ())])} |")
    return "\n".join([head, line, *lines, ""])
