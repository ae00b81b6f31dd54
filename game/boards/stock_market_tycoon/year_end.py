"""The last end of a year, step by step, and what it did to the reader. (ST 5)"""

from __future__ import annotations

from collections import Counter

import msgspec

from game.engine.language import mark, say
from game.engine.phrases import thousands
from game.rulesets.stock_market_tycoon.cards import company_of
from game.rulesets.stock_market_tycoon.state import Settlement, YearEnd
from game.rulesets.stock_market_tycoon.tables import Company
from game.rulesets.stock_market_tycoon.view import TycoonView

END_PHASES = frozenset(
    {"withhold", "reveal", "strike", "price", "suspend", "currency", "shorts", "options", "close_year"}
)
TITLES = {
    "you": mark("You"),
    "cards": mark("Cards shown"),
    "struck": mark("Struck"),
    "prices": mark("New prices"),
    "suspended": mark("Suspended"),
    "currency": mark("Currency"),
    "short": mark("Short sales"),
    "option": mark("Options"),
}
REASONS = {"currency": mark("Currency cards"), "short": mark("Short sales"), "option": mark("Options")}


class ShownCard(msgspec.Struct, frozen=True):
    """A card on the table and whose it was."""

    seat: int
    card: str
    is_struck: bool


class CompanyEnd(msgspec.Struct, frozen=True):
    """What the end of the year made of a company. `price` is the last one; `moved` the one before a suspension."""

    key: Company
    title: str
    cards: tuple[ShownCard, ...]
    is_withheld: bool
    total: int | None
    was: int
    moved: int
    price: int
    suspended_by: int | None
    held: int


class Line(msgspec.Struct, frozen=True):
    """One thing that the end of the year did to the reader."""

    text: str
    amount: int
    company: str = ""


class YearStory(msgspec.Struct, frozen=True):
    """The whole end of a year. `steps` are those that happened, with their titles; `own` is what it did to the reader,
    with the net worth before and after."""

    year: int
    steps: tuple[tuple[str, str], ...]
    companies: tuple[CompanyEnd, ...]
    settlements: tuple[Settlement, ...]
    own: tuple[Line, ...]
    was: int = 0
    now: int = 0
    is_own: bool = False


def year_story(view: TycoonView) -> YearStory | None:
    """The last end of a year, or the one that goes on; None in the first year."""
    report = view.year_end
    if report is None:
        return None
    companies = tuple(_company(view, report, company.key, company.title, company.price) for company in view.companies)
    own = _own_lines(view, report, companies)
    worth = (0, 0)
    if view.seat is not None:
        after = report.worths_after[view.seat] if report.worths_after else view.player(view.seat).score
        worth = (report.worths[view.seat], after)
    return YearStory(
        report.year,
        tuple((key, say(TITLES[key])) for key in _steps(view, report)),
        companies,
        tuple(report.settlements),
        own,
        *worth,
        is_own=view.seat is not None,
    )


def _steps(view: TycoonView, report: YearEnd) -> list[str]:
    reasons = Counter(settlement.reason for settlement in report.settlements)
    happened = {
        "you": view.seat is not None and bool(report.changes),
        "cards": True,
        "struck": bool(report.struck or report.withheld),
        "prices": bool(report.changes),
        "suspended": bool(report.suspensions),
        **{reason: reasons[reason] > 0 for reason in ("currency", "short", "option")},
    }
    return [key for key, is_there in happened.items() if is_there]


def _company(view: TycoonView, report: YearEnd, key: Company, title: str, price: int) -> CompanyEnd:
    struck = Counter((card.seat, card.card) for card in report.struck if company_of(card.card) == key)
    cards = []
    for reveal in report.shown:
        if company_of(reveal.card) == key:
            is_struck = struck[reveal.seat, reveal.card] > 0
            struck[reveal.seat, reveal.card] -= is_struck
            cards.append(ShownCard(reveal.seat, reveal.card, is_struck))
    change = next((change for change in report.changes if change.company == key), None)
    suspension = next((one for one in report.suspensions if one.company == key), None)
    was, moved = (change.was, change.price) if change else (price, price)
    return CompanyEnd(
        key,
        title,
        tuple(cards),
        key in report.withheld,
        change.total if change else None,
        was,
        moved,
        suspension.price if suspension else moved,
        suspension.seat if suspension else None,
        change.held[view.seat] if change and view.seat is not None else 0,
    )


def _own_lines(view: TycoonView, report: YearEnd, companies: tuple[CompanyEnd, ...]) -> tuple[Line, ...]:
    """The lines about the reader, the largest effects first."""
    if view.seat is None:
        return ()
    lines = [
        Line(_moved(company), company.held * (company.price - company.was), company.key)
        for company in companies
        if company.held and company.price != company.was
    ]
    paid: Counter[str] = Counter()
    for settlement in report.settlements:
        if settlement.seat == view.seat:
            paid[settlement.reason] += settlement.amount
    lines += [Line(say(REASONS[reason]), amount) for reason, amount in paid.items()]
    return tuple(sorted(lines, key=lambda line: -abs(line.amount)))


def _moved(company: CompanyEnd) -> str:
    held, was, now = map(thousands, (company.held, company.was, company.price))
    return say("{n} shares from {was} to {now}", n=held, was=was, now=now)


def is_fresh_end(view: TycoonView) -> bool:
    """True while the end of the year goes on or nobody has had a second turn since."""
    if view.year_end is None or view.phase is None:
        return view.year_end is not None
    return view.phase.name in END_PHASES or view.sub_round <= 1
