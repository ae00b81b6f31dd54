"""The API over a real server: answers that are held until something is new, and streams."""

import json
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
import requests

from accounts import api_tokens
from game.lobby import inviting, lobby
from game.seats.takeover import resign
from tests.tables import fresh, new_game, person, send

if TYPE_CHECKING:
    from tests.live_site import LiveSite

PATIENCE = 240  # seconds


class Caller:
    """Somebody's program on the network."""

    def __init__(self, site: "LiveSite", name: str) -> None:
        _, self.text = api_tokens.issue(user=person(name), name="live", scopes=["read", "play"], days=30)
        self.root, self.headers = f"{site.address}/api/v1/", {"Authorization": f"Bearer {self.text}"}

    def get(self, path: str, **headers: str) -> requests.Response:
        return requests.get(self.root + path, headers=self.headers | headers, timeout=PATIENCE)


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def held(caller: Caller, path: str, tag: str, seconds: int) -> tuple[threading.Thread, list[Any]]:
    """An answer that is waited for in another thread, with the time at which it came."""
    found: list[Any] = []

    def wait() -> None:
        found.append(caller.get(path, **{"If-None-Match": tag, "Prefer": f"wait={seconds}"}))
        found.append(time.monotonic())

    thread = threading.Thread(target=wait)
    thread.start()
    return thread, found


def test_an_answer_is_held_until_something_is_new(live_site: "LiveSite") -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada = Caller(live_site, "ada")
    for path in (f"games/{game.pk}", f"games/{game.pk}/offers"):
        tag = ada.get(path).headers["ETag"]
        thread, found = held(ada, path, tag, 50)
        time.sleep(1)
        assert not found, "nothing is new yet"
        began = time.monotonic()
        send(game, 1, {"kind": "bid", "coins": len(path) % 5})
        if path.endswith("offers"):
            send(game, 1, {"kind": "ready"})
        thread.join(PATIENCE)
        answer, came = found
        assert (answer.status_code, answer.headers["Preference-Applied"]) == (200, "wait=50")
        assert came - began < 45, "it was woken"
        assert "X-Waits-For" not in answer.headers


def test_an_invitation_and_its_end_are_waited_for(live_site: "LiveSite") -> None:
    game = lobby.create_game(host=person("ada"), name="Ours", seats=3, pace="daily", ruleset="toy", is_open=False)
    ben, path, people = Caller(live_site, "ben"), "me/invitations", {"user": person("ada"), "person": person("ben").pk}
    for change, games in ((inviting.invite, [game.pk]), (inviting.withdraw, [])):
        tag = ben.get(path).headers["ETag"]
        thread, found = held(ben, path, tag, 50)
        time.sleep(1)
        assert not found, "nothing is new yet"
        change(game_id=game.pk, **people)
        thread.join(PATIENCE)
        answer, _ = found
        assert (answer.status_code, answer.headers["Preference-Applied"]) == (200, "wait=50")
        assert [each["game"] for each in answer.json()["items"]] == games


def test_a_rivals_sealed_revision_wakes_nobody_and_time_runs_out(live_site: "LiveSite") -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada = Caller(live_site, "ada")
    send(game, 1, {"kind": "bid", "coins": 1})
    tag = ada.get(f"games/{game.pk}").headers["ETag"]
    began = time.monotonic()
    thread, found = held(ada, f"games/{game.pk}", tag, 3)
    time.sleep(0.5)
    send(game, 1, {"kind": "bid", "coins": 2})
    thread.join(PATIENCE)
    answer, came = found
    assert (answer.status_code, answer.headers["Preference-Applied"]) == (304, "wait=3")
    assert came - began >= 3
    assert "X-Waits-For" not in answer.headers


def test_who_has_no_token_or_no_tag_is_answered_at_once(live_site: "LiveSite") -> None:
    game = new_game("ada", "ben", ruleset="toy")
    path = f"{live_site.address}/api/v1/games/{game.pk}"
    tag = requests.get(path, timeout=PATIENCE).headers["ETag"]
    spied = {"If-None-Match": tag, "Prefer": "wait=50", "X-Wait-Groups": "1"}
    answer = requests.get(path, headers=spied, timeout=PATIENCE)
    assert answer.status_code == 304
    assert not {"Preference-Applied", "X-Waits-For"} & set(answer.headers)
    assert Caller(live_site, "ada").get(f"games/{game.pk}", Prefer="wait=50").status_code == 200


@pytest.mark.parametrize("accepts", ["application/x-ndjson", "text/event-stream"])
def test_a_stream_tells_every_change_of_all_games(live_site: "LiveSite", accepts: str) -> None:
    one, two = (new_game("ada", "ben", ruleset="toy") for _ in range(2))
    ada = Caller(live_site, "ada")
    fields = {"headers": ada.headers | {"Accept": accepts}, "stream": True, "timeout": PATIENCE}
    with requests.get(f"{ada.root}me/stream", **fields) as answer:
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, accepts)
        assert "X-Waits-For" not in answer.headers
        lines = told(answer)
        hello = next(lines)
        assert (hello["type"], [game["game"] for game in hello["games"]]) == ("hello", [one.pk, two.pk])
        assert all(game["waiting_for_you"] for game in hello["games"])
        send(two, 1, {"kind": "bid", "coins": 1})
        changed = next(line for line in lines if line["type"] != "alive")
        assert (changed["type"], changed["game"], changed["version"]) == ("changed", two.pk, fresh(two).version)
        send(two, 1, {"kind": "bid", "coins": 4})  # under seal: nobody else is told
        send(one, 0, {"kind": "ready"})
        changed = next(line for line in lines if line["type"] != "alive")
        assert (changed["game"], changed["waiting_for_you"]) == (one.pk, False)
        resign(game_id=one.pk, user=person("ada"))
        assert next(line for line in lines if line["type"] == "over")["game"] == one.pk


def told(answer: requests.Response) -> Iterator[dict[str, Any]]:
    """The lines of a stream, however they are framed."""
    for line in answer.iter_lines(chunk_size=1):
        text = line.decode().removeprefix("data: ")
        if text.startswith("{"):
            yield json.loads(text)


def test_a_stream_needs_a_token(live_site: "LiveSite") -> None:
    answer = requests.get(f"{live_site.address}/api/v1/me/stream", headers={"Accept": "text/event-stream"}, timeout=9)
    assert (answer.status_code, answer.headers["Content-Type"]) == (401, "application/problem+json")
