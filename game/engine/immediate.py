"""Actions that take effect at once: carrying them out, undoing them, acting for absent seats, and standing inputs."""

from __future__ import annotations

from typing import Any

import msgspec

from game.engine import names
from game.engine.actions import Action, Refused, Undo, tag_of
from game.engine.chance import Chance
from game.engine.events import ActionTakenBack, StandingInputDropped
from game.engine.flow import Mode, Phase
from game.engine.play import Outcome, Play
from game.engine.position import AnyPosition, Earlier, with_inputs
from game.engine.ruleset import Ruleset

CASCADE_LIMIT = 500  # phases; the longest turn of a game has about fifty


class CascadeError(Exception):
    """An endless cascade: a bug in a flow."""


def eligible_seats(phase: Phase, state: Any) -> frozenset[int]:
    """The seats with a real choice; in a review, every seat that is still in the game."""
    seats = frozenset(range(state.seats)) if phase.mode is Mode.AUTOMATIC else frozenset(phase.eligible(state))
    return seats.difference(state.out)


def carry_out(
    rules: Ruleset, phase: Phase, outcome: Outcome[Any], action: Action, chance: Chance, *, was_standing: bool = False
) -> None:
    """Apply a public action to a copy of the state; in a phase of turns it can be undone until something hidden is
    revealed."""
    before = outcome.position
    names.check(action, before.state)
    play = _play_at(rules, phase, outcome, chance)
    action.carry_out(play)
    _absorb_step(outcome, play)
    if phase.mode is Mode.TURNS:
        earlier = Earlier(action.actor, before.cursor.step, before.state, was_standing, tuple(play.transfers))
        own_earlier = before.earlier if all(past.seat == action.actor for past in before.earlier) else ()
        undoable = () if play.has_shown_hidden else (*own_earlier, earlier)
        outcome.position = msgspec.structs.replace(outcome.position, earlier=undoable)


def _play_at(rules: Ruleset, phase: Phase, outcome: Outcome[Any], chance: Chance) -> Play[Any]:
    """A step on a copy of the outcome's state."""
    state = rules.codec.copy(outcome.position.state)
    return Play(state, state.ledger, chance_at(phase, outcome, chance), {})


def chance_at(phase: Phase, outcome: Outcome[Any], chance: Chance) -> Chance:
    """The chance of the open phase; in phases of turns, draws are also keyed by the step."""
    cursor = outcome.position.cursor
    step = cursor.step if phase.mode is Mode.TURNS else None
    return chance.at(branch=cursor.branch, serial=cursor.serial, step=step, workload=outcome.workload)


def _absorb_step(outcome: Outcome[Any], play: Play[Any]) -> None:
    """Update the position after one step of the open phase."""
    play.ledger.assert_sound()
    outcome.absorb(play)
    cursor = msgspec.structs.replace(outcome.position.cursor, step=outcome.position.cursor.step + 1)
    outcome.position = msgspec.structs.replace(outcome.position, state=play.state, cursor=cursor)


def rest_standing(rules: Ruleset, phase: Phase, outcome: Outcome[Any], seat: int) -> None:
    """Suspend the standing inputs of this phase until it ends, because their seat acts itself."""
    position = outcome.position
    inputs = position.pending.get(seat)
    if not inputs or not rules.promises.rest_in_hand or phase.mode is not Mode.TURNS:
        return
    serial = position.cursor.serial
    held = {
        slot: msgspec.structs.replace(action, rests_in=serial)
        if action.may_stand and phase.uses(action, position.state)
        else action
        for slot, action in inputs.items()
    }
    outcome.position = with_inputs(position, {**position.pending, seat: held}, position.ready)


