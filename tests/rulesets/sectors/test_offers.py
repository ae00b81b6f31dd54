"""What a seat is offered: where each form starts, how far its fields go, and what the line says. (S 5.1)"""

from __future__ import annotations

from typing import Any

import pytest

from game.engine.offers import Choice, Flag, Offer, Range, Several, Split
from game.rulesets.sectors.offers import ballot_lines
from tests.rulesets.sectors.player import Player
from tests.rulesets.sectors.table import Table


def offered(player: Player, kind: str, **fixed: Any) -> list[Offer]:
    """The offers of one kind with these fixed fields."""
    return [offer for offer in player.offers() if offer.kind == kind and fixed.items() <= offer.fixed.items()]


def only(player: Player, kind: str, **fixed: Any) -> Offer:
    offers = offered(player, kind, **fixed)
    assert len(offers) == 1, offers
    return offers[0]


@pytest.mark.parametrize(("edition", "points", "suggested"), [(1, 100, 80), (2, 50, 40)])
def test_a_bid_starts_at_four_fifths_of_the_points(table: Table, edition: int, points: int, suggested: int) -> None:
    """S 1.5, D1."""
    table.at("influence_bid").options(edition=edition).company("ACME", sector="energy")
    offer = only(table.ada, "bid_influence")
    assert (offer.fields, offer.refused) == ((Range("points", "Influence points", 0, points, suggested),), "")


def test_a_pledge_says_where_the_sector_goes_and_what_it_costs(table: Table) -> None:
    """S 1.10."""
    table.at("start_turn", turn=2).company("ACME", sector="energy").sector("energy").headlines(
        ("energy", 1), None, ("energy", -2)
    )
    rows = [(offer.fixed, offer.label, offer.text) for offer in table.ada.offers() if offer.kind == "pledge_headline"]
    assert rows == [
        ({"headline": 1}, "Pledge: Energy 1 earlier", "costs 30, shared"),
        ({"headline": 3}, "Pledge: Energy 2 later", "costs 50, shared"),
    ]


def test_tranches_are_voted_for_by_their_number(table: Table) -> None:
    """S 7.9."""
    table.at("tranche_vote", turn=3).company("ACME", sector="energy").tranche("energy", cash=60, prestige=2).tranche(
        "energy", cash=40
    )
    votes = [offer for offer in table.ada.offers() if offer.kind == "vote_tranche"]
    assert [(offer.fixed, offer.refused) for offer in votes] == [
        ({"tranche": 1}, ""),
        ({"tranche": 2}, ""),
    ]


def test_a_won_tranche_goes_to_all_seats_and_to_living_companies_of_its_sector(table: Table) -> None:
    """S 7.9, A72: what carries no prestige asks for no company to give it to."""
    table.at("tranche_distribution", turn=3).company("ACME", sector="energy", name="Acme").company(
        "DEAD", sector="energy", status="bankrupt"
    )
    table.company("BOLT", sector="technology").tranche("energy", cash=60, prestige=2, winner="ada").tranche(
        "energy", cash=40, winner="bob"
    )
    takers = (("ACME", "Acme"),)
    assert only(table.ada, "distribute_tranche").fields == (
        Split("cash", "Cash", 60, (0, 1, 2)),
        Choice("prestige_to", "Prestige to", takers, optional=True),
        Choice("ability_to", "Ability to", takers, optional=True),
    )
    assert [field.name for field in only(table.bob, "distribute_tranche").fields] == ["cash", "ability_to"]
    assert not table.cid.offers()


@pytest.fixture
def market(table: Table) -> Table:
    """ACME at 47 with 3 shares in the IPO at 40, 2 on the market, and 4 of ada's."""
    table.at("stock_orders").company("ACME", price=47, ipo_price=40).ipo_holds(ACME=3).market_holds(ACME=2)
    return table.holdings("ACME", ada=4, bob=1)


@pytest.mark.parametrize(
    ("side", "location", "start", "label"),
    [
        ("buy", "ipo", 3, "Buy ACME from the IPO at 40"),
        ("buy", "market", 2, "Buy ACME on the open market at 47"),
        ("sell", "market", 4, "Sell ACME on the open market at 47"),
    ],
)
def test_a_market_order_starts_with_all_there_is(
    market: Table, side: str, location: str, start: int, label: str
) -> None:
    """S 5.3: what is in the IPO, on the market, or in one’s own hand; up to all that exist."""
    offer = only(market.ada, "market_order", side=side, location=location)
    assert offer.fields == (Range("quantity", "Shares", 1, 10, start),)
    assert (offer.label, offer.fixed["company"], offer.refused) == (label, "ACME", "")


def test_a_market_order_for_nothing_starts_at_one(market: Table) -> None:
    assert only(market.cid, "market_order", side="sell").fields == (Range("quantity", "Shares", 1, 10, 1),)


def test_under_the_bid_strategy_purchases_start_at_the_least_bid(market: Table) -> None:
    """S 5.3: sales carry none."""
    market.options(distribution="bid")
    bids = {offer.fixed["location"]: offer.fields[1:] for offer in offered(market.ada, "market_order", side="buy")}
    assert bids == {
        "ipo": (Range("bid", "Bid per share", 40, 999_999_999, 40),),
        "market": (Range("bid", "Bid per share", 47, 999_999_999, 47),),
    }
    assert [field.name for field in only(market.ada, "market_order", side="sell").fields] == ["quantity"]


def test_a_limit_order_starts_a_dollar_below_the_price(market: Table) -> None:
    """limits: at the price itself it would be a market order."""
    for side in ("buy", "sell"):
        offer = only(market.ada, "limit_order", side=side)
        assert offer.fields == (Range("value", "Limit price", 1, 999_999_999, 46), Range("quantity", "Shares", 1, 10))
        assert (offer.label, offer.refused) == (f"Limit {side} ACME, now 47", "")


