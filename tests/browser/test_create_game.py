"""Choosing a game in the browser: the page follows what is chosen, and another game keeps what still makes sense."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts.sign_ins import create_link
from game.store.game import Game
from tests.tables import person

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live_site import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("width", [1440, 390])
def test_another_game_takes_name_pace_and_seats_along(live_site: "LiveSite", page: "Page", width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(live_site.address + create_link(person("ada")))
    page.goto(f"{live_site.address}/games/new/")
    effect = page.locator("#effect")
    page.locator("[name=name]").fill("Friday")
    page.locator("[name=seats][value='8']").check(force=True)
    page.get_by_text("Or choose: Short").click()
    page.locator("[name=preset][value=marathon]").check()
    expect(effect.locator(".lbl")).to_have_text("Sectors, 23 turns")
    expect(effect.get_by_role("heading")).to_have_text("9 to 19 weeks at this pace")
    expect(effect).to_contain_text("9 to 19 weeks")
    expect(page.locator("#plan")).to_contain_text("Ends around ")
    page.get_by_text("Or choose: Relaxed").click()
    page.locator("[name=pace][value=live]").check()
    expect(effect).to_contain_text("3 to 6 hours, two evenings")
    expect(page.locator("#plan")).to_have_text("Takes 3 to 6 hours, two evenings.")

    page.get_by_role("link", name="Toy").click()
    expect(effect.get_by_role("heading")).to_have_text("Toy")
    page.reload()
    expect(page.locator("[name=name]")).to_have_value("Friday")
    expect(page.locator("[name=seats][value='4']")).to_be_checked()
    expect(page.locator("[name=pace][value=live]")).to_be_checked()
    page.locator("summary").get_by_text("All rules").click()
    page.locator("select[name=rounds]").select_option("3")
    expect(effect.locator("td").first).to_have_text("3")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Create the game").click()
    page.locator("#room").wait_for()
    game = Game.objects.get()
    assert (game.ruleset, game.name, game.seats_wanted, game.pace, game.options) == (
        "toy",
        "Friday",
        4,
        "live",
        {"rounds": 3, "edition": 1},
    )


@pytest.mark.parametrize("width", [1440, 390])
def test_a_host_chooses_fixed_times(live_site: "LiveSite", page: "Page", width: int) -> None:
    """The clock of one's own is there once it is wanted, and the page says at once what it means."""
    page.set_viewport_size({"width": width, "height": 900})
    host = person("ada")
    host.timezone = "Europe/Berlin"
    host.save(update_fields=["timezone"])
    page.goto(live_site.address + create_link(host))
    page.goto(f"{live_site.address}/games/new/")
    clock, effect = page.locator(".own-clock"), page.locator("#effect")
    expect(clock).to_be_hidden()
    page.get_by_text("Or choose: Relaxed").click()
    page.locator("[name=pace][value=custom]").check()
    expect(clock).to_be_visible()
    expect(effect).to_contain_text("1 day per phase")
    expect(page.locator("[name=at]")).to_be_hidden()
    page.locator("[name=clock_by][value=fixed]").check(force=True)
    expect(page.locator("[name=at]")).to_be_visible()
    expect(page.locator("[name=decision_length]")).to_be_hidden()
    page.locator("[name=at]").fill("20:30")
    page.locator("[name=days]").select_option("mwf")
    expect(effect).to_contain_text("Mon, Wed, Fri at 20:30 (Europe/Berlin)")
    expect(page.locator("#plan")).to_contain_text("Ends around ")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Create the game").click()
    page.locator("#room").wait_for()
    expect(page.locator("body")).to_contain_text("Mon, Wed, Fri at 20:30 (Europe/Berlin)")
    assert Game.objects.get().timing["fixed"] == {"zone": "Europe/Berlin", "days": [0, 2, 4], "minute": 20 * 60 + 30}


def test_who_signs_in_again_goes_back_and_presses_again_has_one_game(live_site: "LiveSite", page: "Page") -> None:
    """The browser opens the form anew then, because it is another session's."""
    host = person("ada")
    page.goto(live_site.address + create_link(host))
    page.goto(f"{live_site.address}/games/new/")
    page.locator("[name=name]").fill("Friday")
    page.get_by_role("button", name="Create the game").click()
    page.locator("#room").wait_for()
    page.context.new_page().goto(live_site.address + create_link(host))
    page.go_back()
    page.locator("[name=name]").fill("Friday")
    page.get_by_role("button", name="Create the game").click()
    page.locator("#room").wait_for()
    assert Game.objects.count() == 1
    page.go_back()
    page.locator("[name=name]").fill("Saturday")
    page.get_by_role("button", name="Create the game").click()
    page.locator("#room").wait_for()
    assert Game.objects.count() == 2, "another game"
