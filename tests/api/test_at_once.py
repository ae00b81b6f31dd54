"""How many answers may be held, and how many streams be open, for one token: it is counted, not how it is written."""

import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
import requests

from accounts import api_tokens
from tests.tables import new_game, person

if TYPE_CHECKING:
    from tests.live import LiveSite

NDJSON = "application/x-ndjson"
SPELLINGS = ("Bearer {}", "bEaRer {}", "Bearer  {}", "BEARER   {} ")
PATIENCE = 60  # seconds


@pytest.fixture(autouse=True)
def two_at_once(settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = False, {"waits": 2, "streams": 2}


def token() -> str:
    return api_tokens.issue(user=person("ada"), name="live", scopes=["read"], days=30)[1]


def test_one_token_waits_as_often_as_the_table_says_however_it_is_written(live_site: "LiveSite") -> None:
    game, text = new_game("ada", "ben", ruleset="toy"), token()
    url = f"{live_site.address}/api/v1/games/{game.pk}"
    tag = requests.get(url, headers={"Authorization": f"Bearer {text}"}, timeout=PATIENCE).headers["ETag"]
    held: list[bool] = []

    def wait(spelling: str) -> None:
        asked = {"Authorization": spelling.format(text), "If-None-Match": tag, "Prefer": "wait=8"}
        answer = requests.get(url, headers=asked, timeout=PATIENCE)
        assert answer.status_code == 304
        held.append("Preference-Applied" in answer.headers)

    threads = [threading.Thread(target=wait, args=(spelling,)) for spelling in SPELLINGS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(held) == [False, False, True, True]


def test_one_token_has_as_many_streams_as_the_table_says_however_it_is_written(live_site: "LiveSite") -> None:
    text = token()
    with ExitStack() as stack:
        kinds, refusals = [], []
        for spelling in SPELLINGS:
            asked = {"Authorization": spelling.format(text), "Accept": NDJSON}
            url = f"{live_site.address}/api/v1/me/stream"
            answer = stack.enter_context(requests.get(url, headers=asked, stream=True, timeout=PATIENCE))
            kinds.append((answer.status_code, answer.headers["Content-Type"]))
            if not answer.ok:
                refusals.append((answer.json(), answer.headers))
    assert kinds == [(200, NDJSON)] * 2 + [(429, "application/problem+json")] * 2
    for told, headers in refusals:
        assert (told["limit"], told["most"], told["retry_after"]) == ("streams", 2, int(headers["Retry-After"]))
        assert "open streams of one token is 2 at a time, and it is reached" in told["detail"]
        assert headers["RateLimit"] == f'"streams";r=0;t={told["retry_after"]}'
