"""What a stranger sees, as rows: columns for the database that every game shares, and the tables of the spreadsheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from game.engine.events import Event
from game.engine.language import mark, say


class CompanyRow(msgspec.Struct, frozen=True):
    """A company; money in whole dollars. `group` is the game's category of companies; `details` are columns that only
    this game has."""

    key: str
    name: str
    group: str
    status: str
    price: int
    treasury: int | None = None
    details: dict[str, Any] = {}


class HoldingRow(msgspec.Struct, frozen=True):
    """Shares of one company in one hand."""

    company: str
    seat: int
    shares: int


class OrderRow(msgspec.Struct, frozen=True):
    """An order as a stranger sees it; sealed values are None."""

    number: int
    seat: int
    company: str
    turn: int
    status: str
    kind: str | None = None
    side: str | None = None
    quantity: int | None = None
    price: int | None = None
    reason: str = ""
    details: dict[str, Any] = {}


class ContractRow(msgspec.Struct, frozen=True):
    """A contract between the bank and at most one owner."""

    number: int
    company: str
    shares: int
    owner: int | None = None
    details: dict[str, Any] = {}
    is_gone: bool = False


class PriceMark(msgspec.Struct, frozen=True):
    """A mark of the reader's own on the price chart: its company, its price and its text."""

    company: str
    price: int
    text: str


class Point(msgspec.Struct, frozen=True):
    """A moment of a game's course: prices by company, and scores by seat. `turn` is the turn it counts for, where the
    open phase alone does not say it."""

    prices: dict[str, int]
    worth: tuple[int, ...]
    turn: int | None = None


class PriceWords(msgspec.Struct, frozen=True):
    """The players' words for the price of a share: over a chart of all companies, in a sentence about one, over a
    column."""

    title: str = mark("Share prices")
    of_each: str = mark("Share price of each company")
    of_company: str = mark("the price of {company}")
    column: str = mark("Price")


class Earnings(msgspec.Struct, frozen=True):
    """What companies earn in a turn: its name, the name of its chart, and an event -> the company and what it earned
    with that."""

    title: str
    of_each: str
    of_event: Callable[[Event], tuple[str, int] | None]


class Rows(msgspec.Struct, frozen=True):
    """Everything queryable in one position. Rows that a board no longer lists stay in the database: companies and
    orders unchanged, hands with no shares, contracts marked as gone."""

    companies: tuple[CompanyRow, ...] = ()
    holdings: tuple[HoldingRow, ...] = ()
    orders: tuple[OrderRow, ...] = ()
    contracts: tuple[ContractRow, ...] = ()
    opening: Point | None = None  # where the turn began, if that is known


def no_marks(view: Any, requests: Sequence[Mapping[str, Any]]) -> tuple[PriceMark, ...]:
    """Default for a game without orders."""
    return ()


def no_rows(view: Any) -> Rows:
    """Default for a game without companies, orders or contracts."""
    return Rows()


def scores_only(view: Any) -> Point:
    """Default for a game of which only the scores are known."""
    return Point({}, tuple(player.score for player in sorted(view.players, key=lambda player: player.seat)))


Cell = int | str | bool | None
MOST_NARROW, MOST_TEXTS, MOST_LETTERS = 4, 2, 48
"""Of a table that fits a phone: columns, those of them that contain words, and the letters of a cell."""
COMMON = ("name", "group", "status", "price", "treasury")  # what the rows of every game's companies may have
NOT_FIGURES = frozenset({"seat", "is_you", "state", "score"})
TITLES = {
    "name": mark("Name"),
    "group": mark("Group"),
    "status": mark("Status"),
    "price": mark("Price"),
    "treasury": mark("Treasury"),
    "company": mark("Company"),
    "turn": mark("Turn"),
    "kind": mark("Kind"),
    "side": mark("Side"),
    "quantity": mark("Quantity"),
    "reason": mark("Reason"),
}
"""Titles of the columns that every game has; other columns are named by their keys."""


class Column(msgspec.Struct, frozen=True):
    """A column: its key in exports, its heading, and the tooltip of the heading.

    A figure whose key the rules can break down, or which is an account of the ledger, is explained on a page of its
    own. On the page `group` is a heading over adjacent columns, `seat` is the player whose badge is the heading,
    `words` translate cells that hold keys, `is_change` signs its figures, and a `further` column is in a table of its
    own below."""

    key: str
    title: str
    hint: str = ""
    group: str = ""
    seat: int | None = None
    words: Mapping[str, str] = {}
    is_change: bool = False
    is_further: bool = False