@pytest.mark.parametrize(("most", "high"), [(0, 10), (3, 3)])
def test_a_short_goes_as_far_as_the_option_allows(market: Table, most: int, high: int) -> None:
    """R-8."""
    market.options(max_short_quantity=most)
    assert only(market.ada, "short_order").fields == (Range("quantity", "Shares", 1, high),)
    assert only(market.ada, "short_order").label == "Short ACME at 47"


@pytest.mark.parametrize(
    ("strategy", "fields"), [("priority", ()), ("bid", (Range("bid", "Bid", 30, 999_999_999, 30),))]
)
def test_contracts_on_sale_are_offered_at_their_premium(
    market: Table, strategy: str, fields: tuple[Range, ...]
) -> None:
    """S 5.7: those that somebody owns are not."""
    market.options(distribution=strategy).contract("ACME", shares=3, strike=50, premium=30)
    market.contract("ACME", shares=5, strike=50, premium=30, owner="bob")
    offer = only(market.ada, "option_order")
    assert (offer.fields, offer.refused) == (fields, "")
    assert offer.label == "Option on 3 ACME, strike 50, premium 30"


def test_dead_companies_are_not_traded(market: Table) -> None:
    market.company("DEAD", sector="energy", status="bankrupt")
    assert {offer.fixed["company"] for offer in market.ada.offers() if offer.kind != "stop_ordering"} == {"ACME"}


def test_a_cover_says_what_it_costs_and_frees(table: Table) -> None:
    """S 5.6: the margin is half of what the short brought."""
    table.at("cover_shorts").company("ACME", price=47).market_holds(ACME=5).holdings("ACME", bob=3).short(
        "ada", "ACME", 2, 53
    )
    offer = only(table.ada, "cover_short")
    assert (offer.label, offer.text, offer.fields) == ("Cover 2 ACME for 94", "frees a margin of 53", ())


@pytest.mark.parametrize(("strike", "label"), [(40, "Exercise 3 ACME for 21"), (47, "Exercise 3 ACME for 0")])
def test_exercising_says_what_it_pays(table: Table, strike: int, label: str) -> None:
    """S 5.7."""
    table.at("exercise_options").company("ACME", price=47).holdings("ACME", bob=6)
    table.contract("ACME", shares=3, strike=strike, owner="ada").contract("ACME", shares=5, strike=99, owner="ada")
    assert [(offer.label, bool(offer.refused)) for offer in table.ada.offers()] == [
        (label, False),
        ("Exercise 5 ACME for 0", True),
    ]


def test_revenue_is_voted_on_by_shareholders(table: Table) -> None:
    """S 6.5."""
    table.at("revenue_vote").company("ACME", price=47, revenue=60).company("BOLT", price=47).holdings(
        "ACME", ada=6
    ).holdings("BOLT", ada=6)
    offer = only(table.ada, "vote_revenue")
    assert (offer.label, offer.fixed) == ("ACME: revenue 60", {"company": "ACME"})
    choices = (("full", "Full dividends"), ("half", "Half dividends"), ("retain", "Retain"))
    assert offer.fields == (Choice("choice", "Distribute", choices),)
    assert not table.bob.offers()


def test_a_ballot_has_as_many_lines_as_the_tier_and_one_ahead_its_own_ready(table: Table) -> None:
    """S 6.7, votes."""
    for ticker, tier in (("ACME", "startup"), ("BOLT", "titan")):
        table.company(ticker, price=47, tier=tier).holdings(ticker, ada=6)
    table.at("company_vote", queue=["ACME", "BOLT"])
    now, ahead = offered(table.ada, "vote_actions")
    assert (now.label, ahead.label) == ("ACME votes", "BOLT, in advance")
    assert [type(field) for field in now.fields] == [Several]
    assert [type(field) for field in ahead.fields] == [Several, Flag]
    lists = [field for field in (now.fields[0], ahead.fields[0]) if isinstance(field, Several)]
    assert [(field.least, field.most) for field in lists] == [(1, 1), (0, 3)]


@pytest.mark.parametrize(("cash", "shares"), [(80, 6), (1, 6), (0, 1)])
def test_help_goes_as_far_as_cash_and_shares(table: Table, cash: int, shares: int) -> None:
    """S 6.12: somebody without cash may still give shares."""
    table.at("contributions", queue=["ACME"]).company("ACME", price=47, status="insolvent", tier="startup").holdings(
        "ACME", ada=shares
    )
    table.cash_is(ada=cash)
    offer = only(table.ada, "contribute")
    assert offer.fields == (Range("cash", "Cash", 0, cash, 0), Range("shares", "Shares at 47", 0, shares, 0))
    assert (offer.label, offer.refused) == ("Help ACME: it needs 200", "")


def test_a_line_of_a_ballot_says_what_it_costs_and_leaves(table: Table) -> None:
    """S 6.7, 6.9: a line that fails today names its rule."""
    table.at("company_vote", queue=["ACME"]).company(
        "ACME", price=47, tier="startup", treasury=250, sector="energy"
    ).holdings("ACME", ada=6)
    lines = {line.key: line for line in ballot_lines(table.state, "ACME")}
    small, large, visionary = lines["small_marketing"], lines["large_marketing"], lines.get("visionary")
    assert (small.cost, small.treasury_left, small.prestige, small.refused, small.rule) == (100, 150, 0, "", "")
    assert (large.cost, large.treasury_left) == (300, -50)
    assert visionary is None
