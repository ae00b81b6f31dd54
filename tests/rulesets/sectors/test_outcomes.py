"""What a player is told of each kind of input of their own, with its reason; and of what else concerns them."""

from __future__ import annotations

import pytest

from accounts.languages import override_language
from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome, Story, parts_of
from game.boards.registry import board_of
from game.engine.events import read_events
from tests.rulesets.sectors.table import Table


def told(table: Table, name: str = "ada") -> list[Outcome]:
    """Everything since the story's beginning."""
    seat = table.seat(name)
    parts = tuple(parts_of(1, "", read_events(table.told, seat)))
    return board_of("sectors").outcomes(Story(parts, seat, table.names.__getitem__, table.view(name)))


def of(table: Table, kind: str, name: str = "ada") -> Outcome:
    """The one outcome of a kind."""
    (found,) = [outcome for outcome in told(table, name) if outcome.kind == kind]
    return found


def lines(table: Table, kind: str, name: str = "ada") -> tuple[str, str, str, str]:
    one = of(table, kind, name)
    return one.label, one.sentence, one.figure, one.tone


# --- the opening


def test_a_bid_says_who_bid_more_and_what_was_kept(table: Table) -> None:
    """S 1.5."""
    table.starts(3)
    table.cid.bids(50)
    table.ada.bids(20)
    table.clock_runs_out()
    assert lines(table, "bid") == (
        "2nd in priority",
        "You bid 20 influence points and are 2nd in player priority. cid bid 50. The 30 you kept were paid to you.",
        "+30",
        NEUTRAL,
    )
    assert lines(table, "bid", "cid")[1].endswith("1st in player priority. Nobody bid more.")
    assert of(table, "missed", "bob").sentence == (
        "You made no decision in phase 1, Influence bid. You bid 0 and kept every point as a dollar."
    )


@pytest.fixture
def news(table: Table) -> Table:
    table.at("start_turn", sectors={"defensive": {}, "energy": {}, "industrial": {}})
    return table.company("HELIO", sector="energy").headlines(("energy", 1), None, None)


def test_a_pledge_is_paid_together(news: Table) -> None:
    """S 1.10."""
    news.ada.pledges(1)
    news.bob.pledges(1)
    news.clock_runs_out()
    assert lines(news, "headline") == (
        "Bought",
        "Your headline was paid for: Energy moved 1 place earlier, to sector priority 1. You shared its cost with bob.",
        "−15",
        GOOD,
    )


def test_a_pledge_that_cannot_be_paid_is_dropped(news: Table) -> None:
    """A13: ada can pay a third of it, not the half."""
    news.cash_is(ada=12).ada.pledges(1)
    news.bob.pledges(1)
    news.clock_runs_out()
    assert lines(news, "headline") == (
        "Dropped",
        "Your pledge for a headline was dropped. Your share of the cost was 15, and you had 12. It cost you nothing.",
        "",
        BAD,
    )
    assert lines(news, "headline", "bob")[1].endswith("You paid all of its cost.")


@pytest.fixture
def fair(table: Table) -> Table:
    table.at("tranche_vote", turn=3).company("COAL", sector="energy")
    return table.tranche("energy", cash=40, prestige=1).tranche("energy", cash=51).holdings("COAL", bob=1)


def test_a_tranche_is_won_alone_and_lost_together(fair: Table) -> None:
    """S 7.9."""
    fair.ada.votes_for_tranche(1)
    fair.bob.votes_for_tranche(2)
    fair.cid.votes_for_tranche(2)
    fair.clock_runs_out()
    assert lines(fair, "tranche")[:2] == ("Won", "You won tranche 1. Nobody else voted for it.")
    assert lines(fair, "tranche", "bob") == (
        "Lost",
        "You did not win tranche 2. cid voted for it too, and only a single vote wins.",
        "",
        BAD,
    )


