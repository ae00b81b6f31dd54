"""F24: hints that Redis loses, says twice or says late, while the page's socket stays open: the page is right within 20
seconds, and never goes back."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from game.live import announce
from tests.browser.desk import Desk, sign_in
from tests.servers import RedisServer, wait_until
from tests.tables import READY, fresh, new_game, send

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live_site import LiveSite

pytestmark = pytest.mark.usefixtures("judged")
LATEST = 20_000  # milliseconds


# The site comes before the page, so that its socket is closed before the site is.
@pytest.fixture
def ada(hints_redis: RedisServer, live_site: "LiveSite", page: "Page") -> Desk:
    """Her page, whose clock the test may move."""
    game = new_game("ada", "bob")
    page.clock.install()
    sign_in(page, live_site, "ada")
    return Desk(page, live_site, game).open()


def listeners(redis: RedisServer) -> int:
    """How many processes Redis would pass a hint to."""
    return sum(redis.tell("PUBSUB", "NUMSUB", *redis.tell("PUBSUB", "CHANNELS"))[1::2])


def is_told_of_bob(desk: Desk, state: str) -> None:
    expect(desk.brief.locator(".who li", has_text="bob")).to_contain_text(state)


def test_f24_a_lost_hint_is_made_up_for_within_twenty_seconds(ada: Desk, hints_redis: RedisServer) -> None:
    is_told_of_bob(ada, "Not started")
    wait_until(lambda: listeners(hints_redis) > 0, hints_redis.process)
    hints_redis.tell("ACL", "SETUSER", "default", "resetchannels")  # who listens is cut off, and who speaks is refused
    assert listeners(hints_redis) == 0
    send(ada.game, 1, READY)
    is_told_of_bob(ada, "Not started")
    expect(ada.page.locator("[data-live]")).to_have_attribute("data-link", "open")
    ada.page.clock.fast_forward(LATEST)
    is_told_of_bob(ada, "Ready")
    hints_redis.tell("ACL", "SETUSER", "default", "allchannels")


def test_f24_a_hint_that_is_said_twice_or_late_changes_nothing_more(ada: Desk, hints_redis: RedisServer) -> None:
    wait_until(lambda: listeners(hints_redis) > 0, hints_redis.process)
    ada.page.route("**/version/", lambda look: look.abort())  # what it shows from here on, it was told
    before = ada.game.version
    ada.page.locator("#points").fill("7")
    send(ada.game, 1, READY)
    is_told_of_bob(ada, "Ready")
    for version in (fresh(ada.game).version, before):
        with ada.page.expect_response(ada.address):
            announce._send(f"game.{ada.game.pk}", "game.changed", version=version)
        is_told_of_bob(ada, "Ready")
        expect(ada.page.locator("#points")).to_have_value("7")
