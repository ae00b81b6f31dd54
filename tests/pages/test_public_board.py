"""The public board, drawn from real positions: every seat count, from set-up to the end, for a seat and for a
stranger."""

import re
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import Environment

from game.boards.drawing import nice_ticks, spread
from game.engine import referee
from game.engine.chance import Chance
from game.rulesets.sectors.ruleset import SECTORS as RULES
from game.store.board_rows import History
from game.templatetags.times import in_words
from tests.pages.panels import BOARD, page_engine, panel, places_at, players
from tests.rulesets.sectors.table import Table


@pytest.fixture(scope="module")
def engine() -> Environment:
    return page_engine()


def position_after(seats: int, closings: int) -> Any:
    """A game in which nobody does anything for so many phases."""
    chance = Chance("pages")
    position = referee.start(RULES, RULES.parse_options({}), seats, chance).position
    for _ in range(closings):
        position = referee.close(RULES, position, chance).position
    return position


def board(engine: Environment, position: Any, you: int | None) -> str:
    places = places_at(players(position), you)
    view = RULES.view(position, you)
    worth = {player.seat: [300, player.net_worth] for player in view.players}
    prices = {company.ticker: [company.price, company.price] for company in view.companies}
    context = {
        "board": BOARD,
        "panel": panel(position, places, you),
        "user": SimpleNamespace(shortcuts=True),
        "device": None,
        "view": view,
        "seats": places,
        "you": None if you is None else places[you],
        "csrf_token": "token",
        "game": SimpleNamespace(
            name="The <Tuesday> Consortium",
            pk=7,
            secret_hash="70bb255b" * 8,
            ruleset="sectors",
            options={},
            status="running",
            is_over=False,
            is_copy=False,
            device_seats=0,
            rules=BOARD.rules,
        ),
        "history": History(["Start", "now"], prices, worth, {}, {company: at for at, company in enumerate(prices)}),
        "log": [],
        "older": None,
        "push": None,
    }
    return engine.get_template("boards/sectors/board.html").render(context)


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("closings", [0, 1, 40, 200])
def test_board_prints_every_position(engine: Environment, seats: int, closings: int) -> None:
    position = position_after(seats, closings)
    for you in (None, 0, seats - 1):
        page = board(engine, position, you)
        assert "<Player" not in page
        assert "<Tuesday" not in page
        assert not re.search(r'\s(style|on\w+)="', page), "a strict content security policy blocks it"


def test_after_the_end_nobody_acts_and_nothing_is_on_offer(engine: Environment) -> None:
    """The two regions stay for pages that are open."""
    table = (
        Table().company("ACME", price=47).holdings("ACME", ada=2).at("end_turn", turn=8, queue=["ACME"], acted=["ACME"])
    )
    during, after = (board(engine, position, 0) for position in (table.position, table.clock_runs_out().position))
    for gone in ("Open orders", 'href="#offers"', "Order of company actions"):
        assert gone in during
        assert gone not in after
    assert '<div id="offers" data-region></div>' in after
    assert '<div id="queue" data-region></div>' in after


def test_a_player_s_net_worth_stands_beside_the_name(engine: Environment) -> None:
    """On a phone the other columns are out of sight."""
    page = board(engine, position_after(3, 40), 0).split('id="players"')[1]
    assert re.search(r'<th class="l stick" scope="col">Player</th><th scope="col">(?:<[^>]+>)*Net worth<', page)
    worths = [player.net_worth for player in RULES.view(position_after(3, 40), 0).players]
    assert [int(worth) for worth in re.findall(r"</span></th>\s*<td><b><a [^>]+>(\d+)</a></b></td>", page)] == worths


def test_board_names_the_winner_at_the_end(engine: Environment) -> None:
    position = position_after(3, 200)
    assert position.is_over
    page = board(engine, position, 1)
    assert "The game is over." in page
    assert "share first place" in page or "wins with" in page or "win with" in page


def test_ids_are_unique_and_regions_have_one(engine: Environment) -> None:
    page = board(engine, position_after(5, 12), 0)
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert all('id="' in tag for tag in re.findall(r"<[^>]*data-region[^>]*>", page))


@pytest.mark.parametrize(("low", "high"), [(0, 0), (300, 300), (29, 75), (3, 600), (297, 1774)])
def test_ticks_are_round_and_enclose_the_values(low: int, high: int) -> None:
    ticks = nice_ticks(low, high)
    assert ticks[0] <= low <= high <= ticks[-1]
    assert 2 <= len(ticks) <= 8


def test_end_labels_never_overlap() -> None:
    heights = sorted(spread([100.0] * 8))
    assert all(below - above >= 15 for above, below in pairwise(heights))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "closing now"),
        (59, "in 59 s"),
        (130, "in 2 min 10 s"),
        (1800, "in 30 min"),
        (22_320, "in 6 h 12 min"),
        (90_000, "in 1 d 1 h"),
    ],
)
def test_time_left_is_said_in_two_units_at_most(seconds: int, words: str) -> None:
    assert in_words(seconds) == words
