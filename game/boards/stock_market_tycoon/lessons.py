"""Lessons of Stock Market Tycoon, and the notes next to a newcomer's first decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.boards.lessons import LEARNER, Goal, Lesson, Note, Slip
from game.engine.language import mark

Check = Callable[[Any], bool]
YEAR = 2  # in which the lessons begin


def holds(company: str, shares: int = 1_000) -> Check:
    """True if the learner holds at least this number of shares."""
    return lambda view: view.players[LEARNER].shares.get(company, 0) >= shares


def has_no(company: str) -> Check:
    return lambda view: not holds(company, 1)(view)


def is_next_year(view: Any) -> bool:
    return bool(view.turn > YEAR)


def has_played(card: str) -> Check:
    """True once a card of the lesson's hand has left it."""
    return lambda view: is_next_year(view) or card not in view.players[LEARNER].hand


def has_shorted(company: str) -> Check:
    """True if the learner sold a company short this year, or was paid for it at its end."""
    return lambda view: (
        any(short.seat == LEARNER and short.company == company for short in view.shorts)
        or (view.year_end is not None and any(paid.reason == "short" for paid in view.year_end.settlements))
    )


def has_retired(company: str) -> Check:
    """True if a buyback took shares out of the game."""
    return lambda view: bool(view.company(company).retired)


def turns_taken(view: Any) -> int:
    """The learner's turns of the lesson's year; they act first in each sub-round."""
    if is_next_year(view) or view.phase is None or view.phase.name != "trade":
        return 3
    return int(view.sub_round - (view.acting_seat == LEARNER))


def is_behind(*checks: Check) -> Check:
    """True if the learner has taken more turns than they have met of these goals."""
    return lambda view: turns_taken(view) > sum(check(view) for check in checks)


def is_over_without(check: Check) -> Check:
    """True if the learner's turn is over and did not meet this goal."""
    return lambda view: not check(view) and (is_next_year(view) or view.acting_seat != LEARNER)


