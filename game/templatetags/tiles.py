"""The map of tiles and company marks: rendered in Python, because a template takes ten times as long."""

from collections.abc import Collection
from functools import lru_cache
from html import escape
from typing import Any

from django import template
from django.utils.safestring import SafeString

from game.engine.language import kept, say

register = template.Library()

COLUMNS, ROWS = "ABCDEFGHIJ", "0123456789"
NEUTRAL = "neutral"


@register.simple_tag
@lru_cache(maxsize=256)
def piece(key: str, css: str = "") -> SafeString:
    """A company's piece: colour, pattern and initial."""
    classes = f"pu-piece pu-{key} {css}".rstrip()
    return SafeString(f'<span class="{classes}" aria-hidden="true"><b>{key[0].upper()}</b></span>')


@register.simple_tag
@lru_cache(maxsize=256)
def company_name(title: str) -> SafeString:
    """A company's name; narrow places show only the first word."""
    first, _, rest = title.partition(" ")
    return SafeString(f'<span>{escape(first)}<span class="pu-rest"> {escape(rest)}</span></span>')


@register.simple_tag
@lru_cache(maxsize=1024)
def shares_held(count: int, most: int) -> SafeString:
    """A number of shares, bold for the largest holder."""
    return SafeString(f"<td><b>{count}</b></td>" if count and count == most else f"<td>{count or ''}</td>")


@register.simple_tag
def tile_rows(view: Any, form: Any, hand: Collection[str]) -> SafeString:
    """The rows of the map. Tiles in the reader's hand are radio buttons of the ticket form, if there is one."""
    own = {tile.option.value: tile for tile in form.hand} if form else {}
    titles = {company.key: company.title for company in view.companies}
    drawn = []
    for row in ROWS:
        drawn.append(f'<tr><th scope="row">{row}</th>')
        for cell in [column + row for column in COLUMNS]:
            owner = view.board.get(cell)
            if owner:
                drawn.append(laid(cell, owner, titles.get(owner, "")))
            else:
                drawn.append(own_cell(cell, own.get(cell)) if cell in own or cell in hand else free_cell(cell))
        drawn.append("</tr>\n")
    return SafeString("".join(drawn))


@kept(4096)
def laid(cell: str, owner: str, title: str) -> str:
    """A tile on the map."""
    if owner == NEUTRAL:
        return (
            f'<td class="pu-cell pu-neutral" data-cell="{cell}"><span>{cell}</span>\n'
            f'<span class="vh">{say(", neutral tile")}</span></td>'
        )
    return (
        f'<td class="pu-cell pu-co pu-{owner}" data-cell="{cell}">\n<b aria-hidden="true">{owner[0].upper()}</b>\n'
        f'<span>{cell}</span><span class="vh">, {escape(title)}</span></td>'
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
        f' data-joins="{tile.joins}"\n data-into="{tile.into}" data-send="{say("Play {tile}", tile=cell)}"'
        f' data-said="{cell}: {detail}"{" data-ends" if tile.ends else ""}>\n'
        f'<span>{cell}</span><span class="vh">{say(", your tile: {does}", does=detail)}</span></label></td>'
    )
