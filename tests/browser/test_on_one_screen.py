"""The decision and its object on one screen, on a phone and on a desktop; nothing moves under the pointer."""

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts.guests import mark_notes_read
from accounts.models import User
from game.chat import writing
from tests.browser.conftest import Sit
from tests.browser.desk import Desk, another_page, box_of, sign_in
from tests.browser.playing import PHONE, WIDE
from tests.browser.positions import others_are_ready, put
from tests.browser.test_power_up import plain_tile, play_turn, whose_turn
from tests.browser.test_vote_actions import rivals
from tests.rulesets.power_up import table as power_up
from tests.rulesets.sectors.table import Table
from tests.tables import clock_runs_out, new_game, person, send

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

    from tests.live_site import LiveSite

SIZES = {"phone": PHONE, "desktop": WIDE}
HEAD = 56  # the masthead, which stays
TWO_LINES = 124  # words, at most three small lines of them, and buttons
BALLOT_TOP = 470
BALLOT_TOP_BELOW_NEWS = 500
PREVIEW_TOP = 600  # on a phone, of an order in a game with a deadline


def fits(desk: Desk, *places: "Locator") -> None:
    """All of them stand between the head and the bar, or the foot of the window, without being scrolled any more."""
    bar, window = box_of(desk.bar), desk.page.viewport_size
    assert window
    for place in places:
        box = box_of(place)
        foot = bar["y"] if box["x"] + box["width"] > bar["x"] else window["height"]
        assert box["y"] >= HEAD - 1, (place, box, bar)
        assert box["y"] + box["height"] <= foot + 1, (place, box, bar)
    assert bar["height"] <= TWO_LINES, bar
    assert bar["y"] + bar["height"] <= window["height"] + 1


def test_the_order_ticket_with_its_preview_and_its_button(table: Table, sit: Sit) -> None:
    mark_notes_read(person("ada"), ["*"])
    desk = sit(table.at("stock_orders"), all_ready=False)
    desk.pick("company", "ACME").type("quantity", 2)
    preview, lasting = desk.page.locator("#preview"), desk.page.locator("#later")
    expect(preview).to_contain_text("2 × 47")
    for name, size in SIZES.items():
        desk.page.set_viewport_size(size)
        desk.ticket.evaluate("(form, top) => scrollTo(0, top && form.offsetTop - 60)", name == "phone")
        fits(desk, desk.page.locator(".seg--kinds"), desk.page.locator("#quantity"), preview)
        assert box_of(lasting)["y"] > box_of(preview)["y"], "what a tick means stands below what the order does"
        expect(lasting.locator("input")).to_be_hidden()
        lasting.locator("summary").click()
        expect(lasting.locator("input").first).to_be_visible()
        lasting.locator("summary").click()


@pytest.mark.parametrize("language", ["en", "de"])
def test_on_a_phone_the_first_screen_has_the_whole_preview_of_an_order(table: Table, sit: Sit, language: str) -> None:
    mark_notes_read(person("ada"), ["*"])
    User.objects.filter(pk=person("ada").pk).update(language=language)
    desk = sit(table.at("stock_orders"), all_ready=False)
    desk.page.set_viewport_size(PHONE)
    desk.pick("company", "ACME").type("quantity", 2)
    preview = desk.page.locator("#preview table")
    expect(preview).to_contain_text("2 × 47")
    expect(desk.page.locator("#sendbar-s")).to_have_class(re.compile("sendbar-s--draft"))
    desk.page.evaluate("() => scrollTo(0, 0)")
    fits(desk, preview)


