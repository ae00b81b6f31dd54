"""Every limit of pages is met with what it is and when one may try again; pages and programs share them."""

import time
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from game.limits import LIMITS
from game.services import lobby
from game.views.limits import OF_PAGES
from tests.api.clients import Program
from tests.tables import new_game, person

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
ADDRESSES = {"create_game": "/games/new/", "join_game": "/games/{game}/join/", "leave_game": "/games/{game}/leave/",
             "invitation": "/games/{game}/invite/x/", "take_seat": "/games/{game}/seats/1/take/",
             "add_bot": "/games/{game}/bots/", "fill_with_bots": "/games/{game}/bots/fill/",
             "submit_action": "/games/{game}/actions/", "save_draft": "/games/{game}/drafts/",
             "rematch": "/games/{game}/rematch/"}  # fmt: skip


@pytest.fixture(autouse=True)
def few(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Numbers that are soon reached, in a window that does not end meanwhile."""
    now = time.time() // 60 * 60 + 1
    monkeypatch.setattr(time, "time", lambda: now)
    settings.PAGE_LIMITS = settings.API_LIMITS = True
    settings.LIMITS = dict.fromkeys(LIMITS, 2)
    cache.clear()
    yield
    cache.clear()


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(person(name))
    return client


@pytest.mark.parametrize("page", OF_PAGES)
def test_each_page_that_changes_a_game_has_a_limit(page: str) -> None:
    game = new_game("ada", bots=1, ruleset="toy")
    path = ADDRESSES[page].format(game=game.pk)
    ada = signed_in("ada")
    assert 429 not in [ada.post(path).status_code for _ in range(2)]
    refused = ada.post(path)
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= LIMITS[OF_PAGES[page]].seconds
    assert refused["RateLimit"].startswith(f'"{OF_PAGES[page]}";r=0;')
    assert "The limit is 2 a " in refused.content.decode()
    assert signed_in("bob").post(path).status_code != 429, "nobody else is kept out"
    assert ada.get(f"/games/{game.pk}/").status_code == 200


def test_programs_and_pages_share_a_limit() -> None:
    game = lobby.create_game(host=person("ada"), name="X", seats=3, ruleset="toy")
    bob = person("bob")
    client = signed_in("bob")
    for _ in range(2):
        client.post(f"/games/{game.pk}/join/")
    refused = Program(bob.username).post(f"games/{game.pk}/seats", {})
    assert refused.status_code == 429
    assert refused["Retry-After"]


def test_a_form_that_is_read_costs_nothing() -> None:
    ada = signed_in("ada")
    assert {ada.get("/games/new/").status_code for _ in range(5)} == {200}
