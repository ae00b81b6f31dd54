"""A game that nobody drew a board for, played by two browsers through its rules alone."""

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from game.play.moves import TurnMoved
from game.store.game import Game, Status
from tests.browser.desk import Desk, another_page, sign_in, watch
from tests.tables import fresh, new_game, person
from tests.toy_scenes import at_turns, board, hand

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

NARROW, TALL = 390, 844
MOST_LOOKS = 60


@pytest.fixture
def ada(live_site: "LiveSite", page: "Page") -> Desk:
    """Ada's page; it opens no game yet."""
    sign_in(page, live_site, "ada")
    return Desk(page, live_site, Game())


@pytest.fixture
def ben(live_site: "LiveSite", browser: "Browser") -> "Desk":
    with another_page(browser) as page:
        sign_in(page, live_site, "ben")
        yield Desk(page, live_site, Game())  # type: ignore[misc]


def sit_at(game: Game, *desks: Desk) -> None:
    for desk in desks:
        desk.game = game
        desk.open()


def places(desk: Desk, card: int, cell: str) -> None:
    """Choose the card and click the cell."""
    desk.ticket.get_by_text("Place a card").click()
    desk.ticket.locator(".auto-o").first.locator(".seg label", has_text=re.compile(rf"^\s*{card}\s*$")).click()
    desk.ticket.locator(".auto-grid label", has_text=cell).click()
    desk.press("submit")


def does(desk: Desk, words: str) -> None:
    desk.ticket.get_by_text(words).click()
    desk.press("submit")


def test_two_people_create_join_and_play_it_to_its_end(live_site: "LiveSite", ada: Desk, ben: Desk) -> None:
    # A preview that is answered after its own form was submitted is refused.
    seen = watch(ada.page, (422,)), watch(ben.page, (422,))
    ada.page.goto(f"{live_site.address}/games/new/?game=toy")
    ada.page.get_by_text("Or choose: Relaxed").click()
    ada.page.locator("input[name=pace][value=demo]").check()
    ada.page.locator("[name=name]").fill("Cards")
    ada.page.locator("[name=seats][value='2']").check(force=True)
    ada.page.get_by_role("button", name="Create the game").click()
    expect(ada.page.locator("#room")).to_be_visible()
    game = Game.objects.get(name="Cards")
    ben.page.goto(f"{live_site.address}/games/{game.pk}/")
    ben.page.get_by_role("button", name="Take a seat").click()
    ada.page.get_by_role("button", name=re.compile("Start")).click()
    expect(ada.ticket).to_be_visible()
    sit_at(game, ada, ben)
    for _ in range(2):
        for desk, coins in ((ada, 2), (ben, 0)):
            desk.type("f_0_coins", coins).send()
        for desk, seat in ((ada, 0), (ben, 1)):
            expect(desk.brief).to_contain_text("Turn: choose what to do.")
            places(desk, min(hand(game, seat)), f"{'AB'[seat]}{fresh(game).turn}")
            expect(desk.page.locator("#facts")).to_contain_text(f"{'AB'[seat]}{fresh(game).turn}")
            does(desk, "Draw a card")
    for desk in (ada, ben):
        expect(desk.page.locator("#brief-t")).to_contain_text(re.compile("win"))
        desk.sees("#brief", "The last round was played.")
    assert (fresh(game).status, len(board(game))) == (Status.FINISHED, 4)
    assert seen == ([], [])


def test_the_other_page_follows_each_action_and_its_taking_back(ada: Desk, ben: Desk) -> None:
    game = at_turns()
    sit_at(game, ada, ben)
    expect(ben.page.locator("#brief-t")).to_have_text("It is ada’s turn.")
    card = min(hand(game, 0))
    places(ada, card, "B2")
    ben.reads(f"ada placed the {card} on B2.").sees("#facts", "B2")
    ada.press("undo")
    expect(ben.log).not_to_contain_text("B2")
    expect(ada.page.locator("#facts")).not_to_contain_text("B2")
    does(ada, "Draw a card")
    ben.reads("ada drew a card.")
    ada.reads(f"You drew the {hand(game, 0)[-1]}.")
    expect(ada.button("undo")).to_be_disabled()
    does(ada, "End the turn")
    expect(ben.page.locator("#brief-t")).to_have_text("Turn: choose what to do.")
    headings = [text.split("Today")[0].strip() for text in ben.log.locator(".log-ph").all_inner_texts()]
    assert headings == ["Turn 1, phase 2: Turn (ada)", "Turn 1, phase 1: Bidding"]


