"""Random tables played request by request, with drafts, second thoughts and crashes in between.

A few examples here; `python -m tests.rulesets.sectors.fuzz` plays thousands of games."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from game.engine.chance import Chance
from game.engine.ledger import LedgerError, cash_of
from game.rulesets.sectors.ruleset import SECTORS
from tests.rulesets.games import Step
from tests.rulesets.sectors import fuzz
from tests.rulesets.sectors.hidden import otherwise, views_differ
from tests.rulesets.sectors.properties import everything
from tests.rulesets.sectors.walk import CHOICES, MIXES, WAVERINGS, Walk, lawful, seated

salts = st.integers(0, 10_000)
a_seat = st.integers(0, 7)
a_switch = st.booleans()
tables = st.fixed_dictionaries({name: st.sampled_from(choices) for name, choices in CHOICES.items()})


class AnyTable(RuleBasedStateMachine):
    """Whatever seats do in whatever order, the properties hold: the walk asks them after every step."""

    walk: Walk

    @initialize(
        chosen=tables,
        mix=st.sampled_from(list(MIXES)),
        seats=st.integers(2, 8),
        salt=salts,
        how=st.tuples(a_switch, a_switch),
    )
    def sit_down(self, chosen: dict[str, object], mix: str, seats: int, salt: int, how: tuple[bool, bool]) -> None:
        reviews, shaken = how
        self.walk = Walk(lawful(chosen), seated(mix, seats), f"stateful {salt}", reviews=reviews, shaken=shaken)

    def _seat(self, number: int) -> int:
        return number % self.walk.position.state.seats

    @precondition(lambda self: not self.walk.position.is_over)
    @rule(seat=a_seat, salt=salts)
    def decide(self, seat: int, salt: int) -> None:
        self.walk.decide(self._seat(seat), Chance(f"decide {salt}"))
        self.walk.look_closely()

    @precondition(lambda self: not self.walk.position.is_over)
    @rule(seat=a_seat, how=st.sampled_from(WAVERINGS), salt=salts)
    def waver(self, seat: int, how: str, salt: int) -> None:
        self.walk.waver(self._seat(seat), how, Chance(f"waver {salt}"))
        self.walk.look_closely()

    @rule()
    def the_clock_runs_out(self) -> None:
        self.walk.close()
        self.walk.look_closely()

    @rule(phases=st.integers(1, 12), salt=salts)
    def time_passes(self, phases: int, salt: int) -> None:
        for phase in range(phases):
            self.walk.play_phase(Chance(f"phase {phase} {salt}"))
        self.walk.look_closely()


TestAnyTable = AnyTable.TestCase
TestAnyTable.settings = settings(
    max_examples=12, stateful_step_count=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


EVENTFUL = (70, 120, 139, 180, 196, 283, 311, 320, 343, 366, 369, 621, 628, 777, 1003, 1112, 1271, 1349, 2462)
GAMES = (*range(16), *EVENTFUL)
"""The first games of the fuzz and some that tell of everything; a game that once failed there belongs in this list."""


@pytest.mark.parametrize("number", GAMES)
def test_a_random_game_keeps_every_property(number: int) -> None:
    _, counts, failure = fuzz.play(number)
    assert not failure, failure
    assert counts["close looks"]


def test_the_random_games_meet_everything_at_least_once() -> None:
    """A property is worth what happens in its games. Where the rules have changed, look for others: `fuzz
    --eventful`."""
    met = [what for number in GAMES for what in fuzz.play(number)[1]]
    too_rare = {"cover_dropped"}  # in none of some thousand games; test_shorts tells it
    assert sorted(fuzz.TELLING - set(met) - too_rare) == []


@pytest.fixture
def walk() -> Walk:
    """A table at which one seat has sealed an order that the others do not know."""
    walk = Walk(lawful({"edition": 2}), seated("house", 3), "a known table")
    walk.close()
    walk.decide(1, Chance("order"))
    assert walk.position.pending[1]
    return walk


def test_what_is_hidden_is_told_apart_by_its_owner_only(walk: Walk) -> None:
    """The check of secrets would be worth nothing if the other position were the same, or views were blind."""
    other = otherwise(walk.position, 0)
    assert everything(other) != everything(walk.position)
    assert other.pending[1] != walk.position.pending[1]
    assert not views_differ(walk.position, 0)
    changed = msgspec.structs.replace(walk.position, pending=other.pending)
    assert SECTORS.view(walk.position, 1) != SECTORS.view(changed, 1)


def broken_money(step: Step) -> None:
    step.after.state.ledger.cash[cash_of(0)] += 1


def broken_shares(step: Step) -> None:
    ticker = next(iter(step.after.state.companies))
    step.after.state.ledger.issue(ticker, "market", 1)


def broken_consumers(step: Step) -> None:
    step.after.state.pool += 1


def broken_prices(step: Step) -> None:
    next(iter(step.after.state.companies.values())).step = -1


def broken_order(step: Step) -> None:
    step.after.state.queue = ["ACME", "ACME"]


BREAKS: list[Callable[[Step], None]] = [broken_money, broken_shares, broken_consumers, broken_prices, broken_order]


@pytest.mark.parametrize("broken", BREAKS)
def test_the_watch_sees_what_breaks(walk: Walk, broken: Callable[[Step], None]) -> None:
    """A property that holds of everything would hold of nothing."""
    after = msgspec.structs.replace(walk.position, state=SECTORS.codec.copy(walk.position.state))
    step = Step(walk.position, [], after, [], [], [])
    walk.watch.see(walk.game, step)
    broken(step)
    with pytest.raises((AssertionError, LedgerError)):
        walk.watch.see(walk.game, step)