def test_a_distribution_tells_its_giver_and_those_who_get_something(fair: Table) -> None:
    fair.ada.votes_for_tranche(1)
    fair.clock_runs_out()
    fair.ada.distributes(prestige_to="COAL", bob=15)
    fair.clock_runs_out()
    assert [o.text for o in told(fair) if o.kind == "gift"] == [
        "You gave bob 15 of tranche 1.",
        "You gave 1 prestige to COAL.",
    ]
    assert lines(fair, "paid") == ("Paid", "You kept 25 of tranche 1.", "+25", GOOD)
    assert lines(fair, "paid", "bob") == ("Paid", "ada gave you cash of tranche 1.", "+15", GOOD)
    assert lines(fair, "company", "bob")[1] == "ada gave 1 prestige to COAL. You hold 1 share."


# --- market orders


def test_a_market_order_is_filled(floor: Table) -> None:
    """S 5.3."""
    floor.ada.buys("ACME", 2)
    floor.clock_runs_out()
    assert lines(floor, "filled") == (
        "Filled",
        "You bought 2 ACME on the open market at 47 each. You hold 2 shares of it now.",
        "−94",
        GOOD,
    )
    price = of(floor, "price")
    assert (price.label, price.tone, price.is_own) == ("Price up", GOOD, False)
    assert price.sentence == "ACME rose from 47 to 51. You hold 2 shares. What moved it: 2 more bought than sold."


def test_a_sale_is_filled(floor: Table) -> None:
    floor.holdings("ACME", ada=3).market_holds(ACME=7).ada.sells("ACME", 3)
    floor.clock_runs_out()
    assert lines(floor, "filled") == (
        "Filled",
        "You sold 3 ACME on the open market at 47 each. You hold none of it now.",
        "+141",
        GOOD,
    )


@pytest.mark.parametrize(
    ("words", "quantity", "reason"),
    [
        ({"cash": 50}, 2, "It cost 94; you had 50 in cash."),
        ({}, 7, "It would have brought you to 7 shares; the ownership cap is 6."),
    ],
)
def test_a_rejected_purchase_says_both_numbers(floor: Table, words: dict[str, int], quantity: int, reason: str) -> None:
    floor.player("ada", **words).ada.buys("ACME", quantity)
    floor.clock_runs_out()
    assert lines(floor, "rejected") == (
        "Rejected",
        f"Your order to buy {quantity} ACME was rejected. {reason} It cost you nothing.",
        "",
        BAD,
    )


def test_a_rejected_purchase_says_who_bought_first(floor: Table) -> None:
    floor.market_holds(ACME=3).company("ACME", ipo=7).priority("cid", "bob", "ada")
    floor.ada.buys("ACME", 2)
    floor.cid.buys("ACME", 2)
    floor.clock_runs_out()
    assert of(floor, "rejected").reason == (
        "You wanted 2 shares; only 1 was left on the open market. cid bought first. It cost you nothing."
    )


def test_shares_that_were_sold_before_are_not_sold_again(floor: Table) -> None:
    """A triggered limit order takes the shares before the market order asks for them."""
    floor.holdings("ACME", ada=1).market_holds(ACME=9).ada.sells("ACME", 2)
    floor.clock_runs_out()
    assert of(floor, "rejected").reason == "You wanted to sell 2 and held 1. It cost you nothing."


# --- limit orders


def test_a_limit_order_waits_opens_is_triggered_and_filled(floor: Table) -> None:
    """S 5.5."""
    floor.ada.limits("buy", "ACME", 2, 43)
    floor.clock_runs_out()
    assert lines(floor, "order") == (
        "Waiting",
        "Your limit order to buy 2 ACME at 43 is placed. It opens at the end of the stock round.",
        "",
        NEUTRAL,
    )
    floor.clock_runs_out()
    triggered = of(floor, "limit")
    assert (triggered.label, triggered.text) == ("Triggered", "Your limit order to buy 2 ACME at 43 was triggered.")
    assert triggered.reason.startswith("It settles at that price when the next stock round begins")
    floor.play_to("stock_orders")
    filled = of(floor, "filled")
    assert filled.text == "You bought 2 ACME on the open market at 43 each."
    assert filled.reason.startswith("That was the price of your limit order.")
    assert (filled.figure, filled.tone) == ("−86", GOOD)
    assert not [o for o in told(floor) if o.kind in {"order", "limit"}], "what it came to takes their place"


