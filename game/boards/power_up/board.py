"""Power Up on the site: how the game is shown, described, and asks its players for decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.boards.base import Board
from game.boards.options import OptionTable, OptionWords, Preset
from game.boards.power_up.decisions.turn import TakeTurn
from game.boards.power_up.lessons import LESSONS, NOTES
from game.boards.power_up.map import (
    company_name,
    course_cells,
    course_points,
    letter_chart,
    line_of,
    piece,
    shares_held,
    small_piece,
    tile_rows,
)
from game.boards.power_up.outcomes import outcomes
from game.boards.power_up.places import (
    aside_of,
    facts,
    goal_of,
    holdings,
    order_of,
    point,
    result_of,
    rows,
    score_means,
    sheets,
)
from game.boards.power_up.rulebook import POWER_UP_RULEBOOK
from game.boards.power_up.story import story
from game.engine.language import mark, say
from game.rulesets.power_up.options import LABELS
from game.rulesets.power_up.ruleset import POWER_UP

WORDS = {
    "doe": OptionWords(
        LABELS["doe"],
        rule="PU 4.7",
        hint=mark("A shareholder nobody plays. It gets shares when a company is founded and competes for bonuses."),
    ),
}

PRESETS = (
    Preset(
        "contested",
        mark("With the Department of Energy"),
        {"doe": True},
        mark("every bonus is contested; best for 2 players"),
        windows={"turn": 54},
        fewest={"turn": 54},
        live_minutes=50,
    ),
    Preset(
        "plain",
        mark("Players only"),
        {"doe": False},
        mark("at first only the founder holds shares of a company"),
        windows={"turn": 54},
        fewest={"turn": 54},
        live_minutes=50,
    ),
)

TURNS = mark("about 55 turns")  # of all players together; 52 to 60 in thousands of games among bots


def length_words(options: Mapping[str, Any]) -> str:
    """The length of a game; the options do not change it."""
    return say(TURNS)


POWER_UP_OPTIONS = OptionTable(WORDS, PRESETS, length_words=length_words, choice=mark("variant"))


POWER_UP_BOARD = Board(
    rules=POWER_UP,
    pitch=mark("Found energy companies tile by tile, buy their shares, and be paid when companies merge."),
    options=POWER_UP_OPTIONS,
    score=mark("Cash"),
    goal=goal_of,
    order=order_of,
    lessons=LESSONS,
    notes=NOTES,
    phase_rules={"take_turn": "PU 3", "final_sale": "PU 6"},
    score_means=score_means,
    rows=rows,
    point=point,
    sheets=sheets,
    story=story,
    book=POWER_UP_RULEBOOK,
    facts=facts,
    holdings=holdings,
    without_holdings=mark("You hold no shares."),
    decisions={"take_turn": TakeTurn()},
    template="boards/power_up/board.html",
    beside="boards/power_up/_map.html",
    styles=("css/boards/power_up.css",),
    scripts=("js/boards/power_up.js",),
    line=line_of,
    piece=small_piece,
    tags=(company_name, course_cells, course_points, letter_chart, piece, shares_held, tile_rows),
    topics=(
        ("tiles", mark("Tiles")),
        ("company", mark("Companies")),
        ("merger", mark("Mergers")),
        ("money", mark("Money")),
    ),
    letters=frozenset(key[0].upper() for key in POWER_UP.registries["companies"]),
    aside=aside_of,
    result=result_of,
    outcomes=outcomes,
)
