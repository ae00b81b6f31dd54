"""Whole games among bots, without clock or database: for simulations, benchmarks and conformance tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from game.engine import names, referee
from game.engine.actions import Action, Ready, Refused
from game.engine.chance import Chance
from game.engine.flow import Mode, Phase
from game.engine.immediate import CascadeError
from game.engine.play import Outcome
from game.engine.position import AnyPosition, Cursor
from game.engine.ruleset import Bot, Ruleset

LONGEST_TURN = 500  # actions of bots
Watch = Callable[[list[Action], Outcome[Any]], None]


def bot_actions(
    rules: Ruleset,
    position: AnyPosition,
    seats: Sequence[int],
    bots: Sequence[Bot],
    chance: Chance,
    dropped: Counter[str] | None = None,
) -> list[Action]:
    """The bots' actions in the open phase, all from the same position; refused requests are dropped, and counted in
    `dropped`."""
    viewer, phase = rules.viewer(position), referee.phase_of(rules, position)
    assert phase is not None
    actions: list[Action] = []
    for seat, bot in zip(seats, bots, strict=True):
        requests = bot(
            viewer(seat), partial(referee.offers, rules, position, seat), own_chance(chance, position.cursor, seat)
        )
        allowed = _allowed_in_phase(rules, phase, position, requests, seat, dropped)
        actions += _until_one_acts(allowed) if phase.mode is Mode.TURNS else [*allowed, Ready(actor=seat)]
    return actions


def _until_one_acts(actions: list[Action]) -> list[Action]:
    """The inputs for later phases up to the first action that takes effect in a turn, and that action."""
    first = next((at for at, action in enumerate(actions, 1) if action.is_public), len(actions))
    return actions[:first]


def own_chance(chance: Chance, cursor: Cursor, seat: int) -> Chance:
    """A bot's own random stream at this moment, separate from the game's draws."""
    return chance.at(branch=cursor.branch, serial=cursor.serial * 100 + seat, step=cursor.step or None)


def allowed_actions(
    rules: Ruleset, position: AnyPosition, requests: Iterable[dict[str, Any]], seat: int
) -> list[Action]:
    """The requests of a bot that the open phase accepts; the others are dropped."""
    phase = referee.phase_of(rules, position)
    assert phase is not None
    return _allowed_in_phase(rules, phase, position, requests, seat)


def _allowed_in_phase(
    rules: Ruleset,
    phase: Phase,
    position: AnyPosition,
    requests: Iterable[dict[str, Any]],
    seat: int,
    dropped: Counter[str] | None = None,
) -> list[Action]:
    actions: list[Action] = []
    for request in requests:
        try:
            action = rules.parse(request, seat)
            names.check(action, position.state)
        except Refused as refused:
            if dropped is not None:
                dropped[f"{request.get('kind')}: {refused.template}"] += 1
            continue
        if isinstance(action, phase.takes):
            actions.append(action)
    return actions


def step(
    rules: Ruleset,
    position: AnyPosition,
    bots: Sequence[Bot],
    chance: Chance,
    dropped: Counter[str] | None = None,
) -> tuple[list[Action], Outcome[Any]]:
    """One round of decisions: all waiting seats act; in phases with visible actions only one does. In a phase of turns
    that is one action; a bot without one is played for like an absent seat."""
    waiting = sorted(referee.waiting_on(rules, position))
    phase = referee.phase_of(rules, position)
    if phase is not None and (phase.mode is Mode.OPEN or phase.mode is Mode.TURNS):
        waiting = waiting[:1]
    if position.cursor.step > LONGEST_TURN and phase is not None:
        raise CascadeError(f"{rules.key}: more than {LONGEST_TURN} actions in one turn of phase {phase.number}")
    actions = bot_actions(rules, position, waiting, [bots[seat] for seat in waiting], chance, dropped)
    if not actions:
        return actions, referee.close(rules, position, chance)
    outcome = referee.apply_all(rules, position, actions, chance)
    if phase is not None and phase.mode is Mode.TURNS and outcome.position.cursor == position.cursor:
        return actions, referee.close_after(rules, outcome, chance)  # inputs for later phases do not move a turn on
    return actions, outcome


def play_out(
    rules: Ruleset,
    options: Any,
    bots: Sequence[Bot],
    chance: Chance,
    watch: Watch | None = None,
    dropped: Counter[str] | None = None,
) -> Outcome[Any]:
    """Play a game to its end, one bot per seat; `watch` gets every round of decisions with its outcome, and `dropped`
    counts refused requests. Raises `CascadeError` if a turn never ends."""
    outcome = referee.start(rules, options, len(bots), chance)
    if watch:
        watch([], outcome)
    while not outcome.position.is_over:
        actions, outcome = step(rules, outcome.position, bots, chance, dropped)
        if watch:
            watch(actions, outcome)
    return outcome
