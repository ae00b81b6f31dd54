"""A stream of one game over a real connection: it tells while the game moves, and goes on where it broke off."""

import itertools
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
import requests

from accounts import api_tokens
from game.seats import stand_ins
from game.seats.takeover import resign
from game.store.game import Game, Status
from game.store.moderation_models import Intervention
from game.store.proposals import VoteTopic, open_proposal
from game.votes import voting
from tests.scenes import by_two, moderator, seen
from tests.tables import READY, everybody_ready, fresh, new_game, person, send

if TYPE_CHECKING:
    from tests.live_site import LiveSite

NDJSON, EVENTS = "application/x-ndjson", "text/event-stream"
PATIENCE = 240  # seconds between two lines; an idle stream says every 15 that it is alive
PHASES = 8
Line = dict[str, Any]


class Listener:
    """Somebody's program at the stream of a game; it remembers the id of the last line, as browsers do."""

    def __init__(self, site: "LiveSite", name: str, path: str, kind: str) -> None:
        _, text = api_tokens.issue(user=person(name), name="live", scopes=["read"], days=30)
        self.url, self.kind = f"{site.address}/api/v1/{path}", kind
        self.headers = {"Authorization": f"Bearer {text}", "Accept": kind}

    @contextmanager
    def connected(self, **headers: str) -> Iterator[Iterator[Line]]:
        with self._answer(headers) as answer:
            assert (answer.status_code, answer.headers["Content-Type"]) == (200, self.kind)
            yield self._lines(answer)

    def _answer(self, headers: dict[str, str]) -> requests.Response:
        """On a slow host places are still taken by connections that were cut: whoever is refused comes again."""
        fields: Any = {"headers": self.headers | headers, "stream": True, "timeout": PATIENCE}
        latest = time.monotonic() + PATIENCE
        while (answer := requests.get(self.url, **fields)).status_code == 429 and time.monotonic() < latest:
            answer.close()
            time.sleep(0.5)
        return answer

    def _lines(self, answer: requests.Response) -> Iterator[Line]:
        named = ""
        for raw in answer.iter_lines(chunk_size=1):
            text = raw.decode()
            if text.startswith("id: "):
                named = text.removeprefix("id: ")
            elif text.startswith(("data: ", "{")):
                line = json.loads(text.removeprefix("data: "))
                assert self.kind == NDJSON or line["id"] == named, "what browsers send back is what the line says"
                self.headers["Last-Event-ID"] = line["id"]
                yield line


def news(lines: Iterator[Line]) -> Line:
    """The next line that says more than that the stream is alive."""
    return next(line for line in lines if line["type"] != "alive")


def end(game: Game) -> None:
    """Both agree to end it without a result."""
    voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=person("ada"))
    number = open_proposal(fresh(game), VoteTopic.ENDING).number
    voting.agree(topic=VoteTopic.ENDING, game_id=game.pk, user=person("ben"), number=number)
    assert fresh(game).status in {Status.FINISHED, Status.ABANDONED}


@pytest.mark.parametrize("kind", [NDJSON, EVENTS])
def test_what_happens_between_two_connections_is_told_by_the_second_and_nothing_is_told_twice(
    live_site: "LiveSite", kind: str
) -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada = Listener(live_site, "ada", f"games/{game.pk}/stream", kind)
    with ada.connected() as lines:
        hello = next(lines)
        assert (hello["type"], hello["games"][0]["version"]) == ("hello", game.version)
        send(game, 1, {"kind": "bid", "coins": 1})
        assert news(lines)["version"] == fresh(game).version
    everybody_ready(game)
    with ada.connected() as lines:
        changed = next(lines)
        assert (changed["type"], changed["version"]) == ("changed", fresh(game).version)
        assert next(lines)["type"] == "alive"
    with ada.connected() as lines:
        assert next(lines)["type"] == "alive", "nothing is new"
        send(game, fresh(game).waiting_seats[0], {"kind": "stop"})
        assert news(lines)["version"] == fresh(game).version
    end(game)
    with ada.connected() as lines:
        over = next(lines)
        assert (over["type"], over["game"], over["id"]) == ("over", game.pk, "none")
    with ada.connected() as lines:
        assert next(lines)["type"] == "alive", "it is over once"


