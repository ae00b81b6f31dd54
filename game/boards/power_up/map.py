"""The map of tiles, company marks and the chart of prices, rendered in Python: a template takes ten times as long."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from markupsafe import Markup

from game.boards.drawing import DASHES, MOST_LABELS, Line, draw_lines, money
from game.engine.language import kept, say
from game.rulesets.power_up.tables import COMPANIES

COLUMNS, ROWS = "ABCDEFGHIJ", "0123456789"
NEUTRAL = "neutral"


def line_of(key: str, place: int) -> tuple[str, str]:
    """A company's line on a chart: in its own colour, under the first word of its name."""
    return f"pu-{key} d{place % DASHES + 1}", COMPANIES[key].title.partition(" ")[0]


def small_piece(view: Any, key: str, you: int | None) -> Markup:
    """A company's piece in a table."""
    return piece(key, "pu-piece--s")


@lru_cache(maxsize=256)
def piece(key: str, css: str = "") -> Markup:
    """A company's piece: colour, pattern and initial."""
    classes = f"pu-piece pu-{key} {css}".rstrip()
    return Markup(f'<span class="{classes}" aria-hidden="true"><b>{key[0].upper()}</b></span>')


@lru_cache(maxsize=256)
def company_name(title: str) -> Markup:
    """A company's name; narrow places show only the first word."""
    first, _, rest = title.partition(" ")
    return Markup(f'<span>{escape(first)}<span class="pu-rest"> {escape(rest)}</span></span>')


@lru_cache(maxsize=1024)
def shares_held(count: int, most: int) -> Markup:
    """A number of shares, bold for the largest holder."""
    return Markup(f"<td><b>{count}</b></td>" if count and count == most else f"<td>{count or ''}</td>")


def tile_rows(view: Any, form: Any, hand: Collection[str], happened: Any = None) -> Markup:
    """The rows of the map. Tiles in the reader's hand are radio buttons of the ticket form, if there is one; tiles that
    others played since the reader's last decision are marked."""
    new = [event.tile for event in happened.events if hasattr(event, "tile")] if happened else []
    own = {tile.option.value: tile for tile in form.hand} if form else {}
    titles = {company.key: company.title for company in view.companies}
    drawn = []
    for row in ROWS:
        drawn.append(f'<tr><th scope="row">{row}</th>')
        for cell in [column + row for column in COLUMNS]:
            owner = view.board.get(cell)
            if owner:
                drawn.append(laid(cell, owner, titles.get(owner, ""), is_new=cell in new))
            else:
                drawn.append(own_cell(cell, own.get(cell)) if cell in own or cell in hand else free_cell(cell))
        drawn.append("</tr>\n")
    return Markup("".join(drawn))


@kept(4096)
def laid(cell: str, owner: str, title: str, *, is_new: bool = False) -> str:
    """A tile on the map."""
    css, new = (" is-new", say(", new since your last decision")) if is_new else ("", "")
    if owner == NEUTRAL:
        return (
            f'<td class="pu-cell pu-neutral{css}" data-cell="{cell}"><span>{cell}</span>\n'
            f'<span class="vh">{say(", neutral tile")}{new}</span></td>'
        )
    return (
        f'<td class="pu-cell pu-co pu-{owner}{css}" data-cell="{cell}">\n<b aria-hidden="true">{owner[0].upper()}</b>\n'
        f'<span>{cell}</span><span class="vh">, {escape(title)}{new}</span></td>'
    )


@lru_cache(maxsize=256)
def free_cell(cell: str) -> str:
    return f'<td class="pu-cell pu-free" data-cell="{cell}"><span>{cell}</span></td>'


def own_cell(cell: str, tile: Any) -> str:
    """A cell whose tile the reader holds; if playable, `data-joins` lists the cells that would change."""
    if tile is None or tile.option.refused:
        return (
            f'<td class="pu-cell pu-free pu-own is-locked" data-cell="{cell}">\n<span>{cell}</span>\n'
            f'<span class="vh">{say(", your tile")}</span></td>'
        )
    detail, chosen = escape(tile.option.detail), " is-chosen" if tile.option.checked else ""
    return (
        f'<td class="pu-cell pu-free pu-own{chosen}" data-cell="{cell}">\n<label>\n'
        f'<input type="radio" form="ticket" name="move" value="{cell}" autocomplete="off"'
        f' data-joins="{tile.joins}"\n data-into="{tile.into}" data-send="{tile.send}"'
        f' data-said="{cell}: {detail}"{" data-ends" if tile.ends else ""}>\n'
        f'<span>{cell}</span><span class="vh">{say(", your tile: {does}", does=detail)}</span></label></td>'
    )


def letter_chart(history: Any, companies: Iterable[Any], since: int) -> Markup:
    """Every price; each line has the initial and the style of its company. Everything after turn `since` is shaded, if
    it is set."""
    lines = [
        Line(company.title[0], f"pu-{company.key} d{i % DASHES + 1}", history.prices[company.key], company.title)
        for i, company in enumerate(companies)
        if history.prices.get(company.key)
    ]
    return draw_lines(
        history.labels, lines, "cp", say("Share price of each company"), since=str(since) if since else ""
    )


def course_points(labels: Sequence[str]) -> list[int]:
    """The points in the table of a course: evenly spaced, and the last one."""
    last = len(labels) - 1
    return [*range(0, last, -(-len(labels) // MOST_LABELS)), last]


def course_cells(history: Any, companies: Iterable[Any], order: Iterable[int], at: int) -> Markup:
    """Prices of some companies at one point, then everybody's net worth."""
    figures = [history.prices[company.key][at] for company in companies]
    figures += [history.worth[number][at] for number in order]
    return Markup("".join(f"<td>{money(figure)}</td>" for figure in figures))
