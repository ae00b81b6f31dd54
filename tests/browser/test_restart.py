"""The site is stopped in mid-phase and started again, as `./dev play` does it; an open page catches up by itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.faults.judging import verdict, watch
from tests.servers import EmbeddedSite, free_port

if TYPE_CHECKING:
    from playwright.sync_api import Page

BACK_AGAIN = 60_000  # milliseconds: the pause before a new attempt grows to half a minute
CLOSE = """
from game.store.log_notes import Sentence
from game.store.game import Game
from game.play import moves

note = Sentence.CLOSED_EARLY(moderator="Lena", reason="Meanwhile.")
moves.resolve_now(game_id=Game.objects.get().pk, user_id=None, note=note)
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[EmbeddedSite]:
    running = EmbeddedSite(tmp_path / "home", port=free_port()).start()
    try:
        watch(running.environment)
        yield running
        assert verdict(running.environment, running.words) == []
    finally:
        running.stop()


@pytest.mark.trial
def test_a_restart_in_mid_phase_is_noticed_and_nothing_typed_is_lost(page: "Page", site: EmbeddedSite) -> None:
    page.goto(site.sign_in)
    page.locator("ol.games a").first.click()
    table = page.locator("[data-live]")
    expect(table).to_have_attribute("data-link", "open")
    page.locator("#points").fill("31")
    expect(page.locator("#sendbar-m")).to_contain_text("Bid 31")
    site.stop()
    expect(table).to_have_attribute("data-link", "lost")
    expect(page.locator("#points")).to_have_value("31")
    site.start()
    expect(table).to_have_attribute("data-link", "open", timeout=BACK_AGAIN)
    expect(page.locator("#points")).to_have_value("31")
    page.locator("#ready").uncheck()
    page.locator("button[name=do][value=submit]").click()
    expect(page.locator("#sendbar")).to_have_attribute("data-state", "submitted")


def test_what_happened_while_the_site_was_away_is_shown(page: "Page", site: EmbeddedSite) -> None:
    page.goto(site.sign_in)
    page.locator("ol.games a").first.click()
    table, brief = page.locator("[data-live]"), page.locator("#brief-t")
    expect(table).to_have_attribute("data-link", "open")
    expect(brief).to_contain_text("Bid influence points")
    site.stop()
    site.manage("shell", "-c", CLOSE)
    site.start()
    expect(brief).to_contain_text("Place one stock order", timeout=BACK_AGAIN)
    expect(page.locator("#log")).to_contain_text("Meanwhile.")
