"""What of Power Up is queryable: its companies, who holds their shares, and the course of prices and cash."""

from __future__ import annotations

from game.boards.sheets import CompanyRow, HoldingRow, Point, Rows
from game.engine.language import mark
from game.rulesets.power_up.view import CompanyView, PowerUpView

FIGURES = (
    mark("Size"),
    mark("Start price"),
    mark("Unsold"),
    mark("Department"),
    mark("Headquarters"),
    mark("Place"),
    mark("Start tile"),
    mark("Cash"),
    mark("Tiles"),
    mark("Hand"),
)
"""What the spreadsheet calls the figures that only this game has: it makes these words of their keys."""
STATES = (mark("inactive"), mark("active"))
"""What becomes of a company."""


def rows(view: PowerUpView) -> Rows:
    """The rows of a stranger's view. Every hand is listed, empty ones too; the Department's shares are details."""
    companies, seats = view.companies, [player.seat for player in view.players]
    return Rows(
        companies=tuple(_company(company) for company in companies),
        holdings=tuple(HoldingRow(c.key, seat, c.holdings.get(seat, 0)) for c in companies for seat in seats),
    )


def point(view: PowerUpView) -> Point:
    """Prices of all companies, inactive ones at their start price, and what each seat's cash would be."""
    players = sorted(view.players, key=lambda player: player.seat)
    return Point({company.key: company.price for company in view.companies}, tuple(player.score for player in players))


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
