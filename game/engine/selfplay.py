"""A whole game among bots, without clock or database: for simulations, benchmarks and conformance tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from game.engine import referee
from game.engine.actions import Action, Ready, Refused
from game.engine.chance import Chance
from game.engine.flow import Mode
from game.engine.play import Outcome
from game.engine.position import AnyPosition
from game.engine.ruleset import Bot, Ruleset

Watch = Callable[[list[Action], Outcome[Any]], None]


def bot_actions(rules: Ruleset, position: AnyPosition, seats: Sequence[int], bots: Sequence[Bot], chance: Chance) -> list[Action]:
    """What the bots of `seats` ask in the open phase, all from the same position; requests the rules refuse are dropped."""
    viewer, cursor = rules.viewer(position), position.cursor
    actions: list[Action] = []
    for seat, bot in zip(seats, bots, strict=True):
        own = chance.at(branch=cursor.branch, serial=cursor.serial * 100 + seat)
        for request in bot(viewer(seat), partial(referee.offers, rules, position, seat), own):
            actions += _if_allowed(rules, position, request, seat)
        actions.append(Ready(actor=seat))
    return actions


def _if_allowed(rules: Ruleset, position: AnyPosition, request: dict[str, Any], seat: int) -> list[Action]:
    try:
        action = rules.parse(request, seat)
        action.check(position.state)
    except Refused:
        return []
    return [action]


def step(rules: Ruleset, position: AnyPosition, bots: Sequence[Bot], chance: Chance) -> tuple[list[Action], Outcome[Any]]:
    """One round of decisions: everybody who is waited for acts; in an OPEN phase, where acts show, one seat only."""
    waiting = sorted(referee.waiting_on(rules, position))
    phase = referee.phase_of(rules, position)
    if phase is not None and phase.mode is Mode.OPEN:
        waiting = waiting[:1]
    actions = bot_actions(rules, position, waiting, [bots[seat] for seat in waiting], chance)
    return actions, referee.apply_all(rules, position, actions, chance)


def play_out(rules: Ruleset, options: Any, bots: Sequence[Bot], chance: Chance, watch: Watch | None = None) -> Outcome[Any]:
    """Play a game to its end, one bot a seat; `watch` is told every round of decisions with its outcome."""
    outcome = referee.start(rules, options, len(bots), chance)
    if watch:
        watch([], outcome)
    while not outcome.position.is_over:
        actions, outcome = step(rules, outcome.position, bots, chance)
        if watch:
            watch(actions, outcome)
    return outcome