class SheetRow(msgspec.Struct, frozen=True):
    """A row: what it is about, under the first column, and a cell for each further column. `seat` is a player's; `tone`
    says whether the outcome in it is good, bad or neutral; `title` is what the page prints for `name`, and `group` is
    the key of the group it stands in."""

    key: str
    name: str
    cells: tuple[Cell, ...]
    seat: int | None = None
    tone: str = ""
    title: str = ""
    group: str = ""


class Group(msgspec.Struct, frozen=True):
    """A heading over rows that belong together."""

    key: str
    title: str
    note: str = ""


class Sheet(msgspec.Struct, frozen=True):
    """One table. `subject` heads its first column, whose key in exports is `key_name`.

    `moment` is the number of the phase at whose beginning its figures of companies or players stood; 0 for the present,
    or where there was no single moment. `groups` are in the order of the rows; `totals` has a cell for each column. A
    table that `is_facts` has one row and is printed as a line."""

    key: str
    title: str
    subject: str
    columns: tuple[Column, ...]
    rows: tuple[SheetRow, ...]
    moment: int = 0
    groups: tuple[Group, ...] = ()
    totals: tuple[Cell, ...] = ()
    totals_title: str = ""
    is_facts: bool = False

    @property
    def is_broad(self) -> bool:
        """True if it needs the width of a page, and on a phone a line for each cell."""
        longest = max((len(cell) for row in self.rows for cell in row.cells if isinstance(cell, str)), default=0)
        return len(self.columns) > MOST_NARROW or sum(self.words) > MOST_TEXTS or longest > MOST_LETTERS

    @property
    def words(self) -> tuple[bool, ...]:
        """Whether each column contains words."""
        return tuple(any(isinstance(row.cells[at], str) for row in self.rows) for at in range(len(self.columns)))


def first_columns(sheet: Sheet) -> Sheet:
    """The table without further columns and without empty ones."""
    places = [
        at
        for at, column in enumerate(sheet.columns)
        if not column.is_further and any(row.cells[at] not in (None, "") for row in sheet.rows)
    ]
    rows = (msgspec.structs.replace(row, cells=tuple(row.cells[at] for at in places)) for row in sheet.rows)
    return msgspec.structs.replace(sheet, columns=tuple(sheet.columns[at] for at in places), rows=tuple(rows))


def plain_sheets(view: Any, rows: Rows, names: Sequence[str]) -> tuple[Sheet, ...]:
    """The tables of a game of which only its rows and its players' figures are known."""
    return tuple(
        sheet
        for sheet in (
            companies_sheet(view, rows, names),
            players_sheet(view, rows, names),
            orders_sheet(rows.orders, names),
            contracts_sheet(rows.contracts, names),
        )
        if sheet.rows
    )


def shares_column(seat: int, name: str, reader: int | None, group: str = "") -> Column:
    """A player's shares of each company; `reader` is the seat of who reads it."""
    hint = say("Your shares") if seat == reader else say("Shares of {name}", name=name)
    return Column(f"shares_{seat}", name, hint, group, seat)


def companies_sheet(view: Any, rows: Rows, names: Sequence[str]) -> Sheet:
    """One row per company: the columns of every game, what has changed in this turn, everybody's shares, and this
    game's details."""
    details = _keys(company.details for company in rows.companies)
    common = [name for name in COMMON if any(getattr(company, name) not in (None, "") for company in rows.companies)]
    held = {(holding.company, holding.seat): holding.shares for holding in rows.holdings}
    shares = tuple(shares_column(seat, name, view.seat, say("Shares")) for seat, name in enumerate(names))
    opening = rows.opening
    until_price = common.index("price") + 1 if "price" in common else 0
    before, after = common[:until_price], common[until_price:]
    columns = (
        *map(_column, before),
        *_change_column(CHANGE, opening),
        *map(_column, after),
        *shares,
        *map(_column, details),
    )
    company_rows = tuple(
        SheetRow(
            company.key,
            company.key,
            (
                *(_cell(getattr(company, name)) for name in before),
                *([change_of(company.price, opening.prices.get(company.key))] if opening else ()),
                *(_cell(getattr(company, name)) for name in after),
                *(held.get((company.key, seat), 0) for seat in range(len(names))),
                *(_cell(company.details.get(key)) for key in details),
            ),
            title=company.name,
        )
        for company in rows.companies
    )
    totals = summed(company_rows, columns, frozenset(column.key for column in shares))
    return Sheet(
        "companies", say("Companies"), say("Company"), columns, company_rows, totals=totals, totals_title=say("Total")
    )


