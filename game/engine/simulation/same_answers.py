"""How often an answer given ahead equals the one given when the phase asks for it, measured in bot games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from game.engine import ahead, names, referee
from game.engine.actions import COMMON_ACTIONS, Action, Refused
from game.engine.chance import Chance
from game.engine.events import Event, PhaseOpened
from game.engine.flow import Flow, Mode, Phase
from game.engine.position import AnyPosition, Cursor
from game.engine.ruleset import Bot, Ruleset
from game.engine.selfplay import allowed_actions, own_chance, step


class StoredInput(msgspec.Struct, frozen=True):
    """An input given ahead, with the situation in which it was given."""

    action: Action
    position: AnyPosition


StoredInputs = dict[str, StoredInput]


class Answers(msgspec.Struct):
    """Counts by phase: how often both answers were equal, how often they differed, and how often the one given ahead
    was no longer valid."""

    same: Counter[str] = msgspec.field(default_factory=Counter)
    other: Counter[str] = msgspec.field(default_factory=Counter)
    ended: Counter[str] = msgspec.field(default_factory=Counter)

    @property
    def compared(self) -> int:
        """How often there were two answers to compare."""
        return self.same.total() + self.other.total()

    @property
    def share(self) -> float:
        """The proportion of equal answers; 1 if there were none to compare."""
        return self.same.total() / self.compared if self.compared else 1.0


def compare(
    rules: Ruleset, options: Any, bots: Sequence[Bot], early: Sequence[Bot], secret: str, answers: Answers
) -> None:
    """Play a game in which `bots` decide when a phase asks, and compare with what `early` would have given ahead."""
    chance, flow = Chance(secret), rules.flow(options)
    outcome = referee.start(rules, options, len(bots), chance)
    held: list[StoredInputs] = [{} for _ in bots]
    while not outcome.position.is_over:
        position, phase = outcome.position, referee.phase_of(rules, outcome.position)
        assert phase is not None
        waiting = referee.waiting_on(rules, position) if phase.mode is Mode.SEALED else frozenset()
        actions, outcome = step(rules, position, bots, chance)
        for seat in sorted(waiting | _beside(phase, position.state)):
            mine = Early(rules, early[seat], seat, chance)
            if seat in waiting:
                decided = [action for action in actions if action.actor == seat]
                _count_answer(mine, phase, position, held[seat], decided, answers)
            held[seat] |= mine.inputs_for_later(position, phase, position.cursor)
        held = [_still_held(flow, phase, position, outcome.events, each) for each in held]


@dataclass(frozen=True)
class Early:
    """A seat that gives inputs ahead."""

    rules: Ruleset
    bot: Bot
    seat: int
    chance: Chance

    def inputs_for_later(self, position: AnyPosition, phase: Phase, cursor: Cursor) -> StoredInputs:
        """Its inputs for later phases. The bot's own draws are those of `cursor`."""
        offered = partial(referee.offers, self.rules, position, self.seat)
        requests = self.bot(self.rules.view(position, self.seat), offered, own_chance(self.chance, cursor, self.seat))
        return {
            action.slot(): StoredInput(action.with_facts(position.state), position)
            for action in allowed_actions(self.rules, position, requests, self.seat)
            if ahead.is_ahead(action, phase, position.state)
        }

    def again(self, held: StoredInput, cursor: Cursor) -> Action | None:
        """The input that the bot would have given earlier with the draws of `cursor`: answers that differ only
        because of a draw count as equal."""
        if held.action.is_lasting:
            return held.action
        phase = referee.phase_of(self.rules, held.position)
        assert phase is not None
        again = self.inputs_for_later(held.position, phase, cursor).get(held.action.slot())
        return again.action if again else None


def _beside(phase: Phase, state: Any) -> set[int]:
    return set(phase.also(state)).difference(state.out) if phase.mode is Mode.SEALED else set()


def _count_answer(
    early: Early, phase: Phase, position: AnyPosition, held: StoredInputs, decided: Iterable[Action], answers: Answers
) -> None:
    """Compare a seat's stored input for this phase with its decision in it."""
    state = position.state
    inputs = {slot: stored for slot, stored in held.items() if phase.uses(stored.action, state)}
    early_actions: list[Action] = []
    for slot, stored in inputs.items():
        try:
            names.check_ahead(stored.action, state)
        except Refused:
            answers.ended[phase.name] += 1
            del held[slot]
            return
        if not stored.action.is_lasting:
            del held[slot]
        again = early.again(stored, position.cursor)
        early_actions += [again] if again else []
    if inputs:
        (answers.same if _meaning(early_actions, state) == _meaning(decided, state) else answers.other)[phase.name] += 1


def _meaning(actions: Iterable[Action], state: Any) -> list[str]:
    """The requests of these actions, unordered."""
    requests = [each for action in actions if not isinstance(action, COMMON_ACTIONS) for each in action.means(state)]
    return sorted(map(repr, requests))


def _still_held(
    flow: Flow, phase: Phase, before: AnyPosition, events: Iterable[Event], held: StoredInputs
) -> StoredInputs:
    """The inputs that are still stored when the next phase opens."""
    rounds = {row.phase.name: row.rounds[-1:] for row in flow.rows}
    last, turn = phase.name, before.state.turn
    for event in events:
        if isinstance(event, PhaseOpened):
            same_round, same_turn = rounds[event.phase] == rounds[last], event.turn == turn
            held = {
                slot: stored
                for slot, stored in held.items()
                if ahead.lasts(stored.action, same_round=same_round, same_turn=same_turn)
            }
            last, turn = event.phase, event.turn
    return held
