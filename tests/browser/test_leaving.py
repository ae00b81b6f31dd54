"""A player resigns, the caretaker plays on, somebody takes the seat over in the lobby, and the game goes on."""

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from game.bots import playing
from game.store.game import Game, Seat
from game.store.seat_models import Tenure
from tests.browser.desk import Desk, another_page, sign_in, watch
from tests.tables import fresh, send
from tests.toy_scenes import at_turns

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite


def caretaker_acts(game: Game) -> None:
    while playing.play_bots(game_id=game.pk):
        pass


def test_resign_caretaker_substitute_and_on(live_site: "LiveSite", page: "Page", browser: "Browser") -> None:
    game = at_turns("ada", "ben", "carla")
    seen = watch(page)
    sign_in(page, live_site, "ben")
    ben = Desk(page, live_site, game).open()
    ben.page.get_by_role("link", name="Resign from this game").click()
    expect(ben.page.locator("main")).to_contain_text("you are placed 3rd of 3")
    ben.page.get_by_role("button", name="Resign from this game").click()
    expect(ben.brief).to_contain_text("You have resigned.")
    expect(ben.page.locator("#players")).to_contain_text("resigned")
    with another_page(browser) as other:
        sign_in(other, live_site, "ada")
        ada = Desk(other, live_site, game).open()
        while fresh(game).waiting_seats == [0]:
            send(game, 0, {"kind": "stop"})
        caretaker_acts(game)
        assert 1 not in fresh(game).waiting_seats, "nobody waits for Ben"
        ada.reads("ben resigned. The caretaker plays this seat")
    with another_page(browser, width=390, height=844) as third:
        troubles = watch(third)
        sign_in(third, live_site, "dora")
        third.goto(f"{live_site.address}/games/")
        third.locator("#free-seats").get_by_role("button", name="Take over").click()
        dora = Desk(third, live_site, game)
        dora.reads("You took over the seat of ben")
        assert Seat.objects.get(game=game, number=1).shown_name == "dora"
        goes_on(game)
        dora.open()
        expect(dora.brief).to_contain_text("Your decision")
        assert not troubles, troubles
    ben.open()
    expect(ben.page.locator("#panel")).not_to_contain_text("You have resigned.")
    assert Tenure.objects.filter(game=game, number=1).count() == 2
    assert not seen, seen


def goes_on(game: Game) -> None:
    """To the next decision of the substitute's."""
    for _ in range(20):
        caretaker_acts(game)
        now = fresh(game)
        if 1 in now.waiting_seats:
            return
        seat = now.waiting_seats[0]
        send(game, seat, {"kind": "stop"} if now.phase_name == "take_turn" else {"kind": "ready"})
    raise AssertionError("The seat is not asked.")
