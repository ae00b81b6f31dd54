"""Market orders: who is served, what is rejected, and what floats. (S 5.3, 5.4, R-1)"""

import pytest

from tests.rulesets.sectors.table import Table

# --- the priority strategy


def test_scarce_shares_are_filled_by_player_priority(floor: Table) -> None:
    """S 5.3, R-1: whole orders only; the next in line takes what is left."""
    floor.priority("cid", "ada", "bob").market_holds(ACME=5)
    floor.ada.buys("ACME", 3)
    floor.bob.buys("ACME", 2)
    floor.cid.buys("ACME", 3)
    floor.clock_runs_out()
    assert floor.shares("ACME") == {"bob": 2, "cid": 3}
    assert floor.rejections() == {"ada": "3 wanted, 2 left."}
    assert floor.money_is_conserved()


def test_a_better_placed_buyer_cannot_use_a_worse_placed_sellers_shares(floor: Table) -> None:
    """R-1: one pass over buys and sells."""
    floor.priority("ada", "bob", "cid").market_holds(ACME=1).holdings("ACME", bob=3)
    floor.ada.buys("ACME", 3)
    floor.bob.sells("ACME", 3)
    floor.cid.buys("ACME", 3)
    floor.clock_runs_out()
    assert floor.rejections() == {"ada": "3 wanted, 1 left."}
    assert floor.shares("ACME") == {"cid": 3}


def test_all_trade_at_the_price_at_the_start(floor: Table) -> None:
    """S 5.3, R-1: the net moves the price once, after all."""
    floor.holdings("ACME", bob=4)
    floor.ada.buys("ACME", 3)
    floor.bob.sells("ACME", 4)
    floor.cid.buys("ACME", 3)
    floor.clock_runs_out()
    assert floor.cash() == {"ada": 1000 - 141, "bob": 1000 + 188, "cid": 1000 - 141}
    assert (floor.price("ACME"), floor.filled("ACME")) == (51, 0)
    assert floor.state.incomes == [0, 188, 0]
    assert floor.bank == 7500 + 282 - 188


def test_ipo_and_open_market_are_served_in_the_same_pass(floor: Table) -> None:
    """S 5.3: each location has its shares and its price; IPO purchases never count for the move."""
    floor.company("ACME", ipo_price=39, ipo=4, market=6)
    floor.ada.buys("ACME", 3, at="ipo")
    floor.bob.buys("ACME", 2)
    floor.cid.buys("ACME", 2, at="ipo")
    floor.clock_runs_out()
    assert floor.cash() == {"ada": 1000 - 117, "bob": 1000 - 94, "cid": 1000}
    assert floor.rejections() == {"cid": "2 wanted, 1 left."}
    assert (floor.price("ACME"), floor.places("ACME")) == (51, {"ipo": 1, "market": 4, "aside": 0})
    assert floor.treasury("ACME") == 390


def test_one_short_of_cash_is_rejected_whole_and_frees_the_shares(floor: Table) -> None:
    """S 5.3."""
    floor.market_holds(ACME=3).cash_is(ada=140)
    floor.ada.buys("ACME", 3)
    floor.bob.buys("ACME", 3)
    floor.clock_runs_out()
    assert floor.rejections() == {"ada": "it costs 141, cash is 140."}
    assert floor.shares("ACME") == {"bob": 3}


def test_the_last_dollar_buys(floor: Table) -> None:
    floor.cash_is(ada=141)
    floor.ada.buys("ACME", 3)
    floor.clock_runs_out()
    assert floor.ada.cash == 0


def test_nobody_sells_what_he_does_not_hold(floor: Table) -> None:
    """S 5.3: shares set aside for a short are not his either."""
    floor.holdings("ACME", ada=2).short("ada", "ACME", 3, 47)
    floor.ada.sells("ACME", 3)
    floor.clock_runs_out()
    assert floor.rejections() == {"ada": "3 to sell, 2 held."}
    assert floor.price("ACME") == 47


