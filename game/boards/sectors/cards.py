"""Company cards: rendered in Python, because a template takes four times as long."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from markupsafe import Markup

from game.boards.drawing import Context, FigureLinks, icon, links_in, money, spark, term, your_seat
from game.boards.sectors.words import company_note, throughput_words
from game.engine.language import count, mark, say, say_as

SEP = '<span class="sep">/</span>'
STANDINGS = {"inactive": mark("not floated"), "insolvent": mark("insolvent")}
MOST_WIDE, MOST_DRAWN = 8, 20  # units at full width, and in total; the number is shown next to them


def token_html(company: Any, you: int | None, small: bool) -> str:
    """Needs no escaping: tickers and sectors come from the rules' tables."""
    off = " token--off" if company.status in ("inactive", "bankrupt") else ""
    mine = " is-mine" if you is not None and company.holdings.get(you) else ""
    size = " token--s" if small else ""
    classes = f"token token--{company.sector}{off}{mine}{size}"
    return f'<span class="{classes}" aria-hidden="true"><b>{company.ticker[:3]}</b></span>'


def token(context: Context, company: Any, small: bool = False) -> Markup:
    """A company's piece; its outline is the sector, its colour says whether you own shares."""
    return Markup(token_html(company, your_seat(context), small))


def piece(view: Any, ticker: str, you: int | None) -> Markup:
    """A company's piece as tables show it, small."""
    return Markup(token_html(view.company(ticker), you, True))


def company_cards(context: Context, companies: Iterable[Any]) -> Markup:
    """A card per company; a closed one shows only its name."""
    drawn = (
        closed_card(context, company) if company.status == "bankrupt" else card(context, company)
        for company in companies
    )
    return Markup("\n".join(drawn))


def closed_card(context: Context, company: Any) -> str:
    closed = say("bankrupt")
    return (
        f'<article class="co co--closed" id="co-{company.ticker}"><header '
        f'class="co-h">{token(context, company)}<div class="co-n">'
        f"<h4>{escape(company.name)}</h4><p>{company.ticker} {SEP} <em>{closed}</em></p></div></header></article>"
    )


def card(context: Context, company: Any) -> str:
    picked = " co--picked" if company.is_acting else ""
    return (
        f'<article class="co co--{company.status}{picked}" id="co-{company.ticker}">\n'
        f"{head(context, company)}\n{figures(context, company)}\n{supply_and_demand(context, company)}\n"
        f"{pips(context, company)}\n"
        f"{on_offer(context, company)}\n{notes(company)}\n</article>"
    )


def head(context: Context, company: Any) -> str:
    """Name, share price, and its movement."""
    links, history, standing = links_in(context), context["history"], STANDINGS.get(company.status)
    status = f" {SEP} <em>{say(standing)}</em>" if standing else ""
    course = spark(history.prices.get(company.ticker, ()))
    moved = steps_moved(company, history.opening.get(company.ticker))
    return (
        f'<header class="co-h">{token(context, company)}<div class="co-n"><h4>{escape(company.name)}</h4>'
        f"<p>{company.ticker} {SEP} {escape(say(company.tier_title))}{status}</p></div>\n"
        f'<div class="co-p"><b>{links.of("price", company.ticker, company.price)}</b>{course}</div></header>\n'
        f'<p class="co-d">{moved}<span class="co-note">{escape(company_note(company))}</span></p>'
    )


def steps_moved(company: Any, was: int | None) -> Markup:
    """The price movement since the turn began, in chart steps; `was` is None if unknown."""
    if was in (None, company.price):
        return Markup(f'<span class="delta delta--flat">{say("No change this turn")}</span>')
    steps = company.steps_from(was)
    if steps > 0:
        direction, words = "up", count("{n} step up from {was}", "{n} steps up from {was}", steps, was=was)
    else:
        direction, words = "down", count("{n} step down from {was}", "{n} steps down from {was}", -steps, was=was)
    return Markup(f'<span class="delta delta--{direction}">{icon(direction)}{words}</span>')


