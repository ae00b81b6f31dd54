"""What the log says of the opening, the tranches and the stock round, word for word and with its figures."""

from game.rulesets.sectors.events.operations import Produced
from tests.rulesets.sectors.table import Table


def told(table: Table, *kinds: str) -> list[tuple[str, str]]:
    """The sentences of some kinds of events with the figure at the end of the line."""
    name = table.names.__getitem__
    return [(e.sentence(name), e.figure(name)) for e in table.told if e.__struct_config__.tag in kinds]


def test_bids(table: Table) -> None:
    table.starts(2)
    table.bob.bids(20)
    table.clock_runs_out()
    assert told(table, "bid_revealed") == [
        ("bob bid 20 influence points and is number 1 in player priority.", "+30"),
        ("ada bid 0 influence points and is number 2 in player priority.", "+50"),
    ]


def test_the_start_of_a_turn(table: Table) -> None:
    table.at("start_turn", just_before=True, turn=3, sectors={"energy": {}}).options(ipo_discount=True)
    table.company("COAL", sector="energy").company("IDLE", sector="energy", status="inactive", price=55)
    table.cash_is(ada=600, bob=100).draws(headline_delta=[2, 1, -1], company_name=["WindFusion"], ipo_price=[31])
    table.draws(tranche_cash=[33], tranche_sectors=[["energy"]]).play_on()
    assert told(table, "priority_set", "company_opened", "headline_offered", "tranche_offered", "ipo_discounted") == [
        ("Player priority, poorest first: bob, cid and ada.", ""),
        ("WindFusion (WF) was founded in Energy as a Growth company.", "IPO at 32"),
        ("Headline 1 was offered: Energy would move 2 places earlier in sector priority.", "costs 50"),
        ("Headline 2 was offered: Energy would move 1 place earlier in sector priority.", "costs 30"),
        ("Headline 3 was offered: Energy would move 1 place later in sector priority.", "costs 30"),
        ("Tranche 1 was offered: 33 in cash, 1 prestige and the ability of Energy.", ""),
        ("Tranche 2 was offered: 67 in cash, 1 prestige and the ability of Energy.", ""),
        ("IDLE had not floated, so its IPO price fell.", "IPO at 50"),
    ]


def test_a_tranche_without_prestige_names_none(table: Table) -> None:
    table.at("start_turn", just_before=True, turn=3, sectors={"energy": {}}).seats("ada", "bob", "cid", "dan")
    table.draws(tranche_cash=[33, 10]).play_on()
    assert told(table, "tranche_offered")[2] == ("Tranche 3 was offered: 57 in cash and the ability of Energy.", "")


def test_headlines(table: Table) -> None:
    table.at("start_turn", sectors={"defensive": {}, "energy": {}}).headlines(("energy", 1), ("defensive", 2)).cash_is(
        cid=12
    )
    for name in ("ada", "bob", "cid"):
        table.asks(name, "pledge_headline", headline=1)
    table.clock_runs_out()
    assert told(table, "headline_paid") == [
        ("ada, bob and cid paid for a headline; Energy moved to sector priority 1.", "−10 each")
    ]


def test_tranches(table: Table) -> None:
    table.at("tranche_vote", turn=3).seats("ada", "bob", "cid").company("COAL", sector="energy").company(
        "WIND", sector="energy"
    )
    table.tranche("energy", cash=40, prestige=1).tranche("energy", cash=60, prestige=1)
    table.ada.votes_for_tranche(1)
    table.bob.votes_for_tranche(2)
    table.clock_runs_out()
    table.ada.distributes(prestige_to="COAL", ability_to="WIND", cid=70)
    table.clock_runs_out()
    assert told(table, "tranche_voted", "tranches_doubled", "tranche_paid", "prestige_given", "ability_given") == [
        ("Only ada voted for tranche 1 and so won it.", ""),
        ("Only bob voted for tranche 2 and so won it.", ""),
        ("Every tranche was won, so the cash of all was doubled.", ""),
        ("ada received cash of tranche 1.", "+10"),
        ("cid received cash of tranche 1 from ada.", "+70"),
        ("ada gave 1 prestige to COAL.", ""),
        ("ada gave Carbon Credit to WIND.", ""),
        ("bob received cash of tranche 2.", "+120"),
    ]


def test_lost_tranches(table: Table) -> None:
    table.at("tranche_vote", turn=3).company("COAL", sector="energy").tranche("energy", cash=40).tranche(
        "energy", cash=60
    )
    table.ada.votes_for_tranche(1)
    table.bob.votes_for_tranche(1)
    table.clock_runs_out()
    assert told(table, "tranche_voted") == [
        ("ada and bob both voted for tranche 1, so nobody won it.", ""),
        ("Nobody voted for tranche 2.", ""),
    ]


