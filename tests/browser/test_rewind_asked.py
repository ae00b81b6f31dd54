"""A moderator asks two players whether to take their game back: each answers on their own page, one of them on a
phone."""

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from game.people import two_people
from game.store.moderation_models import Intervention
from game.votes import rewinds
from tests.browser.desk import Desk, another_page, sign_in, watch
from tests.scenes import moderator, seen
from tests.tables import everybody_ready, fresh, new_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

WHY = "the rules closed a company that had money left"


def test_two_players_take_their_game_back(live_site: "LiveSite", page: "Page", browser: "Browser") -> None:
    game = everybody_ready(new_game("ada", "ben", pace="daily"))
    faults = watch(page)
    sign_in(page, live_site, "ada")
    Desk(page, live_site, game).open()
    lena = moderator("Lena", Intervention.REWIND_TO.value)
    fields = {"game_id": game.pk, "moderator": lena, "reason": WHY, "seen": seen(game), "number": 1}
    request = two_people.request_game_act(what=Intervention.REWIND_TO, **fields)
    rewinds.put_to_players(request_id=request.pk, moderator=lena)
    question = page.locator("#rewind-asked")
    expect(question).to_contain_text("Not yet: you and ben.")
    question.get_by_role("button", name="Agree").click()
    expect(question).to_contain_text("You agreed.")
    assert not question.get_by_role("button", name="Agree").count()
    with another_page(browser, width=390, height=844) as phone:
        troubles = watch(phone)
        sign_in(phone, live_site, "ben")
        ben = Desk(phone, live_site, game).open()
        question = phone.locator("#rewind-asked")
        expect(question).to_be_in_viewport()
        expect(question).to_contain_text(f"Moderator Lena asks: {WHY}")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        question.get_by_role("button", name="Agree").click()
        ben.reads("Moderator Lena rewound the game to Turn 1")
        expect(phone.locator("#rewind-asked h2")).to_have_count(0)
        assert not troubles, troubles
    assert fresh(game).branch == game.branch + 1
    expect(page.locator("#rewind-asked h2")).to_have_count(0)
    assert not faults, faults
