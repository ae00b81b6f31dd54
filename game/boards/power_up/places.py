"""Where a game of Power Up stands: in words, in an email, and as rows."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from game.boards.base import Fact, Step
from game.boards.sheets import (
    Column,
    CompanyRow,
    HoldingRow,
    Point,
    Rows,
    Sheet,
    plain_sheets,
    summed,
)
from game.engine.language import count, mark, say
from game.engine.phrases import thousands
from game.rulesets.power_up.tables import END_SIZE, END_SIZE_OF_TWO
from game.rulesets.power_up.view import CompanyView, PowerUpView

FIGURES = (
    mark("Size"),
    mark("Start price"),
    mark("Unsold"),
    mark("Department"),
    mark("Headquarters"),
    mark("Start tile"),
    mark("Cash"),
    mark("Tiles"),
    mark("Hand"),
)
"""Titles in the spreadsheet of the figures that only this game has."""
TITLES = {
    "place": mark("Turn order"),
    "size": mark("Tiles"),
    "unsold": mark("Left"),
    "score": mark("Cash if the game ended now"),
}
"""Titles of figures whose key means something else to players: `place` is the place in turn order."""
FURTHER = ("name", "status", "start_price", "headquarters")
PRIVATE = frozenset({"hand", "start_tile"})
STATES = (mark("inactive"), mark("active"))
"""The states of a company."""


def aside_of(view: PowerUpView) -> str:
    """The turn, and the actions left in it; at its beginning, that they were rolled."""
    if not view.actions_left:
        return say("Turn {turn}", turn=view.turn)
    if view.actions_left == view.rolled:
        return say("Turn {turn}, {n} actions rolled", turn=view.turn, n=view.rolled)
    return count("Turn {turn}, {n} action left", "Turn {turn}, {n} actions left", view.actions_left, turn=view.turn)


def result_of(view: PowerUpView) -> str:
    """The heading of the final sale."""
    return say("All shares are sold.")


def order_of(view: PowerUpView) -> tuple[Step, ...]:
    """All players in the order of their start tiles. (PU 2)"""
    return tuple(Step(seat, is_now=seat == view.acting) for seat in view.order)


def score_means(view: PowerUpView) -> str:
    """What the final score is made of."""
    return say("Cash is counted after all shares are sold and their bonuses are paid.")


def goal_of(view: PowerUpView) -> str:
    """How to win, what ends the game, and how near that is. (PU 5)"""
    return say(
        "Most cash after the final sale wins. The game ends when a company has {one} tiles, or two have {two}; "
        "the largest now has {largest} tiles.",
        one=END_SIZE,
        two=END_SIZE_OF_TWO,
        largest=max(company.size for company in view.companies),
    )


def facts(view: PowerUpView, seat: int) -> tuple[Fact, ...]:
    """Cash now, and after a sale of everything; the same once the game is over."""
    player = view.player(seat)
    cash = Fact(say("Cash"), thousands(player.cash))
    if view.phase is None:
        return (cash,)
    return (cash, Fact(say("Cash if the game ended now"), thousands(player.score)))


def holdings(view: PowerUpView, seat: int) -> tuple[Fact, ...]:
    """Shares with their prices, by company."""
    held = view.player(seat).shares.items()
    companies = ((view.company(key), count) for key, count in held if count)
    return tuple(
        Fact(company.title, say("{n} at {price}", n=count, price=thousands(company.price)))
        for company, count in companies
    )


def rows(view: PowerUpView) -> Rows:
    """The rows of a stranger's view. Every hand is listed, empty ones too; the Department's shares are details."""
    companies, seats = view.companies, [player.seat for player in view.players]
    return Rows(
        companies=tuple(_company(company) for company in companies),
        holdings=tuple(HoldingRow(c.key, seat, c.holdings.get(seat, 0)) for c in companies for seat in seats),
    )


def point(view: PowerUpView) -> Point:
    """Prices of all companies, inactive ones at their start price, and each seat's cash after a sale of everything."""
    players = sorted(view.players, key=lambda player: player.seat)
    return Point({company.key: company.price for company in view.companies}, tuple(player.score for player in players))


def sheets(view: PowerUpView, rows: Rows, names: Sequence[str]) -> tuple[Sheet, ...]:
    """The tables of the spreadsheet."""
    companies, players, *rest = plain_sheets(view, rows, names)
    return _companies(companies), _players(players), *rest


def _companies(sheet: Sheet) -> Sheet:
    """The table of companies: price and its change first, then holdings, then the rest."""
    cells = {row.key: dict(zip((column.key for column in sheet.columns), row.cells, strict=True)) for row in sheet.rows}
    by_key = {column.key: column for column in sheet.columns}
    held = tuple(column for column in sheet.columns if column.seat is not None)
    columns = (
        *(_titled(by_key[key], group=say("Company")) for key in ("size", "price", "change") if key in by_key),
        *held,
        *(_titled(by_key[key], group=say("Shares")) for key in ("department", "unsold")),
        *(msgspec.structs.replace(by_key[key], is_further=True) for key in FURTHER if key in by_key),
    )
    sheet_rows = tuple(
        msgspec.structs.replace(
            row, title=str(cells[row.key]["name"]), cells=tuple(cells[row.key][column.key] for column in columns)
        )
        for row in sheet.rows
    )
    totals = summed(sheet_rows, columns, frozenset({"size", "department", "unsold", *(column.key for column in held)}))
    return msgspec.structs.replace(sheet, columns=columns, rows=sheet_rows, totals=totals, totals_title=say("Total"))


def _titled(column: Column, *, group: str) -> Column:
    return msgspec.structs.replace(column, title=say(TITLES.get(column.key, column.title)), group=group)


def _players(sheet: Sheet) -> Sheet:
    """The table of players; the score is each player's cash after a sale of everything."""
    columns = [
        msgspec.structs.replace(
            column,
            title=say(TITLES.get(column.key, column.title)),
            is_further=column.is_further or column.key in PRIVATE,
        )
        for column in sheet.columns
    ]
    return msgspec.structs.replace(sheet, columns=tuple(columns))


def _company(company: CompanyView) -> CompanyRow:
    return CompanyRow(
        key=company.key,
        name=company.title,
        group="",
        status=STATES[company.is_active],
        price=company.price,
        details={
            "size": company.size,
            "start_price": company.start_price,
            "unsold": company.unsold,
            "department": company.doe,
            "headquarters": company.headquarters,
        },
    )
