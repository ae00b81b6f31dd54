"""The influence bid, headline pledges and tranches: taken by clicking, and their effect seen."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.rulesets.sectors.table import Table


@pytest.mark.takes("bid_influence", "ready")
def test_bidding_influence(table: Table, sit: Sit) -> None:
    desk = sit(table.at("influence_bid"))
    desk.type("points", 29)
    desk.page.get_by_role("button", name="More points").click()
    desk.sees("#preview", "50 − 30 = 20").send()
    desk.reads("You bid 30 influence points and are number 1 in player priority.")
    expect(desk.row("You")).to_contain_text("520")


@pytest.mark.takes("pledge_headline")
def test_paying_for_a_headline(table: Table, sit: Sit) -> None:
    table.sector("energy", priority=1).sector("industrial", priority=2).company(
        "IDLE", sector="energy", status="inactive", price=39
    )
    desk = sit(table.at("start_turn").headlines(("industrial", 1), ("energy", -1)))
    desk.choose("headline", "1")
    desk.sees("#preview", "If you pay alone").send()
    desk.reads("You paid for a headline; Industrial moved to sector priority 1.")
    expect(desk.row("You")).to_contain_text("470")


@pytest.mark.takes("vote_tranche", "distribute_tranche")
def test_winning_a_tranche_and_sharing_it_out(table: Table, sit: Sit) -> None:
    table.at("tranche_vote", turn=3).tranche("industrial", cash=90, prestige=1).tranche("energy", cash=40)
    desk = sit(table)
    desk.choose("tranche", "1").send()
    desk.reads("Only you voted for tranche 1 and so won it.")
    desk.type("cash_1", 30).pick("prestige_to", "ACME").pick("ability_to", "ACME")
    desk.sees("#preview", "90 − 30 = 60").send()
    desk.reads("You gave 1 prestige to ACME.", "You gave Manufacture to ACME.", "You gave bob cash of tranche 1")
    expect(desk.row("bob")).to_contain_text("530")