def undo_step(rules: Ruleset, phase: Phase, outcome: Outcome[Any], action: Undo) -> None:
    """Restore the state before the seat's last action, or before the first that can be taken back, and move the money
    back; the step keeps growing, so that no form and no draw repeats."""
    position = outcome.position
    if not position.earlier or position.earlier[-1].seat != action.actor:
        raise rules.refused(
            "undo", "There is nothing to take back: no action of yours since the last draw or the start of your turn."
        )
    first = 0 if action.all else len(position.earlier) - 1
    undone = position.earlier[first:]  # the actions of one seat
    cursor = msgspec.structs.replace(position.cursor, step=position.cursor.step + 1)
    pending = position.pending
    for past in reversed(undone):
        if past.kept:  # otherwise the standing input would be carried out again at once
            pending = {**pending, past.seat: _without(pending.get(past.seat, {}), past.kept)}
        outcome.transfers += [transfer.taken_back() for transfer in past.transfers]
        outcome.events.append(ActionTakenBack(seat=action.actor, step=past.step, was_standing=past.was_standing))
    outcome.position = msgspec.structs.replace(
        position, state=undone[0].state, cursor=cursor, earlier=position.earlier[:first], pending=pending
    )
    rest_standing(rules, phase, outcome, action.actor)


def stand_in(rules: Ruleset, phase: Phase, outcome: Outcome[Any], chance: Chance) -> str:
    """Act for the remaining seats after the deadline of their turn. Returns the text about what was done
    instead, if it differs from the phase's own."""
    instead = ""
    for _ in range(CASCADE_LIMIT):
        eligible = eligible_seats(phase, outcome.position.state)
        if not eligible:
            return instead
        play = _play_at(rules, phase, outcome, chance)
        instead = phase.absent(play, min(eligible)) or instead
        _absorb_step(outcome, play)
    raise CascadeError(f"{rules.key}: the stand-in of phase {phase.number} does not come to an end")


def try_standing(rules: Ruleset, phase: Phase, outcome: Outcome[Any], chance: Chance) -> None:
    """Carry out the standing inputs of the acting seats, except those with a `doubt`. Refused ones are dropped, and
    their seat learns why."""
    for _ in range(CASCADE_LIMIT):
        next_input = _next_standing_input(phase, outcome.position)
        if next_input is None:
            return
        slot, action = next_input
        rest = action.remainder(outcome.position.state)
        try:
            carry_out(rules, phase, outcome, action, chance, was_standing=True)
            is_kept = rest.is_kept(outcome.position.state)
        except Refused as refusal:
            is_kept = False
            event = StandingInputDropped(
                audience=(action.actor,),
                seat=action.actor,
                kind=tag_of(action),
                why=refusal.template,
                facts=refusal.facts,
            )
            outcome.events.append(event)
        held = outcome.position.pending[action.actor]
        held = {**held, slot: rest} if is_kept else _without(held, slot)
        outcome.position = with_inputs(
            outcome.position, {**outcome.position.pending, action.actor: held}, outcome.position.ready
        )
        if is_kept:
            note_kept(outcome, slot)
    raise CascadeError(f"{rules.key}: the standing inputs of phase {phase.number} do not come to an end")


def note_kept(outcome: Outcome[Any], slot: str) -> None:
    """Record that the action just carried out stays in force as the input in `slot`, which taking it back drops."""
    if earlier := outcome.position.earlier:
        last = msgspec.structs.replace(earlier[-1], kept=slot)
        outcome.position = msgspec.structs.replace(outcome.position, earlier=(*earlier[:-1], last))


def _without(inputs: dict[str, Any], slot: str) -> dict[str, Any]:
    return {key: other for key, other in inputs.items() if key != slot}


def _next_standing_input(phase: Phase, position: AnyPosition) -> tuple[str, Action] | None:
    """The first standing input whose turn has come, with its slot."""
    for seat in sorted(eligible_seats(phase, position.state)):
        for slot, action in position.pending.get(seat, {}).items():
            if action.rests_in == position.cursor.serial:
                continue
            if phase.uses(action, position.state) and not action.doubt(position.state):
                return slot, action
    return None
