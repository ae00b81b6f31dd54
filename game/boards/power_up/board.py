"""Power Up as the site asks, shows and tells it."""

from __future__ import annotations

from game.boards.base import Board
from game.boards.power_up.decisions.turn import TakeTurn
from game.boards.power_up.lessons import LESSONS
from game.boards.power_up.mail import facts, holdings
from game.boards.power_up.map import (
    company_name,
    course_cells,
    course_points,
    letter_chart,
    piece,
    shares_held,
    tile_rows,
)
from game.boards.power_up.notes import NOTES
from game.boards.power_up.options import POWER_UP_OPTIONS
from game.boards.power_up.outcomes import outcomes
from game.boards.power_up.places import aside_of, goal_of, result_of
from game.boards.power_up.rows import point, rows
from game.boards.power_up.rulebook import POWER_UP_RULEBOOK
from game.boards.power_up.story import story
from game.engine.language import mark
from game.rulesets.power_up.ruleset import POWER_UP

POWER_UP_BOARD = Board(
    rules=POWER_UP,
    pitch=mark("Found energy companies tile by tile, buy their shares, and be paid when companies merge."),
    options=POWER_UP_OPTIONS,
    score=mark("Cash"),
    goal=goal_of,
    lessons=LESSONS,
    notes=NOTES,
    phase_rules={"take_turn": "PU 3", "final_sale": "PU 6"},
    score_means=mark("Cash is counted after all shares were sold, with their bonuses."),
    rows=rows,
    point=point,
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
    tags=(company_name, course_cells, course_points, letter_chart, piece, shares_held, tile_rows),
    topics=(
        ("tiles", mark("Tiles")),
        ("company", mark("Companies")),
        ("merger", mark("Mergers")),
        ("money", mark("Money")),
    ),
    aside=aside_of,
    result=result_of,
    told=outcomes,
)
