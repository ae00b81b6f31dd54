"""From the document's Markdown to the page's HTML: no raw HTML, no inline style, every rule number a link."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import Any

from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

NUMERIC = re.compile(r"[\d\s/–%,−]*\d[\d\s/–%,−]*")
RULE = re.compile(r"S \d+(?:\.\d+)?|[AD]\d{1,3}|R-\d+|I16")
OF_PHASE = re.compile(r" phase \w+$")
CITED = re.compile(rf"(<a\b.*?</a>|<code>.*?</code>|<th scope=\"row\">.*?</th>)|<em>([^<]+)</em>|<[^>]+>|\b({RULE.pattern})(?![\d.]*\d)")


def anchor_of(rule: str) -> str:
    """Where a rule stands on the page: `S-5.3`, `A27`, `R-7`, `round-trips`; a phase named with it has no place of its own."""
    rule = OF_PHASE.sub("", rule)
    return rule.replace(" ", "-") if RULE.fullmatch(rule) else slugify(rule)


def _renderer() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("table_open", lambda *rest: '<div class="scroll"><table class="data">')
    parser.add_render_rule("table_close", lambda *rest: "</table></div>")
    return parser


PARSER = _renderer()


def rendered(text: str, *, has_anchors: bool) -> str:
    """A section's Markdown as HTML. `has_anchors`: the rows of its first table are rules with an address each."""
    tokens = PARSER.parse(text)
    for place, table in enumerate(_tables(tokens)):
        rows = list(_rows(table))
        _say_which_are_numbers(rows)
        _head(rows)
        if has_anchors and not place:
            _give_addresses(table)
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


def _give_addresses(table: list[Token]) -> None:
    for row, head, name in zip(table, table[1:], table[2:], strict=False):
        if row.type == "tr_open" and "scope" in head.attrs:
            row.attrs = {"id": anchor_of(name.content)}


def linked(html: str, anchors: Set[str]) -> str:
    """Every cited rule that has a place on the page becomes a link to it."""

    def link(found: re.Match[str]) -> str:
        rule = found[2] or found[3] or ""
        if found[1] or anchor_of(rule) not in anchors:
            return found[0]
        return f'<a class="ref" href="#{anchor_of(rule)}">{rule}</a>'

    replace: Any = link
    return CITED.sub(replace, html)


def plain(html: str) -> str:
    """The words of a piece of HTML, still escaped."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())