@pytest.mark.parametrize("kind", [NDJSON, EVENTS])
def test_a_connection_that_breaks_after_every_line_hears_everything(live_site: "LiveSite", kind: str) -> None:
    """The game goes on once its news has been heard, so that what is lost would stop the test."""
    game = new_game("ada", "ben")
    heard, told = Heard(), Listener(live_site, "ada", f"games/{game.pk}/stream", kind)
    thread = threading.Thread(target=heard.listen, args=(told,))
    thread.start()
    heard.until(game.version)
    for _ in range(PHASES):
        heard.until(everybody_ready(game).version)
    end(game)
    thread.join(PATIENCE)
    assert not thread.is_alive(), "nobody said that it is over"
    versions = [line["version"] for line in heard.lines if line["type"] == "changed"]
    assert len(versions) >= PHASES
    assert all(earlier < later for earlier, later in itertools.pairwise(versions))
    assert [line["type"] for line in heard.lines if line["type"] in {"hello", "over"}] == ["hello", "over"]


class Heard:
    """What one listener was told over many connections."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.is_new = threading.Condition()

    def listen(self, listener: Listener) -> None:
        """Each connection is cut after its first news."""
        while not self.lines or self.lines[-1]["type"] != "over":
            with listener.connected() as lines:
                line = news(lines)
            with self.is_new:
                self.lines.append(line)
                self.is_new.notify_all()

    def until(self, version: int) -> None:
        with self.is_new:
            assert self.is_new.wait_for(lambda: self._newest() >= version, PATIENCE), f"{version} was not told"

    def _newest(self) -> int:
        rows = [line["games"][0] if line["type"] == "hello" else line for line in self.lines[-1:]]
        return max((int(line.get("version", -1)) for line in rows), default=-1)


def test_an_id_that_is_none_of_ours_begins_from_the_beginning(live_site: "LiveSite") -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada = Listener(live_site, "ada", "me/stream", NDJSON)
    for strange in ("42", f"{game.pk}-", "none,none", "x" * 4000, f"{game.pk}-0123456789abcdef"):
        with ada.connected(**{"Last-Event-ID": strange}) as lines:
            assert next(lines)["type"] == "hello", strange


def test_a_stream_of_all_games_goes_on_with_those_that_changed(live_site: "LiveSite") -> None:
    one, two = (new_game("ada", "ben", ruleset="toy") for _ in range(2))
    ada = Listener(live_site, "ada", "me/stream", EVENTS)
    with ada.connected() as lines:
        assert [each["game"] for each in next(lines)["games"]] == [one.pk, two.pk]
    send(two, 1, {"kind": "bid", "coins": 1})
    resign(game_id=one.pk, user=person("ada"))
    three = new_game("ada", "ben", ruleset="toy")
    with ada.connected() as lines:
        result = list(itertools.islice(lines, 4))
    assert [(line["type"], line.get("game")) for line in result] == [
        ("changed", two.pk),
        ("changed", three.pk),
        ("over", one.pk),
        ("alive", None),
    ]


def test_a_stream_that_was_opened_for_somebody_hears_nothing_of_their_seat_once_they_are_back(
    live_site: "LiveSite",
) -> None:
    game = new_game("ada", "ben", ruleset="toy")
    fields: Any = {"game_id": game.pk, "moderator": moderator("lena"), "reason": "Ill.", "seen": seen(game)}
    by_two(Intervention.SET_PROXY, **fields, seat_number=1, username=person("cara").username, days=7)
    with Listener(live_site, "cara", f"games/{game.pk}/stream", NDJSON).connected() as lines:
        hello = next(lines)["games"][0]
        send(game, 1, {"kind": "bid", "coins": 1})
        assert news(lines)["seat_version"] == hello["seat_version"] > 0
        stand_ins.reclaim_seat(game_id=game.pk, user=person("ben"))
        back = fresh(game).version  # who looks just then may be told of the seat first, and of the game after it
        assert next(line for line in lines if line.get("version") == back)["seat_version"] == 0
        send(game, 1, {"kind": "bid", "coins": 4})
        send(game, 0, {"kind": "bid", "coins": 1}, READY)
        result = news(lines)
        assert (result["seat_version"], result["version"]) == (0, fresh(game).version), (
            "the next is what everybody hears"
        )


def test_a_rivals_sealed_revision_changes_no_id(live_site: "LiveSite") -> None:
    game = new_game("ada", "ben", ruleset="toy")
    send(game, 1, {"kind": "bid", "coins": 1})
    ada = Listener(live_site, "ada", f"games/{game.pk}/stream", NDJSON)
    with ada.connected() as lines:
        first = next(lines)
    send(game, 1, {"kind": "bid", "coins": 4})
    with ada.connected() as lines:
        assert next(lines) == {"type": "alive", "id": first["id"]}
        assert fresh(game).seats.get(number=1).version, "it was revised"
