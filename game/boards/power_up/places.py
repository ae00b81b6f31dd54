"""Where a game of Power Up stands: in words, in an email, and as rows."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from game.boards.base import Fact, Step
from game.boards.sheets import CompanyRow, HoldingRow, Point, Rows, Sheet, plain_sheets
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
TITLES = {"place": mark("Turn order")}
"""Titles of figures whose key means something else to players: `place` is the place in turn order."""
STATES = (mark("inactive"), mark("active"))
"""The states of a company."""


def aside_of(view: PowerUpView) -> str:
    """The turn, and the actions left in it."""
    if not view.actions_left:
        return say("Turn {turn}", turn=view.turn)
    return count("Turn {turn}, {n} action left", "Turn {turn}, {n} actions left", view.actions_left, turn=view.turn)


def result_of(view: PowerUpView) -> str:
    """The heading of the final sale."""
    return say("All shares are sold.")


def order_of(view: PowerUpView) -> tuple[Step, ...]:
    """All players in the order of their start tiles. (PU 2)"""
    return tuple(Step(seat, is_now=seat == view.acting) for seat in view.order)


def goal_of(view: PowerUpView) -> str:
    """How to win, what ends the game, and how near that is. (PU 5)"""
    return say(
        "Most cash after the final sale wins. The game ends when a company has {one} tiles, or two have {two}; "
        "the largest has {largest}.",
        one=END_SIZE,
        two=END_SIZE_OF_TWO,
        largest=max(company.size for company in view.companies),
    )


def facts(view: PowerUpView, seat: int) -> tuple[Fact, ...]:
    """Cash now, and after a sale of everything."""
    player = view.player(seat)
    return (
        Fact(say("Cash"), thousands(player.cash)),
        Fact(say("Cash if the game ended now"), thousands(player.score)),
    )


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
    return tuple(
        msgspec.structs.replace(
            sheet,
            columns=tuple(
                msgspec.structs.replace(column, title=say(TITLES[column.key])) if column.key in TITLES else column
                for column in sheet.columns
            ),
        )
        for sheet in plain_sheets(view, rows, names)
    )


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