def test_everybody_may_sell_all_shares_at_once(floor: Table) -> None:
    """S 5.3: the open market takes any number; each share is a step down."""
    floor.holdings("ACME", ada=5, bob=5)
    floor.ada.sells("ACME", 5)
    floor.bob.sells("ACME", 5)
    floor.clock_runs_out()
    assert (floor.price("ACME"), floor.places("ACME")["market"]) == (20 - 2, 10)


# --- the ownership cap


def test_a_purchase_stops_at_sixty_percent(floor: Table) -> None:
    """S 1.1, R-19: the seventh of ten is too much, the sixth is not."""
    floor.holdings("ACME", ada=4)
    floor.ada.buys("ACME", 3)
    floor.clock_runs_out()
    assert floor.rejections() == {"ada": "it would make 7 shares, the ownership cap is 6."}


def test_exactly_sixty_percent_is_allowed(floor: Table) -> None:
    floor.holdings("ACME", ada=4)
    floor.ada.buys("ACME", 2)
    floor.clock_runs_out()
    assert floor.shares("ACME") == {"ada": 6}


@pytest.mark.parametrize(("existing", "allowed"), [(9, 5), (12, 7), (13, 7), (15, 9)])
def test_the_cap_follows_the_existing_shares(floor: Table, existing: int, allowed: int) -> None:
    """S 1.1: of all existing shares, wherever they are; more than 60 % is refused."""
    floor.company("ACME", existing=existing)
    floor.ada.buys("ACME", allowed + 1)
    floor.bob.buys("ACME", allowed)
    floor.clock_runs_out()
    assert floor.shares("ACME") == {"bob": allowed}


def test_the_cap_can_be_lifted(floor: Table) -> None:
    """R-19: 100."""
    floor.options(ownership_cap_percent=100)
    floor.ada.buys("ACME", 10)
    floor.clock_runs_out()
    assert floor.shares("ACME") == {"ada": 10}


# --- the bid strategy


def test_bids_are_served_highest_first_and_everybody_pays_his_own(floor: Table) -> None:
    """S 5.3, A94, R-1 detail."""
    floor.options(distribution="bid").market_holds(ACME=5)
    floor.ada.buys("ACME", 3, bid=50)
    floor.bob.buys("ACME", 3, bid=61)
    floor.cid.buys("ACME", 2, bid=47)
    floor.clock_runs_out()
    assert floor.shares("ACME") == {"bob": 3, "cid": 2}
    assert floor.cash() == {"ada": 1000, "bob": 1000 - 183, "cid": 1000 - 94}


def test_equal_bids_go_by_player_priority(floor: Table) -> None:
    """S 5.3."""
    floor.options(distribution="bid").market_holds(ACME=4).priority("cid", "bob", "ada")
    for name in floor.names:
        floor.asks(name, "market_order", company="ACME", side="buy", location="market", quantity=2, bid=55)
    floor.clock_runs_out()
    assert floor.shares("ACME") == {"bob": 2, "cid": 2}


def test_sells_come_first_under_the_bid_strategy(floor: Table) -> None:
    """R-1: a worse-placed seller's shares reach every buyer; sells are paid the price at the start."""
    floor.options(distribution="bid").market_holds(ACME=0).company("ACME", ipo=7).holdings("ACME", cid=3)
    floor.ada.buys("ACME", 3, bid=80)
    floor.cid.sells("ACME", 3)
    floor.clock_runs_out()
    assert floor.shares("ACME") == {"ada": 3}
    assert floor.cash() == {"ada": 760, "bob": 1000, "cid": 1141}
    assert (floor.price("ACME"), floor.filled("ACME")) == (47, 0)


