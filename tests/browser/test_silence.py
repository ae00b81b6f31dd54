"""A connection that falls silent without closing: what was pressed or typed is sent again, counts once, and stays on
the page until it has arrived."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from game.chat.models import Message, Notebook
from game.store.log import Draft, LoggedAction
from tests.browser.clock import FIRST_PAUSE, LIMIT, SLOW, take_clock
from tests.browser.desk import Desk, another_page, sign_in
from tests.tables import READY, new_game, send

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from playwright.sync_api import Browser, Page, Route

    from tests.live_site import LiveSite

pytestmark = pytest.mark.usefixtures("judged")
NOTE = "#unsaved-note"
A_MOMENT = 20  # ms between two looks


class Silence:
    """The first requests to some address get no answer; whether they arrive is the test's choice."""

    def __init__(self, page: "Page", address: str, *, first: int = 1, arrives: bool = False) -> None:
        self.page, self.silent = page, first
        self.asked = 0
        self._arrives = arrives
        page.route(address, self._answer)

    def goes_on(self) -> "Silence":
        """Something was asked, and there is no answer yet."""
        while not self.asked:
            self.page.wait_for_timeout(A_MOMENT)
        return self

    def is_given_up(self, note: str) -> "Silence":
        """The answer takes too long, and the page says so."""
        self.goes_on().page.clock.fast_forward(LIMIT)
        expect(self.page.locator(NOTE)).to_contain_text(note)
        return self

    def is_over(self, note: str) -> None:
        """Nor does the page hear anything later, and asks again."""
        self.is_given_up(note).page.clock.fast_forward(FIRST_PAUSE)

    def _answer(self, route: "Route") -> None:
        self.asked += 1
        if self.asked > self.silent:
            route.continue_()
        elif self._arrives:
            route.fetch()


@pytest.fixture
def ada(browser: "Browser", live_site: "LiveSite") -> Iterator[Desk]:
    """Her page, on which requests may fail, and whose clock the test moves."""
    with another_page(browser) as page:
        take_clock(page)
        sign_in(page, live_site, "ada")
        yield Desk(page, live_site, new_game("ada", "bob", pace="daily")).open()


def is_stored(desk: Desk, rows: "QuerySet[Any]") -> None:
    while not rows.exists():
        desk.page.wait_for_timeout(A_MOMENT)


@pytest.mark.parametrize("arrives", [False, True])
def test_a_submission_into_silence_is_sent_again_and_counts_once(ada: Desk, *, arrives: bool) -> None:
    silence = Silence(ada.page, "**/actions/", arrives=arrives)
    ada.type("points", 7).press("submit")
    silence.goes_on().page.clock.fast_forward(SLOW)
    expect(ada.page.locator(NOTE)).to_contain_text("Waiting for an answer")
    silence.is_over("It is sent again automatically.")
    ada.stands_at("submitted")
    expect(ada.page.locator(NOTE)).to_have_count(0)
    assert silence.asked == 2
    assert LoggedAction.objects.filter(game=ada.game, seat=0).count() == 1


def test_a_second_press_does_not_wait_for_the_first(ada: Desk) -> None:
    silence = Silence(ada.page, "**/actions/")
    ada.type("points", 7).press("submit")
    silence.goes_on().page.clock.fast_forward(SLOW)
    expect(ada.page.locator(NOTE)).to_contain_text("Waiting for an answer")
    ada.press("submit").stands_at("submitted")
    assert silence.asked == 2


def test_a_draft_into_silence_is_saved_all_the_same(ada: Desk) -> None:
    silence = Silence(ada.page, "**/drafts/")
    ada.type("points", 7)
    silence.is_over("Not saved yet")
    ada.stands_at_draft("7")
    expect(ada.page.locator(NOTE)).to_have_count(0)
    assert silence.asked == 2