FIRST_YEAR = Lesson(
    "year",
    mark("A year as a Trader"),
    mark("Read your cards and use the three turns of a year: buy, play a card, sell."),
    {
        "phase": "trade",
        "turn": YEAR,
        "players": {
            "you": {"cash": 200_000, "hand": ["NT+30", "NT+10", "OE-20", "OE-15", "loan"]},
            "other": {"cash": 200_000},
        },
        "companies": {"OE": {"shares": {"you": 4_000}}},
        "options": {"years": 3},
    },
    (
        Goal(
            mark("Buy shares of NovaTech."),
            mark(
                "At the end of the year each price moves by the sum of its cards in all hands. You hold +30 and +10 of "
                "NovaTech: as far as you know, it will rise by 40."
            ),
            holds("NT"),
            {"kind": "buy", "company": "NT"},
        ),
        Goal(
            mark("Cash in your loan stock."),
            mark(
                "Loan Stocks Matured brings 100,000 that you never pay back. A card that is not played this year is "
                "lost, and playing it takes a turn."
            ),
            has_played("loan"),
        ),
        Goal(
            mark("Sell your shares of Omega Energy."),
            mark(
                "You hold −20 and −15 of Omega Energy: it may fall by 35. This is your last turn of the year. Selling "
                "moves no price; you get 55 for each share."
            ),
            has_no("OE"),
            {"kind": "sell", "company": "OE", "shares": 4_000},
        ),
    ),
    (
        Slip(
            mark("Your cards say nothing about that company. A turn is final, and a year has only three."),
            lambda view: any(holds(company)(view) for company in ("AB", "TS", "GI", "VP")),
        ),
        Slip(
            mark("You kept some shares of Omega Energy, and their price falls."),
            lambda view: is_next_year(view) and holds("OE", 1)(view),
        ),
        Slip(
            mark("You did something else. A turn is final, and a year has only three."),
            is_behind(holds("NT"), has_played("loan"), has_no("OE")),
        ),
    ),
    mark(
        "Now the year ends: all cards are shown, NovaTech rises by 40 to 120, and Omega Energy falls by 35 "
        "to 20. In a game with others, their cards count too."
    ),
    "ST 5",
)
SHORT = Lesson(
    "short",
    mark("Sell short"),
    mark("As an Investor, earn when a price falls."),
    {
        "phase": "trade",
        "turn": YEAR,
        "sub_round": 3,
        "players": {
            "you": {"cash": 100_000, "hand": ["NT-30", "NT-20", "AB+5"]},
            "other": {"cash": 100_000},
        },
        "options": {"mode": "investor", "years": 3},
    },
    (
        Goal(
            mark("Sell NovaTech short."),
            mark(
                "Your cards of NovaTech add up to −50. A short sale is settled at the end of the year: for each share "
                "the bank pays what the price has fallen since, or you pay what it has risen."
            ),
            has_shorted("NT"),
            {"kind": "sell_short", "company": "NT", "shares": 1_000},
        ),
    ),
    (
        Slip(
            mark("You sold no NovaTech short. “Short” is one of the actions above the companies."),
            is_over_without(has_shorted("NT")),
        ),
    ),
    mark(
        "NovaTech falls from 80 to 30 at the end of the year, and the bank pays you 50 for each share. If it "
        "had risen by 50, you would have paid 50 for each; a loss that you cannot pay becomes a debt."
    ),
    "ST 4.7",
)
BUYBACK = Lesson(
    "buyback",
    mark("Announce a buyback"),
    mark("As a Strategist, make the shares of your company rarer and more valuable."),
    {
        "phase": "trade",
        "turn": YEAR,
        "sub_round": 3,
        "dealer": "you",
        "acting": "you",
        "players": {"you": {"cash": 2_000_000, "hand": ["OE+5"]}, "other": {"cash": 100_000, "hand": ["AB+5"]}},
        "companies": {"OE": {"shares": {"you": 110_000, "other": 40_000}}},
        "options": {"mode": "strategist", "years": 3},
    },
    (
        Goal(
            mark("Buy back 20,000 shares of Omega Energy at 60."),
            mark(
                "You hold 55% of Omega Energy and chair it. The price rises by 5 for each 10,000 shares that you buy "
                "back, whatever you pay. The other holder sells only above what the shares are worth, now 55."
            ),
            has_retired("OE"),
            {"kind": "announce_buyback", "company": "OE"},
        ),
    ),
    (
        Slip(
            mark("Nobody sold: your offer was no better than the price of 55, or you did something else."),
            lambda view: is_over_without(has_retired("OE"))(view) and view.buyback is None,
        ),
    ),
    mark(
        "The shares that you bought have left the game. The price rose by 5 for each full 10,000 of them, and your "
        "part of the company grew although you hold as many shares as before."
    ),
    "ST 4.10",
    opponents="house",
)
LESSONS = (FIRST_YEAR, SHORT, BUYBACK)


NOTES = (
    Note(
        "hand",
        "trade",
        mark(
            "Your cards are a part of what will move the prices at the end of the year. Each price moves by the sum of "
            "its cards in all hands, so what you hold is a hint and not the whole truth."
        ),
        "hand",
        mark("Your cards"),
    ),
    Note(
        "buy",
        "trade",
        mark(
            "The first player to buy shares of a company in a year needs no good cards for it. After that, "
            "your own cards of it must add up to 0 or more, so a later purchase tells the others something "
            "about your hand."
        ),
        "market",
        mark("The market"),
    ),
    Note(
        "turn",
        "trade",
        mark(
            "You have three turns in a year and do one thing in each. It counts at once and cannot be taken "
            "back. Trading never moves a price. The only hurry is that the others buy from the same bank."
        ),
    ),
    Note(
        "withhold",
        "withhold",
        mark(
            "You are Director of a company and may keep one of your own cards of it unseen. It does not count: "
            "withhold a bad one if you keep the shares."
        ),
    ),
    Note(
        "strike",
        "strike",
        mark(
            "You are Chairman of a company and may cancel one of the cards of it that were shown, whoever held it. "
            "The preview says what the price becomes."
        ),
    ),
    Note(
        "suspend",
        "suspend",
        mark(
            "Share Suspended sets the price of one company back to what it was at the end of last year. It helps "
            "when your shares have fallen or those of others have risen."
        ),
    ),
)