def test_an_open_limit_order_says_what_triggers_it(floor: Table) -> None:
    floor.ada.limits("buy", "ACME", 2, 10)
    floor.clock_runs_out().clock_runs_out()
    assert of(floor, "limit").sentence == (
        "Your limit order to buy 2 ACME at 10 is open. It is triggered when the price reaches 10. It is 39 now."
    )


def test_a_triggered_limit_order_can_be_rejected(floor: Table) -> None:
    floor.limit("ada", "buy", "ACME", 2, 47, status="filled_pending_settlement").cash_is(ada=20)
    floor.at("limit_settlement", just_before=True).play_on()
    assert of(floor, "rejected").sentence == (
        "Your limit order to buy 2 ACME at 47 was rejected. It cost 94; you had 20 in cash. It cost you nothing."
    )


# --- shorts


def test_a_short_is_opened(floor: Table) -> None:
    """S 5.6."""
    floor.ada.shorts("ACME", 3)
    floor.clock_runs_out().clock_runs_out()
    assert lines(floor, "short") == (
        "Opened",
        "You shorted 3 ACME at 47 each. You were paid 141; a margin of 71 is locked.",
        "+70",
        GOOD,
    )
    fell = of(floor, "price")
    assert (fell.label, fell.tone) == ("Price down", GOOD), "a fall is good for a short"


def test_a_short_without_margin_is_rejected(floor: Table) -> None:
    floor.cash_is(ada=70).ada.shorts("ACME", 3)
    floor.clock_runs_out().clock_runs_out()
    one = of(floor, "rejected")
    assert one.sentence == (
        "Your short of 3 ACME was rejected. The margin was 71; you had 70 in cash. It cost you nothing."
    )
    assert (one.tone, one.rule) == (BAD, "S 5.6")


def test_a_short_with_nothing_to_borrow_says_who_borrowed(floor: Table) -> None:
    floor.market_holds(ACME=2).company("ACME", ipo=8).priority("cid", "bob", "ada")
    floor.ada.shorts("ACME", 1)
    floor.cid.shorts("ACME", 2)
    floor.clock_runs_out().clock_runs_out()
    assert of(floor, "rejected").reason == (
        "You wanted to borrow 1 share; none were left on the open market. cid borrowed first. It cost you nothing."
    )


def test_a_cover_pays_and_frees_the_margin(table: Table) -> None:
    """S 5.6."""
    table.at("cover_shorts").company("ACME", price=32).short("ada", "ACME", 2, 47)
    table.ada.covers(1)
    table.clock_runs_out()
    assert lines(table, "cover")[:3] == (
        "Covered",
        "You covered your short of 2 ACME at 32 each. That cost 64; the margin of 47 is yours again.",
        "−17",
    )


def test_a_cover_that_became_too_dear_is_dropped(table: Table) -> None:
    """A32: bob's cover lifts the price first."""
    table.at("cover_shorts").priority("bob", "ada", "cid").company("ACME", price=35)
    table.short("ada", "ACME", 2, 47).short("bob", "ACME", 4, 47).cash_is(ada=23)
    table.ada.covers(1)
    table.bob.covers(2)
    table.clock_runs_out()
    one = of(table, "cover")
    assert (one.label, one.tone) == ("Dropped", BAD)
    assert one.text == "Your short in ACME was not covered and stays open."
    assert "cash and margin were 70" in one.reason


def test_interest_is_told(table: Table) -> None:
    table.at("short_interest", just_before=True).company("ACME", price=47)
    table.short("ada", "ACME", 2, 47).play_on()
    assert lines(table, "cost")[1:3] == ("You paid interest on your short in ACME.", "−4")


