"""The spreadsheet of Sectors: companies and players with every figure that the board shows."""

from __future__ import annotations

from collections.abc import Sequence

from game.boards.rows import Rows
from game.boards.sheets import Cell, Column, Sheet, SheetRow, contracts_sheet, orders_sheet
from game.rulesets.sectors.view.shapes import CompanyView, PlayerView, SectorsView

COMPANY_COLUMNS = (
    Column("name", "Name"), Column("sector", "Sector"), Column("status", "Status"), Column("tier", "Tier"),
    Column("price", "Price", "Share price"), Column("treasury", "Treasury"),
    Column("unit_price", "Unit price", "What one unit sells for"), Column("operating_cost", "Cost", "Operating cost"),
    Column("supply", "Supply"), Column("temporary_supply", "Temp. supply", "Supply of this turn only"),
    Column("demand", "Demand"), Column("temporary_demand", "Temp. demand", "Demand of this turn only"),
    Column("throughput", "Throughput", "Distance of supply and demand"), Column("prestige", "Prestige"),
    Column("produced", "Produced", "Units made in the last production"), Column("sold", "Sold"),
    Column("revenue", "Revenue", "Of the last production"), Column("existing", "Shares", "Shares that exist"),
    Column("ipo_price", "IPO price"), Column("ipo", "IPO", "Shares left in the IPO"),
    Column("market", "Market", "Shares on the open market"), Column("aside", "Aside", "Shares set aside under shorts"),
    Column("float_needs", "To float", "Shares that must still leave the IPO"), Column("has_loan", "Loan"),
    Column("abilities", "Abilities"), Column("cards", "Cards"), Column("effects", "In force"),
)  # fmt: skip
PLAYER_COLUMNS = (
    Column("net_worth", "Net worth"), Column("priority", "Priority", "Order of play this turn"), Column("cash", "Cash"),
    Column("margin", "Margin", "Locked under shorts"), Column("shares_value", "Shares", "All shares at their price"),
    Column("certificates", "Certificates"), Column("income", "Income", "Taxed income of this turn"),
)  # fmt: skip


def sheets(view: SectorsView, rows: Rows, names: Sequence[str]) -> tuple[Sheet, ...]:
    """Companies, players, orders and contracts."""
    found = (_companies(view, names), _players(view, names))
    return (*found, orders_sheet(rows.orders, names), contracts_sheet(rows.contracts, names))


def _companies(view: SectorsView, names: Sequence[str]) -> Sheet:
    seats = tuple(Column(f"shares_{seat}", name, f"Shares of {name}") for seat, name in enumerate(names))
    return Sheet(
        "companies",
        "Companies",
        "Company",
        COMPANY_COLUMNS + seats,
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
    found = {column.key: getattr(company, column.key) for column in COMPANY_COLUMNS} | {"tier": company.tier_title}
    return tuple(", ".join(value) if isinstance(value, tuple) else value for value in found.values())


def _players(view: SectorsView, names: Sequence[str]) -> Sheet:
    held = tuple(Column(f"shares_{c.ticker}", c.ticker, f"Shares of {c.name}") for c in view.companies)
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
    return Sheet("players", "Players", "Player", PLAYER_COLUMNS + held, tuple(rows))


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
