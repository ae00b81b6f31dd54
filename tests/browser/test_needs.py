"""The number of games that need somebody, in every tab they have open."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.positions import lay
from tests.rulesets.sectors.table import Table


def test_submitting_in_one_tab_is_counted_down_in_the_other(table: Table, sit: Sit) -> None:
    ada = sit(table.at("stock_orders"), all_ready=False)
    other = lay(Table().seats("ada", "bob", cash=500).company("ACME", price=47).at("stock_orders"))
    ada.open()
    lobby = ada.page.context.new_page()
    lobby.goto(f"{ada.address.split('/games/')[0]}/games/")
    expect(lobby).to_have_title(re.compile(r"^\(2\) "))
    expect(lobby.locator("#needs-count")).to_have_text(re.compile("2$"))
    with_two = lobby.locator("#icon").get_attribute("href")
    ada.pick("company", "ACME").type("quantity", 2).send(ready=False).stands_at("submitted")
    for tab in (lobby, ada.page):
        expect(tab).to_have_title(re.compile(r"^\(1\) "))
        expect(tab.locator("#needs-count")).to_have_text(re.compile("1$"))
    expect(lobby.locator("#icon")).not_to_have_attribute("href", with_two or "")
    expect(lobby.locator("#next-game")).to_contain_text("in ")
    expect(ada.bar.locator(".sendbar-next a")).to_have_text(other.name)
    ada.bar.locator(".sendbar-next a").click()
    expect(ada.page).to_have_url(re.compile(f"{other.get_absolute_url()}$"))
    lobby.close()


def test_the_number_is_there_without_scripts(table: Table, sit: Sit) -> None:
    ada = sit(table.at("stock_orders"), all_ready=False)
    cookies = ada.page.context.cookies()
    browser = ada.page.context.browser
    assert browser is not None
    plain = browser.new_context(java_script_enabled=False)
    plain.add_cookies(cookies)  # type: ignore[arg-type]
    tab = plain.new_page()
    tab.goto(f"{ada.address.split('/games/')[0]}/rules/")
    expect(tab).to_have_title(re.compile(r"^\(1\) "))
    expect(tab.locator("#next-game a")).to_be_visible()
    plain.close()
