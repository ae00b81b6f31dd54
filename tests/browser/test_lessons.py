"""Lessons on a phone and on a desktop: form and button in sight, and an end."""

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from game.lobby.models import LearntLesson
from tests.browser.desk import another_page, box_of, watch
from tests.browser.playing import PHONE, WIDE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Locator, Page

    from tests.live_site import LiveSite

A_GAME = re.compile(r"/games/\d+/$")
SIZES = [PHONE, WIDE]


def begin(page: "Page", site: "LiveSite", ruleset: str, key: str) -> None:
    page.goto(f"{site.address}/lessons/")
    page.locator(f'form[action="/lessons/{ruleset}/{key}/"] button').click()
    page.wait_for_url(A_GAME)
    expect(page.locator("[data-live]")).to_have_attribute("data-link", "open")


def send(page: "Page") -> None:
    page.locator("button[form=ticket][name=do][value=submit]:visible").click()


def choose(page: "Page", name: str, value: str) -> None:
    page.locator(f'input[name="{name}"][value="{value}"]').check()


def fill(page: "Page", name: str, value: int) -> None:
    page.locator(f"#ticket input[name={name}]").fill(str(value))


def is_over(page: "Page", words: str = "Done.") -> None:
    """The lesson says so, and asks for nothing more."""
    expect(page.locator(".lesson h1")).to_have_text(words)
    expect(page.locator("button[form=ticket]")).to_have_count(0)


def lies_in_sight(page: "Page", *parts: "Locator") -> bool:
    """True if every part lies in the window without scrolling, above the buttons."""
    bar = box_of(page.locator("#sendbar"))["y"]
    return all(box_of(part)["y"] >= 0 and box_of(part)["y"] + box_of(part)["height"] <= bar for part in parts)


@pytest.mark.parametrize("size", SIZES, ids=["phone", "desktop"])
def test_the_first_lesson_floats_a_company_and_pays_a_dividend(
    live_site: "LiveSite", browser: "Browser", size: dict[str, int]
) -> None:
    with another_page(browser, **size) as page:
        seen = watch(page)
        page.goto(live_site.address)
        page.get_by_role("button", name="First lesson", exact=True).click()
        page.wait_for_url(A_GAME)
        expect(page.locator("#ticket select[name=company]")).to_have_value("ACME")
        assert lies_in_sight(page, page.locator(".lesson"), page.locator("#ticket input[name=quantity]"))
        fill(page, "quantity", 5)
        send(page)
        expect(page.locator(".lesson h1")).to_have_text("Vote to pay out all of the revenue.")
        full = page.locator("#ticket label", has_text="Full").first
        assert lies_in_sight(page, page.locator(".lesson"), full)
        full.click()
        send(page)
        is_over(page)
        expect(page.locator(".lesson")).to_contain_text("brought you 50")
        expect(page.get_by_role("button", name="Next lesson: Vote on a company action")).to_be_visible()
        assert LearntLesson.objects.get().lesson == "float"
        assert not seen, seen


def test_a_mistake_is_named_and_mended_by_starting_again(live_site: "LiveSite", browser: "Browser") -> None:
    with another_page(browser, **PHONE) as page:
        begin(page, live_site, "sectors", "float")
        fill(page, "quantity", 2)
        send(page)
        is_over(page, "Not quite.")
        expect(page.locator(".lesson")).to_contain_text("fewer than five shares")
        page.get_by_role("button", name="Start again").click()
        expect(page.locator(".lesson h1")).to_have_text("Buy five shares of ACME from its IPO.")


def pays_for_industrial(page: "Page") -> None:
    choose(page, "headline", "2")
    send(page)


def votes_and_distributes(page: "Page") -> None:
    choose(page, "tranche", "2")
    send(page)
    expect(page.locator(".lesson h1")).to_have_text("Give the token and the ability to ACME.")
    send(page)


def votes_for_a_campaign(page: "Page") -> None:
    choose(page, "actions_ACME", "small_marketing")
    send(page)


