"""How the site shows Sectors, asks for its decisions and puts them into words."""

from __future__ import annotations

from game.boards.base import Board
from game.boards.options import STEADY, BotLevel
from game.boards.sectors.briefing import since, turn_figures
from game.boards.sectors.cards import company_cards, piece, token
from game.boards.sectors.decisions import DECISIONS
from game.boards.sectors.drawing import holding_cells, ladder, order_rows, price_lines, weigh
from game.boards.sectors.lessons import LESSONS
from game.boards.sectors.notes import NOTES
from game.boards.sectors.options import SECTORS_OPTIONS
from game.boards.sectors.outcomes import outcomes
from game.boards.sectors.places import (
    ENDINGS,
    PHASE_RULES,
    aside_of,
    company_of,
    facts,
    goal_of,
    holdings,
    prices_of,
    result_of,
    score_means,
    where,
)
from game.boards.sectors.report import SECTORS_REPORT
from game.boards.sectors.rounds import round_tables
from game.boards.sectors.rows import marks, point, rows
from game.boards.sectors.rulebook import SECTORS_RULEBOOK
from game.boards.sectors.sheets import sheets
from game.boards.sectors.story import story
from game.boards.sectors.words import (
    headline_words,
    live_orders,
    queue_words,
    queued_companies,
    tranche_words,
)
from game.engine.language import mark
from game.rulesets.sectors.ruleset import SECTORS

SHARP = BotLevel("sharp", mark("Sharp"), mark("Bids high, buys everything at once, and keeps no cash in reserve."))
EXPERT = BotLevel("expert", mark("Expert"), mark("Thinks each idea through before it decides."))

SECTORS_BOARD = Board(
    rules=SECTORS,
    pitch=mark(
        "Bid for influence, buy into companies nobody runs alone, and vote on what each of them does with its money."
    ),
    options=SECTORS_OPTIONS,
    score=mark("Net worth"),
    goal=goal_of,
    lessons=LESSONS,
    notes=NOTES,
    invented=mark(
        "The research deck and the hidden spaces of the prestige track are drawn again at random. What is "
        "still sealed is left out, including the orders of others: in the open phase every seat decides "
        "again."
    ),
    phase_rules=PHASE_RULES,
    score_means=score_means,
    endings=ENDINGS,
    topics=(("order", mark("Orders")), ("price", mark("Prices")), ("vote", mark("Votes")), ("money", mark("Money"))),
    rows=rows,
    point=point,
    marks=marks,
    sheets=sheets,
    round_tables=round_tables,
    story=story,
    book=SECTORS_RULEBOOK,
    levels=(STEADY, SHARP, EXPERT),
    facts=facts,
    holdings=holdings,
    without_holdings=mark("You hold no shares."),
    report=SECTORS_REPORT,
    decisions=DECISIONS,
    template="boards/sectors/board.html",
    styles=("css/boards/sectors.css",),
    piece=piece,
    tags=(company_cards, holding_cells, ladder, order_rows, price_lines, token, weigh),
    filters=(headline_words, live_orders, queue_words, queued_companies, tranche_words),
    front="boards/sectors/front.html",
    front_chart="boards/sectors/_front_chart.html",
    icons="boards/sectors/_icons.html",
    beside="boards/sectors/panel/ballot.html",
    aside=aside_of,
    result=result_of,
    outcomes=outcomes,
    since=since,
    turn_figures=turn_figures,
    where=where,
    ahead=mark("The game is not waiting for you. You can already vote for companies whose turn comes later."),
    company=company_of,
    watched=prices_of,
)
