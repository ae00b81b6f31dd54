"""The house bot's ballots: what it foresees is what the rules do, and it votes for what serves its own holdings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from game.rulesets.sectors.bots.foresight import CHANGES, SPACES, Scene
from game.rulesets.sectors.bots.prospects import Prospects
from game.rulesets.sectors.effects import COMPANY_ACTIONS, PRESTIGE_SPACES
from game.rulesets.sectors.forecast import UNFORESEEN, forecast
from game.rulesets.sectors.tables.sectors import SECTORS
from tests.rulesets.sectors.thinking import asked, wishes

if TYPE_CHECKING:
    from tests.rulesets.sectors.table import Table


def voting(table: Table, *, turn: int = 4, consumers: int = 8, **words: Any) -> Table:
    """ACME of Industrial votes: ada holds 5 of its shares, bob 2; supply 3, unit price 50, price 60, consumers
    enough."""
    acme = {"tier": "startup", "price": 60, "unit_price": 50, "treasury": 300, "has_loan": True, "ipo": 3, **words}
    table.sector("industrial", consumers=consumers, base_demand=3).company("ACME", **acme)
    return table.holdings("ACME", ada=5, bob=2).at("company_vote", acting="ACME", turn=turn)


@pytest.mark.parametrize("sector", SECTORS)
@pytest.mark.parametrize("edition", [1, 2])
def test_what_the_bot_foresees_is_what_the_rules_do(table: Table, sector: str, edition: int) -> None:
    """Every action that the rules' own forecast knows leads to the same supply and demand."""
    acme = {
        "sector": sector,
        "tier": "growth",
        "treasury": 2000,
        "prestige": 5,
        "temporary_demand": 3,
        "base_demand": 2,
        "market": 2,
    }
    table.options(edition=edition).company("ACME", **acme).sector(sector, consumers=20).at(
        "company_vote", acting="ACME"
    )
    prospects = Prospects(table.view())
    company = prospects.companies[0]
    seen = {plan.action: plan.after for plan in prospects.plans(company) if plan.action not in UNFORESEEN}
    assert len(seen) >= 5
    for action, after in seen.items():
        result = forecast(table.state, "ACME", action)
        assert result is not None
        assert (after.supply + after.extra_supply, after.base_demand + after.extra_demand) == (
            result.supply,
            result.demand,
        ), action


def test_the_bot_knows_the_whole_rulebook() -> None:
    assert set(CHANGES) == set(COMPANY_ACTIONS)
    assert set(SPACES) == set(PRESTIGE_SPACES)
    assert "turns" in Scene.__struct_fields__


def test_the_first_production_comes_as_foreseen(table: Table) -> None:
    """S 6.2–6.6: dividend and price of the next production, all revenue paid out."""
    acme = {
        "tier": "startup",
        "price": 47,
        "unit_price": 50,
        "temporary_demand": 2,
        "treasury": 300,
        "existing": 10,
        "market": 6,
    }
    table.company("ACME", **acme).holdings("ACME", ada=4).sector("industrial", consumers=5).at("stock_orders")
    foreseen = Prospects(table.view()).outlook(table.view().company("ACME"))
    table.play_to("revenue_vote").ada.votes("ACME", "full")
    table.clock_runs_out()
    assert table.of("ACME").revenue / 10 == foreseen.dividends[0]
    assert table.of("ACME").step == foreseen.steps[1]


def test_nobody_asks_for_anything_so_it_markets(table: Table) -> None:
    assert wishes(voting(table), "ada")[0].endswith("marketing")


def test_what_is_in_demand_gets_dearer(table: Table) -> None:
    """R-3: more is asked than supplied, and there is no money for more supply."""
    assert wishes(voting(table, turn=7, temporary_demand=5, treasury=90), "ada") == ["increase_unit_price"]


def test_supply_grows_where_much_more_could_be_sold(table: Table) -> None:
    """S 6.9: demand and consumers well above supply, a treasury that bears it, and turns to come."""
    chosen = wishes(voting(table, base_demand=6, treasury=900, consumers=30), "ada", temper="builder")
    assert chosen[0] in ("expansion", "outsource")


def test_an_empty_treasury_borrows(table: Table) -> None:
    """R-4: the next cost would make the company INSOLVENT."""
    assert wishes(voting(table, treasury=20, has_loan=False), "ada") == ["loan"]


def test_the_last_dollars_are_not_spent(table: Table) -> None:
    """S 6.4: a campaign would leave less than the next operating cost."""
    assert wishes(voting(table, treasury=110, temporary_demand=2), "ada") == ["veto"]


