"""The card of a word, by pointer, by keyboard and by touch; without scripts the word leads to the rulebook."""

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.desk import Desk, another_page, box_of, sign_in, watch
from tests.tables import new_game, person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

MEANING = "Cash, shares and locked margins"


def test_by_pointer_and_by_keyboard(live_site: "LiveSite", page: "Page") -> None:
    seen = watch(page)
    game = new_game("ada", bots=2)
    sign_in(page, live_site, "ada")
    Desk(page, live_site, game).open()
    card, word = page.locator(".term-card"), page.locator("#players a.term", has_text="Net worth")
    expect(card).to_be_hidden()
    word.hover()
    expect(card).to_contain_text(MEANING)
    page.mouse.move(5, 5)
    expect(card).to_be_hidden()
    page.keyboard.press("Tab")  # from here on the focus is shown
    word.focus()
    expect(card).to_contain_text(MEANING)
    expect(word).to_have_attribute("aria-describedby", "term-card")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(word).not_to_have_attribute("aria-describedby", "term-card")
    assert not seen, seen


def test_by_touch_the_card_comes_first_and_the_rule_second(live_site: "LiveSite", browser: "Browser") -> None:
    game = new_game("ada", bots=2)
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    sign_in(page, live_site, "ada")
    Desk(page, live_site, game).open()
    word, card = page.locator("#ladder a.term"), page.locator(".term-card")
    word.tap()
    expect(card).to_contain_text("All 79 stock prices")
    box = box_of(card)
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    with page.expect_popup() as opened:
        word.tap()
    assert "/rules/sectors/" in opened.value.url
    assert opened.value.url.endswith("#word-price-chart")
    context.close()


def test_without_scripts_a_word_is_a_link(live_site: "LiveSite", browser: "Browser") -> None:
    game = new_game("ada", bots=2)
    with another_page(browser, scripts=False) as page:
        sign_in(page, live_site, person("ada").username)
        page.goto(f"{live_site.address}{game.get_absolute_url()}")
        with page.expect_popup() as opened:
            page.locator("#players a.term", has_text="Net worth").click()
        expect(opened.value.locator("#word-net-worth")).to_contain_text(MEANING)
