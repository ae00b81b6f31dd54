"""The bots: house beats random play and its companies run and pay; sharp beats house, knows nothing hidden and stays
within its budget; neither asks anything that is refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from game.engine import referee
from game.engine.actions import Action
from game.engine.chance import Chance
from game.engine.play import Outcome
from game.engine.position import AnyPosition
from game.engine.search import Requests
from game.engine.selfplay import own_chance, play_out
from game.rulesets.big_shoulders.bots.sharp import ROLLOUTS, STEPS, sharp_of
from game.rulesets.big_shoulders.company_events import DividendPaid, FactoryRan, OperationBegun, Withheld
from game.rulesets.big_shoulders.options import Options
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS
from game.rulesets.big_shoulders.view import viewer
from tests.rulesets.big_shoulders.hidden import otherwise


@pytest.mark.parametrize("games", [4, pytest.param(20, marks=pytest.mark.trial)])
def test_it_beats_random_play(games: int) -> None:
    """At least 19 of 20 games of two, each bot half of them in the first seat."""
    house, wins = BIG_SHOULDERS.bots["house"], 0
    for number in range(games):
        seat = number % 2
        bots = [house if place == seat else BIG_SHOULDERS.bots["random"] for place in range(2)]
        end = play_out(BIG_SHOULDERS, Options(), bots, Chance(f"bots {number}")).position
        wins += BIG_SHOULDERS.standings(end.state)[0].seat == seat
    assert wins >= 0.95 * games


@pytest.mark.parametrize("games", [1, pytest.param(4, marks=pytest.mark.trial)])
@pytest.mark.parametrize(("seats", "advanced"), [(2, False), (3, True), (4, False)])
def test_its_companies_run_and_pay_and_nothing_it_asks_is_refused(seats: int, advanced: bool, games: int) -> None:
    seen: Counter[str] = Counter()
    dropped: Counter[str] = Counter()

    def watch(actions: list[Action], outcome: Outcome[Any]) -> None:
        seen.update(type(event).__name__ for event in outcome.events)

    bots = [BIG_SHOULDERS.bots["house"]] * seats
    for number in range(games):
        play_out(BIG_SHOULDERS, Options(advanced=advanced), bots, Chance(f"plays {seats} {number}"), watch, dropped)
    assert dropped == {}
    assert seen[FactoryRan.__name__] >= 0.6 * seen[OperationBegun.__name__]
    assert seen[DividendPaid.__name__] > 1.5 * seen[Withheld.__name__]


@pytest.mark.trial
def test_the_sharp_bot_plays_to_the_end_and_nothing_it_asks_is_refused() -> None:
    """Two players; how well it plays is measured by the trial below and by `simulate`."""
    dropped: Counter[str] = Counter()
    bots = [BIG_SHOULDERS.bots[name] for name in ("sharp", "house")]
    end = play_out(BIG_SHOULDERS, Options(advanced=True), bots, Chance("sharp"), dropped=dropped).position
    assert end.is_over
    assert dropped == {}


@pytest.mark.trial
def test_the_sharp_bot_wins_nearly_half_of_its_games_against_three_house_bots() -> None:
    won = 0
    for number in range(32):
        bots = [BIG_SHOULDERS.bots["sharp" if seat == number % 4 else "house"] for seat in range(4)]
        end = play_out(BIG_SHOULDERS, Options(), bots, Chance(f"sharp {number}")).position
        won += BIG_SHOULDERS.standings(end.state)[0].seat == number % 4
    assert won >= 0.45 * 32


def decision(position: AnyPosition, seat: int) -> Requests:
    """What the sharp bot asks for a seat."""
    offered = partial(referee.offers, BIG_SHOULDERS, position, seat)
    chance = own_chance(Chance("same"), position.cursor, seat)
    return BIG_SHOULDERS.bots["sharp"](BIG_SHOULDERS.view(position, seat), offered, chance)


def test_the_sharp_bot_decides_alike_where_only_hidden_things_differ() -> None:
    """At the first decision of every kind of a game, with the others' tiles, decks and choices exchanged."""
    seen: set[str] = set()
    positions: list[AnyPosition] = []

    def watch(actions: list[Action], outcome: Outcome[Any]) -> None:
        phase = referee.phase_of(BIG_SHOULDERS, outcome.position)
        if phase is not None and phase.name not in seen:
            seen.add(phase.name)
            positions.append(outcome.position)

    play_out(BIG_SHOULDERS, Options(), [BIG_SHOULDERS.bots["house"]] * 3, Chance("hidden"), watch)
    assert seen == {"first_company", "stock", "building", "action", "operation"}
    for position in positions:
        seat = min(referee.waiting_on(BIG_SHOULDERS, position))
        assert decision(position, seat) == decision(otherwise(position, seat), seat)


def test_a_decision_of_the_sharp_bot_has_a_bounded_number_of_steps() -> None:
    """Every candidate is played on once; more positions are drawn only while they fit into the budget."""
    views: list[int] = []

    def counted(position: AnyPosition) -> Any:
        views.append(position.cursor.serial)
        return viewer(position)

    bot = sharp_of(replace(BIG_SHOULDERS, viewer=counted))
    position = referee.start(BIG_SHOULDERS, Options(), 4, Chance("budget")).position
    seat = min(referee.waiting_on(BIG_SHOULDERS, position))
    offered = partial(referee.offers, BIG_SHOULDERS, position, seat)
    bot(BIG_SHOULDERS.view(position, seat), offered, Chance("budget"))
    assert 0 < len(views) <= STEPS * 1.2 < STEPS * ROLLOUTS
