"""Programs and people at once: two copies of the documentation's bot play a game of every ruleset over HTTP while two
people play another one in browsers, and the site has time for all of them."""

import itertools
import logging
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import requests
from playwright.sync_api import expect

from accounts import api_tokens, limits
from accounts.models import User
from game.bots.accounts import Declared, make_bot
from game.rulesets.registry import RULESETS
from game.store.game import Game, Pace, Status
from game.store.log import Kind
from tests.browser.desk import Desk, another_page, watch
from tests.browser.playing import PHONE, play, seated
from tests.servers import PATIENCE, ROOT
from tests.tables import fresh, new_game, person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

LONG = "big_shoulders"  # five decades of a hundred commands: tests/api/test_client.py plays it
BOTS_NEED = 600  # seconds at most once the people are done; a third of a minute is usual
SHORTEST = {"max_turns": 2, "years": 3}
SCOPES = ["read", "play", "manage"]
ANY_GAME = Declared([*RULESETS], [pace.value for pace in Pace if pace != Pace.NO_CLOCK], 2, 8, 10)
ROOM = {
    "read": 1200,
    "move": 240,
    "draft": 240,
    "write": 240,
}  # of the usual limits, for games of which a person would play one in weeks
REFUSED, TOO_MANY = 422, 429
MOVES = re.compile(r"/api/v1/games/(\d+)/moves")


class Answer(NamedTuple):
    """One answer of the server."""

    method: str
    path: str
    status: int


class Answers(logging.Handler):
    """What the server answered, in its order: from its own log of requests."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[Answer] = []

    def emit(self, record: logging.LogRecord) -> None:
        _, method, path, _, status = record.args  # type: ignore[misc]
        self.given.append(Answer(str(method), str(path), int(str(status))))

    def taken_moves(self, game: Game) -> int:
        places = [MOVES.fullmatch(each.path) for each in self.given if each.status == 200]
        return len([place for place in places if place and int(place[1]) == game.pk])

    @property
    def troubles(self) -> set[Answer]:
        """Whatever is neither an answer nor what a random bot is told about its choices."""
        return {each for each in self.given if each.status >= 400 and each.status != REFUSED}


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Answers]:
    log, heard = logging.getLogger("uvicorn.access"), Answers()
    monkeypatch.setattr(log, "propagate", False)
    before = log.level
    log.setLevel(logging.INFO)
    log.addHandler(heard)
    yield heard
    log.removeHandler(heard)
    log.setLevel(before)


class Program:
    """Somebody's token, and the documentation's bot with it."""

    def __init__(self, site: "LiveSite", user: User, owner: User) -> None:
        _, self.text = api_tokens.issue(user=user, owner=owner, name="live", scopes=SCOPES, days=30)
        self.site = site

    def post(self, path: str, body: Any = None) -> Any:
        """What is done once, to open and join tables."""
        headers = {"Authorization": f"Bearer {self.text}"}
        answer = requests.post(f"{self.site.address}/api/v1/{path}", json=body or {}, headers=headers, timeout=PATIENCE)
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()

    @contextmanager
    def running(self) -> Iterator[None]:
        """The bot as a process of its own; it never ends by itself."""
        environment = {**os.environ, "SECTORS_URL": self.site.address, "SECTORS_TOKEN": self.text}
        process = subprocess.Popen([sys.executable, str(ROOT / "docs" / "api" / "bot.py")], env=environment)
        try:
            yield
            assert process.poll() is None, "the bot has ended"
        finally:
            process.kill()
            process.wait()


def opened(host: Program, guest: Program, ruleset: str) -> Game:
    """A table of two that both programs sit at, begun."""
    options = {name: least for name, least in SHORTEST.items() if name in RULESETS[ruleset].menus}
    fields = {"ruleset": ruleset, "seats": 2, "pace": "daily", "options": options, "takes_bots": True}
    number = host.post("games", fields)["id"]
    guest.post(f"games/{number}/seats")
    assert host.post(f"games/{number}/start")["status"] == Status.RUNNING
    return Game.objects.get(pk=number)


def until_over(*games: Game) -> None:
    latest = time.monotonic() + BOTS_NEED
    while left := [game.ruleset for game in games if fresh(game).status != Status.FINISHED]:
        assert time.monotonic() < latest, f"not over: {left}"
        time.sleep(0.2)


@pytest.mark.trial
def test_two_bots_finish_a_game_of_every_ruleset_while_two_people_play_another(
    live_site: "LiveSite", browser: "Browser", page: "Page", settings: Any, answers: Answers
) -> None:
    """Ada's program is the host and plays in her name; Deep is a bot account of ben's."""
    settings.EXTRA_CHOICES, settings.LIMITS, settings.LIMITED = {"max_turns": (1, 2)}, ROOM, True
    ben = person("ben")
    deep = Program(live_site, make_bot(owner=ben, name="Deep", declared=ANY_GAME).user, ben)
    ada = Program(live_site, person("ada"), person("ada"))
    games = [opened(ada, deep, key) for key in RULESETS if key != LONG]
    theirs = new_game("carla", "dora", max_turns=1)
    with another_page(browser, **PHONE) as phone:
        seen, seen_too = watch(page), watch(phone)
        pages = (seated(page, live_site, "carla", "light"), seated(phone, live_site, "dora", "dark"))
        desks = [Desk(each, live_site, theirs).open() for each in pages]
        with ada.running(), deep.running():
            result = play(*desks)
            until_over(*games)
        assert len(result) > 1, result
        for desk in desks:
            expect(desk.page.locator("#standings tr.you")).to_contain_text("You")
    assert not seen + seen_too
    assert not answers.troubles
    for game in (*games, theirs):
        assert fresh(game).status == Status.FINISHED
        assert not game.seats.exclude(keeper="").exists(), "nobody was taken for absent"
    for game in games:
        sent = game.log.filter(kind=Kind.SUBMIT).exclude(token="")
        assert set(sent.values_list("seat", flat=True)) == {0, 1}
        assert sent.values("seat", "token").distinct().count() == answers.taken_moves(game), "nothing is lost"


def test_the_bot_comes_again_when_it_is_told_to(
    live_site: "LiveSite", settings: Any, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit so low that it is met again and again; whoever waits as long as it says meets it once each time."""
    settings.LIMITED = True
    monkeypatch.setitem(limits.LIMITS, "read", limits.LIMITS["read"]._replace(most=4, seconds=2))
    game = new_game("ada", bots=1, ruleset="toy")
    with Program(live_site, person("ada"), person("ada")).running():
        until_over(game)
    statuses = [answer.status for answer in answers.given]
    assert TOO_MANY in statuses
    assert (TOO_MANY, TOO_MANY) not in itertools.pairwise(statuses)
    assert {each.status for each in answers.troubles} == {TOO_MANY}


def test_the_bot_has_at_most_forty_lines() -> None:
    lines = (ROOT / "docs" / "api" / "bot.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 40
