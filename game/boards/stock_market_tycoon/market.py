"""What the board draws: companies' tags, who owns a company, cards, the hand and its sums, the chart of prices."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import Any

import msgspec
from markupsafe import Markup

from game.boards.drawing import DASHES, Line, draw_lines
from game.engine.events import Event
from game.engine.language import kept, mark, say, spoken
from game.engine.phrases import decimal, listed, percent, thousands
from game.rulesets.stock_market_tycoon import events
from game.rulesets.stock_market_tycoon.cards import BLANK, company_of, signed, title_of, value_of
from game.rulesets.stock_market_tycoon.state import CHAIRMAN, DIRECTOR
from game.rulesets.stock_market_tycoon.tables import COMPANIES, MODES, Company
from game.rulesets.stock_market_tycoon.view import CompanyView, TycoonView

BAR, THICK = 200, 12


@lru_cache(maxsize=64)
def ticker(key: str, css: str = "") -> Markup:
    """A company's tag: colour and letters."""
    classes = f"ty-tag ty-{key.lower()} {css}".rstrip()
    return Markup(f'<span class="{classes}" aria-hidden="true">{key}</span>')


def ownership(view: TycoonView, company: CompanyView, seats: Any) -> Markup:
    """A bar of all shares of a company: the players', the largest first, then the bank's."""
    held = tuple((seats[seat].css, shares) for seat, shares in holders(view, company))
    return _bar(held, company.outstanding, company.pool)


@kept(512)
def _bar(held: tuple[tuple[str, int], ...], outstanding: int, pool: int) -> Markup:
    parts, at = [], 0.0
    for css, shares in held:
        width = BAR * shares / outstanding
        parts.append(f'<rect class="{css}" x="{at:.1f}" width="{max(width - 1, 1):.1f}" height="{THICK}"/>')
        at += width
    left = f'<rect class="ty-bank" x="{at:.1f}" y=".5" width="{max(BAR - at, 0):.1f}" height="{THICK - 1}"/>'
    return Markup(
        f'<svg class="ty-bar" viewBox="0 0 {BAR} {THICK}" preserveAspectRatio="none" aria-hidden="true">'
        f"{left if pool else ''}{''.join(parts)}</svg>"
    )


def holders(view: TycoonView, company: CompanyView) -> list[tuple[int, int]]:
    """The holders of a company with their shares, the largest first."""
    held = [(player.seat, player.shares.get(company.key, 0)) for player in view.players]
    return sorted((one for one in held if one[1]), key=lambda one: -one[1])


