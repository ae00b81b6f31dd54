"""PU 4.5: mergers, from the choice of the survivor to the last dollar."""

from __future__ import annotations

from game.rulesets.power_up import events as told
from game.rulesets.power_up.forecast import MERGER
from tests.rulesets.power_up.table import Table


def two_way(*, doe: bool = False) -> Table:
    """Example 5: Superslick with six tiles, Eclipse with four, B3 neutral between them."""
    table = Table(doe=doe).board(superslick="A0 A1 A2 B0 C0 D0", eclipse="C2 D2 E2 F2", neutral="B3")
    return table.hands(ada="B2")


def three_way(seats: int = 3) -> Table:
    """Example 6: Cortex and Rufus tie with five, Maniac has two."""
    table = Table(seats).board(cortex="A5 A6 A7 A8 A9", rufus="C5 D5 E5 F5 G5", maniac="B3 B4")
    return table.hands(ada="B5")


def test_example_5_two_way_merger() -> None:
    table = two_way().shares("eclipse", ada=2, bob=1)
    assert (table.now.price("superslick"), table.now.price("eclipse")) == (600, 300)
    table.plays("B2")
    assert (table.size("superslick"), table.now.price("superslick")) == (12, 900)
    assert (table.size("eclipse"), table.now.price("eclipse"), table.now.unsold("eclipse")) == (0, 200, 0)
    assert [table.held(name, "eclipse") for name in ("ada", "bob")] == [0, 0]
    assert table.money("ada") == 6000 + 3000 + 600
    assert table.money("bob") == 6000 + 1500 + 300
    assert table.now.headquarters == {"superslick": "A0"}
    assert table.now.ledger.existing("eclipse") == 0


def test_example_6_a_tie_is_broken_by_the_actor() -> None:
    table = three_way().shares("rufus", bob=1).shares("maniac", cid=1)
    ahead = table.ahead("B5")
    assert (ahead.case, ahead.choice, ahead.companies) == (MERGER, "survivor", ("cortex", "rufus"))
    words = r"B5 joins companies of equal size\. Choose Cortex Power or Rufus Geothermal\. \(Rule PU 4\.5\)"
    table.refuses(words, "play_tile", tile="B5")
    table.refuses("Maniac Timber has 2 tiles", "play_tile", tile="B5", survivor="maniac")
    table.refuses("Rule P-7", "play_tile", tile="B5", found="eclipse", survivor="cortex")
    table.plays("B5", survivor="cortex")
    assert (table.size("cortex"), table.now.price("cortex")) == (13, 850)
    gone = [(e.company, e.size, e.price) for e in table.events(told.CompanyAcquired)]
    assert gone == [("rufus", 5, 450), ("maniac", 2, 200)]
    assert table.size("rufus") == table.size("maniac") == 0


def test_example_6_the_other_survivor() -> None:
    table = three_way().plays("B5", survivor="rufus")
    assert (table.size("rufus"), table.now.price("rufus")) == (13, 850)


def test_a_clear_largest_company_takes_no_name() -> None:
    """P-7: a named survivor was meant for another position."""
    two_way().refuses(r"Look at the board .*Rule P-7", "play_tile", tile="B2", survivor="superslick")


def test_example_13_payout_inside_example_6() -> None:
    table = three_way().shares("rufus", ada=3, bob=3, cid=1).shares("maniac", cid=2, bob=1)
    table.plays("B5", survivor="cortex")
    paid = {(e.seat, e.company): (e.bonus, e.shares * e.price) for e in table.events(told.HolderPaid)}
    assert paid == {
        (0, "rufus"): (3375, 1350),
        (1, "rufus"): (3375, 1350),
        (2, "rufus"): (0, 450),
        (2, "maniac"): (2000, 400),
        (1, "maniac"): (1000, 200),
    }
    assert [table.money(name) - 6000 for name in ("ada", "bob", "cid")] == [4725, 5925, 2850]


def test_victims_of_equal_size_are_paid_in_the_order_of_companies() -> None:
    """PU 4.5: the order has no consequence."""
    table = Table().board(whoops="B5 C5 D5", cortex="A3 A4", eclipse="A6 A7").hands(ada="A5").plays("A5")
    assert [e.company for e in table.events(told.CompanyAcquired)] == ["eclipse", "cortex"]
    assert table.size("whoops") == 8


def test_the_department_is_paid_like_a_holder() -> None:
    """PU 4.5, 4.7: its money is its own."""
    table = two_way(doe=True).shares("eclipse", doe=6, ada=4, bob=2).plays("B2")
    assert table.money("doe") == 3000 + 1800
    assert table.money("ada") == 6000 + 1500 + 1200
    assert table.money("bob") == 6000 + 600
    assert table.view(None).department is not None


def test_a_company_without_holders_is_taken_over_for_nothing() -> None:
    """P-9."""
    table = two_way().plays("B2")
    assert not table.events(told.HolderPaid)
    assert table.size("superslick") == 12


def test_example_26_the_survivor_s_holders_get_nothing_now() -> None:
    table = two_way().shares("superslick", bob=4)
    assert 4 * table.now.price("superslick") == 2400
    table.plays("B2")
    assert table.money("bob") == 6000
    assert table.held("bob", "superslick") * table.now.price("superslick") == 3600


def test_example_29_money_of_a_merger_buys_at_once() -> None:
    """Cash 100 and 1,100 received: a share at 1,200 can be bought."""
    table = Table(4, actions=2).block("superslick", 15, 0).board(maniac="C5 D5").hands(ada="B5").cash(ada=100)
    table.shares("maniac", bob=5, ada=3, cid=3, dan=1)  # example 7
    table.plays("B5")
    assert (table.money("ada"), table.now.price("superslick")) == (1200, 1200)
    table.buys("superslick")
    assert table.money("ada") == 0


def test_a_merger_can_be_reported_whole() -> None:
    """The state keeps the last one for the page; the forecast said the same before."""
    table = three_way().shares("rufus", ada=3, bob=3, cid=1).shares("maniac", cid=2, bob=1)
    ahead = table.ahead("B5").result("cortex")
    table.plays("B5", survivor="cortex")
    report = table.view(None).merger
    assert report is not None
    assert (report.seat, report.tile, report.survivor, report.size, report.price) == (0, "B5", "cortex", 13, 850)
    assert report.acquisitions == ahead.acquisitions
    assert [(p.seat, p.total) for p in report.acquisitions[0].payouts] == [(0, 4725), (1, 4725), (2, 450)]


def test_a_merger_reads_as_sentences() -> None:
    table = two_way(doe=True).shares("eclipse", ada=2, doe=1).plays("B2")
    names = ["Ada", "Bob"].__getitem__
    lines = [(event.sentence(names), event.figure(names)) for event in table.told]
    assert lines == [
        ("Ada played B2: Superslick Oil takes over Eclipse Solar.", ""),
        ("Superslick Oil took over Eclipse Solar with its 4 tiles.", "price 300"),
        ("Ada sold 2 shares of Eclipse Solar and received a bonus.", "+3,000 + 2 × 300"),
        ("The Department of Energy sold 1 share of Eclipse Solar and received a bonus.", "+1,500 + 1 × 300"),
        ("Superslick Oil now has 12 tiles.", "price 900"),
    ]
