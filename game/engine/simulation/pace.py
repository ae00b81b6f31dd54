"""How often a game stops for people, and how long it takes those who come once a day: measured in games among bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from game.engine import referee
from game.engine.actions import Action
from game.engine.ahead import is_ahead
from game.engine.chance import Chance
from game.engine.events import DecisionMissed
from game.engine.flow import Mode, Phase
from game.engine.play import Outcome
from game.engine.position import AnyPosition
from game.engine.ruleset import Bot, Ruleset
from game.engine.selfplay import allowed_actions, bot_actions, own_chance, step

DAY = 86400
Seconds = Callable[[Phase], int]
LiveSeconds = Callable[[Phase, bool], int]
"""How long a phase lasts, and whether it is the first of its name in its turn."""


class Windows(msgspec.Struct):
    """Where games stopped for people: how often at each phase, and in how many turns."""

    turns: int = 0
    games: int = 0
    by_phase: Counter[str] = msgspec.field(default_factory=Counter)

    @property
    def a_turn(self) -> float:
        """Stops a turn."""
        return self.by_phase.total() / self.turns

    def of(self, phase: str) -> float:
        """Stops a turn at one phase."""
        return self.by_phase[phase] / self.turns

    def seconds(self, phases: Iterable[Phase], lasts: Seconds) -> float:
        """How long a game takes if each of them lasts as long as it may."""
        return sum(lasts(phase) * self.by_phase[phase.name] for phase in phases) / self.games


def count_windows(rules: Ruleset, options: Any, bots: Sequence[Bot], secret: str, into: Windows) -> list[int]:
    """Play a game and count where it stops; the scores by seat."""
    chance = Chance(secret)
    outcome = referee.start(rules, options, len(bots), chance)
    while not outcome.position.is_over:
        phase = referee.phase_of(rules, outcome.position)
        assert phase is not None
        into.by_phase[phase.name] += 1
        serial = outcome.position.cursor.serial
        outcome = give_ahead(rules, outcome, bots, chance)
        while not outcome.position.is_over and outcome.position.cursor.serial == serial:
            outcome = step(rules, outcome.position, bots, chance)[1]
    into.turns += outcome.position.state.turn
    into.games += 1
    return scores_of(rules, outcome.position)


def give_ahead(rules: Ruleset, outcome: Outcome[Any], bots: Sequence[Bot], chance: Chance) -> Outcome[Any]:
    """What the seats give that are not waited for, but may act ahead of a later phase."""
    position = outcome.position
    phase = referee.phase_of(rules, position)
    assert phase is not None
    beside = referee.beside(rules, position)
    actions = [
        action for seat in sorted(beside) for action in ahead_of(rules, position, phase, seat, bots[seat], chance)
    ]
    return referee.apply_all(rules, position, actions, chance) if actions else outcome


def ahead_of(rules: Ruleset, position: AnyPosition, phase: Phase, seat: int, bot: Bot, chance: Chance) -> list[Action]:
    """What a bot asks for later phases in this one."""
    offered = partial(referee.offers, rules, position, seat)
    asked = bot(rules.view(position, seat), offered, own_chance(chance, position.cursor, seat))
    allowed = allowed_actions(rules, position, asked, seat)
    return [action for action in allowed if is_ahead(action, phase, position.state)]


def scores_of(rules: Ruleset, position: AnyPosition) -> list[int]:
    """By seat."""
    worth = {standing.seat: standing.score for standing in rules.standings(position.state)}
    return [worth[seat] for seat in sorted(worth)]


def live_seconds(rules: Ruleset, options: Any, bots: Sequence[Bot], secret: str, lasts: LiveSeconds) -> int:
    """How long a live game takes if every phase is used to its end, results in which nothing happened left out."""
    chance, seconds = Chance(secret), 0
    outcome = referee.start(rules, options, len(bots), chance, reviews=True)
    while not outcome.position.is_over:
        phase = referee.phase_of(rules, outcome.position)
        assert phase is not None
        cursor = outcome.position.cursor
        length = lasts(phase, cursor.trail.count(cursor.row or 0) == 1)
        if phase.mode is not Mode.AUTOMATIC:
            seconds, serial = seconds + length, cursor.serial
            while not outcome.position.is_over and outcome.position.cursor.serial == serial:
                outcome = step(rules, outcome.position, bots, chance)[1]
        else:
            seconds += 0 if outcome.has_nothing_to_show else length
            outcome = referee.close(rules, outcome.position, chance)
    return seconds


@dataclass
class Calendar:
    """Players who come at a time of day of their own, or never; they answer everything that waits for them while they
    are there. `lasts` is how long a phase waits for them."""

    lasts: Seconds
    visits: Sequence[int | None]
    seconds: int = 0
    asked: int = 0
    missed: int = 0

    def play(self, rules: Ruleset, options: Any, bots: Sequence[Bot], secret: str) -> None:
        """Play a game; its length and its answers are added. Missed are those of people who do come."""
        chance = Chance(secret)
        outcome, opened, serial, beside = referee.start(rules, options, len(bots), chance), 0, -1, set[int]()
        while not outcome.position.is_over:
            if outcome.position.cursor.serial != serial:
                serial, opened = outcome.position.cursor.serial, self.seconds
                beside = set(referee.beside(rules, outcome.position))
            outcome = self._on(rules, outcome, bots, chance, opened, beside)

    def _on(
        self,
        rules: Ruleset,
        outcome: Outcome[Any],
        bots: Sequence[Bot],
        chance: Chance,
        opened: int,
        beside: set[int],
    ) -> Outcome[Any]:
        """The next visit of somebody who is waited for or may act ahead, or the deadline."""
        position, phase = outcome.position, referee.phase_of(rules, outcome.position)
        assert phase is not None
        deadline = opened + self.lasts(phase)
        waiting = referee.waiting_on(rules, position)
        came = {s: at for s in waiting | beside if (at := self._next_visit(s)) is not None and at < deadline}
        if not came:
            self.seconds = deadline
            return self._closed(referee.close(rules, position, chance))
        seat = min(came, key=lambda seat: (came[seat], seat))
        self.seconds = came[seat]
        if seat not in waiting:
            beside.discard(seat)
            actions = ahead_of(rules, position, phase, seat, bots[seat], chance)
            return referee.apply_all(rules, position, actions, chance) if actions else outcome
        self.asked += 1
        actions = bot_actions(rules, position, [seat], [bots[seat]], chance)
        if not actions:
            return referee.close(rules, position, chance)
        return referee.apply_all(rules, position, actions, chance)

    def _next_visit(self, seat: int) -> int | None:
        """When somebody comes next, in seconds of the game; now, if that is now."""
        at = self.visits[seat]
        return None if at is None else self.seconds + (at - self.seconds) % DAY

    def _closed(self, outcome: Outcome[Any]) -> Outcome[Any]:
        missed = [event for event in outcome.events if isinstance(event, DecisionMissed)]
        late = sum(self.visits[event.seat] is not None for event in missed)
        self.missed, self.asked = self.missed + late, self.asked + late
        return outcome


def visits_of(secret: str, seats: int) -> list[int]:
    """When each of them comes, in seconds of the day."""
    chance = Chance(f"{secret}/visits")
    return [chance.integer("visit", 0, DAY - 1) for _ in range(seats)]
