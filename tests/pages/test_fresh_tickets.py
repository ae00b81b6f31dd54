"""What a fresh order ticket proposes, and what it proposes anew once something else is chosen."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from game.boards.decision import Filled, Question
from game.boards.sectors.decisions.order import StockOrder
from game.boards.sectors.decisions.reach import refit
from game.engine import referee
from game.rulesets.sectors.positions import build
from game.rulesets.sectors.ruleset import SECTORS as RULES
from tests.pages.panels import places_at

NAMES = ("Marta", "Oskar", "Wen")
FRESH = {"sector": "energy", "existing": 10}


def fresh_ticket(
    cash: int, held: dict[str, int], companies: dict[str, Any], orders: Sequence[Any] = (), **form: str
) -> dict[str, str]:
    """What a ticket proposes to Marta."""
    players = {name: {"cash": cash, "shares": held if name == "Marta" else {}} for name in NAMES}
    at = build(
        {
            "phase": "stock_orders",
            "players": players,
            "companies": {ticker: FRESH | c for ticker, c in companies.items()},
            "orders": list(orders),
        }
    )
    view, offers = RULES.view(at, 0), referee.offers(RULES, at, 0)
    form_ = Filled({name: [value] for name, value in form.items()})
    made = StockOrder().with_defaults(Question(view, offers, places_at(NAMES, 0), form_))
    return {name: made.get(name) for name in ("side", "company", "location", "quantity")}


def test_a_fresh_ticket_takes_the_place_that_can_be_paid() -> None:
    """The market asks 70, the IPO 29: there it can be bought."""
    made = fresh_ticket(59, {}, {"SOLAR": {"price": 70, "market": 7, "ipo": 3, "ipo_price": 29}})
    assert made == {"side": "buy", "company": "SOLAR", "location": "ipo", "quantity": "1"}


NEW = {"status": "inactive", "price": 39, "ipo": 10, "ipo_price": 39}  # floats with 6 of its 10 shares


@pytest.mark.parametrize(
    ("cash", "held", "company", "quantity"),
    [(500, {}, "POWER", "6"), (234, {}, "POWER", "6"), (233, {}, "SOLAR", "1"), (200, {"POWER": 2}, "POWER", "4")],
)
def test_a_fresh_ticket_floats_a_company_if_it_can(
    cash: int, held: dict[str, int], company: str, quantity: str
) -> None:
    """S 5.4: SOLAR comes first on the board."""
    power = NEW | {"ipo": 10 - sum(held.values())}
    made = fresh_ticket(cash, held, {"SOLAR": {"price": 20, "market": 2}, "POWER": power})
    assert (made["company"], made["quantity"]) == (company, quantity)


@pytest.mark.parametrize(
    ("chosen", "number", "drawn_as", "quantity"),
    [
        ({"company": "SOLAR"}, "6", "market_order/buy", "1"),  # what was proposed for POWER is not proposed for SOLAR
        ({"company": "SOLAR"}, "5", "market_order/buy", "5"),  # entered by hand
        ({"company": "POWER", "kind": "limit_order"}, "6", "market_order/buy", "1"),
        ({"company": "POWER"}, "1", "limit_order/buy", "6"),
    ],
)
def test_another_choice_proposes_other_shares(
    chosen: dict[str, str], number: str, drawn_as: str, quantity: str
) -> None:
    players = {name: {"cash": 500, "shares": {}} for name in NAMES}
    companies = {"SOLAR": FRESH | {"price": 20, "market": 2}, "POWER": FRESH | NEW}
    at = build({"phase": "stock_orders", "players": players, "companies": companies})
    form = {"kind": "market_order", "side": "buy", "quantity": number, "drawn_for": "POWER", "drawn_as": drawn_as}
    sent = Filled({name: [text] for name, text in (form | chosen).items()})
    assert refit(sent, RULES.view(at, 0), referee.offers(RULES, at, 0)).get("quantity") == quantity


@pytest.mark.parametrize(("cash", "company"), [(500, "POWER"), (30, "SOLAR")])
def test_a_fresh_ticket_stays_with_the_company_of_the_last_order(cash: int, company: str) -> None:
    """As long as a share of it can be paid. Orders of others do not count."""
    companies = {"SOLAR": {"price": 20, "market": 2}, "POWER": {"price": 39, "market": 2}}
    made = [("Marta", "SOLAR"), ("Marta", "POWER"), ("Oskar", "SOLAR")]
    orders = [
        {"player": name, "kind": "market", "company": ticker, "side": "buy", "quantity": 1, "status": "filled"}
        for name, ticker in made
    ]
    assert fresh_ticket(cash, {}, companies, orders)["company"] == company


def test_a_fresh_ticket_names_a_company_below_the_ownership_cap() -> None:
    """R-19: of SOLAR Marta holds all that she may."""
    companies = {"SOLAR": {"price": 20, "market": 2, "ipo": 2}, "POWER": {"price": 39, "market": 2}}
    assert fresh_ticket(5, {"SOLAR": 6}, companies)["company"] == "POWER"


@pytest.mark.parametrize(("cash", "can_buy"), [(19, False), (20, True)])
def test_who_can_buy_nothing_is_told_so_instead_of_shown_an_order_that_fails(cash: int, can_buy: bool) -> None:
    players = {name: {"cash": cash, "shares": {}} for name in NAMES}
    at = build(
        {"phase": "stock_orders", "players": players, "companies": {"SOLAR": FRESH | {"price": 20, "market": 2}}}
    )
    view, offers = RULES.view(at, 0), referee.offers(RULES, at, 0)
    for is_sent in (False, True):
        asked = Question(view, offers, places_at(NAMES, 0), Filled(), is_sent=is_sent)
        filled = StockOrder().with_defaults(asked)
        request = StockOrder().read(filled, offers)
        ticket = StockOrder().ticket(msgspec.structs.replace(asked, filled=filled, requests=tuple(request)))
        is_in_vain = not can_buy and not is_sent
        assert ticket.is_enough == is_in_vain, "then Pass is the main button"
        assert bool(ticket.preview.rows) != is_in_vain


def test_nothing_is_sold_unasked() -> None:
    """Nor by whoever can buy nothing."""
    companies = {"SOLAR": {"price": 20, "market": 2}, "POWER": {"price": 39, "market": 2}}
    assert fresh_ticket(5, {"POWER": 2}, companies)["side"] == "buy"


def test_what_is_not_floated_is_not_offered_for_sale() -> None:
    """S 5.1: only its IPO is open, and nothing can be sold there."""
    companies = {
        "SOLAR": {"price": 20, "market": 2},
        "POWER": {"price": 39, "status": "inactive", "ipo": 9, "ipo_price": 39},
    }
    assert fresh_ticket(5, {"POWER": 1}, companies)["side"] == "buy"
    assert fresh_ticket(5, {"POWER": 1}, companies, side="sell")["company"] == "SOLAR"


@pytest.mark.parametrize("kind", ["market_order", "limit_order"])
def test_a_ticket_to_sell_names_what_is_held(kind: str) -> None:
    companies = {"SOLAR": {"price": 20, "market": 2}, "POWER": {"price": 39, "market": 2}}
    assert fresh_ticket(500, {"POWER": 2}, companies, kind=kind, side="sell")["company"] == "POWER"


def test_a_ticket_to_short_names_shares_on_the_market() -> None:
    companies = {"SOLAR": {"price": 20, "market": 0}, "POWER": {"price": 39, "market": 2}}
    assert fresh_ticket(500, {}, companies, kind="short_order")["company"] == "POWER"


def test_another_side_proposes_another_company_unless_one_was_chosen() -> None:
    """POWER is held, SOLAR is not: what was only proposed gives way, what was picked by hand stays."""
    players = {name: {"cash": 500, "shares": {"POWER": 2} if name == "Marta" else {}} for name in NAMES}
    companies = {"SOLAR": FRESH | {"price": 20, "market": 2}, "POWER": FRESH | {"price": 39, "market": 2}}
    at = build({"phase": "stock_orders", "players": players, "companies": companies})
    form = {"kind": "market_order", "side": "sell", "company": "SOLAR", "location": "market", "quantity": "3"}
    for drawn_for, company, quantity in (("SOLAR", "POWER", "1"), ("POWER", "SOLAR", "3")):
        sent = Filled(
            {name: [text] for name, text in (form | {"drawn_for": drawn_for, "drawn_as": "market_order/buy"}).items()}
        )
        made = refit(sent, RULES.view(at, 0), referee.offers(RULES, at, 0))
        assert (made.get("company"), made.get("quantity")) == (company, quantity)


@pytest.mark.parametrize(
    ("touched", "value", "company"),
    [
        ("", "38", "POWER"),
        ("value company", "38", "POWER"),  # entered for the company that was left
        ("company value", "19", "POWER"),
        ("side company value", "19", "POWER"),
    ],
)
def test_what_was_entered_after_the_company_is_not_proposed_anew(touched: str, value: str, company: str) -> None:
    """19 is what the ticket proposed for SOLAR."""
    companies = {"SOLAR": FRESH | {"price": 20, "market": 2}, "POWER": FRESH | {"price": 39, "market": 2}}
    players = {name: {"cash": 500, "shares": {}} for name in NAMES}
    at = build({"phase": "stock_orders", "players": players, "companies": companies})
    form = {"kind": "limit_order", "side": "buy", "company": "POWER", "value": "19", "drawn_for": "SOLAR"}
    sent = Filled({name: [text] for name, text in (form | {"touched": touched}).items()})
    made = refit(sent, RULES.view(at, 0), referee.offers(RULES, at, 0))
    assert (made.get("value"), made.get("company")) == (value, company)


@pytest.mark.parametrize(("touched", "location"), [("location company", "market"), ("company location", "ipo")])
def test_a_place_chosen_after_the_company_stays(touched: str, location: str) -> None:
    """Only the open market has shares of POWER."""
    companies = {"SOLAR": FRESH | {"price": 20, "market": 2}, "POWER": FRESH | {"price": 39, "market": 2}}
    players = {name: {"cash": 500, "shares": {}} for name in NAMES}
    at = build({"phase": "stock_orders", "players": players, "companies": companies})
    form = {"kind": "market_order", "side": "buy", "company": "POWER", "location": "ipo", "drawn_for": "SOLAR"}
    sent = Filled({name: [text] for name, text in (form | {"touched": touched}).items()})
    assert refit(sent, RULES.view(at, 0), referee.offers(RULES, at, 0)).get("location") == location
