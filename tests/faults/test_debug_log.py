"""The loudest log of a whole site: what people type, keep secret or are known by is not in it."""

import re
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from websockets.sync.client import connect

from tests.faults.judging import verdict, watch
from tests.servers import PATIENCE, EmbeddedSite

PASSWORD = "a sesame for debug logs"


def test_a32_debug_logging_shows_no_orders_drafts_hashes_or_sessions(tmp_path: Path) -> None:
    site = EmbeddedSite(tmp_path, LOG_LEVEL="DEBUG", DEBUG="1").start()
    watch(site.environment)
    visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar := CookieJar()))

    def ask(path: str, **form: str) -> str:
        if form:
            form["csrfmiddlewaretoken"] = next(cookie.value or "" for cookie in jar if cookie.name == "csrftoken")
        with visitor.open(
            site.address + path, urllib.parse.urlencode(form).encode() if form else None, timeout=PATIENCE
        ) as page:
            return str(page.read().decode())

    try:
        ask("/accounts/signup/")
        ask("/accounts/signup/", username="Grace", email="grace@example.org", password1=PASSWORD)
        before = site.words
        ask(urllib.parse.urlsplit(site.sign_in).path)
        lobby = ask("/games/")
        game = re.search(r"/games/\d+/", lobby)
        assert game, lobby
        page = ask(game[0])
        serial = re.search(r'name="serial" value="(\d+)"', page)
        assert serial, page
        bid = {"points": "13", "serial": serial[1]}
        ask(f"{game[0]}drafts/", token="draft-token-1", **bid)
        ask(f"{game[0]}actions/", token="order-token-1", do="submit", **bid)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)
        with connect(
            f"{site.address.replace('http', 'ws')}/ws{game[0]}",
            origin=site.address,
            additional_headers={"Cookie": cookies},
        ):
            pass
    finally:
        site.stop()
    secrets = [PASSWORD, "pbkdf2_", "bid_influence", "token-1", *(cookie.value or "" for cookie in jar)]
    assert "signed_in" in site.words.removeprefix(before)
    assert not [secret for secret in secrets if secret in site.words]
    assert verdict(site.environment, site.words) == []
