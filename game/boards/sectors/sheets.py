"""The spreadsheet of Sectors: companies and players with every figure that the board shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from game.boards.sheets import Cell, Column, OrderRow, Rows, Sheet, SheetRow, contracts_sheet, orders_sheet
from game.engine.language import mark, mark_as, say, say_as
from game.rulesets.sectors import causes
from game.rulesets.sectors.state import OPEN, OPTION_ORDER
from game.rulesets.sectors.view.shapes import CompanyView, PlayerView, SectorsView

COMPANY_COLUMNS = (
    Column("name", mark("Name")),
    Column("sector", mark("Sector")),
    Column("status", mark("Status")),
    Column("tier", mark("Tier")),
    Column("price", mark("Price"), mark("Share price")),
    Column("treasury", mark("Treasury")),
    Column("unit_price", mark("Unit price"), mark("What one unit sells for")),
    Column("operating_cost", mark("Cost"), mark("Operating cost")),
    Column("supply", mark("Supply")),
    Column("temporary_supply", mark("Temp. supply"), mark("Supply of this turn only")),
    Column("demand", mark("Demand")),
    Column("temporary_demand", mark("Temp. demand"), mark("Demand of this turn only")),
    Column("throughput", mark("Throughput"), mark("Distance of supply and demand")),
    Column("prestige", mark("Prestige")),
    Column("produced", mark("Produced"), mark("Units made in the last production")),
    Column("sold", mark("Sold")),
    Column("revenue", mark("Revenue"), mark("Of the last production")),
    Column("existing", mark("Shares"), mark("Shares that exist")),
    Column("ipo_price", mark("IPO price")),
    Column("ipo", mark("IPO"), mark("Shares left in the IPO")),
    Column("market", mark("Market"), mark("Shares on the open market")),
    Column("aside", mark("Aside"), mark("Shares set aside under shorts")),
    Column("float_needs", mark("To float"), mark("Shares that must still leave the IPO")),
    Column("has_loan", mark("Loan")),
    Column("abilities", mark("Abilities")),
    Column("cards", mark("Cards")),
    Column("effects", mark("In force")),
)
PLAYER_COLUMNS = (
    Column("net_worth", mark("Net worth")),
    Column("priority", mark("Priority"), mark("Order of play this turn")),
    Column("cash", mark("Cash")),
    Column("margin", mark("Margin"), mark("Locked under shorts")),
    Column("shares_value", mark("Share value"), mark("All shares at their price")),
    Column("certificates", mark("Certificates")),
    Column("income", mark("Income"), mark("Taxed income of this turn")),
)

WORDS = (
    *(mark("inactive"), mark("active"), mark("insolvent"), mark("bankrupt")),
    *(mark("defensive"), mark("healthcare"), mark("materials"), mark("energy")),
    *(mark("industrial"), mark("cyclical"), mark("technology")),
)
"""Texts of the keys in cells: the status of a company, and its sector."""

BOUGHT = (OPTION_ORDER, OPEN)
"""Kind and status of the order that bought a contract; it is stored until the contract ends."""
ORDER_WORDS = (
    mark_as("status of an order", "pending"),
    mark_as("status of an order", "open"),
    mark_as("status of an order", "filled_pending_settlement"),
    mark_as("status of an order", "bought"),
    mark_as("status of an order", "filled"),
    mark_as("status of an order", "rejected"),
    mark_as("kind of an order", "market"),
    mark_as("kind of an order", "limit"),
    mark_as("kind of an order", "short"),
    mark_as("kind of an order", "option"),
    mark_as("side of an order", "buy"),
    mark_as("side of an order", "sell"),
    mark_as("location of an order", "ipo"),
    mark_as("location of an order", "market"),
    mark_as("location of an order", "derivatives"),
)
"""Texts of an order's keys."""

DETAILS = (mark("Location"), mark("Sub round"), mark("Turns left"))
"""Titles of the columns that only this game has, as `boards.sheets` derives them from the keys."""


def sheets(view: SectorsView, rows: Rows, names: Sequence[str]) -> tuple[Sheet, ...]:
    """Companies, players, orders and contracts."""
    sheets = (_companies(view, names), _players(view, names))
    orders = [_order_in_words(order) for order in rows.orders]
    return (*sheets, orders_sheet(orders, names), contracts_sheet(rows.contracts, names))


def _order_in_words(order: OrderRow) -> OrderRow:
    """An order with its texts in the current language."""
    location = {"location": say_as("location of an order", order.details.get("location") or "")}
    is_bought = (order.kind, order.status) == BOUGHT
    return msgspec.structs.replace(
        order,
        status=say_as("status of an order", "bought" if is_bought else order.status),
        price=order.details.get("paid") if is_bought else order.price,
        kind=order.kind and say_as("kind of an order", order.kind),
        side=order.side and say_as("side of an order", order.side),
        reason=causes.cause_words(order.reason),
        details=order.details | location if "location" in order.details else order.details,
    )


def _companies(view: SectorsView, names: Sequence[str]) -> Sheet:
    seats = tuple(Column(f"shares_{seat}", name, say("Shares of {name}", name=name)) for seat, name in enumerate(names))
    return Sheet(
        "companies",
        say("Companies"),
        say("Company"),
        _columns_in_words(COMPANY_COLUMNS) + seats,
        tuple(
            SheetRow(
                company.ticker,
                company.ticker,
                (*_company(company), *(company.holdings.get(seat, 0) for seat in range(len(names)))),
            )
            for company in view.companies
        ),
    )


def _company(company: CompanyView) -> tuple[Cell, ...]:
    values = {column.key: getattr(company, column.key) for column in COMPANY_COLUMNS} | {"tier": company.tier_title}
    return tuple(value if key == "name" else _cell(value) for key, value in values.items())


def _cell(value: Any) -> Cell:
    if isinstance(value, tuple):
        return ", ".join(map(say, value))
    return say(value) if isinstance(value, str) else value


def _columns_in_words(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    return tuple(Column(column.key, say(column.title), say(column.hint)) for column in columns)


def _players(view: SectorsView, names: Sequence[str]) -> Sheet:
    held = tuple(Column(f"shares_{c.ticker}", c.ticker, say("Shares of {name}", name=c.name)) for c in view.companies)
    players = sorted(view.players, key=lambda player: player.seat)
    rows = (
        SheetRow(
            str(player.seat),
            names[player.seat],
            (*_player(view, player), *(player.holdings.get(company.ticker, 0) for company in view.companies)),
            player.seat,
        )
        for player in players
    )
    return Sheet("players", say("Players"), say("Player"), _columns_in_words(PLAYER_COLUMNS) + held, tuple(rows))


def _player(view: SectorsView, player: PlayerView) -> tuple[Cell, ...]:
    value = sum(company.price * player.holdings.get(company.ticker, 0) for company in view.companies)
    return (
        player.net_worth,
        player.priority,
        player.cash,
        player.margin,
        value,
        player.certificates,
        player.income,
    )
