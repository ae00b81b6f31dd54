"""German is longer than English: nothing that stands in a line of its own runs over what is beside it."""

from typing import TYPE_CHECKING

from django.db.models.functions import Now
from playwright.sync_api import expect

from accounts.models import User
from game.chat import writing
from game.lobby import lobby
from game.reputation import ratings
from game.store.game import Game
from tests.browser.desk import another_page, box_of, sign_in
from tests.browser.playing import PHONE, WIDE
from tests.browser.positions import lay, put
from tests.browser.test_big_shoulders import possible_sale, whose_turn
from tests.browser.test_devices import at_ballot, at_headlines
from tests.rulesets.sectors.table import Table
from tests.scenes import play_on
from tests.tables import READY, new_game, person, send

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.live_site import LiveSite

MOST_OF_LEADS = 5 * 20  # pixels: five lines
RUNS_OVER = """(places) => [...document.querySelectorAll(places)]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.trim())"""
BREAKS = """(places) => [...document.querySelectorAll(places)].filter((one) => one.checkVisibility()).flatMap((one) => {
  const words = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), broken = [];
  for (let text; (text = words.nextNode()); )
    for (const word of text.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (range.getBoundingClientRect().height > 24) broken.push(word[0]);
    }
  return broken;
})"""
"""Words that go on in the next line."""
SMALL = 360
LOW = """(places) => [...document.querySelectorAll(places)].filter((one) => one.checkVisibility())
  .filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 90))"""
CONTROLS = ", ".join(
    (
        *(".masthead :is(a, button, summary)", ".tabs a", ".chip", ".past-turns a", ".seg label", ".stepper button"),
        *(".panel :is(select, input[type=number])", ".sendbar :is(.btn, .check)", ":is(.page, .table) summary"),
    )
)
WIDTHS = (900, 1120, 1440)
LONG = "Strict and patient people, evenings only, no late answers"


def german(name: str) -> User:
    user = person(name)
    User.objects.filter(pk=user.pk).update(language="de")
    return user


def rate(*people: User) -> None:
    """A rated game of Power Up that they have finished: ratings stand beside their names."""
    host, *guests = people
    game = lobby.create_game(host=host, name="Over", seats=len(people), ruleset="power_up", is_rated=True)
    for guest in guests:
        lobby.join_game(game_id=game.pk, user=guest)
    lobby.start_game(game_id=game.pk, user=host)
    for number in range(len(people)):
        game.seats.filter(number=number).update(place=number + 1)
    Game.objects.filter(pk=game.pk).update(status="finished", finished_at=Now(), deadline_at=None)
    ratings.settle(game=Game.objects.get(pk=game.pk))


def test_what_leads_away_from_the_news_stands_clear_of_what_folds_them(
    browser: "Browser", live_site: "LiveSite"
) -> None:
    german("ada")
    game = lay(Table().seats("ada", "bob", cash=500).company("ACME", price=47).at("influence_bid"))
    for seat in (0, 1):
        send(game, seat, {"kind": "bid_influence", "points": 3 + seat}, READY)
    with another_page(browser) as page:
        sign_in(page, live_site, "ada")
        page.goto(live_site.address + game.get_absolute_url())
        page.set_viewport_size(PHONE)
        page.locator(".news-all").click()
        expect(page.locator(".news-all")).to_have_text("Weniger zeigen", use_inner_text=True)
        fold, way, title = (box_of(page.locator(f"#happened {it}")) for it in (".news-all", ".happened-h .end", "h2"))
        assert way["y"] >= fold["y"] + fold["height"] - 12 or way["x"] + way["width"] <= fold["x"]
        assert title["width"] > 200, "the heading has a line of its own"


def test_lists_and_tables_fit(browser: "Browser", live_site: "LiveSite") -> None:
    ada, bob = german("ada"), person("bob")
    rate(ada, bob)
    new_game("ada", "bob", pace="daily")
    board = lobby.create_game(host=ada, name="Rated", seats=2, ruleset="power_up", is_rated=True, pace="daily")
    lobby.join_game(game_id=board.pk, user=bob)
    lobby.start_game(game_id=board.pk, user=ada)
    lobby.create_game(host=bob, name=LONG, seats=6, pace="daily", least_reliability=95)
    with another_page(browser) as page:
        sign_in(page, live_site, "ada")
        for path, places in (
            ("/games/", ".game-due, .game-m, .page .scroll"),
            ("/games/?show=open", ".page .scroll"),
            (f"/games/{board.pk}/", "#players .stick"),
        ):
            page.goto(f"{live_site.address}{path}")
            assert page.locator(places).count(), path
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate(RUNS_OVER, places) == [], (path, width)