def shorts_and_covers(page: "Page") -> None:
    send(page)
    expect(page.locator(".lesson h1")).to_have_text("Cover your short of ACME.")
    page.locator("#ticket input[name=cover]").check()
    send(page)


def buys_and_exercises(page: "Page") -> None:
    send(page)
    expect(page.locator(".lesson h1")).to_have_text("Exercise the contract on ACME.")
    page.locator("#ticket input[name=exercise]").first.check()
    send(page)


def gives(page: "Page") -> None:
    fill(page, "cash", 200)
    page.locator("#ticket input[type=checkbox]").first.check()
    send(page)
    expect(page.locator(".lesson h1")).to_have_text("Choose “No more contributions”.")
    page.get_by_role("button", name="No more contributions").click()


def founds_and_buys(page: "Page") -> None:
    page.locator('.pu-map input[value="I5"]').first.check(force=True)
    page.locator(".pu-name:visible").first.click()
    send(page)
    expect(page.locator(".lesson h1")).to_have_text("Buy a share of your new company.")
    page.locator(".pu-buy", has_text="Maniac").click()
    send(page)


def merges(page: "Page") -> None:
    page.locator('.pu-map input[value="C4"]').first.check(force=True)
    send(page)


def spends_a_year(page: "Page") -> None:
    send(page)
    expect(page.locator(".lesson h1")).to_have_text("Cash in your loan stock.")
    expect(page.locator("#act-play_loan")).to_have_count(1)
    page.locator("#ticket label", has_text="Loan").click()
    send(page)
    expect(page.locator(".lesson h1")).to_have_text("Sell your shares of Omega Energy.")
    expect(page.locator("#company-OE")).to_be_checked()
    send(page)


def buys_back(page: "Page") -> None:
    fill(page, "shares", 20_000)
    fill(page, "price", 60)
    send(page)


def sells_both(page: "Page") -> None:
    page.locator("label:has(#act-sell)").click()
    page.locator('#ticket input[name="sell_libby:C"]').fill("2")
    page.locator('#ticket input[name="sell_libby:C"]').blur()
    expect(page.locator("#preview")).to_contain_text("If you sell")
    send(page)


def places_and_takes(page: "Page") -> None:
    page.locator("label:has(#space-advertising)").click()
    expect(page.locator("#ticket .bs-bonus")).to_be_visible()
    expect(page.locator("button[form=ticket][value=submit]:visible")).to_have_text("Advertise and end turn")
    send(page)


def operates(page: "Page") -> None:
    expect(page.locator("#runs-1")).to_be_checked()
    expect(page.locator("#decision-pay")).to_be_checked()
    send(page)


CLICKED: dict[tuple[str, str], "Callable[[Page], None]"] = {
    ("sectors", "company"): votes_for_a_campaign,
    ("sectors", "headline"): pays_for_industrial,
    ("sectors", "tranche"): votes_and_distributes,
    ("sectors", "short"): shorts_and_covers,
    ("sectors", "option"): buys_and_exercises,
    ("sectors", "insolvency"): gives,
    ("power_up", "found"): founds_and_buys,
    ("power_up", "merge"): merges,
    ("stock_market_tycoon", "year"): spends_a_year,
    ("stock_market_tycoon", "short"): send,
    ("stock_market_tycoon", "buyback"): buys_back,
    ("big_shoulders", "sale"): sells_both,
    ("big_shoulders", "place"): places_and_takes,
    ("big_shoulders", "operation"): operates,
    ("big_shoulders", "dividend"): send,
}


@pytest.mark.parametrize("ruleset", sorted({ruleset for ruleset, _ in CLICKED}))
def test_each_lesson_ends_where_its_goals_are_met(live_site: "LiveSite", browser: "Browser", ruleset: str) -> None:
    """A newcomer takes the lessons of a game one after another."""
    with another_page(browser, **PHONE) as page:
        seen = watch(page)
        for key in [key for of, key in CLICKED if of == ruleset]:
            begin(page, live_site, ruleset, key)
            assert lies_in_sight(page, page.locator(".lesson h1")), key
            CLICKED[ruleset, key](page)
            is_over(page)
        assert not seen, seen
