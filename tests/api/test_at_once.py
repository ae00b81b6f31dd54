"""How many answers may be held, and how many streams be open, for one person: they are counted, not their tokens, nor
how one is written."""

import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
import requests

from accounts import api_tokens
from tests.tables import new_game, person

if TYPE_CHECKING:
    from tests.live_site import LiveSite

NDJSON = "application/x-ndjson"
SPELLINGS = ("Bearer {}", "bEaRer {}", "Bearer  {}", "BEARER   {} ")  # every second one for the other token
PATIENCE = 240  # seconds


@pytest.fixture(autouse=True)
def two_at_once(settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = False, {"waits": 2, "streams": 2}


def headers() -> list[str]:
    """Two tokens of one person in all spellings."""
    tokens = [api_tokens.issue(user=person("ada"), name="live", scopes=["read"], days=30)[1] for _ in range(2)]
    return [spelling.format(tokens[place % 2]) for place, spelling in enumerate(SPELLINGS)]


def test_one_person_waits_as_often_as_the_table_says_with_however_many_tokens(live_site: "LiveSite") -> None:
    game, sent = new_game("ada", "ben", ruleset="toy"), headers()
    url = f"{live_site.address}/api/v1/games/{game.pk}"
    tag = requests.get(url, headers={"Authorization": sent[0]}, timeout=PATIENCE).headers["ETag"]
    held: list[bool] = []

    def wait(header: str) -> None:
        fields = {"Authorization": header, "If-None-Match": tag, "Prefer": "wait=8"}
        answer = requests.get(url, headers=fields, timeout=PATIENCE)
        assert answer.status_code == 304
        held.append("Preference-Applied" in answer.headers)

    threads = [threading.Thread(target=wait, args=(header,)) for header in sent]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(held) == [False, False, True, True]


def test_one_person_has_as_many_streams_as_the_table_says_with_however_many_tokens(live_site: "LiveSite") -> None:
    with ExitStack() as stack:
        kinds, refusals = [], []
        for header in headers():
            fields = {"Authorization": header, "Accept": NDJSON}
            url = f"{live_site.address}/api/v1/me/stream"
            answer = stack.enter_context(requests.get(url, headers=fields, stream=True, timeout=PATIENCE))
            kinds.append((answer.status_code, answer.headers["Content-Type"]))
            if not answer.ok:
                refusals.append((answer.json(), answer.headers))
    assert kinds == [(200, NDJSON)] * 2 + [(429, "application/problem+json")] * 2
    for told, said in refusals:
        assert (told["limit"], told["most"], told["retry_after"]) == ("streams", 2, int(said["Retry-After"]))
        assert "open streams of one person is 2 at a time, and it has been reached" in told["detail"]
        assert said["RateLimit"] == f'"streams";r=0;t={told["retry_after"]}'
