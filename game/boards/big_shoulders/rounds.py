"""The rounds of a decade in tables: final scores, every company's values, what it sold and earned, whom it paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from game.boards.reports import Phases, all_of
from game.boards.sheets import Column, Sheet, SheetRow
from game.engine.events import Event
from game.engine.language import say, say_as
from game.rulesets.big_shoulders.company_events import (
    AssetUsed,
    DividendPaid,
    DividendReceived,
    GoodsSold,
    OperationBegun,
    Withheld,
)
from game.rulesets.big_shoulders.effects import ASSETS
from game.rulesets.big_shoulders.events import FinalScore, GoalWon, ValueMoved
from game.rulesets.big_shoulders.tables import COMPANIES, Company


def round_tables(key: str, phases: Phases, names: Sequence[str]) -> tuple[Sheet, ...]:
    """Every table that is not empty in this round."""
    return _scores(phases, names), _operations(phases, names), _dividends(phases, names), _values(phases)


def _scores(phases: Phases, names: Sequence[str]) -> Sheet:
    """The parts of each final score, the best score first. (BS 9)"""
    columns = (
        Column("cash", say("Cash")),
        Column("certificates", say("Certificates")),
        Column("goals", say("Goals")),
        Column("score", say("Score")),
    )
    goals = Counter[int]()
    for won in all_of(phases, GoalWon):
        goals[won.seat] += won.amount
    finals = sorted(all_of(phases, FinalScore), key=lambda final: -final.score)
    rows = tuple(
        SheetRow(
            f"seat_{final.seat}", names[final.seat], (final.cash, final.certificates, goals[final.seat], final.score)
        )
        for final in finals
    )
    return Sheet("scores", say("Final scores"), say("Player"), columns, rows)


def _operations(phases: Phases, names: Sequence[str]) -> Sheet:
    """What each company sold and earned, and what became of it, in the order of operations. (BS 7)"""
    columns = (
        Column("director", say("Director")),
        Column("goods", say("Goods sold")),
        Column("revenue", say("Revenue")),
        Column("dividend", say("Dividend a share")),
        Column("withheld", say_as("revenue", "Withheld")),
    )
    sales, uses = all_of(phases, GoodsSold), all_of(phases, AssetUsed)
    dividends = {event.company: event.amount for event in all_of(phases, DividendPaid)}
    withheld = {event.company: event.amount for event in all_of(phases, Withheld)}
    rows = []
    for begun in all_of(phases, OperationBegun):
        company = begun.company
        own = [sale for sale in sales if sale.company == company]
        gains = [ASSETS[use.asset].revenue for use in uses if use.company == company]
        cells = (
            names[begun.seat],
            sum(sale.goods for sale in own),
            sum(sale.amount for sale in own) + sum(gains),
            dividends.get(company),
            withheld.get(company),
        )
        rows.append(SheetRow(company, COMPANIES[company].title, cells))
    return Sheet("operations", say("Revenues"), say("Company"), columns, tuple(rows))


def earned(event: Event) -> tuple[str, int] | None:
    """What a company earned in its operation, which begins with nothing. (B-61, B-90)"""
    match event:
        case OperationBegun():
            return event.company, 0
        case GoodsSold():
            return event.company, event.amount
        case AssetUsed():
            return event.company, ASSETS[event.asset].revenue
        case _:
            return None


def _dividends(phases: Phases, names: Sequence[str]) -> Sheet:
    """What each player received from each company."""
    received: dict[Company, list[int]] = {}
    for event in all_of(phases, DividendReceived):
        received.setdefault(event.company, [0] * len(names))[event.seat] += event.amount
    columns = tuple(Column(f"seat_{seat}", name) for seat, name in enumerate(names))
    rows = tuple(SheetRow(company, COMPANIES[company].title, tuple(sums)) for company, sums in received.items())
    return Sheet("dividends", say("Dividends"), say("Company"), columns, rows)


def _values(phases: Phases) -> Sheet:
    """The value of each company before its first move and after its last. (BS 1.1)"""
    moves: dict[Company, tuple[int, int]] = {}
    for event in all_of(phases, ValueMoved):
        was, _ = moves.get(event.company, (event.was, 0))
        moves[event.company] = was, event.price
    columns = (
        Column("was", say_as("price", "From")),
        Column("now", say_as("price", "To")),
        Column("change", say("Change"), is_change=True),
    )
    rows = tuple(SheetRow(key, COMPANIES[key].title, (was, now, now - was)) for key, (was, now) in moves.items())
    return Sheet("values", say("Stock values"), say("Company"), columns, rows)