def share_of(shares: int, company: CompanyView) -> str:
    """A part of all shares, as `27.8%`."""
    tenths = round(1000 * shares / company.outstanding)
    return percent(tenths // 10) if tenths % 10 == 0 else f"{decimal(tenths / 10)}{spoken().percent}"


def office_of(company: CompanyView, seat: int | None) -> str:
    """`chairman`, `director` or nothing."""
    if seat is None:
        return ""
    return CHAIRMAN if company.chairman_seat == seat else DIRECTOR if company.director_seat == seat else ""


@kept(256)
def card(name: str, css: str = "") -> Markup:
    """A card: a price card with its sign, a special one with its name."""
    if company_of(name) is None:
        return Markup(f'<span class="ty-card ty-card--words {css}">{escape(title_of(name))}</span>')
    way = "up" if value_of(name) > 0 else "down"
    return Markup(f'<span class="ty-card ty-card--{way} {css}">{signed(value_of(name))}</span>')


class HandRow(msgspec.Struct, frozen=True):
    """The viewer's own cards of a company: `may` says what their sum allows, `is_open` whether that is a purchase."""

    company: CompanyView
    cards: tuple[str, ...]
    total: str
    may: str
    is_open: bool


def hand_rows(view: TycoonView) -> list[HandRow]:
    """The viewer's hand by company, with the sum of each and what that sum allows. (ST 4.1)"""
    own = view.player(view.seat).hand if view.seat is not None else ()
    rows = []
    for company in view.companies:
        cards = tuple(name for name in own if company_of(name) == company.key)
        is_open = (company.my_sum or 0) >= 0 or not company.was_bought
        rows.append(HandRow(company, cards, signed(company.my_sum or 0), may_buy(company), is_open))
    return rows


def may_buy(company: CompanyView) -> str:
    """What the viewer's cards of a company allow. (ST 4.1)"""
    if (company.my_sum or 0) >= 0:
        return say("You may buy it.")
    if company.was_bought:
        return say("You may not buy it: somebody has already bought it this year.")
    return say("You may buy it only as its first buyer this year; nobody has bought it yet.")


SPECIALS = {
    "loan": mark("In one of your turns this year: 100,000 that you never pay back."),
    "debenture": mark("In one of your turns, if the price of shares you hold is 0: their face value for all of them."),
    "rights": mark("In one of your turns: one new share for every two that you hold of a company, at 10 each."),
    "suspended": mark("At the end of the year: a company returns to the price it had at the end of last year."),
    "currency+": mark("At the end of the year: a tenth more cash."),
    "currency-": mark("At the end of the year: a tenth less cash."),
    BLANK: mark("It does nothing."),
}


"""What a special card does, as its owner reads it in the hand."""


def special_cards(view: TycoonView) -> list[tuple[str, str]]:
    """The viewer's special cards, each with what it does."""
    own = view.player(view.seat).hand if view.seat is not None else ()
    return [(name, say(SPECIALS[name])) for name in own if name in SPECIALS]


def line_of(key: str, place: int) -> tuple[str, str]:
    """A company's line on a chart: in its own colour, under its letters."""
    return f"ty-{key.lower()} d{place % DASHES + 1}", key


def price_course(history: Any, view: TycoonView, since: int = 0) -> Markup:
    """The price of each company from the start on; everything after year `since` is shaded, if it is set."""
    lines = [
        Line(company.key, line_of(company.key, at)[0], history.prices.get(company.key, ()), company.title)
        for at, company in enumerate(view.companies)
    ]
    title = say("Share price of each company")
    return draw_lines(history.labels, lines, "cp", title, since=str(since) if since else "")


def changed_in(company: CompanyView, year: int) -> int:
    """Dollars by which the price has moved in a year from 1 on: by dividends and buybacks, and by the cards once they
    are shown. 0 before the first year."""
    if year < 1:
        return 0
    last = company.closes[year] if year < len(company.closes) else company.price
    return last - company.closes[year - 1]


def thresholds(companies: Iterable[CompanyView]) -> tuple[int, int] | None:
    """What makes a Director and a Chairman, where it is the same for all companies."""
    pairs = {(company.for_director, company.for_chairman) for company in companies}
    return pairs.pop() if len(pairs) == 1 else None


def mode_title(view: TycoonView) -> str:
    """The name of the mode, to be translated."""
    return MODES[view.mode]


def sector_of(key: Company) -> str:
    """What a company does, to be translated."""
    return COMPANIES[key].sector


def players_in_order(view: TycoonView) -> list[int]:
    """The seats in the order of turns, then the bankrupts, the last one first."""
    return [*view.order, *(seat for seat in reversed(view.bankrupts) if seat not in view.order)]


def news_of(happened: Any) -> str:
    """What others did to companies since the reader's last decision, as `NT:bought and sold;VP:dividend`."""
    news: dict[str, list[str]] = {}
    for event in happened.events if happened else ():
        if type(event) in NEWS:
            news.setdefault(event.company, []).append(say(NEWS[type(event)]))
    return ";".join(f"{company}:{listed(dict.fromkeys(words))}" for company, words in news.items())


def news_by_company(news: str) -> dict[str, str]:
    """The words of such a text by company."""
    return dict(part.split(":", 1) for part in news.split(";") if part)


NEWS: dict[type[Event], str] = {
    events.SharesBought: mark("bought"),
    events.SharesSold: mark("sold"),
    events.RightsTaken: mark("rights taken"),
    events.DebenturePlayed: mark("debenture played"),
    events.ShortOpened: mark("sold short"),
    events.OptionBought: mark("option bought"),
    events.DividendDeclared: mark("dividend"),
    events.BuybackAnnounced: mark("buyback"),
    events.OfficeTaken: mark("new office holder"),
    events.OfficeLost: mark("office lost"),
    events.PriceMoved: mark("price moved"),
    events.ShareSuspended: mark("suspended"),
}


class OpenContract(msgspec.Struct, frozen=True):
    """A short sale or an option of this year; `gain` is what it would bring at today's price, premium included."""

    seat: int
    company: Company
    words: str
    shares: int
    entry: int
    price: int
    gain: int


def open_contracts(view: TycoonView) -> list[OpenContract]:
    """The viewer's first, then the others' in the order of turns."""
    prices = {company.key: company.price for company in view.companies}
    contracts = [
        OpenContract(
            short.seat,
            short.company,
            say("Short sale"),
            short.shares,
            short.entry,
            prices[short.company],
            short.shares * (short.entry - prices[short.company]),
        )
        for short in view.shorts
    ]
    for option in view.contracts:
        rise = prices[option.company] - option.strike
        payoff = max(0, rise if option.kind == "call" else -rise) * option.shares
        premium = thousands(option.premium)
        words = say("Call, premium {n}", n=premium) if option.kind == "call" else say("Put, premium {n}", n=premium)
        contracts.append(
            OpenContract(
                option.seat,
                option.company,
                words,
                option.shares,
                option.strike,
                prices[option.company],
                payoff - option.premium,
            )
        )
    return sorted(contracts, key=lambda one: (one.seat != view.seat, view.order.index(one.seat)))