def test_on_a_phone_a_note_for_newcomers_stands_below_the_ticket(table: Table, sit: Sit) -> None:
    desk = sit(table.at("stock_orders"), all_ready=False)
    desk.page.set_viewport_size(PHONE)
    desk.pick("company", "ACME").type("quantity", 2)
    cost = desk.page.locator("#preview tr", has_text="2 × 47")
    expect(cost).to_be_visible()
    desk.page.evaluate("() => scrollTo(0, 0)")
    fits(desk, desk.page.locator("#quantity"), cost)
    assert box_of(desk.page.locator("#preview"))["y"] <= PREVIEW_TOP
    ticket, note = box_of(desk.ticket), box_of(desk.page.locator("#coach"))
    assert ticket["y"] + ticket["height"] <= note["y"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_on_a_phone_the_ballot_begins_on_the_screen_of_its_question(table: Table, sit: Sit, language: str) -> None:
    """Before the note for newcomers, which follows it."""
    User.objects.filter(pk=person("ada").pk).update(language=language)
    desk = sit(rivals(table), all_ready=False)
    desk.page.set_viewport_size(PHONE)
    desk.page.evaluate("() => scrollTo(0, 0)")
    fits(desk, desk.page.locator("#brief-t"), desk.page.locator("#ballot .ballot tbody tr").first)
    ballot, note = box_of(desk.page.locator("#ballot")), box_of(desk.page.locator("#coach"))
    assert ballot["y"] <= BALLOT_TOP
    assert ballot["y"] + ballot["height"] <= note["y"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_on_a_phone_the_chosen_company_is_whole(table: Table, sit: Sit, language: str) -> None:
    """One that is not floated, too: that it can only be had from its IPO stands over it in the open list."""
    User.objects.filter(pk=person("ada").pk).update(language=language)
    table.company("STEADY", sector="defensive", price=161, status="inactive")
    desk = sit(table.at("stock_orders"), all_ready=False)
    desk.page.set_viewport_size(PHONE)
    desk.pick("company", "STEADY")
    wide = desk.page.locator("#company").evaluate(
        """(list) => { const style = getComputedStyle(list), pen = document.createElement("canvas").getContext("2d");
        pen.font = style.font; const inside = list.clientWidth - 20 - parseFloat(style.paddingLeft)
        - parseFloat(style.paddingRight); return pen.measureText(list.selectedOptions[0].text).width - inside; }"""
    )
    assert wide <= 0
    groups = desk.page.locator("#company optgroup").evaluate_all("(all) => all.map((each) => each.label)")
    assert any(("IPO" if language == "en" else "Emission") in group for group in groups), groups


@pytest.mark.parametrize("name", SIZES)
def test_the_ballot_with_what_follows_and_its_button(table: Table, sit: Sit, name: str) -> None:
    mark_notes_read(person("ada"), ["*"])
    desk = sit(rivals(table), all_ready=False)
    desk.page.set_viewport_size(SIZES[name])
    ballot = desk.page.locator("#ballot .ballot").first
    if name == "desktop":
        assert box_of(ballot)["y"] <= BALLOT_TOP
    else:
        ballot.evaluate("(table) => table.scrollIntoView()")
        desk.page.mouse.wheel(0, -70)
    choice = ballot.locator("tbody tr").first
    choice.locator("input").check()
    preview = desk.page.locator("#preview")
    expect(preview).to_contain_text("Treasury")
    if name == "desktop":
        preview.scroll_into_view_if_needed()
    fits(desk, choice, preview)


@pytest.mark.parametrize("name", SIZES)
def test_the_ballot_below_the_news_of_the_vote_before(table: Table, sit: Sit, name: str) -> None:
    """What the reader and the others brought about takes a line above a ballot."""
    mark_notes_read(person("ada"), ["*"])
    desk = sit(rivals(table.holdings("ACME", bob=1).holdings("BETA", bob=1)), all_ready=False)
    desk.page.set_viewport_size(SIZES[name])
    desk.choose("actions_ACME", "small_marketing").send()
    others_are_ready(desk.game)
    desk.sees("#brief", "BETA").sees("#happened", "Small marketing campaign")
    desk.page.evaluate("() => scrollTo(0, 0)")
    top = box_of(desk.page.locator("#ballot .ballot").first)["y"]
    assert top <= (BALLOT_TOP if name == "desktop" else BALLOT_TOP_BELOW_NEWS), top


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("place", ["spreadsheet", "charts", "chat"])
def test_on_a_phone_the_first_and_the_current_page_of_a_game_are_in_sight(
    table: Table, sit: Sit, place: str, language: str
) -> None:
    User.objects.filter(pk=person("ada").pk).update(language=language)
    desk = sit(rivals(table), all_ready=False)
    desk.page.set_viewport_size(PHONE)
    desk.page.goto(f"{desk.address}{place}/")
    first, current = (box_of(desk.page.locator(f".tabs {one}")) for one in ("a:first-child", "[aria-current]"))
    assert first["x"] >= 0
    assert current["x"] >= first["x"] + first["width"]
    assert current["x"] + current["width"] <= PHONE["width"]


def test_a_warning_is_seen_once(table: Table, sit: Sit) -> None:
    """On a phone in the bar, on a screen that has room for it in the preview."""
    desk = sit(table.at("stock_orders").holdings("ACME", ada=2), all_ready=False)
    desk.choose("side", "sell").pick("company", "ACME").type("quantity", 5)
    warnings = desk.page.locator(".panel .say", has_text="You own only 2 of these 5 shares")
    expect(warnings).to_have_count(2)
    drawn = "(one) => one.getClientRects().length && one.parentElement.clientHeight > 1"
    for name, size in SIZES.items():
        desk.page.set_viewport_size(size)
        assert warnings.evaluate_all(f"(all) => all.filter({drawn}).length") == 1, name


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_headlines_and_none_of_them(table: Table, sit: Sit, language: str) -> None:
    mark_notes_read(person("ada"), ["*"])
    User.objects.filter(username="ada").update(language=language)
    table.company("ENRG", sector="energy", price=39).company("CARE", sector="healthcare", price=39)
    desk = sit(table.at("start_turn").headlines(("healthcare", 2), ("industrial", -2), ("energy", 1)), all_ready=False)
    cards = desk.ticket.locator(".picks").first.locator(".pickcard")
    expect(cards).to_have_count(4)
    for size in SIZES.values():
        desk.page.set_viewport_size(size)
        fits(desk, cards.first, cards.last)


@pytest.mark.parametrize("name", SIZES)
def test_the_map_with_what_a_tile_would_do_and_its_button(browser: "Browser", live_site: "LiveSite", name: str) -> None:
    """On a phone the map comes first; a tile is tapped, and the sheet above the button says what it would do."""
    game = new_game("ada", "bob", ruleset="power_up", pace="daily")
    seat = whose_turn(game)
    tile = plain_tile(game, seat)
    with another_page(browser, **SIZES[name]) as page:
        who = ("ada", "bob")[seat]
        mark_notes_read(person(who), ["*"])
        sign_in(page, live_site, who)
        desk = Desk(page, live_site, game).open()
        field, cell = page.locator(".pu-map"), page.locator(f"#map [data-cell={tile}] label")
        before = box_of(cell)
        fits(desk, field, cell)
        cell.click()
        preview = page.locator("#preview")
        expect(preview).to_contain_text(tile)
        fits(desk, field, preview)
        assert box_of(cell) == before, "the map does not move under the finger"
        expect(desk.button("submit")).to_have_text(f"Play {tile}")
        if name == "phone":
            sheet = box_of(desk.ticket)
            assert box_of(field)["y"] + box_of(field)["height"] <= sheet["y"]


def test_every_action_of_a_turn_is_in_sight_on_a_phone(browser: "Browser", live_site: "LiveSite") -> None:
    """With six companies and several steps to take back: all that can be bought, to draw and to end the turn."""
    game = new_game("ada", "bob", ruleset="power_up", pace="daily")
    laid = power_up.Table(actions=4).board(
        eclipse="A0 A1", maniac="C0 C1", cortex="E0 E1", rufus="A5 A6", superslick="C5 C6", whoops="E5 E6"
    )
    put(game, laid.hands(ada="J0").position)
    send(game, 0, {"kind": "play_tile", "tile": "J0"})
    send(game, 0, {"kind": "buy", "company": "rufus"})
    with another_page(browser, **PHONE) as page:
        mark_notes_read(person("ada"), ["*"])
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open()
        actions = page.locator(".pu-buy").all()
        assert len(actions) == 8
        fits(desk, *actions)
        before = box_of(actions[0])
        desk.choose("move", "buy_rufus")
        expect(page.locator("#preview")).to_contain_text("5,400")
        expect(desk.bar.locator(".sendbar-m")).to_contain_text("Cash falls from 5,700 to 5,400")
        assert abs(box_of(actions[0])["y"] - before["y"]) <= 2, "no action moves under the finger"


@pytest.mark.parametrize("phase", ["stock_orders", "revenue_vote"])
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", SIZES)
def test_a_draft_leaves_the_form_where_it_is(table: Table, sit: Sit, name: str, language: str, phase: str) -> None:
    """The sentence about the deadline is another one then."""
    User.objects.filter(pk=person("ada").pk).update(language=language)
    table.company("STEEL", price=39, revenue=90).holdings("STEEL", ada=2, bob=3)
    desk = sit(table.at(phase), all_ready=False)
    desk.page.set_viewport_size(SIZES[name])
    before, sentence = box_of(desk.ticket)["y"], desk.page.locator("#brief .default > :first-child").inner_text()
    if phase == "stock_orders":
        desk.pick("company", "ACME").type("quantity", 2)
    else:
        desk.ticket.locator("input[value=half]").first.check(force=True)
    expect(desk.page.locator("#sendbar-s")).to_have_class(re.compile("sendbar-s--draft"))
    expect(desk.page.locator("#brief .default > :first-child")).not_to_have_text(sentence)
    assert box_of(desk.ticket)["y"] == before


@pytest.mark.parametrize("name", SIZES)
def test_news_and_messages_move_nothing_under_the_pointer(table: Table, sit: Sit, name: str) -> None:
    """A message comes in, and the others become ready, while the pointer rests on the company of the ticket."""
    desk = sit(table.at("stock_orders"), all_ready=False)
    desk.page.set_viewport_size(SIZES[name])
    company = desk.page.locator("#company")
    company.hover()
    places = [company, desk.page.locator(".masthead-end"), desk.page.locator(".tabs").first]
    before = [box_of(place) for place in places]
    writing.say(game_id=desk.game.pk, user=person("bob"), text="Are you there?")
    expect(desk.page.locator("[data-unread]").first).to_contain_text("1")
    assert [box_of(place) for place in places] == before
    others_are_ready(desk.game)
    expect(desk.bar).to_contain_text("Everyone else is ready")
    assert box_of(company) == before[0]


def test_what_happened_pushes_nothing_away_under_the_pointer(table: Table, sit: Sit) -> None:
    """What is told above the board has come, and the page is scrolled by as much, from its very top."""
    desk = sit(table.at("stock_orders"), all_ready=False)
    desk.pick("company", "ACME").type("quantity", 2).send().stands_at("ready")
    chart = desk.page.locator("#ladder")
    chart.hover()
    before = box_of(chart)["y"]
    others_are_ready(desk.game)
    desk.sees("#happened", "ACME")
    assert desk.page.evaluate("scrollY") > 0
    assert abs(box_of(chart)["y"] - before) <= 1


def test_the_top_of_the_next_decision_comes_into_sight_after_ones_own(table: Table, sit: Sit) -> None:
    """It opens only once the others are ready: the reader, who did nothing since, sees what is asked."""
    desk = sit(table.options(max_sub_rounds=3).at("stock_orders"), all_ready=False)
    desk.page.set_viewport_size(PHONE)
    desk.pick("company", "ACME").type("quantity", 2).send().stands_at("ready")
    desk.page.evaluate("scrollTo(0, 900)")
    others_are_ready(desk.game)
    desk.stands_at("untouched")
    desk.page.wait_for_function("scrollY === 0")


def test_the_top_of_what_follows_a_turn_comes_into_sight_piece_by_piece(
    browser: "Browser", live_site: "LiveSite"
) -> None:
    """After the last action of a turn come the others' turns, then one's own, each taller above the board."""
    game = new_game("ada", "bob", ruleset="power_up", pace="daily")
    seat = whose_turn(game)
    with another_page(browser, **PHONE) as page:
        who = ("ada", "bob")[seat]
        mark_notes_read(person(who), ["*"])
        sign_in(page, live_site, who)
        desk = Desk(page, live_site, game).open()
        play_turn(desk)
        other = whose_turn(game)
        assert other != seat
        clock_runs_out(game)
        expect(desk.ticket).to_be_visible()
        desk.sees("#happened", "Since your last decision")
        assert page.evaluate("scrollY") == 0


def test_the_top_of_the_finish_page_comes_into_sight(table: Table, sit: Sit) -> None:
    """The last decision is one's own, sent from far down the page: the result is read first."""
    table.company("ACME", treasury=500).holdings("ACME", ada=6)
    desk = sit(table.at("company_vote", acting="ACME", turn=8))
    desk.page.set_viewport_size(PHONE)
    desk.choose("actions_ACME", "small_marketing")
    desk.page.evaluate("scrollTo(0, 700)")
    desk.send()
    desk.sees("#finish", "What decided it")
    assert desk.page.evaluate("scrollY") == 0