@pytest.mark.refused
def test_a_second_page_of_the_same_person_is_refused_kindly(ada: Desk) -> None:
    """Its form was made before the last action; what it shows then is the turn as it stands."""
    game = at_turns()
    sit_at(game, ada)
    second = ada.page.context.new_page()
    other = Desk(second, ada.site, game)
    second.route("**/ws/**", lambda route: route.abort())
    second.goto(ada.address)
    second.evaluate("() => { WebSocket.prototype.send = () => {}; }")
    first, *_, last = sorted(hand(game, 0))
    other.ticket.locator(".seg label", has_text=re.compile(rf"^\s*{last}\s*$")).click()  # now it is being filled in
    other.ticket.locator(".auto-grid label", has_text="C3").click()
    places(ada, first, "A1")
    expect(ada.page.locator("#facts")).to_contain_text("A1")
    other.press("submit")
    expect(second.locator("#refusal")).to_contain_text(TurnMoved().text)
    assert set(board(game)) == {"A1"}
    expect(second.locator("#ticket input[name=step]")).to_have_value("1")
    second.close()


def test_a_card_is_left_for_ones_own_turn_changed_and_carried_out(ada: Desk, ben: Desk) -> None:
    game = at_turns()
    sit_at(game, ada, ben)
    card = min(hand(game, 1))
    expect(ben.button("submit")).to_have_text("Save it for my turn")
    places(ben, card, "C1")
    expect(ben.stands_at("submitted").bar).to_contain_text(f"Place: card {card}, cell C1")
    ben.page.locator("label[for=edit]").last.click()
    ben.ticket.locator(".auto-grid label", has_text="C2").click()
    ben.press("submit")
    expect(ben.bar).to_contain_text("cell C2")
    expect(ada.page.locator("#facts")).not_to_contain_text("C2")
    does(ada, "End the turn")
    ben.reads(f"You placed the {card} on C2.")
    assert board(game) == {"C2": (1, card)}
    expect(ben.button("undo")).to_be_enabled()


def test_it_is_played_on_a_phone(browser: "Browser", live_site: "LiveSite") -> None:
    game = at_turns()
    with another_page(browser, width=NARROW, height=TALL) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open()
        assert page.evaluate("() => document.scrollingElement.scrollWidth") <= NARROW
        small = [
            box
            for cell in desk.ticket.locator(".auto-grid label").all()
            if (box := cell.bounding_box()) and box["height"] < 40
        ]
        assert not small, "a cell is large enough for a thumb"
        card = min(hand(game, 0))
        places(desk, card, "B2")
        expect(page.locator("#facts")).to_contain_text("B2")
        assert board(game) == {"B2": (0, card)}


def test_it_is_played_by_keyboard(ada: Desk) -> None:
    """Cards and cells are radio buttons; U takes back, S does it."""
    person("ada").save()
    game = at_turns()
    sit_at(game, ada)
    ada.ticket.locator(".seg input").first.focus()
    ada.page.keyboard.press("Space")
    ada.ticket.locator(".auto-grid input").first.focus()
    ada.page.keyboard.press("ArrowRight")
    ada.page.keyboard.press("ArrowRight")
    ada.page.keyboard.press("s")
    expect(ada.page.locator("#facts")).to_contain_text("C1")
    ada.page.locator("body").press("u")
    expect(ada.page.locator("#facts")).not_to_contain_text("C1")


def test_it_is_played_without_scripts(browser: "Browser", live_site: "LiveSite") -> None:
    game = new_game("ada", bots=1, ruleset="toy")
    with another_page(browser, scripts=False) as page:
        sign_in(page, live_site, "ada")
        desk = Desk(page, live_site, game).open(listening=False)
        desk.type("f_0_coins", 9).send()
        for _ in range(MOST_LOOKS):
            if (now := fresh(game)).status == Status.FINISHED:
                break
            page.goto(desk.address)  # after the look: a page from before the bot's action offers nothing
            if now.phase_name == "bidding":
                if now.seat_states[0] == "untouched":  # else the bot's bid is still to come
                    desk.send()
            elif 0 in now.waiting_seats:
                desk.choose("offer_turn", "1" if now.load_position().state.deck else "2").press("submit")
            page.wait_for_timeout(300)
        page.goto(desk.address)
        expect(page.locator("#brief")).to_contain_text("The game is over")
