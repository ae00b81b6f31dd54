"""The rulebook of Sectors, in two editions."""

from __future__ import annotations

from game.boards.rulebook import Numbering, Rulebook, Start
from game.boards.sectors.rulebook.tables import EDITION_VARIANTS, printed
from game.boards.sectors.rulebook.terms import TERMS
from game.boards.sectors.rulebook.turn import turn_of
from game.engine.language import mark

SECTORS_RULEBOOK = Rulebook(
    key="sectors",
    title="Sectors",
    numbering=Numbering(r"S \d+(?:\.\d+)?|[AD]\d{1,3}|R-\d+|I16"),
    option="edition",
    option_title=mark("Edition"),
    variants=EDITION_VARIANTS,
    tables=printed,
    turn=turn_of,
    lists=("S 8", "Resolutions A1–A100", "Decisions with a number", "Decisions with a name"),
    terms=TERMS,
    appendix="9. Where these rules come from",
    starts=(
        Start(mark("The phases of a turn"), "S 4.1"),
        Start(mark("How orders are filled"), "S 5.3"),
        Start(mark("The price chart"), "S 3.1"),
        Start(mark("What a company can do"), "S 6.9"),
        Start(mark("How the game ends"), "S 4.5"),
    ),
    index={
        "S 1.1": "starting cash, length, pace",
        "S 1.2": "certificate",
        "S 4.2": "stock round, standing order",
        "S 4.4": "deadline, ready, draft, caretaker, absent",
        "S 4.5": "game end, end, winner, win, net worth",
        "S 5.3": "buy, sell, bid, ownership cap",
        "S 5.4": "float, IPO",
        "S 5.6": "cover short, cover, margin, interest",
        "S 5.7": "strike, premium, exercise, call, put",
        "S 6.4": "cost",
        "S 6.5": "dividend, revenue",
        "S 6.7": "vote, veto",
        "S 6.9": "company action, expansion, marketing, buyback, share issue, unit price, lobby, outsource, downsize",
        "S 6.12": "insolvent, bankrupt, bankruptcy, contribution, shortfall",
        "S 7.1": "tax, taxes, income",
        "S 7.4": "debt, loan",
        "S 7.8": "player priority, new company, IPO discount",
    },
    example="dividend, S 5.3, A27",
)
