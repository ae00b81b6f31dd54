"""The pieces of the game as they are drawn: companies, cubes, workers, goods, certificates."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from html import escape
from typing import Any

from markupsafe import Markup

from game.boards.drawing import DASHES, Line, draw_lines
from game.engine.language import kept, say
from game.rulesets.big_shoulders.tables import (
    COMPANIES,
    CUBE_TITLES,
    CUBES,
    SHARES_PER_COMPANY,
    TRADE_TITLES,
    Cube,
    Trade,
)
from game.rulesets.big_shoulders.view import CompanyView, FactoryView, ShouldersView

LETTERS: Mapping[str, str] = {
    "brunswick": "BB",
    "spalding": "SP",
    "swift": "SW",
    "fairbank": "FB",
    "henderson": "HE",
    "libby": "LB",
    "anglo": "AA",
    "cracker": "CJ",
    "doggett": "DO",
    "elgin": "EL",
}
BAR, THICK = 200, 12


@lru_cache(maxsize=64)
def tag(key: str, css: str = "") -> Markup:
    """A company's tag: colour and letters."""
    classes = f"bs-tag bs-{key} {css}".rstrip()
    return Markup(f'<span class="{classes}" aria-hidden="true">{LETTERS[key]}</span>')


def small_piece(view: Any, key: str, you: int | None) -> Markup:
    """A company's tag in a table."""
    return tag(key, "bs-tag--s")


def line_of(key: str, place: int) -> tuple[str, str]:
    """A company's line on a chart: in its own colour, under its letters."""
    return f"bs-{key} d{place % DASHES + 1}", LETTERS[key]


@kept(64)
def cube(kind: Cube, css: str = "") -> Markup:
    """A cube with the first letter of its kind."""
    title = say(CUBE_TITLES[kind])
    return Markup(f'<i class="bs-cube bs-c-{kind} {css}" title="{escape(title)}">{escape(title[0])}</i>')


def cubes(there: Mapping[Cube, int]) -> Markup:
    """A row of cubes, with their numbers in words."""
    drawn = "".join(str(cube(kind)) * there.get(kind, 0) for kind in CUBES)
    words = ", ".join(f"{say(CUBE_TITLES[kind])} {there[kind]}" for kind in CUBES if there.get(kind))
    return Markup(
        f'<span class="bs-cubes"><span aria-hidden="true">{drawn}</span><span class="vh">{escape(words)}</span></span>'
    )


def cube_letters() -> Markup:
    """Every kind of cube with its name."""
    kinds = " ".join(f'<span class="bs-kind">{cube(kind)} {escape(say(CUBE_TITLES[kind]))}</span>' for kind in CUBES)
    return Markup(f'<p class="hint bs-kinds">{kinds}</p>')


def inputs(factory: FactoryView) -> Markup:
    """The cubes that a factory uses."""
    return cubes({kind: factory.inputs.count(kind) for kind in CUBES})


def staff(factory: FactoryView) -> Markup:
    """The staff spaces: workers, automation, and free ones."""
    drawn = (
        '<i class="bs-man"></i>' * factory.workers
        + '<i class="bs-man is-auto"></i>' * factory.automated
        + '<i class="bs-man is-free"></i>' * (factory.staff - factory.workers - factory.automated)
    )
    return Markup(f'<span class="bs-staff" aria-hidden="true">{drawn}</span>')


def good_prices(company: CompanyView) -> list[tuple[int, bool]]:
    """The prices of a good by salespeople, and whether each is the one of now."""
    prices = COMPANIES[company.key].prices
    return [(price, number == company.salespeople) for number, price in enumerate(prices)]


def holders_of(view: ShouldersView, company: CompanyView) -> list[tuple[int, int]]:
    """The holders of a company with their shares, the largest first."""
    held = [(player.seat, player.shares.get(company.key, 0)) for player in view.players]
    return sorted((one for one in held if one[1]), key=lambda one: -one[1])


def shares_in(certificates: Mapping[str, int]) -> int:
    """Shares in certificates by kind."""
    units = {"D": 3, "P": 2, "C": 1}
    return sum(units[kind] * number for kind, number in certificates.items())


def shares_bar(view: ShouldersView, company: CompanyView, seats: Any) -> Markup:
    """A bar of ten shares: the players', the largest first, the bank pool's, and the treasury's."""
    held = tuple((seats[seat].css, shares) for seat, shares in holders_of(view, company))
    return _bar(held, shares_in(company.pool))


@kept(512)
def _bar(held: tuple[tuple[str, int], ...], pool: int) -> Markup:
    step, at, parts = BAR / SHARES_PER_COMPANY, 0, []
    for css, shares in (*held, ("bs-pool", pool)):
        for _ in range(shares):
            parts.append(f'<rect class="{css}" x="{at * step + 1:.0f}" width="{step - 2:.0f}" height="{THICK}"/>')
            at += 1
    parts += [
        f'<rect class="bs-left" x="{place * step + 1.5:.1f}" y=".5" width="{step - 3:.0f}" height="{THICK - 1}"/>'
        for place in range(at, SHARES_PER_COMPANY)
    ]
    return Markup(
        f'<svg class="bs-bar" viewBox="0 0 {BAR} {THICK}" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )


def trade_title(trade: Trade) -> str:
    return say(TRADE_TITLES[trade])


def values_chart(history: Any, view: ShouldersView, since: int) -> Markup:
    """The value of each company from its start on; everything after decade `since` is shaded, if it is set."""
    lines = [
        Line(LETTERS[company.key], line_of(company.key, at)[0], values, company.title)
        for at, company in enumerate(view.companies)
        if (values := [value for value in history.prices.get(company.key, ()) if value])
    ]
    return draw_lines(
        history.labels, lines, "cp", say("Stock value of each company"), since=str(since) if since else ""
    )
