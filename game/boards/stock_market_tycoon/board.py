"""How the site shows Stock Market Tycoon, asks for its decisions and tells its events."""

from __future__ import annotations

from game.boards.base import AUTO_STYLES, Board
from game.boards.options import STEADY, BotLevel
from game.boards.stock_market_tycoon.decisions import DECISIONS
from game.boards.stock_market_tycoon.lessons import LESSONS, NOTES
from game.boards.stock_market_tycoon.market import (
    card,
    changed_in,
    hand_rows,
    holders,
    line_of,
    mode_title,
    news_by_company,
    news_of,
    office_of,
    open_contracts,
    ownership,
    players_in_order,
    price_course,
    sector_of,
    share_of,
    special_cards,
    thresholds,
    ticker,
)
from game.boards.stock_market_tycoon.options import STOCK_MARKET_TYCOON_OPTIONS
from game.boards.stock_market_tycoon.outcomes import outcomes, since
from game.boards.stock_market_tycoon.places import (
    aside_of,
    facts,
    goal_of,
    holdings,
    order_of,
    point,
    rows,
    score_means,
    turn_figures,
    where,
)
from game.boards.stock_market_tycoon.rounds import round_tables
from game.boards.stock_market_tycoon.rulebook import STOCK_MARKET_TYCOON_RULEBOOK
from game.boards.stock_market_tycoon.year_end import is_fresh_end, year_story
from game.boards.story.plain import storyteller
from game.boards.story.played import TRADING, Bookkeeping
from game.engine.language import mark
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON

SHARP = BotLevel(
    "sharp",
    mark("Sharp"),
    mark("Plays each idea on to the end of the year, and reads in the trades of the others which cards they hold."),
)
TRADES = ("purchase", "sale", "forced sale", "rights", "buyback", "tender", "buyback returned", "debenture")
BOOKS = Bookkeeping(
    sources=dict.fromkeys(TRADES, TRADING)
    | dict.fromkeys(("short gain", "short loss"), mark("short selling"))
    | dict.fromkeys(("currency gain", "currency loss"), mark("currency cards"))
    | dict.fromkeys(("premium", "option"), mark("options"))
    | dict.fromkeys(("loan", "debt"), mark("loan stock and debts"))
    | {"dividend": mark("dividends"), "set-up": TRADING},
    rest=TRADING,
)
"""What money and shares are called where a game's story says what decided it."""

STOCK_MARKET_TYCOON_BOARD = Board(
    rules=STOCK_MARKET_TYCOON,
    pitch=mark(
        "Trade the shares of six companies, year by year, while everybody knows a few of the cards that will move "
        "their prices."
    ),
    options=STOCK_MARKET_TYCOON_OPTIONS,
    invented=mark(
        "The hands of the others, and a card that one of them withheld, are drawn again at random. What is "
        "still sealed is left out."
    ),
    score=mark("Net worth"),
    score_means=score_means,
    phase_rules={
        "premium": "ST 4.11",
        "deal": "ST 1.3",
        "reveal": "ST 5",
        "close_year": "ST 5",
        "orders": "T-30",
        "trade": "ST 4.1",
        "tender": "ST 4.10",
        "withhold": "ST 4.11",
        "strike": "ST 4.11",
        "suspend": "ST 4.11",
        "price": "ST 5",
        "currency": "ST 5",
        "shorts": "ST 5",
        "options": "ST 5",
        "end": "ST 6",
    },
    book=STOCK_MARKET_TYCOON_RULEBOOK,
    goal=goal_of,
    order=order_of,
    aside=aside_of,
    where=where,
    facts=facts,
    holdings=holdings,
    without_holdings=mark("You hold no shares."),
    rows=rows,
    turn_figures=turn_figures,
    round_tables=round_tables,
    point=point,
    line=line_of,
    outcomes=outcomes,
    since=since,
    story=storyteller(BOOKS),
    decisions=DECISIONS,
    levels=(STEADY, SHARP),
    notes=NOTES,
    lessons=LESSONS,
    template="boards/stock_market_tycoon/board.html",
    styles=(*AUTO_STYLES, "css/boards/stock_market_tycoon.css"),
    scripts=("js/boards/stock_market_tycoon.js",),
    tags=(
        card,
        changed_in,
        hand_rows,
        holders,
        is_fresh_end,
        mode_title,
        news_by_company,
        news_of,
        office_of,
        open_contracts,
        ownership,
        players_in_order,
        price_course,
        sector_of,
        share_of,
        special_cards,
        thresholds,
        ticker,
        year_story,
    ),
    topics=(
        ("trade", mark("Trade")),
        ("cards", mark("Cards")),
        ("company", mark("Companies")),
        ("money", mark("Money")),
    ),
)
