"""Records the games again: `python -m tests.rulesets.big_shoulders.record [NAME…]`, after a rule was changed on
purpose.

Then raise the version of the ruleset, add a line to CHANGELOG.md that names the rule, and commit the games with it."""

from __future__ import annotations

import sys
from pathlib import Path

from game.rulesets.big_shoulders.options import Options
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS
from tests.rulesets.recording import Recording, record_all

FOLDER = Path(__file__).parent / "games"


def plan(name: str, who: str, *, reviews: bool = False, **options: bool) -> tuple[str, Recording]:
    """A game to record; bots by seat: h is the house bot, r the random one."""
    bots = [{"h": "house", "r": "random"}[letter] for letter in who]
    return name, Recording(len(who), f"recorded {name}", bots, Options(**options), reviews)


PLANS = dict(
    [
        plan("two_players", "hh"),
        plan("two_random_players", "rr", advanced=True),
        plan("two_players_without_goals", "hr", goals=False),
        plan("two_players_advanced", "hr", advanced=True),
        plan("three_players", "hhh"),
        plan("three_mixed_players", "hrr", friendly_sales=True),
        plan("three_players_advanced", "hhr", advanced=True, price_protection_passive=False),
        plan("three_players_reviewed", "hhr", reviews=True),
        plan("four_players", "hhhh"),
        plan("four_random_players", "rrrr", advanced=True, friendly_sales=True),
        plan("four_players_advanced", "hhrr", advanced=True),
        plan("four_players_protected_once", "hrrh", price_protection_passive=False),
    ]
)


if __name__ == "__main__":
    record_all(BIG_SHOULDERS, PLANS, FOLDER, sys.argv[1:])
