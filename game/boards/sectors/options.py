"""The options of Sectors as a host reads them, and the sizes of a game. (S 1.1, decision *presets*)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.boards.options import OptionTable, OptionWords, Preset
from game.engine.language import count, mark
from game.rulesets.sectors.options import LABELS, PRESETS, without_effect

SUB_ROUNDS = {"live": 5, "demo": 2, **dict.fromkeys(("evening", "daily", "relaxed", "custom", "none"), 3)}
LOAN_INTEREST = {"0.1": mark("0.1%"), "10": mark("10%")}


def option(name: str, rule: str, **more: Any) -> OptionWords:
    """The texts of an option; its label is the one in refusals, unless it has a better one next to named values."""
    return OptionWords(**{"label": LABELS[name], "rule": rule, **more})


WORDS: Mapping[str, OptionWords] = {
    "edition": option(
        "edition",
        "S 8",
        hint=mark("The first edition has other company actions, prices and abilities."),
        values={2: mark("Second edition"), 1: mark("First edition")},
    ),
    "starting_cash": option(
        "starting_cash", "S 1.1", hint=mark("With less, the first turns are about one company each.")
    ),
    "bank": option(
        "bank",
        "S 4.5",
        hint=mark("The game ends in the turn in which the bank runs out; a large bank makes it longer."),
    ),
    "consumers": option(
        "consumers",
        "S 7.7",
        hint=mark("More consumers mean more sales, so revenue and prices rise faster."),
    ),
    "max_turns": option(
        "max_turns",
        "S 4.5",
        hint=mark("The game ends after this turn at the latest. Each turn has four to six decisions."),
    ),
    "distribution": option(
        "distribution",
        "R-1",
        hint=mark("Who gets scarce shares: the player who is first in player priority, or the one who offers most."),
        values={"priority": mark("player priority"), "bid": mark("highest bid")},
    ),
    "concealed": option(
        "concealed",
        "reveal",
        hint=mark("The reveal first shows who ordered where, then what; otherwise both at once."),
    ),
    "limit_orders": option("limit_orders", "S 5.5", hint=mark("Orders that wait until the price is right.")),
    "short_orders": option("short_orders", "S 5.6", hint=mark("Selling borrowed shares, to win when a price falls.")),
    "option_orders": option("option_orders", "S 5.7", hint=mark("The right to buy later at a price agreed today.")),
    "max_sub_rounds": option(
        "max_sub_rounds",
        "S 4.2",
        hint=mark(
            "How many orders each player can place in a stock round. Live games use 5, quick ones 2, all others 3."
        ),
        by_pace=SUB_ROUNDS,
    ),
    "max_short_quantity": option(
        "max_short_quantity",
        "R-8",
        hint=mark("A limit keeps one player from crashing a company alone."),
        label=mark("Maximum shares per short"),
        values={0: mark("no limit")},
    ),
    "ownership_cap_percent": option(
        "ownership_cap_percent",
        "R-19",
        hint=mark("With a cap, part of every company stays for others."),
        label=mark("Ownership cap"),
        values={60: mark("60%"), 100: mark("100%: no cap")},
    ),
    "ipo_discount": option(
        "ipo_discount", "A71", hint=mark("Unsold companies get cheaper each turn, so that more of them float.")
    ),
    "loan_interest_percent": option(
        "loan_interest_percent",
        "R-4",
        hint=mark("At 10% debt hurts; at 0.1% companies borrow freely."),
        label=mark("Loan interest per turn"),
        values=LOAN_INTEREST,
    ),
    "no_round_trips": option(
        "no_round_trips", "round trips", hint=mark("Nobody buys and sells the same company in one stock round.")
    ),
}


def counted(decisions: int, votes: int) -> dict[str, int]:
    """How often a game waits for its players: the average over games among five house bots."""
    return {"decision": decisions, "votes": votes}


def printed(size: str, title: str, means: str, **asks: Any) -> Preset:
    """A size with the printed numbers."""
    return Preset(size, title, PRESETS[size], means, **asks)


def tuned(
    size: str,
    title: str,
    means: str,
    *,
    windows: dict[str, int],
    fewest: dict[str, int],
    live_minutes: int,
    **options: Any,
) -> Preset:
    """A size whose numbers were found by simulation."""
    return Preset(f"tuned_{size}", title, options, means, windows, fewest, live_minutes)


# Newcomers spend their cash at once. Of those who buy up to five shares of a random company whenever they can, 71% can
# buy nothing in turns 2 and 3 with cash 200 and three sub-rounds, 23% with cash 400 and two. (100 games, 4 seats)
TUNED = (
    tuned(
        "standard", mark("Standard"),
        mark("11 turns; money is tight, so each purchase counts (cash 200, loans at 10%)"),
        windows=counted(40, 21), fewest=counted(28, 12), live_minutes=115,
        max_turns=11, bank=7500, starting_cash=200, loan_interest_percent="10", no_round_trips=True,
    ),
    tuned(
        "short", mark("Short"), mark("8 turns; money is tight (cash 200)"),
        windows=counted(27, 15), fewest=counted(20, 8), live_minutes=85,
        max_turns=8, bank=7500, starting_cash=200,
    ),
    tuned(
        "first", mark("First game"), mark("8 turns; everyone can buy from the start (cash 400)"),
        windows=counted(30, 15), fewest=counted(18, 8), live_minutes=95,
        max_turns=8, bank=7500, starting_cash=400,
    ),
    tuned(
        "long", mark("Long"), mark("15 turns; money is tight (cash 200, loans at 10%)"),
        windows=counted(59, 29), fewest=counted(51, 17), live_minutes=180,
        max_turns=15, bank=7500, starting_cash=200, loan_interest_percent="10",
    ),
    tuned(
        "rich", mark("Very long"), mark("19 turns; everyone can buy from the start (cash 400, bank 10,000)"),
        windows=counted(97, 36), fewest=counted(75, 21), live_minutes=300,
        max_turns=19, bank=10000, starting_cash=400,
    ),
)  # fmt: skip
PRINTED = (
    printed(
        "standard", mark("Standard, as printed"),
        mark("11 turns; more money than in “Standard”, and loans cost almost nothing (cash 300, loans at 0.1%)"),
        windows=counted(44, 21), fewest=counted(34, 12), live_minutes=130,
    ),
    printed(
        "short", mark("Short, as printed"), mark("8 turns; more money than in “Short” (cash 300)"),
        windows=counted(30, 15), fewest=counted(22, 8), live_minutes=90,
    ),
    printed(
        "long", mark("Long, as printed"),
        mark("15 turns; more money than in “Long”, and loans cost almost nothing (cash 300, loans at 0.1%)"),
        windows=counted(67, 29), fewest=counted(55, 16), live_minutes=205,
    ),
    printed(
        "marathon", mark("Marathon, as printed"), mark("23 turns, the longest game (cash 300, bank 20,000)"),
        windows=counted(124, 45), fewest=counted(97, 27), live_minutes=360,
    ),
)  # fmt: skip


def length_words(options: Mapping[str, Any]) -> str:
    """The length of a game, which may end earlier."""
    turns = options["max_turns"]
    return count("{n} turn", "{n} turns", turns)


NOTE = mark(
    "New to the game? Take “First game”. “As printed” means the amounts of money of the printed game; those of the "
    "other lengths were adjusted in many games among bots."
)
SECTORS_OPTIONS = OptionTable(
    WORDS, (*TUNED, *PRINTED), "tuned_first", NOTE, length_words, without_effect=without_effect
)