# --- options


@pytest.fixture
def pit(floor: Table) -> Table:
    return floor.contract("ACME", strike=51, premium=20, term=2, shares=5, bonus=1)


def test_an_option_is_bought_by_one_and_lost_by_the_other(pit: Table) -> None:
    """S 5.7."""
    pit.ada.wants(1)
    pit.bob.wants(1)
    pit.clock_runs_out().clock_runs_out()
    assert lines(pit, "option") == (
        "Bought",
        "You bought the option on ACME. It pays for 5 shares above a price of 51.",
        "−20",
        GOOD,
    )
    assert of(pit, "rejected", "bob").sentence == (
        "Your order for the option on 5 ACME was rejected. ada bought the contract first, for 20. It cost you nothing."
    )


def test_an_option_is_exercised(table: Table) -> None:
    table.at("exercise_options").company("ACME", price=60).contract("ACME", strike=51, shares=5, owner="ada")
    table.ada.exercises(1)
    table.clock_runs_out()
    assert lines(table, "option") == (
        "Exercised",
        "You exercised your option on 5 ACME. The price was 60, 9 above the strike.",
        "+45",
        GOOD,
    )


def test_an_option_expires(table: Table) -> None:
    table.at("expire_contracts", just_before=True).company("ACME", price=60)
    table.contract("ACME", strike=90, owner="ada", term=1, age=1).play_on()
    assert lines(table, "option") == (
        "Expired",
        "Your option on ACME expired. Its term is over; the premium is lost.",
        "",
        BAD,
    )


# --- votes


@pytest.fixture
def earning(table: Table) -> Table:
    table.company("ACME", revenue=157, treasury=100).holdings("ACME", ada=3, bob=2, cid=2)
    return table.at("revenue_vote", reviews=True)


def test_a_revenue_vote_is_lost_to_named_players_with_their_weight(earning: Table) -> None:
    """S 6.5."""
    earning.ada.votes("ACME", "retain")
    earning.bob.votes("ACME", "full")
    earning.cid.votes("ACME", "full")
    earning.clock_runs_out()
    assert lines(earning, "vote") == (
        "Outvoted",
        "ACME pays full dividends; you voted to retain. bob and cid voted for full dividends with 4 shares; you had 3.",
        "",
        BAD,
    )
    assert lines(earning, "vote", "bob")[:3] == (
        "Won",
        "ACME pays full dividends, as you voted. Full dividends: 4 shares (you and cid), retain: 3 shares (ada).",
        "+31",
    )
    assert not [outcome for outcome in told(earning, "bob") if outcome.kind == "paid"], "it is told with the vote"
    assert lines(earning, "paid") == ("Paid", "ACME paid you dividends on 3 shares.", "+47", GOOD)


def test_a_tie_is_told_as_one(earning: Table) -> None:
    earning.holdings("ACME", ada=2).priority("cid", "ada", "bob")
    earning.ada.votes("ACME", "retain")
    earning.cid.votes("ACME", "half")
    earning.clock_runs_out()
    assert of(earning, "vote").reason == (
        "cid voted for half dividends with 2 shares, as many as yours; a tie goes to the better player priority."
    )


def test_shares_that_did_not_vote_are_told_so(earning: Table) -> None:
    earning.bob.votes("ACME", "full")
    earning.clock_runs_out()
    assert of(earning, "company").sentence == (
        "ACME pays full dividends. Your 3 shares did not vote. Full dividends: 2 shares (bob)."
    )
    assert of(earning, "missed").label == "Missed"


