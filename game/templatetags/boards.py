"""The drawn parts of the board: phase rail, price ladder, and a company's shares and units."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from game.engine.language import count, kept, mark, mark_as, say, say_as
from game.templatetags.figures import Way
from game.templatetags.marks import token_html, your_seat

register = template.Library()

Chart = Sequence[tuple[int, Sequence[int]]]
RAIL_WORDS = {
    "now": mark_as("phase", "now"),
    "todo": mark_as("phase", "to come"),
    "done": mark_as("phase", "done"),
    "skip": mark_as("phase", "not played this turn"),
}
SMALLEST_ROUND = 4  # in phases, so that the name of a short round fits


@register.simple_tag
def rail(rounds: Sequence[Any]) -> SafeString:
    """All phases of the turn: a tall mark waits for players, a hatched one is not played."""
    return SafeString("".join(rail_round(entry) for entry in rounds))


def rail_round(entry: Any) -> str:
    states = [phase.state for phase in entry.phases]
    here = entry.phases[states.index("now")].number if entry.state == "now" else ""
    current = ' aria-current="step"' if here else ""
    marks = "".join(rail_phase(phase) for phase in entry.phases)
    return (
        f'<li class="rail-g rail-g--{entry.state} n{max(len(states), SMALLEST_ROUND)}"{current}>'
        f'<span class="rail-name">{escape(say(entry.title))}</span><span '
        f'class="rail-sub">{round_words(entry.state, len(states), here)}</span>'
        f"<ol>{marks}</ol></li>"
    )


@kept(1024)
def rail_phase(phase: Any) -> str:
    named = say("Phase {number}, {title}", number=escape(phase.number), title=escape(say(phase.title)))
    said = f"{named}: {say_as('phase', RAIL_WORDS[phase.state])}"
    waits = " rail-p--waits" if phase.waits else ""
    return f'<li class="rail-p rail-p--{phase.state}{waits}" title="{said}"><span class="vh">{said}</span></li>'


def round_words(state: str, phases: int, here: str) -> str:
    """The progress of a round; the open phase by its rule number."""
    if here:
        return say("phase {number}", number=escape(here))
    if state == "todo":
        return count("{n} phase", "{n} phases", phases)
    return say_as("phase", "done" if state == "done" else "not this turn")


@register.simple_tag(takes_context=True)
def ladder(context: Context, companies: Sequence[Any]) -> SafeString:
    """The price chart: a row per tier, a box per price, a piece per company, and the filled slots below it."""
    you, at = your_seat(context), defaultdict(list)
    for company in companies:
        if company.status != "bankrupt":
            at[company.price].append(company)
    return draw_ladder(context["view"].chart, at, you)


def draw_ladder(chart: Chart, at: Mapping[int, Sequence[Any]], you: int | None) -> SafeString:
    """The whole chart, with the companies at each price."""
    return SafeString("".join(tier(number, slots, prices, at, you) for number, (slots, prices) in enumerate(chart, 1)))


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
    said = "; ".join(
        count(
            "{company}, {filled} of {n} slot filled",
            "{company}, {filled} of {n} slots filled",
            slots,
            company=escape(company.name),
            filled=company.filled,
        )
        for company in here
    )
    return f'<li class="step step--on"><span class="price">{price}</span><span class="vh">: {said}</span>{pieces}</li>'


@lru_cache(maxsize=512)
def empty_step(price: int, slots: int) -> str:
    return f'<li class="step"><span class="price">{price}</span>{notches(slots, 0)}</li>'


def notches(slots: int, filled: int) -> str:
    return f'<span class="notches" aria-hidden="true">{"<i class=f></i>" * filled}{"<i></i>" * (slots - filled)}</span>'


@register.simple_tag(takes_context=True)
def pips(context: Context, company: Any) -> SafeString:
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
    return SafeString(f'<span class="pips" role="img" aria-label="{existing}: {", ".join(words)}">{drawn}</span>')


MOST_WIDE, MOST_DRAWN = 8, 20  # units at full width, and in total; the number is shown beside them


def units(company: Any, way: Way) -> str:
    """Supply as squares, demand as discs, and the gap between them."""
    thin = " u--thin" if max(company.supply, company.demand) > MOST_WIDE else ""
    gap = max(company.supply - company.demand, 0)
    supply = row_of(company.supply, f"u--s{thin}")
    demand = row_of(company.demand, f"u--d{thin}") + row_of(gap, f"u--gap{thin}")
    made = way.of("supply", company.ticker, company.supply)
    wanted = way.of("demand", company.ticker, company.demand)
    return (
        f'<span class="sd-r"><span class="sd-l">{say("Supply")}</span>{supply}<b>{made}</b></span>'
        f'<span class="sd-r"><span class="sd-l">{say("Demand")}</span>{demand}<b>{wanted}</b></span>'
    )


def row_of(count: int, css: str) -> str:
    return f'<i class="u {css}"></i>' * min(count, MOST_DRAWN)