def test_what_others_do_is_seen_although_a_look_got_no_answer(ada: Desk) -> None:
    """The hint arrives, and the page that it makes the script fetch does not: the next look asks again."""
    silence = Silence(ada.page, ada.address)
    send(ada.game, 1, READY)
    silence.goes_on().page.clock.fast_forward(LIMIT)
    expect(ada.brief.locator(".who li", has_text="bob")).to_contain_text("Ready")
    expect(ada.page.locator(NOTE)).to_have_count(0)
    assert silence.asked > 1


@pytest.mark.parametrize("arrives", [False, True])
def test_a_message_is_written_once_and_nothing_is_typed_over_it(ada: Desk, *, arrives: bool) -> None:
    page = ada.page
    page.goto(f"{ada.address}chat/")
    silence = Silence(page, "**/say/", arrives=arrives)
    page.locator("#say-text").fill("Anybody for energy?")
    page.locator("#say-send").click()
    expect(page.locator("#say-text")).not_to_be_editable()
    silence.is_over("It is sent again automatically.")
    expect(page.locator("#chat-list .said-t")).to_have_text("Anybody for energy?")
    expect(page.locator("#say-text")).to_have_value("")
    expect(page.locator("#say-text")).to_be_editable()
    assert Message.objects.filter(text="Anybody for energy?").count() == 1


@pytest.mark.parametrize("arrives", [False, True])
def test_notes_typed_during_the_silence_follow_those_that_were_lost(ada: Desk, *, arrives: bool) -> None:
    page = ada.page
    page.goto(f"{ada.address}chat/")
    silence = Silence(page, "**/notes/", arrives=arrives)
    page.locator("#notes-text").fill("Bob bids high.")
    silence.is_given_up("Not saved yet")
    page.locator("#notes-text").fill("Bob bids high, always.")
    is_stored(ada, Notebook.objects.filter(game=ada.game, text="Bob bids high, always."))
    expect(page.locator("#notes-state")).to_contain_text("Saved")


def test_without_a_connection_the_page_says_so_and_keeps_what_was_typed(ada: Desk) -> None:
    ada.page.context.set_offline(True)
    ada.type("points", 9)
    expect(ada.page.locator(NOTE)).to_contain_text("Not saved yet; your entries are still here.")
    ada.page.context.set_offline(False)
    ada.stands_at_draft("9")
    expect(ada.page.locator(NOTE)).to_have_count(0)


def test_what_was_typed_last_is_saved_when_the_page_is_left(ada: Desk) -> None:
    ada.type("points", 8)
    ada.page.goto("about:blank")
    is_stored(ada, Draft.objects.filter(seat__game=ada.game, content__0__points=8))


def test_notes_typed_last_are_saved_when_the_page_is_left(ada: Desk) -> None:
    ada.page.goto(f"{ada.address}chat/")
    ada.page.locator("#notes-text").fill("Bob bids high.")
    ada.page.goto("about:blank")
    is_stored(ada, Notebook.objects.filter(game=ada.game, text="Bob bids high."))


def sign_in_again(desk: Desk, name: str) -> None:
    """In another tab: the browser has a new session and a new CSRF token."""
    desk.page.context.clear_cookies()
    other = desk.page.context.new_page()
    sign_in(desk.page, desk.site, name)
    other.goto(f"{desk.site.address}/rules/")
    other.close()


@pytest.mark.parametrize("kept", ["submission", "plain form"])
def test_after_another_sign_in_the_page_goes_on(ada: Desk, kept: str) -> None:
    ada.type("points", 7).stands_at_draft("7")
    sign_in_again(ada, "ada")
    if kept == "submission":
        ada.press("submit").stands_at("submitted")
    else:
        ada.page.locator("form[action$='/pause/'] button").first.click()
        expect(ada.page.locator("#pause-asked, .messages")).not_to_have_count(0)


def test_after_the_sign_in_of_somebody_else_nothing_is_sent_in_their_name(ada: Desk) -> None:
    ada.type("points", 7).stands_at_draft("7")
    sign_in_again(ada, "bob")
    ada.press("submit")
    expect(ada.page.locator(NOTE)).to_contain_text("ada is no longer signed in here.")
    expect(ada.field("points")).to_have_value("7")
    assert not LoggedAction.objects.filter(game=ada.game, seat__isnull=False).exists()