def figures(context: Context, company: Any) -> str:
    links = links_in(context)
    rows = (
        (mark("Unit price"), "unit_price", company.unit_price),
        (mark("Treasury"), "treasury", money(company.treasury)),
        (mark("Cost"), "operating_cost", company.operating_cost),
        (mark("Prestige"), "prestige", company.prestige),
    )
    drawn = "".join(
        f"<div><dt>{term(context, name)}</dt><dd>{links.of(figure, company.ticker, value)}</dd></div>"
        for name, figure, value in rows
    )
    return f'<dl class="figs">{drawn}</dl>'


def supply_and_demand(context: Context, company: Any) -> str:
    links = links_in(context)
    throughput = links.of("throughput", company.ticker, say("Gap {n}", n=company.throughput))
    return (
        f'<div class="sd">{units(company, links)}'
        f'<span class="sd-t">{throughput}<small>{throughput_words(company)}</small></span></div>'
    )


def units(company: Any, links: FigureLinks) -> str:
    """Supply as squares, demand as discs, and the gap between them."""
    thin = " u--thin" if max(company.supply, company.demand) > MOST_WIDE else ""
    gap = max(company.supply - company.demand, 0)
    supply = row_of(company.supply, f"u--s{thin}")
    demand = row_of(company.demand, f"u--d{thin}") + row_of(gap, f"u--gap{thin}")
    supply_link = links.of("supply", company.ticker, company.supply)
    wanted = links.of("demand", company.ticker, company.demand)
    return (
        f'<span class="sd-r"><span class="sd-l">{say("Supply")}</span>{supply}<b>{supply_link}</b></span>'
        f'<span class="sd-r"><span class="sd-l">{say("Demand")}</span>{demand}<b>{wanted}</b></span>'
    )


def row_of(count: int, css: str) -> str:
    return f'<i class="u {css}"></i>' * min(count, MOST_DRAWN)


def pips(context: Context, company: Any) -> Markup:
    """All shares of a company: yours, then the largest holders, set-aside shares, the market and the IPO."""
    seats, you = context["seats"], your_seat(context)
    held = sorted(
        ((n, shares) for n, shares in company.holdings.items() if shares), key=lambda pair: (pair[0] != you, -pair[1])
    )
    drawn = "".join(
        f'<i class="pip {seats[n].css}"><b>{escape(seats[n].letter)}</b></i>' * shares for n, shares in held
    )
    words = [f"{say_as('seat', 'you') if n == you else escape(seats[n].name)} {shares}" for n, shares in held]
    piles = (
        ("aside", company.aside, mark("set aside")),
        ("market", company.market, mark("open market")),
        ("ipo", company.ipo, mark("IPO")),
    )
    for kind, number, name in piles:
        drawn += f'<i class="pip pip--{kind}"></i>' * number
        words += [f"{say(name)} {number}"] if number else []
    existing = count("{n} share", "{n} shares", company.existing)
    return Markup(f'<span class="pips" role="img" aria-label="{existing}: {", ".join(words)}">{drawn}</span>')


def on_offer(context: Context, company: Any) -> str:
    """Where shares are for sale, and how many the reader has."""
    places = [say("IPO {n} at {price}", n=company.ipo, price=company.ipo_price)] if company.ipo else []
    places += [say("market {n} at {price}", n=company.market, price=company.price)] if company.market else []
    places = places or [say("No share on offer")]
    places += [say("{n} set aside", n=company.aside)] if company.aside else []
    you = context.get("you")
    own = company.holdings.get(you.number) if you else 0
    mine = f"<strong>{say('You {n}', n=own)}</strong>" if own else ""
    return f'<p class="co-f"><span>{f" {SEP} ".join(places)}</span>{mine}</p>'


def notes(company: Any) -> str:
    """Abilities, cards and active effects."""
    abilities = "".join(f'<p class="co-a">{escape(say(ability))}</p>' for ability in company.abilities)
    cards = "".join(f'<p class="co-a co-a--card">{escape(say(name))}</p>' for name in company.cards)
    effects = (escape(say("{effect}, still in effect", effect=say(effect))) for effect in company.effects)
    return abilities + cards + "".join(f'<p class="co-a co-a--effect">{effect}</p>' for effect in effects)
