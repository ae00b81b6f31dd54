"""The typed client: bots of the kernel play games over HTTP to their end, and what is lost on the way is sent again."""

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction
from urllib3.util import Retry

from accounts import api_tokens
from game.client import Client, Offers, Problem
from game.engine.chance import Chance
from game.engine.position import AnyPosition
from game.engine.random_bot import random_bot
from game.engine.ruleset import Bot
from game.engine.selfplay import play_out
from game.rulesets.registry import RULESETS
from game.store.game import Game, Status
from game.store.log import Kind
from tests.attacks.laying import lay
from tests.tables import fresh, new_game, person, shortest

if TYPE_CHECKING:
    from tests.live_site import LiveSite

NEEDS = 240  # seconds at most for a short game of two programs
ROOM = {"read": 1200, "move": 240, "draft": 240, "write": 240}
BOTS: dict[str, Bot] = {key: rules.bots.get("house", random_bot) for key, rules in RULESETS.items()}
LONG = [key for key in BOTS if not shortest(key, max_turns=1) and key != "toy"]
LAST = 25  # rounds of decisions of a long game


def token(name: str) -> str:
    user = person(name)
    return api_tokens.issue(user=user, owner=user, name="client", scopes=["read", "play"], days=1)[1]


def until_over(game: Game) -> None:
    latest = time.monotonic() + NEEDS
    while fresh(game).status != Status.FINISHED:
        assert time.monotonic() < latest, "not over"
        time.sleep(0.2)


@pytest.mark.parametrize(
    "ruleset", [pytest.param(key, marks=pytest.mark.trial) if key in LONG else key for key in BOTS]
)
def test_a_bot_of_the_kernel_plays_a_whole_game_over_http(live_site: "LiveSite", settings: Any, ruleset: str) -> None:
    settings.EXTRA_CHOICES, settings.LIMITS = {"max_turns": (1,)}, ROOM
    played_over_http(live_site, new_game("ada", "ben", ruleset=ruleset, **shortest(ruleset, max_turns=1)))


@pytest.mark.parametrize("ruleset", LONG)
def test_a_bot_of_the_kernel_plays_the_end_of_a_long_game_over_http(
    live_site: "LiveSite", settings: Any, ruleset: str
) -> None:
    settings.LIMITS = ROOM
    rules, positions = RULESETS[ruleset], list[AnyPosition]()
    play_out(
        rules,
        rules.parse_options({}),
        [BOTS[ruleset]] * 2,
        Chance("client"),
        watch=lambda _, outcome: positions.append(outcome.position),
    )
    with transaction.atomic():
        game = lay(new_game("ada", "ben", ruleset=ruleset), positions[-LAST])
    played_over_http(live_site, game)


def played_over_http(live_site: "LiveSite", game: Game) -> None:
    """By two programs, to its end."""
    is_over, fails = threading.Event(), []

    def play(name: str) -> None:
        try:
            with Client(live_site.address, token_of[name]) as site:
                site.run(BOTS[game.ruleset], until=is_over.is_set, wait=1)
        except Exception as fail:  # told by the test's own thread
            fails.append(fail)

    token_of = {name: token(name) for name in ("ada", "ben")}
    programs = [threading.Thread(target=play, args=[name]) for name in token_of]
    for program in programs:
        program.start()
    try:
        until_over(game)
    finally:
        is_over.set()
        for program in programs:
            program.join(20)
    assert not fails
    assert set(game.log.filter(kind=Kind.SUBMIT).values_list("seat", flat=True)) == {0, 1}
    assert not game.seats.exclude(keeper="").exists(), "nobody was taken for absent"
    with Client(live_site.address, token_of["ada"]) as site:
        result = list(site.log(game.pk))
        assert [entry.version for entry in result] == sorted(entry.version for entry in result)
        assert {entry.version for entry in site.log(game.pk, after=result[0].version)} < {e.version for e in result}
        assert site.decisions() == []


def test_what_is_refused_says_which_rule_and_numbers(live_site: "LiveSite") -> None:
    game = new_game("ada", "ben", ruleset="toy")
    with Client(live_site.address, token("ada")) as site:
        decision = (site.decisions() or [])[0]
        assert (decision.game, decision.ruleset, decision.seat) == (game.pk, "toy", 0)
        with pytest.raises(Problem) as told:
            site.play(game.pk, {"kind": "no_such_kind"})
        assert (told.value.status, told.value.kind) == (422, "refused")
        assert told.value.errors[0]["code"]
        assert site.decisions(wait=1) is None, "nothing new in a second"
        with pytest.raises(Problem) as told:
            site.offers(game.pk + 1)
        assert (told.value.status, told.value.kind) == (404, "not-found")


class Stumbling(BaseHTTPRequestHandler):
    """A site that breaks the line, is busy, has a limit, and only then answers."""

    keys: list[str | None] = []
    answers: Iterator[int] = iter(())

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.keys.append(self.headers["Idempotency-Key"])
        status = next(self.answers)
        if status == 0:
            self.connection.close()
            return
        body = b'{"phase_serial": 1, "version": 2, "phase_closed": false, "replayed": true}'
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if status == 429:
            self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing on the test's screen."""


@pytest.fixture
def stumbling() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Stumbling)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    Stumbling.keys.clear()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_lost_answer_is_asked_for_again_with_the_same_key(stumbling: str) -> None:
    at = Offers(1, 1, 0, 0, True, True, [])
    Stumbling.answers = iter([0, 503, 429, 200])
    again = Retry(total=5, status_forcelist=(429, 503), allowed_methods=("GET", "POST"), raise_on_status=False)
    with Client(stumbling, "sat_x", again=again) as site:
        assert site.play(1, {"kind": "pass"}, at=at).replayed
    assert len(Stumbling.keys) == 4
    assert len(set(Stumbling.keys)) == 1
    Stumbling.answers = iter([503] * 9)
    with Client(stumbling, "sat_x", again=again) as site, pytest.raises(Problem) as told:
        site.play(1, at=at)
    assert told.value.status == 503
