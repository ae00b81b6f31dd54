"""The spreadsheet of Sectors: companies and players with every figure that the board shows."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from game.boards.sheets import (
    Cell,
    Column,
    Group,
    OrderRow,
    Point,
    Rows,
    Sheet,
    SheetRow,
    change_of,
    contracts_sheet,
    orders_sheet,
    shares_column,
    summed,
)
from game.engine.language import mark, mark_as, say, say_as
from game.rulesets.sectors import causes
from game.rulesets.sectors.state import LIMIT_ORDER, OPEN, OPTION_ORDER
from game.rulesets.sectors.view.shapes import CompanyView, PlayerView, SectorsView, SectorView

STOCK, SHARES, OFFER, PRODUCTION, MONEY = (
    mark("Stock"),
    mark("Shares"),
    mark("On offer"),
    mark("Production"),
    mark("Money"),
)
STANDINGS = {
    "inactive": mark("not floated"),
    "active": mark("floated"),
    "insolvent": mark("insolvent"),
    "bankrupt": mark("bankrupt"),
}
BEFORE_SHARES = (
    Column("price", mark("Price"), mark("Share price"), STOCK),
    Column("change", mark("Change"), mark("Change in price this turn"), STOCK, is_change=True),
)
AFTER_SHARES = (
    Column("market", mark("Market"), mark("Shares on the open market"), OFFER),
    Column("ipo", mark("IPO"), mark("Shares left in the IPO"), OFFER),
    Column("ipo_price", mark("IPO price"), group=OFFER),
    Column("tier", mark("Tier"), group=PRODUCTION),
    Column("unit_price", mark("Unit price"), mark("What one unit sells for"), PRODUCTION),
    Column("supply", mark("Supply"), group=PRODUCTION),
    Column("demand", mark("Demand"), group=PRODUCTION),
    Column("throughput", mark("Gap"), mark("Gap between supply and demand"), PRODUCTION),
    Column("treasury", mark("Treasury"), group=MONEY),
    Column("operating_cost", mark("Cost"), mark("Operating cost"), MONEY),
    Column("prestige", mark("Prestige"), group=MONEY),
    Column("name", mark("Name"), is_further=True),
    Column("sector", mark("Sector"), is_further=True),
    Column("status", mark("Status"), words=STANDINGS, is_further=True),
    Column("temporary_supply", mark("Extra supply"), mark("Supply of this turn only"), is_further=True),
    Column("temporary_demand", mark("Extra demand"), mark("Demand of this turn only"), is_further=True),
    Column("produced", mark("Produced"), mark("Units made in the last production"), is_further=True),
    Column("sold", mark("Sold"), is_further=True),
    Column("revenue", mark("Revenue"), mark("From the last production"), is_further=True),
    Column("existing", mark("All shares"), mark("Shares that exist"), is_further=True),
    Column("aside", mark("Set aside"), mark("Shares set aside for shorts"), is_further=True),
    Column("float_needs", mark("To float"), mark("IPO shares that must still be sold"), is_further=True),
    Column("has_loan", mark("Loan"), is_further=True),
    Column("abilities", mark("Abilities"), is_further=True),
    Column("cards", mark("Cards"), is_further=True),
    Column("effects", mark("In effect"), is_further=True),
)
SUMMED = frozenset({"market", "ipo", "supply", "demand", "treasury", "operating_cost", "prestige"})
PLAYER_COLUMNS = (
    Column("priority", mark("Priority"), mark("Order of play this turn")),
    Column("cash", mark("Cash")),
    Column("shares_value", mark("Shares at their price"), mark("All shares at their price")),
    Column("margin", mark("Margin"), mark("Locked for shorts")),
    Column("net_worth", mark("Net worth")),
    Column("change", mark("During this turn"), mark("How much the net worth has changed this turn"), is_change=True),
    Column("certificates", mark("Certificates")),
    Column("income", mark("Income"), mark("Taxed income of this turn")),
)

BOUGHT = (OPTION_ORDER, OPEN)
"""Kind and status of an order by which a contract was bought; it stays until the contract ends."""
ORDER_WORDS = {
    "status": {
        "pending": mark_as("status of an order", "waiting"),
        "open": mark_as("status of an order", "open"),
        "filled_pending_settlement": mark_as("status of an order", "filled, not settled yet"),
        "bought": mark_as("status of an order", "bought"),
        "filled": mark_as("status of an order", "filled"),
        "rejected": mark_as("status of an order", "rejected"),
        "lapsed": mark_as("status of an order", "open to the end"),
    },
    "kind": {
        "market": mark_as("kind of an order", "market"),
        "limit": mark_as("kind of an order", "limit"),
        "short": mark_as("kind of an order", "short"),
        "option": mark_as("kind of an order", "option"),
    },
    "side": {"buy": mark_as("side of an order", "buy"), "sell": mark_as("side of an order", "sell")},
    "location": {
        "ipo": mark_as("location of an order", "IPO"),
        "market": mark_as("location of an order", "open market"),
        "derivatives": mark_as("location of an order", "derivatives market"),
    },
}
"""The keys that stand in cells of orders, by column."""
CONTEXTS = {column: f"{column} of an order" for column in ORDER_WORDS}

DETAILS = (mark("Location"), mark("Turns left"))
TITLES = {"sub_round": mark("Sub-round")}
"""What stands over the columns that only this game has, as `boards.sheets` makes it of their keys."""


def sheets(view: SectorsView, rows: Rows, names: Sequence[str]) -> tuple[Sheet, ...]:
    """Companies, players, the table, orders and contracts."""
    orders = orders_sheet([_order(order, is_over=view.phase is None) for order in rows.orders], names)
    columns = tuple(_column_of_orders(column) for column in orders.columns)
    return (
        _companies(view, rows.opening, names),
        _players(view, rows.opening, names),
        _table(view),
        msgspec.structs.replace(orders, columns=columns),
        contracts_sheet(rows.contracts, names),
    )


def _order(order: OrderRow, *, is_over: bool) -> OrderRow:
    """The row of an order: a bought contract gets its own status and price, a limit order that never filled its own
    status once the game is over, and the reason is in words."""
    is_bought = (order.kind, order.status) == BOUGHT
    has_lapsed = is_over and order.kind == LIMIT_ORDER and order.status == OPEN
    return msgspec.structs.replace(
        order,
        status="bought" if is_bought else "lapsed" if has_lapsed else order.status,
        price=order.details.get("paid") if is_bought else order.price,
        reason=causes.cause_words(order.reason),
    )


def _column_of_orders(column: Column) -> Column:
    words = {key: say_as(CONTEXTS[column.key], text) for key, text in ORDER_WORDS.get(column.key, {}).items()}
    title = say(TITLES[column.key]) if column.key in TITLES else column.title
    title = say_as("turn", "Turn") if column.key == "turn" else title
    return msgspec.structs.replace(column, title=title, words=words)


def _companies(view: SectorsView, opening: Point | None, names: Sequence[str]) -> Sheet:
    seats = tuple(shares_column(seat, name, view.seat, say(SHARES)) for seat, name in enumerate(names))
    columns = (*_in_words(BEFORE_SHARES), *seats, *_in_words(AFTER_SHARES))
    sectors = {"sector": {sector.key: say(sector.title) for sector in view.sectors}}
    columns = tuple(msgspec.structs.replace(c, words=sectors.get(c.key, c.words)) for c in columns)
    rows = tuple(
        SheetRow(
            company.ticker,
            company.ticker,
            tuple(_cell(company, column, opening) for column in columns),
            title=company.name,
            group=company.sector,
        )
        for company in view.companies
    )
    summed_keys = SUMMED | {column.key for column in seats}
    return Sheet(
        "companies",
        say("Companies"),
        say("Company"),
        columns,
        rows,
        groups=tuple(Group(sector.key, say(sector.title), _sector_note(sector)) for sector in view.sectors),
        totals=summed(rows, columns, summed_keys),
        totals_title=say("Total; certificate limit {limit}", limit=view.certificate_limit),
    )


def _sector_note(sector: SectorView) -> str:
    return say(
        "priority {priority}, demand {demand}, {consumers} waiting",
        priority=sector.priority,
        demand=sector.demand,
        consumers=sector.consumers,
    )


def _cell(company: CompanyView, column: Column, opening: Point | None) -> Cell:
    if column.seat is not None:
        return company.holdings.get(column.seat, 0)
    if column.key == "change":
        return change_of(company.price, opening.prices.get(company.ticker)) if opening else None
    if column.key == "tier":
        return say(company.tier_title)
    value = getattr(company, column.key)
    return ", ".join(map(say, value)) if isinstance(value, tuple) else value


def _in_words(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    return tuple(
        msgspec.structs.replace(
            column,
            title=say(column.title),
            hint=say(column.hint),
            group=say(column.group),
            words={key: say(text) for key, text in column.words.items()},
        )
        for column in columns
    )


def _players(view: SectorsView, opening: Point | None, names: Sequence[str]) -> Sheet:
    held = tuple(
        Column(f"shares_{c.ticker}", c.ticker, say("Shares of {name}", name=c.name), is_further=True)
        for c in view.companies
    )
    players = sorted(view.players, key=lambda player: player.seat)
    rows = (
        SheetRow(
            str(player.seat),
            names[player.seat],
            (
                *_player(view, player, opening),
                *(player.holdings.get(company.ticker, 0) for company in view.companies),
            ),
            player.seat,
        )
        for player in players
    )
    return Sheet("players", say("Players"), say("Player"), (*_in_words(PLAYER_COLUMNS), *held), tuple(rows))


def _player(view: SectorsView, player: PlayerView, opening: Point | None) -> tuple[Cell, ...]:
    return (
        player.priority,
        player.cash,
        sum(company.price * player.holdings.get(company.ticker, 0) for company in view.companies),
        player.margin,
        player.net_worth,
        change_of(player.net_worth, opening.worth[player.seat]) if opening else None,
        player.certificates,
        player.income,
    )


def _table(view: SectorsView) -> Sheet:
    """The table of figures that belong to nobody, and of the end of the game."""
    figures = (
        (Column("bank", say("Bank")), view.bank),
        (Column("pool", say("Consumers in the pool")), view.pool),
        (Column("consumers_in_sectors", say("Consumers in sectors")), sum(sector.consumers for sector in view.sectors)),
        (Column("economy", say("Economy score")), view.economy),
        (Column("deck_left", say("Research cards left")), view.deck_left),
        (Column("max_turns", say("Last turn")), view.turn if view.bank_broke else view.max_turns),
    )
    columns, cells = zip(*figures, strict=True)
    return Sheet("table", say("The table"), say("The table"), columns, (SheetRow("table", "", cells),), is_facts=True)