def test_new_shares_only_thin_what_it_holds(table: Table) -> None:
    """S 1.8: Investor Confidence is left alone by who has no money to buy."""
    table.with_(track=["investor_confidence"]).cash_is(ada=0)
    assert wishes(voting(table, prestige=2, treasury=90, temporary_demand=3), "ada") != ["spend_prestige"]


def test_on_the_last_turn_only_the_price_counts(table: Table) -> None:
    """S 1.8: a Bull Signal is worth a step to the very end."""
    table.with_(track=["bull_signal"])
    assert wishes(voting(table, turn=8, prestige=1, treasury=90), "ada") == ["spend_prestige"]


def test_tokens_and_cash_are_kept_for_a_re_brand(table: Table) -> None:
    """S 6.10: with 2 of 3 tokens and the money at hand it passes by a Bull Signal."""
    table.with_(track=["bull_signal"]).sector("cyclical", consumers=9)
    shop = {"sector": "cyclical", "treasury": 600, "temporary_demand": 3}
    assert wishes(voting(table, prestige=2, **shop), "ada") != ["spend_prestige"]


def test_a_company_that_can_re_brands(table: Table) -> None:
    """S 6.10: unit price +40 for 400 and 3 tokens."""
    shop = {"sector": "cyclical", "treasury": 700, "temporary_demand": 3, "prestige": 3}
    assert wishes(voting(table.sector("cyclical", consumers=9), **shop), "ada") == ["re_brand"]


def test_a_share_on_the_market_is_bought_back_when_cash_is_idle(table: Table) -> None:
    """S 6.9: it costs nothing, and nothing else would do more."""
    assert wishes(voting(table, turn=7, temporary_demand=3, treasury=60, ipo=0, market=3), "ada") == ["share_buyback"]


def test_who_is_rich_and_finds_nothing_to_buy_has_shares_issued(table: Table) -> None:
    """S 6.9: the IPO and the market are empty, the share is cheap for what it pays, and bob holds few."""
    table.cash_is(bob=900)
    voting(table, temporary_demand=3, ipo=0, existing=7, market=0, treasury=300)
    assert wishes(table, "bob", temper="bear") == ["share_issue"]


def test_a_short_seller_votes_against_the_company(table: Table) -> None:
    """Five shares held, six owed: what would lift the price is not wanted."""
    table.short("ada", "ACME", 6, 60)
    assert not wishes(voting(table, market=3, ipo=0), "ada")[0].endswith("marketing")


def test_a_big_company_takes_two_actions(table: Table) -> None:
    """S 6.7: the second wish is the best after the first, and never its opposite."""
    chosen = wishes(voting(table, tier="established", treasury=900, consumers=20), "ada")
    assert len(chosen) == len(set(chosen)) == 2
    assert chosen[0].endswith("marketing")


def test_revenue_is_paid_out_when_the_treasury_is_full(table: Table) -> None:
    """S 6.5."""
    table.company("ACME", treasury=400, revenue=150).holdings("ACME", ada=5).at("revenue_vote")
    assert asked(table, "ada") == [{"kind": "vote_revenue", "company": "ACME", "choice": "full"}]


def test_revenue_is_kept_when_the_next_cost_could_not_be_paid(table: Table) -> None:
    """S 6.4, 6.5: with 15 in the treasury and no loan left the company would close."""
    words = {"tier": "startup", "price": 47, "treasury": 15, "revenue": 150, "has_loan": True, "temporary_demand": 4}
    table.sector("industrial", consumers=9).company("ACME", **words).holdings("ACME", ada=5).at("revenue_vote", turn=4)
    (vote,) = asked(table, "ada")
    assert vote["choice"] in ("half", "retain")


def failing(table: Table, *, turn: int, **words: Any) -> Table:
    """ACME asks for 200; ada holds all that is held of it."""
    table.sector("industrial", consumers=9).company("ACME", status="insolvent", tier="startup", treasury=0, **words)
    return table.cash_is(ada=400).holdings("ACME", ada=6).at("contributions", acting="ACME", turn=turn)


def test_a_company_that_will_earn_is_saved(table: Table) -> None:
    """S 6.12."""
    (gift,) = asked(failing(table, turn=3, price=60, unit_price=70, base_demand=3), "ada")
    assert gift["cash"] >= 200


def test_a_company_that_will_not_is_left_to_close(table: Table) -> None:
    """S 6.12: it costs more than its shares will ever bring."""
    assert asked(failing(table, turn=7, price=12, unit_price=20), "ada") == []
