"""The house bot plays well enough to be worth beating, fast enough for many games, and only by the rules."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from game.engine.actions import Action
from game.engine.chance import Chance
from game.engine.play import Outcome
from game.engine.selfplay import play_out
from game.rulesets.power_up.options import Options
from game.rulesets.power_up.ruleset import POWER_UP
from tests.rulesets.power_up.table import Table
from tests.servers import ROOT

MOST_CALLS = 300_000  # of Python functions in a game
COUNTING = """
import sys
from game.engine.chance import Chance
from game.engine.selfplay import play_out
from game.rulesets.power_up.options import Options
from game.rulesets.power_up.ruleset import POWER_UP
calls = 0

def count(frame, event, argument):
    global calls
    calls += event == "call"

sys.setprofile(count)
play_out(POWER_UP, Options(), [POWER_UP.bots["house"]] * 4, Chance("fast 0"))
sys.setprofile(None)
print(calls)
"""
HOUSE, RANDOM = POWER_UP.bots["house"], POWER_UP.bots["random"]


def house_wins(seed: int, *, doe: bool, seat: int) -> bool:
    bots = [HOUSE, RANDOM] if seat == 0 else [RANDOM, HOUSE]
    outcome = play_out(POWER_UP, Options(doe=doe), bots, Chance(f"bots {seed}"))
    first, second = POWER_UP.standings(outcome.position.state)
    return first.seat == seat and first.score > second.score


@pytest.mark.parametrize("seeds", [5, pytest.param(200, marks=pytest.mark.trial)])
@pytest.mark.parametrize("doe", [True, False])
def test_the_house_bot_beats_the_random_one(doe: bool, seeds: int) -> None:
    """Every deal is played from both seats, so that neither has the better start."""
    won = sum(house_wins(seed, doe=doe, seat=seat) for seed in range(seeds) for seat in (0, 1))
    share = won / (2 * seeds)
    print(f"the house bot won {share:.1%} of {2 * seeds} games, Department {'on' if doe else 'off'}")  # noqa: T201
    assert share >= 0.9


def test_a_game_of_four_house_bots_takes_little_work() -> None:
    """Counted in calls of functions, the same on every machine, in a process in which nothing else has run."""
    done = subprocess.run([sys.executable, "-c", COUNTING], cwd=ROOT, capture_output=True, text=True, check=True)
    assert 10_000 < int(done.stdout) < MOST_CALLS


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("doe", [True, False])
def test_what_the_house_bot_asks_is_never_refused(seats: int, doe: bool) -> None:
    """A refused request would end its turn by the autopilot."""
    stood_in: list[int] = []

    def watch(actions: list[Action], outcome: Outcome[Any]) -> None:
        if not actions:
            stood_in.append(outcome.position.cursor.serial)

    play_out(POWER_UP, Options(doe=doe), [HOUSE] * seats, Chance(f"legal {seats}"), watch)
    assert stood_in == [1], "only the start is no action of a bot"


def asks(table: Table) -> list[dict[str, object]]:
    return HOUSE(table.view("ada"), lambda: table.offers("buy"), Chance("bot"))


def test_it_founds_when_it_can() -> None:
    table = Table().board(neutral="E4", rufus="A0 A1").hands(ada="E5 J0 A2").shares("rufus", bob=1)
    (request,) = asks(table)
    assert (request["kind"], request["tile"]) == ("play_tile", "E5")


def test_it_draws_when_it_holds_nothing() -> None:
    assert asks(Table()) == [{"kind": "draw"}]


def test_it_buys_where_a_share_takes_the_lead() -> None:
    table = Table().board(rufus="A0 A1", whoops="E0 E1").hands(ada="J0 J2").after(lock=True)
    table.shares("rufus", ada=4, bob=4).shares("whoops", ada=12, bob=1)
    assert asks(table) == [{"kind": "buy", "company": "rufus"}]


def test_it_plays_no_merger_that_pays_its_rival() -> None:
    table = Table().board(superslick="A0 A1 A2", rufus="C1 C2").hands(ada="B1 J0")
    table.shares("rufus", bob=8).shares("superslick", bob=8)
    assert asks(table) == [{"kind": "play_tile", "tile": "J0"}]


def test_before_a_merger_it_buys_into_the_company_that_goes() -> None:
    """First a tile that touches nothing, then the share, then the merger."""
    table = Table(actions=4).board(superslick="A0 A1 A2", rufus="C1 C2").hands(ada="B1 J0 J2")
    table.shares("rufus", ada=1, bob=1).shares("superslick", ada=12, bob=1)
    assert asks(table) == [{"kind": "play_tile", "tile": "J0"}]
    table.plays("J0")
    assert asks(table) == [{"kind": "buy", "company": "rufus"}]
