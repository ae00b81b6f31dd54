"""How the site shows City of the Big Shoulders, asks for its decisions and tells its events."""

from __future__ import annotations

from game.boards.base import AUTO_STYLES, Board
from game.boards.big_shoulders.charters import asset_card, assets_in_row, leaders_of, manager_words, slots_by_trade
from game.boards.big_shoulders.decisions import DECISIONS
from game.boards.big_shoulders.lessons import LESSONS, NOTES
from game.boards.big_shoulders.options import BIG_SHOULDERS_OPTIONS
from game.boards.big_shoulders.outcomes import outcomes, since
from game.boards.big_shoulders.pictures import PICTURE_TAGS
from game.boards.big_shoulders.pieces import (
    cube,
    cube_letters,
    cubes,
    good_prices,
    holders_of,
    inputs,
    line_of,
    shares_bar,
    shares_in,
    small_piece,
    staff,
    tag,
    trade_title,
    values_chart,
)
from game.boards.big_shoulders.places import (
    VALUE_WORDS,
    aside_of,
    asked,
    facts,
    goal_of,
    holdings,
    operating_company,
    order_of,
    point,
    rows,
    score_means,
    sheets,
    turn_figures,
    where,
)
from game.boards.big_shoulders.rounds import earned, round_tables
from game.boards.big_shoulders.rulebook import BIG_SHOULDERS_RULEBOOK
from game.boards.big_shoulders.spaces import space_tiles
from game.boards.big_shoulders.story import story
from game.boards.big_shoulders.tracks import appeal_track, in_order, next_bonus, value_track
from game.boards.options import STEADY, BotLevel
from game.boards.sheets import Earnings
from game.engine.language import mark
from game.engine.phrases import capitalised
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS

SHARP = BotLevel("sharp", mark("Sharp"), mark("Plays each idea on into the next decade before it decides."))

BIG_SHOULDERS_BOARD = Board(
    rules=BIG_SHOULDERS,
    pitch=mark(
        "Found companies in the Chicago of 1875, staff their factories, sell their goods and trade their shares."
    ),
    options=BIG_SHOULDERS_OPTIONS,
    invented=mark(
        "The building tiles that others hold or have discarded, and the decks of tiles, capital assets and demand, are "
        "drawn again at random. What is still sealed, and all standing orders, are left out."
    ),
    score_means=score_means,
    phase_rules={
        "first_company": "BS 2",
        "stock": "BS 5.1",
        "stock_end": "BS 5.8",
        "building": "BS 6.1",
        "action": "BS 6.2",
        "operation": "BS 7.1",
        "cleanup": "BS 8",
        "end": "BS 9",
    },
    book=BIG_SHOULDERS_RULEBOOK,
    goal=goal_of,
    order=order_of,
    aside=aside_of,
    where=where,
    company=operating_company,
    facts=facts,
    holdings=holdings,
    without_holdings=mark("You hold no shares."),
    rows=rows,
    point=point,
    earnings=Earnings(mark("Revenue"), mark("Revenue of each company"), earned),
    prices=VALUE_WORDS,
    sheets=sheets,
    outcomes=outcomes,
    since=since,
    turn_figures=turn_figures,
    round_tables=round_tables,
    story=story,
    decisions=DECISIONS,
    asks=asked,
    levels=(STEADY, SHARP),
    notes=NOTES,
    lessons=LESSONS,
    template="boards/big_shoulders/board.html",
    styles=(*AUTO_STYLES, "css/boards/big_shoulders.css"),
    scripts=("js/boards/big_shoulders.js",),
    line=line_of,
    piece=small_piece,
    tags=(
        appeal_track,
        asset_card,
        assets_in_row,
        cube,
        cube_letters,
        cubes,
        holders_of,
        in_order,
        inputs,
        good_prices,
        leaders_of,
        manager_words,
        next_bonus,
        shares_bar,
        shares_in,
        slots_by_trade,
        space_tiles,
        staff,
        tag,
        trade_title,
        value_track,
        values_chart,
        *PICTURE_TAGS,
    ),
    filters=(capitalised,),
    topics=(
        ("stock", mark("Shares")),
        ("buildings", mark("Buildings")),
        ("actions", mark("Actions")),
        ("company", mark("Companies")),
        ("operation", mark("Operations")),
        ("supply", mark("Supply and demand")),
    ),
)
