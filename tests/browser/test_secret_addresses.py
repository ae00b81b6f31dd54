"""What a browser tells others of the address of a page that is a key: what it loads, and where it goes from there."""

from typing import TYPE_CHECKING

import pytest

from game.delivery import board_links, unsubscribing
from game.lobby import copies, lobby
from game.outbox.models import Topic
from game.store.log import Notice
from tests.scenes import person
from tests.tables import new_game

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.live_site import LiveSite

pytestmark = [pytest.mark.django_db(transaction=True)]
OUTSIDE = "http://outside.example/"


def links() -> list[str]:
    ada = person("ada")
    room = lobby.create_game(host=ada, name="Ours", seats=3, is_open=False)
    game = new_game("ada", "ben")
    notice = Notice(game=game, seat=game.seats.get(number=0), user=ada, kind="turn")
    copy = copies.bar_of(copies.make_copy(game_id=game.pk, user=ada))
    assert copy is not None
    invitation = f"{room.get_absolute_url()}invite/{room.invitation.token}/"
    addresses = [invitation, board_links.board_url(notice), copy.link, unsubscribing.address(ada, [Topic.TURN])]
    return ["/" + link.split("://")[-1].partition("/")[2] for link in addresses]


def test_no_browser_tells_it_to_what_it_loads_or_where_it_goes(live_site: "LiveSite", page: "Page") -> None:
    referers: list[str] = []

    def outside(route: "Route") -> None:
        referers.append(route.request.headers.get("referer", ""))
        route.fulfill(body="elsewhere")

    page.route(f"{OUTSIDE}**", outside)
    page.on("request", lambda request: referers.append(request.headers.get("referer", "")))
    paths = links()
    for path in paths:
        response = page.goto(live_site.address + path)
        assert response is not None
        assert response.status == 200, path
        page.evaluate("to => location.assign(to)", OUTSIDE)
        page.wait_for_url(OUTSIDE)
        page.go_back()
        page.get_by_role("banner").get_by_role("link").first.click()
        page.wait_for_load_state()
    assert f"{live_site.address}/" in referers
    keys = [path.rstrip("/").rpartition("/")[2] for path in paths]
    assert [referer for referer in referers if any(key in referer for key in keys)] == []
