"""Parts of the board that are drawn in Python: price ladder, price lines, table rows, weigh bar."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from markupsafe import Markup

from game.boards.drawing import COLOURS, DASHES, Context, Line, draw_lines, seat, seat_name, your_seat
from game.boards.sectors.cards import token_html
from game.boards.sectors.decisions.vote_table import Weight
from game.boards.sectors.words import order_words
from game.engine.language import count, say

WIDEST = 20  # width classes of the weigh bar in the style sheet
BAR_WIDTH, AROUND_NAME, LETTER_WIDTH = 320, 36, 8  # px on a phone: bar, frame of a name, letter


def ladder(context: Context, view: Any) -> Markup:
    """The price chart of the rules: tiers as rows, prices as boxes, companies as pieces, and the filled slots."""
    you, at = your_seat(context), defaultdict(list)
    for company in view.companies:
        if company.status != "bankrupt":
            at[company.price].append(company)
    tiers = (tier(number, slots, prices, at, you) for number, (slots, prices) in enumerate(view.chart, 1))
    return Markup("".join(tiers))


def tier(number: int, slots: int, prices: Sequence[int], at: Mapping[int, Sequence[Any]], you: int | None) -> str:
    is_idle = not any(at.get(price) for price in prices)
    idle = f"<small>{say('no company here yet')}</small>" if is_idle else ""
    per_step = count("{n} share per step", "{n} shares per step", slots)
    label = say("Price tier {number}, prices {low} to {high}", number=number, low=prices[0], high=prices[-1])
    steps = "".join(step(price, slots, at.get(price, ()), you) for price in prices)
    title, idle_class = say("Price tier {number}", number=number), " tier--idle" if is_idle else ""
    return (
        f'<div class="tier{idle_class}"><div class="tier-h"><b>{title}</b> '
        f"<span>{per_step}</span>{idle}</div>"
        f'<ol class="steps" aria-label="{label}">{steps}</ol></div>'
    )


def step(price: int, slots: int, here: Sequence[Any], you: int | None) -> str:
    if not here:
        return empty_step(price, slots)
    pieces = "".join(token_html(company, you, small=True) + notches(slots, company.filled) for company in here)
    label = "; ".join(
        count(
            "{company}, {filled} of {n} slot filled",
            "{company}, {filled} of {n} slots filled",
            slots,
            company=escape(company.name),
            filled=company.filled,
        )
        for company in here
    )
    return f'<li class="step step--on"><span class="price">{price}</span><span class="vh">: {label}</span>{pieces}</li>'


@lru_cache(maxsize=512)
def empty_step(price: int, slots: int) -> str:
    return f'<li class="step"><span class="price">{price}</span>{notches(slots, 0)}</li>'


def notches(slots: int, filled: int) -> str:
    return f'<span class="notches" aria-hidden="true">{"<i class=f></i>" * filled}{"<i></i>" * (slots - filled)}</span>'


def price_lines(context: Context, history: Any) -> Markup:
    """Every stock price turn by turn; a company has the same colour everywhere, one that you own a heavy line."""
    you = your_seat(context)
    living = [
        company
        for company in context["view"].companies
        if company.status != "bankrupt" and history.prices.get(company.ticker)
    ]
    lines = []
    for company in living:
        place = history.places[company.ticker]
        mine = " mine" if company.holdings.get(you) else ""
        css = f"k{place % COLOURS + 1} d{place % DASHES + 1}{mine}"
        lines.append(Line(company.ticker, css, history.prices[company.ticker], company.name))
    return draw_lines(history.labels, lines, "cp", say("Stock price of each company"))


def holding_cells(player: Any, companies: Sequence[Any]) -> Markup:
    """A player's shares of each company, empty for none."""
    return Markup("".join(f"<td>{player.holdings.get(company.ticker, '')}</td>" for company in companies))


def order_rows(context: Context, orders: Iterable[Any]) -> Markup:
    """Open orders; the reader's own are marked."""
    return Markup("".join(order_row(context, order) for order in orders))


def order_row(context: Context, order: Any) -> str:
    mine = ' class="you"' if order.seat == context["view"].seat else ""
    badge = seat(context["seats"][order.seat], "seat--s")
    who = f'<span class="cell-p">{badge}{escape(seat_name(context, order.seat))}</span>'
    words = f'<td class="l">{escape(order_words(order))}</td><td>{order.price or ""}</td>'
    return f'<tr{mine}><th scope="row">{who}</th>{words}</tr>'


def weigh(weights: Sequence[Weight]) -> Markup:
    """The voting shares as a bar; the dashed line marks half."""
    shares = ", ".join(f"{escape(weight.name)} {weight.shares}" for weight in weights)
    total = sum(weight.shares for weight in weights)
    parts = "".join(_weight(weight, total) for weight in weights)
    return Markup(
        f'<div class="weigh" role="img" aria-label="{say("Shares that vote: {shares}", shares=shares)}">{parts}</div>'
    )


def _weight(weight: Weight, total: int) -> str:
    """A part too narrow for the name, on a phone, shows the seat's letter."""
    width = weight.shares * BAR_WIDTH // max(total, 1)
    name = weight.name if width >= AROUND_NAME + LETTER_WIDTH * len(weight.name) else weight.letter
    css, count = f"{escape(weight.css)} n{min(weight.shares, WIDEST)}", f'<span class="w-n">{weight.shares}</span>'
    return f'<span class="w {css}"><b>{count} {escape(name)}</b></span>'
