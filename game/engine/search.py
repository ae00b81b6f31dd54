"""Look-ahead search: plays a decision out in positions that fit a view, with a simpler bot at all seats. For bots of
rulesets with `determinise`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from game.engine import referee
from game.engine.actions import Ready
from game.engine.chance import Chance
from game.engine.flow import Mode
from game.engine.position import AnyPosition, Cursor
from game.engine.ruleset import Bot, Ruleset
from game.engine.selfplay import allowed_actions, bot_actions, step
from game.engine.view import View

Requests = list[dict[str, Any]]
WORLD_SEEDS = 2**64  # simulated worlds draw from secrets of their own, never from the game's


def cursor_of(view: View) -> Cursor:
    """The place in the flow that a view shows."""
    assert view.phase is not None
    states = [phase.state for group in view.rail for phase in group.phases]
    trail = tuple(row for row, state in enumerate(states) if state in {"done", "now"})
    return Cursor(states.index("now"), view.phase.serial, 0, view.turn, trail)


@dataclass(frozen=True)
class Search:
    """Draws positions for a decision, as many as `rollouts` and `most_steps` allow. In each, every candidate is played
    on by `bot` until `is_far`, and `value` rates the result for the seat."""

    rules: Ruleset
    bot: Bot
    value: Callable[[AnyPosition, int], float]
    is_far: Callable[[Any, AnyPosition], bool]  # the view at the start, a position after it
    rollouts: int  # candidates times positions, so that no decision takes much longer than another
    most_steps: int | None = None  # rounds of decisions; no position is drawn that would probably take more

    def best(self, view: Any, candidates: Sequence[Requests], chance: Chance) -> Requests:
        """The candidate with the best average value; the first one of a tie. All candidates meet the same draws."""
        assert self.rules.determinise is not None
        values, steps = [0.0] * len(candidates), 0
        for world_number in range(1, max(self.rollouts // len(candidates), 1) + 1):
            world_chance = Chance(f"world/{chance.below('bot_world', WORLD_SEEDS)}")
            world = self.rules.determinise(view, world_chance)
            for at, requests in enumerate(candidates):
                value, rounds = self._play_on(view, world, world_chance, requests)
                values[at] += value
                steps += rounds
            if self.most_steps is not None and steps * (world_number + 1) > self.most_steps * world_number:
                break
        return candidates[values.index(max(values))]

    def _play_on(self, view: Any, world: AnyPosition, chance: Chance, requests: Requests) -> tuple[float, int]:
        """The value of a candidate in one position, and the rounds of decisions that it took."""
        bots = [self.bot] * len(view.players)
        position = self._after_decision(view.seat, world, requests, bots, chance)
        steps = 1
        while not position.is_over and not self.is_far(view, position):
            position = step(self.rules, position, bots, chance)[1].position
            steps += 1
        return self.value(position, view.seat), steps

    def _after_decision(
        self, seat: int, world: AnyPosition, requests: Requests, bots: Sequence[Bot], chance: Chance
    ) -> AnyPosition:
        """The position after the seat's decision, with the others decided by the simpler bot."""
        phase, rules = referee.phase_of(self.rules, world), self.rules
        assert phase is not None
        others = sorted(referee.waiting_on(rules, world) - {seat}) if phase.mode is Mode.SEALED else []
        seat_actions = allowed_actions(rules, world, requests, seat)
        actions = [*seat_actions, *([Ready(actor=seat)] if Ready in phase.takes else [])]
        actions += bot_actions(rules, world, others, bots[: len(others)], chance)
        position_after: AnyPosition = referee.apply_all(rules, world, actions, chance).position
        return position_after