def test_the_players_of_a_finished_game_fit_the_spreadsheet(browser: "Browser", live_site: "LiveSite") -> None:
    """What they built is words, and goes on in a second line."""
    german("ada")
    game = play_on(new_game("ada", bots=3, ruleset="big_shoulders"))
    with another_page(browser, width=1440, height=900) as page:
        sign_in(page, live_site, "ada")
        page.goto(f"{live_site.address}/games/{game.pk}/spreadsheet/")
        assert page.locator("#players tbody tr").count() == 4
        assert page.evaluate(RUNS_OVER, "#players .scroll, #players td") == []
        assert "; ;" not in page.locator("#players").inner_text()


def test_a_small_phone_shows_the_whole_head_and_controls_as_high_as_a_finger(
    browser: "Browser", live_site: "LiveSite", table: Table
) -> None:
    german("ada")
    game = lay(table.at("stock_orders").holdings("ACME", ada=4))
    for number in range(11):
        writing.say(game_id=game.pk, user=person("bob"), text=f"Message {number}")
    other = new_game("ada", "bob", pace="daily")
    with another_page(browser, width=SMALL, height=740) as page:
        sign_in(page, live_site, "ada")
        for path in (f"{game.pk}/", f"{game.pk}/chat/", f"{other.pk}/results/", f"{other.pk}/history/"):
            page.goto(f"{live_site.address}/games/{path}")
            assert page.evaluate("() => document.scrollingElement.scrollWidth") <= SMALL, path
            assert page.evaluate(LOW, CONTROLS) == [], path


def test_the_menu_of_a_phone_is_whole_and_leads_from_a_game_s_pages_to_its_board(
    browser: "Browser", live_site: "LiveSite", table: Table
) -> None:
    german("ada")
    game = lay(table.at("stock_orders").holdings("ACME", ada=4))
    new_game("ada", "bob", pace="daily")
    with another_page(browser, width=SMALL, height=740) as page:
        sign_in(page, live_site, "ada")
        page.goto(f"{live_site.address}/games/{game.pk}/spreadsheet/")
        page.locator(".menu summary").click()
        for entry in page.locator(".menu-in :is(a, button)").all():
            box = entry.bounding_box()
            assert box, entry.inner_text()
            assert box["x"] >= 0, entry.inner_text()
            assert box["x"] + box["width"] <= SMALL, entry.inner_text()
        page.locator(".menu-in button", has_text="English").click()
        page.get_by_role("heading", name="Spreadsheet").wait_for()
        page.locator(".gamehead-n a").click()
        page.wait_for_url(f"{live_site.address}/games/{game.pk}/")


def test_the_first_sentence_of_the_news_is_whole(browser: "Browser", live_site: "LiveSite") -> None:
    """Above an open decision the rest is folded away."""
    german("ada")
    game = new_game("ada", bots=2, ruleset="big_shoulders")
    whose_turn(game)
    with another_page(browser, **PHONE) as page:
        sign_in(page, live_site, "ada")
        page.goto(f"{live_site.address}/games/{game.pk}/")
        leads = page.locator(".happened--asks > .leads")
        box = leads.bounding_box()
        assert box
        assert 0 < box["height"] <= MOST_OF_LEADS
        assert page.evaluate(RUNS_OVER, "#happened .leads li, #happened .outcome-t") == []


def test_no_word_on_a_button_breaks(browser: "Browser", live_site: "LiveSite") -> None:
    german("ada")
    position, seller = possible_sale()
    names = ["bob", "cid"]
    names.insert(seller, "ada")
    game = new_game(*names, ruleset="big_shoulders", pace="daily")
    put(game, position)
    with another_page(browser) as page:
        sign_in(page, live_site, "ada")
        page.goto(f"{live_site.address}/games/{game.pk}/")
        assert page.locator(".bs-acts label").count() >= 4
        for width in (PHONE["width"], 640, *WIDTHS):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(BREAKS, ".seg label, .btn") == [], width


def test_what_is_folded_and_the_own_figures_are_said_whole(
    browser: "Browser", live_site: "LiveSite", table: Table
) -> None:
    german("ada")
    headlines = lay(at_headlines(table))
    power_up = new_game("ada", bots=2, ruleset="power_up")
    whose_turn(power_up)
    with another_page(browser, **PHONE) as page:
        sign_in(page, live_site, "ada")
        for game, size, hint in ((headlines, PHONE, "#later summary small"), (power_up, WIDE, ".sendbar-own")):
            page.set_viewport_size(size)
            page.goto(f"{live_site.address}/games/{game.pk}/")
            assert page.locator(hint).is_visible()
            assert page.evaluate(RUNS_OVER, hint) == []


def test_a_ballot_stays_beside_the_panel(browser: "Browser", live_site: "LiveSite", table: Table) -> None:
    german("ada")
    game = lay(at_ballot(table))
    with another_page(browser) as page:
        sign_in(page, live_site, "ada")
        page.goto(f"{live_site.address}/games/{game.pk}/")
        for width in (SMALL, 800, 900, 1024, *WIDTHS, 1200, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.locator("#ballot .ballot input:enabled").count()
            assert page.evaluate(RUNS_OVER, "#ballot, #ballot .sec") == [], width
