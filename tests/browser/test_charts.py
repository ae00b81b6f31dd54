"""Reading a chart by keyboard: from line to line, and from mark to mark."""

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import box_of
from tests.scenes import play_on
from tests.tables import new_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live_site import LiveSite


@pytest.mark.parametrize("width", [390, 1440])
def test_every_mark_says_its_figure(live_site: "LiveSite", page: "Page", settings: Any, width: int) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = play_on(new_game("ada", bots=2, max_turns=2))
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{live_site.address}/games/{game.pk}/charts/")
    beside = page.locator(".plot-note" if width == 1440 else ".plot-said")  # the note is about keys
    gap = box_of(page.locator("#prices"))["y"] - box_of(beside)["y"]
    assert gap < 90, "what is pointed at is said in one row, beside the note"
    said, worth = page.locator("#plot-said"), game.course[-1]["worth"]
    lines = page.locator(f"#worth .plot-box--{'narrow' if width < 700 else 'wide'} .series")
    lines.first.locator('.pt[tabindex="0"]').focus()
    expect(said).to_have_text(re.compile(rf"^ada, turn 2: {worth[0]:,}$"))
    page.keyboard.press("ArrowDown")
    expect(said).to_have_text(re.compile(rf"turn 2: {worth[1]:,}$"))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_text(re.compile(rf", the start: {game.course[0]['worth'][1]:,}$"))
    page.locator("#table-worth summary").click()
    expect(page.locator("#table-worth tbody tr")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