def _change_column(hint: str, opening: Point | None) -> tuple[Column, ...]:
    """A column of changes; none if the figures at the beginning of the turn are unknown."""
    return (Column("change", say("Change"), say(hint), is_change=True),) if opening else ()


def players_sheet(view: Any, rows: Rows, names: Sequence[str], score: str = mark("Score")) -> Sheet:
    """One row per player: the score and its change in this turn, the figures of the player's line in the view, and the
    shares of each company."""
    players = sorted(view.players, key=lambda player: player.seat)
    fields = [name for name in type(players[0]).__struct_fields__ if name not in NOT_FIGURES]
    fields = [name for name in fields if any(_is_shown(getattr(player, name)) for player in players)]
    held = {(holding.company, holding.seat): holding.shares for holding in rows.holdings}
    titles = {company.key: company.name for company in rows.companies}
    opening = rows.opening
    shares = (Column(f"shares_{key}", title, is_further=True) for key, title in titles.items())
    return Sheet(
        "players",
        say("Players"),
        say("Player"),
        (Column("score", say(score)), *_change_column(CHANGE_OF_SCORE, opening), *map(_column, fields), *shares),
        tuple(
            SheetRow(
                str(player.seat),
                names[player.seat],
                (
                    player.score,
                    *([change_of(player.score, opening.worth[player.seat])] if opening else ()),
                    *(_cell(getattr(player, name)) for name in fields),
                    *(held.get((key, player.seat), 0) for key in titles),
                ),
                player.seat,
            )
            for player in players
        ),
    )


def orders_sheet(orders: Sequence[OrderRow], names: Sequence[str]) -> Sheet:
    """Every order; values hidden from the viewer are empty."""
    details = _keys(order.details for order in orders)
    fields = ("company", "turn", "status", "kind", "side", "quantity", "price", "reason")
    return Sheet(
        "orders",
        say("Orders"),
        say("Order"),
        (Column("player", say("Player")), *map(_column, (*fields, *details))),
        tuple(
            SheetRow(
                str(order.number),
                str(order.number),
                (
                    names[order.seat],
                    *(_cell(getattr(order, name)) for name in fields),
                    *(_cell(order.details.get(key)) for key in details),
                ),
            )
            for order in orders
        ),
    )


def contracts_sheet(contracts: Sequence[ContractRow], names: Sequence[str]) -> Sheet:
    """Every contract, on sale or owned."""
    details = _keys(contract.details for contract in contracts)
    return Sheet(
        "contracts",
        say("Contracts"),
        say("Contract"),
        (
            Column("company", say("Company")),
            Column("shares", say("Shares")),
            Column("owner", say("Owner")),
            *map(_column, details),
        ),
        tuple(
            SheetRow(
                str(contract.number),
                str(contract.number),
                (
                    contract.company,
                    contract.shares,
                    None if contract.owner is None else names[contract.owner],
                    *(_cell(contract.details.get(key)) for key in details),
                ),
            )
            for contract in contracts
        ),
    )


CHANGE = mark("Change in price this turn")
CHANGE_OF_SCORE = mark("How much the score has changed this turn")


def change_of(now: int, was: int | None) -> int | None:
    """The change of a figure; None where it was not known."""
    return None if was is None else now - was


def summed(rows: Sequence[SheetRow], columns: Sequence[Column], keys: frozenset[str]) -> tuple[Cell, ...]:
    """The totals of a table: the sum of the figures of the columns named, nothing under the others."""
    return tuple(
        sum(cell for row in rows if isinstance(cell := row.cells[at], int)) if column.key in keys else None
        for at, column in enumerate(columns)
    )


def _keys(details: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(key for each in details for key in each))


def _column(key: str) -> Column:
    return Column(key, say(TITLES.get(key) or key.removeprefix("is_").replace("_", " ").capitalize()))


def _is_shown(value: Any) -> bool:
    return value is not None and value != () and not isinstance(value, Mapping)


def _cell(value: Any) -> Cell:
    if isinstance(value, str):
        return say(value)
    if value is None or isinstance(value, int):
        return value
    return ", ".join(str(each) for each in value)
