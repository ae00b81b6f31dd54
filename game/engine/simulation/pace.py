"""How often a game stops for people, and how long it takes with players who visit once a day: measured in bot games."""

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
"""From a phase, and whether it is the first of its name in its turn, to its length."""


class Windows(msgspec.Struct):
    """Where games stopped for people: how often at each phase, and in how many turns."""

    turns: int = 0
    games: int = 0
    by_phase: Counter[str] = msgspec.field(default_factory=Counter)

    @property
    def a_turn(self) -> float:
        """Stops per turn."""
        return self.by_phase.total() / self.turns

    def of(self, phase: str) -> float:
        """Stops per turn at one phase."""
        return self.by_phase[phase] / self.turns

    def seconds(self, phases: Iterable[Phase], lasts: Seconds) -> float:
        """The length of a game if each stop lasts as long as it can."""
        return sum(lasts(phase) * self.by_phase[phase.name] for phase in phases) / self.games


def count_windows(rules: Ruleset, options: Any, bots: Sequence[Bot], secret: str, into: Windows) -> list[int]:
    """Play a game and count its stops; returns the scores by seat."""
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
    scores = {standing.seat: standing.score for standing in rules.standings(outcome.position.state)}
    return [scores[seat] for seat in sorted(scores)]


def give_ahead(rules: Ruleset, outcome: Outcome[Any], bots: Sequence[Bot], chance: Chance) -> Outcome[Any]:
    """The inputs for later phases of seats that need not decide now."""
    position = outcome.position
    phase = referee.phase_of(rules, position)
    assert phase is not None
    beside = referee.beside(rules, position)
    actions = [
        action for seat in sorted(beside) for action in ahead_of(rules, position, phase, seat, bots[seat], chance)
    ]
    return referee.apply_all(rules, position, actions, chance) if actions else outcome


def ahead_of(rules: Ruleset, position: AnyPosition, phase: Phase, seat: int, bot: Bot, chance: Chance) -> list[Action]:
    """A bot's inputs for later phases, given in this one."""
    offered = partial(referee.offers, rules, position, seat)
    requests = bot(rules.view(position, seat), offered, own_chance(chance, position.cursor, seat))
    allowed = allowed_actions(rules, position, requests, seat)
    return [action for action in allowed if is_ahead(action, phase, position.state)]


def live_seconds(rules: Ruleset, options: Any, bots: Sequence[Bot], secret: str, lasts: LiveSeconds) -> int:
    """The length of a live game if every phase is used to its end, without reviews in which nothing happened."""
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
    """Players who visit at their own time of day, or never; while there, they answer everything that waits for them.
    `lasts` is the length of a phase."""

    lasts: Seconds
    visits: Sequence[int | None]
    seconds: int = 0
    decisions: int = 0
    missed: int = 0

    def play(self, rules: Ruleset, options: Any, bots: Sequence[Bot], secret: str) -> None:
        """Play a game, adding its length and its answers. Missed decisions are counted only for players who visit."""
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
        """Advance to the next visit of a seat that must decide or can act ahead, or to the deadline."""
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
        self.decisions += 1
        actions = bot_actions(rules, position, [seat], [bots[seat]], chance)
        if not actions:
            return referee.close(rules, position, chance)
        return referee.apply_all(rules, position, actions, chance)

    def _next_visit(self, seat: int) -> int | None:
        """The time of a player's next visit, in seconds of the game; the current time if they visit now."""
        at = self.visits[seat]
        return None if at is None else self.seconds + (at - self.seconds) % DAY

    def _closed(self, outcome: Outcome[Any]) -> Outcome[Any]:
        misses = [event for event in outcome.events if isinstance(event, DecisionMissed)]
        late = sum(self.visits[event.seat] is not None for event in misses)
        self.missed, self.decisions = self.missed + late, self.decisions + late
        return outcome


def visits_of(secret: str, seats: int) -> list[int]:
    """The time of each player's visits, in seconds of the day."""
    chance = Chance(f"{secret}/visits")
    return [chance.integer("visit", 0, DAY - 1) for _ in range(seats)]
