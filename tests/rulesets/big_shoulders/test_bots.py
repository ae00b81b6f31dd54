"""The house bot: it beats random play, its companies run and pay, and it asks nothing that is refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from game.engine.actions import Action
from game.engine.chance import Chance
from game.engine.play import Outcome
from game.engine.selfplay import play_out
from game.rulesets.big_shoulders.company_events import DividendPaid, FactoryRan, OperationBegun, Withheld
from game.rulesets.big_shoulders.options import Options
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS

GAMES = 20


def test_it_beats_random_play() -> None:
    """At least 19 of 20 games of two, each bot half of them in the first seat."""
    house, wins = BIG_SHOULDERS.bots["house"], 0
    for number in range(GAMES):
        seat = number % 2
        bots = [house if place == seat else BIG_SHOULDERS.bots["random"] for place in range(2)]
        end = play_out(BIG_SHOULDERS, Options(), bots, Chance(f"bots {number}")).position
        wins += BIG_SHOULDERS.standings(end.state)[0].seat == seat
    assert wins >= GAMES - 1


@pytest.mark.parametrize(("seats", "advanced"), [(2, False), (3, True), (4, False)])
def test_its_companies_run_and_pay_and_nothing_it_asks_is_refused(seats: int, advanced: bool) -> None:
    seen: Counter[str] = Counter()
    dropped: Counter[str] = Counter()

    def watch(actions: list[Action], outcome: Outcome[Any]) -> None:
        seen.update(type(event).__name__ for event in outcome.events)

    bots = [BIG_SHOULDERS.bots["house"]] * seats
    for number in range(4):
        play_out(BIG_SHOULDERS, Options(advanced=advanced), bots, Chance(f"plays {seats} {number}"), watch, dropped)
    assert dropped == {}
    assert seen[FactoryRan.__name__] >= 0.6 * seen[OperationBegun.__name__]
    assert seen[DividendPaid.__name__] > 1.5 * seen[Withheld.__name__]
