"""Records the games again: `python -m tests.rulesets.power_up.record [NAME…]`, after a rule was changed on purpose.

Then raise the version of the ruleset, add a line to CHANGELOG.md that names the rule, and commit the games with it."""

from __future__ import annotations

import sys
from pathlib import Path

from game.rulesets.power_up.options import Options
from game.rulesets.power_up.ruleset import POWER_UP
from tests.rulesets.recording import Recording, record_all

FOLDER = Path(__file__).parent / "games"


def plan(name: str, who: str, *, deal: int = 0, doe: bool = True, reviews: bool = False) -> tuple[str, Recording]:
    """A game to record; bots by seat: h is the house bot, r the random one."""
    bots = [{"h": "house", "r": "random"}[letter] for letter in who]
    return name, Recording(len(who), f"recorded {name} {deal}", bots, Options(doe=doe), reviews)


PLANS = dict(
    [
        plan("two_players", "hh"),
        plan("two_players_without_department", "hr", doe=False),
        plan("three_players", "hhr"),
        plan("three_players_without_department", "hhh", doe=False),
        plan("four_players", "hhhh"),
        plan("four_players_reviewed", "hhrr", reviews=True),
        plan("four_random_players", "rrrr", doe=False),
        plan("two_rivals", "hh", deal=4),
    ]
)


if __name__ == "__main__":
    record_all(POWER_UP, PLANS, FOLDER, sys.argv[1:])
