"""Revenue votes, ballots and contributions: taken by clicking, and their effect seen."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.rulesets.sectors.table import Table

REVENUE = 200


def rivals(table: Table) -> Table:
    """ACME and BETA, of each of which ada owns six shares; ACME acts now, BETA later."""
    table.company("ACME", treasury=500).company("BETA", price=43, treasury=500).holdings("ACME", ada=6).holdings(
        "BETA", ada=6
    )
    return table.at("company_vote", acting="ACME")


@pytest.mark.takes("vote_revenue")
@pytest.mark.parametrize(
    ("choice", "paid", "told"), [("full", 120, "dividends"), ("half", 60, "dividends"), ("retain", 0, "treasury")]
)
def test_voting_on_revenue(table: Table, sit: Sit, choice: str, paid: int, told: str) -> None:
    desk = sit(table.at("revenue_vote").company("ACME", produced=4, sold=4, revenue=REVENUE).holdings("ACME", ada=6))
    desk.choose("vote_ACME", choice)
    desk.sees("#preview", f"+{paid}").send()
    desk.reads("(full 6" if choice == "full" else f"{choice} 6", told)
    expect(desk.row("You")).to_contain_text(str(500 + paid))


@pytest.mark.takes("vote_actions")
def test_voting_for_what_a_company_does(table: Table, sit: Sit) -> None:
    desk = sit(rivals(table))
    desk.choose("actions_ACME", "small_marketing")
    desk.sees("#preview", "Treasury").send()
    desk.reads("The shareholders of ACME chose Small marketing campaign", "ACME carried out Small marketing campaign.")
    desk.sees("#brief", "BETA")


def test_number_keys_choose_and_a_list_names_the_keys(table: Table, sit: Sit) -> None:
    table.company("ACME", tier="enterprise", treasury=900).holdings("ACME", ada=6)
    desk = sit(table.at("company_vote", acting="ACME"))
    for key, chosen in (("1", "1 of 2"), ("3", "2 of 2"), ("1", "1 of 2")):
        desk.page.keyboard.press(key)
        desk.sees("#ballot [data-chosen]", f"{chosen} chosen")
    expect(desk.page.locator("#ballot input[data-key='3']")).to_be_checked()
    for is_open in (True, False):
        desk.page.keyboard.press("?")
        expect(desk.page.locator("#keylist")).to_be_visible(visible=is_open)


@pytest.mark.takes("vote_actions", "ready")
def test_voting_ahead_for_a_company_whose_turn_comes_later(table: Table, sit: Sit) -> None:
    desk = sit(rivals(table))
    desk.page.locator("#ahead-BETA summary").click()
    desk.choose("actions_BETA", "share_issue")
    expect(desk.page.locator("input[name=ready_BETA]")).to_be_checked()
    desk.choose("actions_ACME", "small_marketing").send()
    desk.reads("ACME carried out Small marketing campaign.", "BETA carried out Share issue.")


@pytest.mark.takes("contribute")
@pytest.mark.parametrize(("field", "worth"), [("cash", 120), ("shares", 2)])
def test_helping_an_insolvent_company(table: Table, sit: Sit, field: str, worth: int) -> None:
    table.company("ACME", status="insolvent", treasury=0).holdings("ACME", ada=3, bob=2)
    desk = sit(table.at("contributions", acting="ACME"))
    desk.type(field, worth)
    desk.page.locator("#sure").check()
    desk.press("submit")
    desk.reads("You gave ACME 120" if field == "cash" else "You gave ACME 2 shares")
    desk.sees("#ticket", "106" if field == "shares" else "80")
    desk.press("ready").reads("ACME received")


@pytest.mark.takes("contribute")
def test_saving_an_insolvent_company(table: Table, sit: Sit) -> None:
    table.company("ACME", status="insolvent", treasury=0).holdings("ACME", ada=3, bob=2)
    desk = sit(table.at("contributions", acting="ACME"))
    desk.sees("#ticket", "Your 3 shares, worth 141 now, would bring you only 14.")
    desk.page.get_by_role("button", name="Fill in 200").click()
    expect(desk.page.locator("#cash")).to_have_value("200")
    desk.page.locator("#sure").check()
    desk.press("submit").sees("#brief", "is saved")
    expect(desk.bar.locator(".btn--go")).to_have_text("No more contributions")
    expect(desk.ticket).not_to_contain_text("bankrupt")
    expect(desk.ticket.locator(".delta--down, [data-fill]")).to_have_count(0)
    desk.press("ready").reads("ACME received 200 (200 needed) and became active again.")
