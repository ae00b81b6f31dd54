"""The rows that a board gives the database: what a stranger sees, in columns that every game shares."""

from __future__ import annotations

from typing import Any

import msgspec


class CompanyRow(msgspec.Struct, frozen=True):
    """A company; money in whole dollars. `group` is what the game sorts companies by; `details` what only this game
    has."""

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
    """An order as a stranger sees it: what is sealed is None."""

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


class Rows(msgspec.Struct, frozen=True):
    """Everything of one position that is queryable.

    What a board lists no more stays in the database: companies and orders as they were last, an emptied hand without
    shares, a contract as gone."""

    companies: tuple[CompanyRow, ...] = ()
    holdings: tuple[HoldingRow, ...] = ()
    orders: tuple[OrderRow, ...] = ()
    contracts: tuple[ContractRow, ...] = ()


class Point(msgspec.Struct, frozen=True):
    """A moment of a game's course: prices by company, and scores by seat."""

    prices: dict[str, int]
    worth: tuple[int, ...]


def no_rows(view: Any) -> Rows:
    """A game without companies, orders or contracts."""
    return Rows()


def scores_only(view: Any) -> Point:
    """The course of a game of which only scores are known."""
    return Point({}, tuple(player.score for player in sorted(view.players, key=lambda player: player.seat)))
