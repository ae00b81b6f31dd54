"""A greedy shared cache before the running site: whatever it may keep, nobody is shown a page of somebody else, and no
header that a visitor forges ends in what others are shown."""

from __future__ import annotations

import http.client
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import pytest
from django.test import Client

from accounts import api_tokens
from game.store.game import Game
from tests.servers import ROOT, accepts, end, free_port, wait_until
from tests.tables import new_game, person, send

if TYPE_CHECKING:
    from tests.live_site import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)
EVIL = "evil.example"
FORGED = {
    "X-Forwarded-Host": EVIL,
    "X-Forwarded-Server": EVIL,
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Port": "4443",
    "X-Forwarded-Prefix": f"//{EVIL}",
    "X-Original-URL": "/admin/",
    "X-Rewrite-URL": "/admin/",
    "X-HTTP-Method-Override": "POST",
    "Forwarded": f"host={EVIL};proto=https",
    "X-Request-ID": f"{EVIL}",
    "X-Script-Name": f"//{EVIL}",
}
DIRECT = {"Cache-Control": "no-cache"}  # past the cache
OWN_COINS = '"coins":4'


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str

    @property
    def is_kept(self) -> bool:
        return self.headers["x-cache"] == "hit"

    @property
    def everything(self) -> str:
        return repr(self.headers) + self.text


@pytest.fixture
def proxy(live_site: LiveSite) -> Iterator[int]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.attacks.shared_cache", str(port), str(live_site.port)], cwd=ROOT
    )
    try:
        wait_until(lambda: accepts(port), process)
        yield port
    finally:
        end(process)


def ask(port: int, path: str, headers: dict[str, str]) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=240)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    text = response.read().decode("utf-8", "replace")
    connection.close()
    return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, text)


def signed_in(name: str) -> dict[str, str]:
    client = Client()
    client.force_login(person(name))
    return {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}


def programs_of(name: str) -> dict[str, str]:
    _, text = api_tokens.issue(user=person(name), name="program", scopes=["read"], days=30)
    return {"Authorization": f"Bearer {text}"}


@pytest.fixture
def game() -> Game:
    """Ada's sealed bid is hers alone."""
    found = new_game("ada", "ben", ruleset="toy")
    send(found, 0, {"kind": "bid", "coins": 4})
    return found


def pages(game: Game) -> list[str]:
    return ["/", "/games/", f"/games/{game.pk}/", "/accounts/preferences/", f"/games/{game.pk}/log/", "/leaderboards/"]


def calls(game: Game) -> list[str]:
    return [f"/api/v1/games/{game.pk}/position", f"/api/v1/games/{game.pk}", "/api/v1/me"]


def test_a31_through_a_shared_cache_nobody_is_shown_a_page_of_somebody_else(proxy: int, game: Game) -> None:
    """First the owner, then a rival and a stranger, over the same addresses and then the other way round."""
    ada, ben = signed_in("ada"), signed_in("ben")
    for path in pages(game):
        for who, own_name in ((ada, "ada"), (ben, "ben"), ({}, ""), (ben, "ben"), (ada, "ada")):
            answer = ask(proxy, path, who)
            menu = answer.text.split("<main")[0]
            other = {"ada": "ben", "ben": "ada", "": "ada"}[own_name]
            assert f"/people/{other}/" not in menu, (path, own_name)
            assert not (own_name and answer.is_kept), (path, "a page of somebody is kept")
    mine, his = programs_of("ada"), programs_of("ben")
    for path in calls(game):
        for who in (mine, his, {}, mine, his):
            answer = ask(proxy, path, who)
            assert (OWN_COINS in answer.text.replace(" ", "")) is (who is mine and path.endswith("position")), path
            assert not (who and answer.is_kept), path


def test_a31_what_is_kept_for_everybody_is_not_poisoned_by_forged_headers(proxy: int, game: Game) -> None:
    """Whoever asks first chooses the headers; those who come after are answered as if nobody had forged any."""
    kept = 0
    for path in [
        "/",
        f"/games/{game.pk}/",
        "/rules/toy/",
        "/accounts/login/",
        "/leaderboards/",
        "/nowhere/",
        *calls(game),
    ]:
        honest = ask(proxy, path, DIRECT)
        ask(proxy, path, FORGED)
        after = ask(proxy, path, {})
        assert after.status == honest.status, path
        assert EVIL not in after.everything, path
        kept += after.is_kept
        for name, value in FORGED.items():
            alone = ask(proxy, path, DIRECT | {name: value})
            assert alone.status == honest.status, (path, name)
            values_by_key = {key: each for key, each in alone.headers.items() if key != "x-request-id"}
            assert EVIL not in repr(values_by_key) + alone.text, (path, name)
            assert "admin" not in alone.headers.get("location", ""), (path, name)
    assert kept, "a cache that keeps nothing would prove nothing"
