"""What a seat sees of its orders once they have become contracts: on the price chart, in lists and in tables."""

from __future__ import annotations

from typing import Any

import msgspec

from game.boards.sectors.words import live_orders
from game.rulesets.sectors.positions import build
from tests.pages.panels import BOARD, RULES


def view(seat: int | None = 0) -> Any:
    """Marta has bought an option on 7 ESSENT at a strike of 40, shorted 2 at 60, and wants to buy 3 at 25."""
    company = {"sector": "defensive", "price": 39, "market": 20, "existing": 30}
    orders = [
        {"player": "Marta", "kind": "short", "company": "ESSENT", "side": "sell", "quantity": 2, "price": 60},
        {"player": "Marta", "kind": "limit", "company": "ESSENT", "quantity": 3, "price": 25},
    ]
    contract = {"company": "ESSENT", "strike": 40, "shares": 7, "owner": "Marta", "premium": 12}
    position = build(
        {
            "phase": "stock_orders",
            "turn": 4,
            "players": {"Marta": {"cash": 100}, "Oskar": {"cash": 100}},
            "companies": {"ESSENT": company},
            "orders": orders,
            "contracts": [contract, {"company": "ESSENT", "strike": 45, "shares": 5}],
        }
    )
    return RULES.view(position, seat)


def marks(seat: int | None, *requests: dict[str, Any]) -> set[tuple[str, int]]:
    return {(mark.text, mark.price) for mark in BOARD.marks(view(seat), requests)}


OWN = {
    ("Option on 7 ESSENT, strike 40", 40),
    ("Short of 2 ESSENT, opened at 60", 60),
    ("Your order: buy 3 ESSENT at 25", 25),
}


def test_an_option_is_drawn_as_one_at_its_strike() -> None:
    assert marks(0) == OWN
    assert marks(1) == marks(None) == set()


def test_what_is_asked_is_drawn_at_the_price_that_is_asked() -> None:
    limit = {"kind": "limit_order", "company": "ESSENT", "side": "buy", "quantity": 2, "value": 31}
    other = next(contract for contract in view().contracts if contract.owner is None)
    option = {"kind": "option_order", "contract": other.id}
    market = {"kind": "market_order", "company": "ESSENT", "side": "buy", "quantity": 1, "location": "market"}
    assert marks(0, limit, option, market) - OWN == {
        ("Buy 2 ESSENT at 31", 31),
        ("Take the option on 5 ESSENT", 45),
        ("Buy 1 ESSENT", 39),
    }
    nothing = ({"kind": "pass"}, {"kind": "stop_ordering"}, {"kind": "option_order", "contract": 99})
    assert marks(0, *nothing, limit | {"company": "GONE"}) == OWN


def test_a_bought_option_is_no_open_order() -> None:
    assert [order.kind for order in live_orders(view().orders)] == ["short", "limit"]
    sheet = next(
        sheet for sheet in BOARD.sheets(view(), BOARD.rows(view(None)), ("Marta", "Oskar")) if sheet.key == "orders"
    )
    keys = [column.key for column in sheet.columns]
    rows = [dict(zip(keys, row.cells, strict=True)) for row in sheet.rows]
    assert {(row["kind"], row["status"]) for row in rows} == {
        ("option", "bought"),
        ("short", "open"),
        ("limit", "open"),
    }


def test_an_order_that_the_end_of_the_game_closed_is_not_called_open() -> None:
    """In the table of orders; a short and a bought contract had their own words before."""
    running, over = view(), msgspec.structs.replace(view(), phase=None)
    assert statuses_of_limit_orders(running) == ["open"]
    assert statuses_of_limit_orders(over) == ["open to the end"]


def statuses_of_limit_orders(view: Any) -> list[str]:
    sheet = next(each for each in BOARD.sheets(view, BOARD.rows(view), ("Marta", "Oskar")) if each.key == "orders")
    at = {column.key: (place, column) for place, column in enumerate(sheet.columns)}
    status, words = at["status"][0], at["status"][1].words
    return [words[row.cells[status]] for row in sheet.rows if row.cells[at["kind"][0]] == "limit"]
