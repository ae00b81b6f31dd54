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
    """Draws positions for a decision, as many as `rollouts` allow. In each, every candidate is played on by `bot` until
    `is_far`, and `value` rates the result for the seat."""

    rules: Ruleset
    bot: Bot
    value: Callable[[AnyPosition, int], float]
    is_far: Callable[[Any, AnyPosition], bool]  # the view at the start, a position after it
    rollouts: int  # candidates times positions, so that no decision takes much longer than another

    def best(self, view: Any, candidates: Sequence[Requests], chance: Chance) -> Requests:
        """The candidate with the best average value; the first one of a tie. All candidates meet the same draws."""
        assert self.rules.determinise is not None
        count = max(self.rollouts // len(candidates), 1)
        draws = [Chance(f"world/{chance.below('bot_world', WORLD_SEEDS)}") for _ in range(count)]
        worlds = [(self.rules.determinise(view, drawn), drawn) for drawn in draws]
        return max(candidates, key=lambda requests: sum(self._value(view, *world, requests) for world in worlds))

    def _value(self, view: Any, world: AnyPosition, chance: Chance, requests: Requests) -> float:
        bots = [self.bot] * len(view.players)
        position = self._after_decision(view.seat, world, requests, bots, chance)
        while not position.is_over and not self.is_far(view, position):
            position = step(self.rules, position, bots, chance)[1].position
        return self.value(position, view.seat)

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