def test_one_list_of_bids_over_ipo_and_open_market(floor: Table) -> None:
    """R-1 detail: the log shows the order of service."""
    floor.options(distribution="bid").company("ACME", ipo=5, market=5, ipo_price=39)
    floor.ada.buys("ACME", 1, at="ipo", bid=48)
    floor.bob.buys("ACME", 1, bid=47)
    floor.cid.buys("ACME", 1, at="ipo", bid=60)
    floor.clock_runs_out()
    assert [(floor.names[e.seat], e.price) for e in floor.events("order_filled")] == [
        ("cid", 60),
        ("ada", 48),
        ("bob", 47),
    ]


def test_a_bidder_who_cannot_pay_his_bid_leaves_the_shares_to_the_next(floor: Table) -> None:
    """S 5.3."""
    floor.options(distribution="bid").market_holds(ACME=2).cash_is(ada=150)
    floor.ada.buys("ACME", 2, bid=100)
    floor.bob.buys("ACME", 2, bid=50)
    floor.clock_runs_out()
    assert floor.rejections() == {"ada": "it costs 200, cash is 150."}
    assert floor.shares("ACME") == {"bob": 2}


# --- floating


@pytest.mark.parametrize(
    ("sector", "needed"),
    [("defensive", 3), ("cyclical", 5), ("industrial", 5), ("materials", 5), ("healthcare", 6), ("energy", 6)],
)
def test_a_company_floats_with_its_sectors_share_of_the_ipo(floor: Table, sector: str, needed: int) -> None:
    """S 5.4: sold by one player; one share less does not float it."""
    floor.company("NEW", sector=sector, status="inactive", price=47).company(
        "TWIN", sector=sector, status="inactive", price=47
    )
    floor.ada.buys("NEW", needed, at="ipo")
    floor.bob.buys("TWIN", needed - 1, at="ipo")
    floor.clock_runs_out()
    assert (floor.status("NEW"), floor.status("TWIN")) == ("active", "inactive")
    assert floor.view().company("TWIN").float_needs == 1
    assert [event.company for event in floor.events("company_floated")] == ["NEW"]
    assert floor.sector_of(sector).has_floated


def test_technology_needs_two_investors(floor: Table) -> None:
    """S 5.4: seven shares, at most six a player."""
    floor.company("CHIP", sector="technology", status="inactive", price=26)
    floor.ada.buys("CHIP", 7, at="ipo")
    floor.bob.buys("CHIP", 6, at="ipo")
    floor.clock_runs_out()
    assert (floor.status("CHIP"), floor.shares("CHIP")) == ("inactive", {"bob": 6})
    floor.ada.buys("CHIP", 1, at="ipo")
    floor.clock_runs_out()
    assert floor.status("CHIP") == "active"


def test_a_float_opens_the_market_from_the_next_sub_round_on(floor: Table) -> None:
    """S 5.4: in the same sub-round such orders were refused; the treasury does not change."""
    floor.company("NEW", status="inactive", price=60)
    floor.ada.buys("NEW", 5, at="ipo")
    with floor.refuses("S 5.1", "NEW is not floated"):
        floor.bob.buys("NEW", 1)
    floor.clock_runs_out()
    assert (floor.status("NEW"), floor.treasury("NEW")) == ("active", 600)
    floor.ada.sells("NEW", 1)
    floor.clock_runs_out()
    assert floor.price("NEW") == 55


def test_the_ipo_stays_open_at_its_own_price_after_the_float(floor: Table) -> None:
    """S 5.4."""
    floor.company("ACME", price=80, ipo_price=47, ipo=5)
    floor.ada.buys("ACME", 5, at="ipo")
    floor.clock_runs_out()
    assert (floor.ada.cash, floor.price("ACME")) == (1000 - 235, 80)


def test_the_same_company_may_be_sold_in_every_sub_round(floor: Table) -> None:
    """R-12: no limit of one sell per company and stock round."""
    floor.holdings("ACME", ada=4)
    for left in (2, 0):
        floor.ada.sells("ACME", 2)
        floor.clock_runs_out()
        assert floor.shares("ACME").get("ada", 0) == left
    assert floor.price("ACME") == 32
    assert floor.ada.cash == 1000 + 2 * 47 + 2 * 39
