"""Plays many random games and asks every property: `python -m tests.rulesets.sectors.fuzz --games 10000 [--jobs 2]
[--first 0]`."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from functools import cache
from multiprocessing import Pool
from typing import Any

from game.engine.chance import Chance
from tests.rulesets.sectors.walk import CHOICES, MIXES, Walk, lawful, seated

CLOSELY = 15  # after one seat's decisions in so many everything is looked at
TURNS = (1, 2, 2, 2, 2, 3, 3, 4, 8)
RARE = 3


def table(number: int) -> Walk:
    """A random table: the number is all there is to it."""
    chance = Chance(f"fuzz {number}")
    chosen = {name: chance.pick(name, choices) for name, choices in CHOICES.items()} | {
        "max_turns": chance.pick("turns", TURNS)
    }
    bots = seated(chance.pick("mix", list(MIXES)), chance.integer("seats", 2, 8))
    reviews, shaken = chance.below("reviews", 10) == 0, chance.below("shaken", 3) == 0
    return Walk(lawful(chosen), bots, f"fuzz {number}", reviews=reviews, shaken=shaken)


@cache
def play(number: int) -> tuple[int, Counter[str], str]:
    """One game to its end: its number, what was counted, and how it failed, if it did."""
    counts: Counter[str] = Counter(games=1)
    try:
        walk = table(number)
        counts[f"edition {walk.game.options.edition}"] += 1
        while not walk.position.is_over:
            walk.play_phase(Chance(f"fuzz {number}").at(branch=9, serial=walk.position.cursor.serial), closely=CLOSELY)
            counts.update(what for what in map(told_by, walk.last.events) if what in TELLING)
        walk.look_closely()
    except Exception:  # whatever goes wrong is what is looked for
        return number, counts, traceback.format_exc()
    counts.update({"steps": walk.steps, "close looks": walk.looks})
    counts["turns"] += walk.position.state.turn
    counts[f"end: {walk.position.state.end}"] += 1
    return number, counts, ""


def told_by(event: Any) -> str:
    """The event's tag; of a filled order also its kind and side, of a company action which."""
    tag = str(event.__struct_config__.tag)
    match tag:
        case "order_filled":
            return f"{tag} {event.kind} {event.side}"
        case "action_done":
            return f"{tag} {event.action}"
    return tag


TELLING = frozenset(
    """
order_filled market buy|order_filled market sell|order_filled limit buy|order_filled limit sell|limit_triggered
short_opened|short_covered|cover_dropped|short_closed|short_interest_paid|short_dividend_paid
contract_bought|contract_expired|option_exercised
became_insolvent|contributed|reactivated|went_bankrupt|liquidation_paid|divested
bank_broke|tranches_doubled|headline_paid|pledge_dropped
action_done share_issue|action_done share_buyback|action_failed|card_drawn|ability_given
ipo_discounted|economy_moved|revenue_retained
""".strip()
    .replace("\n", "|")
    .split("|")
)
"""What a number of random games must have met, or the properties were asked of too little."""


def main() -> int:
    """Play, print what was counted and the failures with the numbers of their games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--eventful", action="store_true", help="name the games in which something rare happens")
    result = parser.parse_args()
    begun, total, failed = time.monotonic(), Counter[str](), 0
    with Pool(result.jobs) as pool:
        for number, counts, failure in pool.imap_unordered(
            play, range(result.first, result.first + result.games), chunksize=8
        ):
            total += counts
            if result.eventful and (rare := sorted(what for what in counts if what in TELLING and total[what] <= RARE)):
                print(f"game {number}: {', '.join(rare)}", flush=True)  # noqa: T201
            if failure:
                failed += 1
                print(f"game {number}\n{failure}", flush=True)  # noqa: T201
            if total["games"] % 500 == 0:
                seconds = time.monotonic() - begun
                print(f"{total['games']} games, {failed} failed, {seconds:.0f} s", flush=True)  # noqa: T201
    print(dict(sorted(total.items())), f"{failed} games failed")  # noqa: T201
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
