"""From the document's Markdown to the page's HTML: no raw HTML and no inline style; rules in a list have an address."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import takewhile

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

NUMERIC = re.compile(r"[\d\s/–%,−]*\d[\d\s/–%,−]*")


def _open_table(_: RendererHTML, tokens: Sequence[Token], place: int, *rest: object) -> str:
    """On a phone a table is wider than the page: the keyboard scrolls it, and its name is what it has in columns."""
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
    """A section's Markdown as HTML. With `anchor_of` the rows of its first table are rules with an address each."""
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
    """Each row's cells, a cell being its opening, its content and its closing."""
    row: list[list[Token]] = []
    for place, token in enumerate(table):
        if token.type in {"th_open", "td_open"}:
            row.append(table[place : place + 3])
        elif token.type == "tr_close":
            yield row
            row = []


def _say_which_are_numbers(rows: list[list[list[Token]]]) -> None:
    """A column of numbers is set to the right, and so is its head."""
    for column in zip(*rows, strict=True):
        values = [cell[1].content.replace("*", "") for cell in column[1:]]
        css = "num" if values and all(NUMERIC.fullmatch(value) for value in values) else "l"
        for cell in column:
            cell[0].attrs = {"class": css}


def _head(rows: list[list[list[Token]]]) -> None:
    """The first cell of each row is its head."""
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