def test_a_company_vote_is_lost_to_named_players_with_their_weight(table: Table) -> None:
    """S 6.7."""
    table.company("ACME", tier="startup", treasury=2000).holdings("ACME", ada=3, bob=2, cid=2)
    table.at("company_vote", acting="ACME", reviews=True)
    table.ada.votes("ACME", "loan")
    table.bob.votes("ACME", "lobby")
    table.cid.votes("ACME", "lobby")
    table.play_to("company_action")
    assert lines(table, "vote") == (
        "Outvoted",
        "ACME chose Lobby; your vote for Loan lost. bob and cid voted for Lobby with 4 shares; you had 3.",
        "",
        BAD,
    )
    assert lines(table, "vote", "cid")[0] == "Won"


def test_a_chosen_action_that_fails_is_told(table: Table) -> None:
    table.company("ACME", tier="startup", treasury=1).holdings("ACME", ada=3)
    table.at("company_vote", acting="ACME", reviews=True)
    table.ada.votes("ACME", "expansion")
    table.play_to("company_action")
    failed = next(o for o in told(table) if o.label == "Failed")
    assert (failed.text, failed.tone) == ("ACME could not carry out Expansion.", BAD)
    assert failed.reason
    assert failed.rule


# --- companies in trouble


def broke(table: Table) -> Table:
    table.company("ACME", status="insolvent", treasury=0, price=47).holdings("ACME", ada=3, bob=2)
    return table.at("contributions", acting="ACME", reviews=True)


def test_a_contribution_saves_a_company(table: Table) -> None:
    """S 6.12."""
    broke(table).ada.contributes(cash=200)
    table.play_to("contribution_result")
    assert lines(table, "gift")[:3] == ("Given", "You gave ACME 200 in cash.", "−200")
    assert [o.sentence for o in told(table, "bob") if o.kind == "company"] == [
        "ada gave ACME 200 in cash.",
        "ACME is active again. It was given 200 and needed 200.",
    ]


def test_a_bankruptcy_says_what_was_missing(table: Table) -> None:
    broke(table).ada.contributes(cash=20)
    table.play_to("contribution_result")
    one = of(table, "bankrupt", "bob")
    assert one.sentence == (
        "ACME went bankrupt and your 2 shares are gone. It needed 200 and was given 20. You were paid 10% of the price."
    )
    assert (one.figure, one.tone, one.rule) == ("+9", BAD, "S 6.12")


# --- the end


def test_all_are_told_that_the_bank_broke_and_each_their_own_place(table: Table) -> None:
    table.company("ACME", revenue=300).holdings("ACME", ada=1).at("revenue_vote", bank=29)
    table.ada.votes("ACME", "full")
    table.play_to("company_vote")
    table.clock_runs_out()
    assert table.state.end == "bank"
    for name, place in (("ada", "1st place"), ("bob", "2nd place"), ("cid", "2nd place")):
        ends = [outcome.label for outcome in told(table, name) if outcome.kind == "end"]
        assert ends == ["Bank broke", place]


# --- secrets


def test_nobody_is_told_of_another_s_outcomes(floor: Table) -> None:
    floor.options(concealed=True)
    floor.ada.shorts("ACME", 3)
    floor.bob.buys("ACME", 2)
    floor.clock_runs_out()
    for name, other in (("ada", "bob"), ("bob", "ada"), ("cid", "ada")):
        own = [outcome for outcome in told(floor, name) if outcome.is_own]
        assert not [o for o in own if other in o.sentence.lower()]
    assert [o.kind for o in told(floor, "cid") if o.is_own] == ["missed"]


def test_an_outcome_is_told_in_german(table: Table) -> None:
    """A bid, its reason and its mark; the stored events are the same."""
    table.starts(3)
    table.cid.bids(50)
    table.ada.bids(20)
    table.clock_runs_out()
    with override_language("de"):
        assert lines(table, "bid") == (
            "2. im Vorrang",
            (
                "Du hast 20 Einflusspunkte geboten und liegst im Vorrang auf dem 2. Platz. cid hat 50 geboten. "
                "Behaltene Punkte wurden dir ausgezahlt: 30."
            ),
            "+30",
            NEUTRAL,
        )
    assert of(table, "bid").label == "2nd in priority"