def test_orders(table: Table) -> None:
    table.at("stock_orders").seats("ada", "bob", "cid", "dan", cash=500).company("ACME", ipo=5).contract(
        "ACME", strike=40, premium=12
    )
    table.ada.buys("ACME", 2, at="ipo")
    table.bob.limits("buy", "ACME", 3, 39)
    table.cid.shorts("ACME", 2)
    table.dan.wants(1)
    table.clock_runs_out()
    assert told(table, "order_located", "order_revealed", "order_filled") == [
        ("ada placed an order for ACME in the IPO.", ""),
        ("bob placed an order for ACME on the open market.", ""),
        ("cid placed an order for ACME on the open market.", ""),
        ("dan placed an order for ACME on the derivatives market.", ""),
        ("ada ordered to buy 2 ACME from the IPO.", ""),
        ("bob placed a limit order: buy 3 ACME at 39.", ""),
        ("cid ordered a short of 2 ACME.", ""),
        ("dan ordered the option on 3 ACME.", ""),
        ("ada bought 2 ACME from the IPO.", "2 × 47 = −94"),
    ]
    table.dan.sells("ACME", 1)
    table.clock_runs_out()
    assert told(table, "order_rejected") == [
        ("dan's order for 1 ACME was rejected: 1 to sell, 0 held. (Rule S 5.3)", "")
    ]
    assert told(table, "short_opened", "contract_bought", "price_moved") == [
        ("cid shorted 2 ACME and locked a margin of 47.", "2 × 47"),
        ("ACME fell (shares were shorted).", "47 to 39"),
        ("dan bought an option on ACME.", "−12"),
        *told(table, "price_moved")[1:],
    ]


def test_bids_are_told_at_the_reveal(table: Table) -> None:
    table.at("stock_orders").options(distribution="bid").company("ACME").contract("ACME", strike=90, premium=12)
    table.ada.buys("ACME", 1, bid=50)
    table.bob.wants(1, bid=15)
    table.clock_runs_out()
    assert told(table, "order_revealed") == [
        ("ada ordered to buy 1 ACME on the open market, bidding 50 per share.", ""),
        ("bob ordered the option on 3 ACME, bidding 15.", ""),
    ]


def test_limits(table: Table) -> None:
    table.at("stock_orders").company("ACME").holdings("ACME", ada=2, bob=3)
    table.ada.limits("sell", "ACME", 2, 43)
    table.clock_runs_out().clock_runs_out().play_to("start_turn").play_to("stock_orders")
    assert told(table, "limit_opened", "limit_triggered", "order_filled") == [
        ("ada's limit order opened: sell 2 ACME at 43.", ""),
        ("ada's limit order to sell 2 ACME at 43 was triggered and will settle next turn.", ""),
        ("ada sold 2 ACME on the open market by a limit order.", "2 × 43 = +86"),
    ]


def test_shorts_and_contracts(table: Table) -> None:
    table.at("short_interest").company("ACME", price=47).company("BOLT", price=80).short("ada", "ACME", 3, 47)
    table.short("ada", "BOLT", 3, 60).cash_is(ada=176).priority("bob", "ada", "cid")
    table.contract("BOLT", strike=70, owner="ada", term=3).contract("BOLT", strike=75, owner="bob", term=1)
    table.contract("BOLT", strike=75, owner="bob", age=1).play_on()
    table.ada.covers(4)
    table.ada.covers(5)
    table.clock_runs_out()
    assert table.phase == "exercise_options"
    table.ada.exercises(1)
    table.bob.exercises(2)
    table.clock_runs_out()
    assert told(
        table, "short_interest_paid", "short_covered", "cover_dropped", "contract_expired", "option_exercised"
    ) == [
        ("ada paid interest on the short in ACME.", "−7"),
        ("ada paid interest on the short in BOLT.", "−9"),
        ("ada covered a short of 3 ACME and freed the margin of 71.", "−47 each"),
        ("ada could not cover BOLT: it cost 240; cash and margin were 180. (A32)", ""),
        ("bob's option on BOLT expired: its term is over.", ""),
        ("bob exercised an option on 3 BOLT at a strike of 75.", "(80 − 75) × 3 = +15"),
        ("ada exercised an option on 3 BOLT at a strike of 70.", "(80 − 70) × 3 = +30"),
    ]


def test_prices_tell_what_moved_them(table: Table) -> None:
    table.at("stock_orders").company("ACME", price=47).company("BOLT", price=47).holdings("BOLT", bob=3)
    table.ada.buys("ACME", 3)
    table.bob.sells("BOLT", 3)
    table.clock_runs_out()
    assert told(table, "price_moved") == [
        ("ACME rose (3 more bought than sold).", "47 to 51"),
        ("BOLT fell (3 more sold than bought).", "47 to 35"),
    ]


def test_the_end_of_a_stock_round(table: Table) -> None:
    table.at("stock_orders").company("ACME", price=47)
    table.ada.buys("ACME", 1)
    table.clock_runs_out().clock_runs_out()
    assert told(table, "stock_round_ended") == [
        ("The stock round ended after 2 sub-rounds with 1 market order filled.", "")
    ]


def test_consumers_are_told_where_they_come(table: Table) -> None:
    """S 7.7: a sector that nobody comes to is not named."""
    table.at(
        "end_turn", economy=3, sectors={"energy": {"base_demand": 3, "priority": 1}, "technology": {"priority": 2}}
    ).play_on()
    assert told(table, "consumers_moved") == [("3 consumers moved to Energy.", "")]


def test_one_unit_is_no_plural() -> None:
    """S 6.2."""
    fields = {"company": "ACME", "supply": 3, "demand": 1, "unit_price": 50, "throughput": 2, "prestige": False}
    lines = [Produced(sold=n, revenue=50 * n, **fields).sentence(str) for n in (1, 2)]  # type: ignore[arg-type]
    assert ["sold 1 unit at" in lines[0], "sold 2 units at" in lines[1]] == [True, True]
