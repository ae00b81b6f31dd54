"""Records the whole games again: `python -m tests.rulesets.sectors.record [NAME…]`, after a rule was changed on
purpose.

Then raise the version of the ruleset, add a line to CHANGELOG.md that names the rule, and commit the games with the
change."""

from __future__ import annotations

import sys
from pathlib import Path

from game.rulesets.sectors.options import Options
from game.rulesets.sectors.ruleset import SECTORS
from tests.rulesets.recording import Recording, record_all

FOLDER = Path(__file__).parent / "games"

HOUSE, RANDOM = "house", "random"


def bots(line: str) -> list[str]:
    """Bots by seat: h is the house bot, r the random one."""
    return [{"h": HOUSE, "r": RANDOM}[letter] for letter in line]


def plan(name: str, who: str, *, deal: int = 0, reviews: bool = False, **options: object) -> tuple[str, Recording]:
    """A game to record; `deal` is chosen so that what its name says happens."""
    return name, Recording(len(who), f"recorded {name} {deal}", bots(who), Options(**options), reviews)


PLANS = dict(
    [
        plan("two_players", "hh"),
        plan("three_players_by_bid", "hhr", distribution="bid"),
        plan("four_players_in_the_open", "hhhh", concealed=False),
        plan(
            "four_players_long", "hhhh", max_turns=12, loan_interest_percent="10", starting_cash=200, max_sub_rounds=2
        ),
        plan("five_players_open_by_bid", "hhhhr", distribution="bid", concealed=False, max_turns=6),
        plan("six_players", "hhhrhh", ipo_discount=True, max_turns=5),
        plan("seven_players", "hhhhhhh", max_turns=5, max_sub_rounds=3, no_round_trips=True, max_short_quantity=3),
        plan("eight_players", "hhhhhhhr", max_turns=6, max_sub_rounds=2),
        plan("four_players_break_the_bank", "hhhh", bank=1500, max_turns=15, max_sub_rounds=2, starting_cash=400),
        plan("random_players_go_bankrupt", "rrrr", deal=3, max_turns=11, max_sub_rounds=4, starting_cash=400),
        plan("all_instruments", "hrhr", deal=59, max_turns=11, max_sub_rounds=2, starting_cash=400),
        plan("three_players_reviewed", "hhr", reviews=True, max_turns=5),
        plan(
            "three_players_plain",
            "hhh",
            limit_orders=False,
            short_orders=False,
            option_orders=False,
            ownership_cap_percent=100,
        ),
        plan("first_edition_two_players", "hh", edition=1),
        plan("first_edition_four_players", "hhhr", edition=1),
        plan("first_edition_six_players_by_bid", "hhhrhh", edition=1, distribution="bid", max_turns=6),
        plan("first_edition_breaks_the_bank", "hhh", edition=1, bank=300, max_turns=15),
        plan("first_edition_goes_bankrupt", "rr", deal=3, edition=1, max_turns=11, starting_cash=400),
        plan(
            "first_edition_saves_a_company",
            "rrr",
            deal=5,
            edition=1,
            distribution="bid",
            max_turns=11,
            starting_cash=400,
        ),
        plan("first_edition_divests", "rr", deal=41, edition=1, max_turns=11, starting_cash=400),
    ]
)


if __name__ == "__main__":
    record_all(SECTORS, PLANS, FOLDER, sys.argv[1:])
