"""The game loop: start a game, apply an action, close a phase, and say which seats must decide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from game.engine import ahead, names
from game.engine.actions import COMMON_ACTIONS, Action, Pass, Ready, Refused, Undo, Withdraw
from game.engine.chance import Chance
from game.engine.events import DecisionMissed, Event, PhaseOpened
from game.engine.flow import Flow, FlowRow, Mode, Phase
from game.engine.immediate import (
    CASCADE_LIMIT,
    CascadeError,
    carry_out,
    chance_at,
    eligible_seats,
    note_kept,
    rest_standing,
    stand_in,
    try_standing,
    undo_step,
)
from game.engine.language import say
from game.engine.offers import Offer
from game.engine.play import Outcome, Play
from game.engine.position import AnyPosition, Cursor, Position, with_inputs
from game.engine.ruleset import Ruleset


def start(rules: Ruleset, options: Any, seats: int, chance: Chance, *, reviews: bool = False) -> Outcome[Any]:
    """Set up a game and run it to its first decision."""
    rules.check_seats(seats, options)
    state = rules.setup(options, seats)
    outcome: Outcome[Any] = Outcome(Position(state, Cursor(), reviews=reviews))
    play = Play(state, state.ledger, chance.at(branch=0, serial=0, workload=outcome.workload), {})
    rules.deal(play)
    outcome.absorb(play)
    flow = rules.flow(options)
    return _walk(rules, flow, flow.first(state), outcome, chance)


def apply(rules: Ruleset, position: AnyPosition, action: Action, chance: Chance) -> Outcome[Any]:
    """Accept one action, and close the phase if no seat must decide any more. Raises `Refused`."""
    return apply_all(rules, position, [action], chance)


def apply_all(rules: Ruleset, position: AnyPosition, actions: Iterable[Action], chance: Chance) -> Outcome[Any]:
    """Accept several actions of one phase, of one seat or of many; all or none. Raises `Refused`."""
    return close_if_all_ready(rules, accept_all(rules, position, actions, chance), chance)


def accept_all(rules: Ruleset, position: AnyPosition, actions: Iterable[Action], chance: Chance) -> Outcome[Any]:
    """Accept several actions and leave the phase open; all or none. Eligible seats are recomputed after every action
    that takes effect at once. Raises `Refused`."""
    phase = phase_of(rules, position)
    if phase is None:
        raise rules.refused("over", "The game is over.")
    outcome: Outcome[Any] = Outcome(position)
    state, eligible = position.state, eligible_seats(phase, position.state)
    had_a_choice = eligible
    for action in actions:
        if outcome.position.state is not state:
            state = outcome.position.state
            eligible = eligible_seats(phase, state)
        if isinstance(action, Ready) and action.actor in had_a_choice - eligible:
            continue  # its last action left it without a choice
        _check_turn_to_act(rules, phase, outcome.position, action, eligible)
        _accept(rules, phase, outcome, action, eligible, chance)
    return outcome


def check(rules: Ruleset, position: AnyPosition, action: Action) -> None:
    """Check what can be checked of an action without carrying it out: it might draw, and players must not probe
    chance. Raises `Refused`."""
    phase = phase_of(rules, position)
    if phase is None:
        raise rules.refused("over", "The game is over.")
    eligible = eligible_seats(phase, position.state)
    _check_turn_to_act(rules, phase, position, action, eligible)
    if isinstance(action, Undo):
        undo_step(rules, phase, Outcome(position), action)
    elif isinstance(action, COMMON_ACTIONS):
        _apply_common(rules, position, phase, action)
    elif phase.mode is Mode.TURNS and action.actor not in eligible and not _may_wait(phase, action):
        raise _refuse_seat(rules, phase)
    elif _takes_effect(phase, action, eligible):
        _position_foreseen(rules, position, action)
    else:
        names.check(action, position.state)


def foresee(rules: Ruleset, position: AnyPosition, action: Action) -> AnyPosition | None:
    """The position after a public action, before anything that follows from it; only actions that can be undone can be
    foreseen. None if the action draws or shows something hidden, or is sealed. Raises `Refused`."""
    check(rules, position, action)
    phase = phase_of(rules, position)
    assert phase is not None
    if isinstance(action, COMMON_ACTIONS) or not _takes_effect(phase, action, eligible_seats(phase, position.state)):
        return None
    return _position_foreseen(rules, position, action)


def _position_foreseen(rules: Ruleset, position: AnyPosition, action: Action) -> AnyPosition | None:
    names.check(action, position.state)
    state = rules.codec.copy(position.state)
    play = Play(state, state.ledger, Chance("foreseen"), {})
    try:
        action.carry_out(play)
    except Refused:
        if play.has_shown_hidden:  # the position would reveal a draw, and the real one will differ
            return None
        raise
    return None if play.has_shown_hidden else msgspec.structs.replace(position, state=state)


def close(rules: Ruleset, position: AnyPosition, chance: Chance) -> Outcome[Any]:
    """Close the open phase and run on to the next decision. Never refuses."""
    if position.is_over:
        return Outcome(position)
    flow = rules.flow_of(position)
    state = rules.codec.copy(position.state)
    outcome: Outcome[Any] = Outcome(msgspec.structs.replace(position, state=state))
    row = flow.rows[_row(position)]
    instead = stand_in(rules, row.phase, outcome, chance) if row.phase.mode is Mode.TURNS else ""
    outcome.events = [*_missed_decisions(row.phase, position, instead), *outcome.events]
    _close_row(rules, outcome, row, chance)
    return _walk(rules, flow, flow.after(row, outcome.position.state), outcome, chance)


def enter(rules: Ruleset, position: AnyPosition, row: FlowRow, chance: Chance) -> Outcome[Any]:
    """Enter a phase without closing one, and run on to the next decision: for positions built by hand."""
    flow = rules.flow_of(position)
    state = rules.codec.copy(position.state)
    outcome: Outcome[Any] = Outcome(msgspec.structs.replace(position, state=state))
    return _walk(rules, flow, flow.entered(row, state), outcome, chance)


def close_if_all_ready(rules: Ruleset, outcome: Outcome[Any], chance: Chance) -> Outcome[Any]:
    """Close the phase of an outcome if no seat must decide."""
    phase = phase_of(rules, outcome.position)
    if phase is not None:
        if phase.mode is Mode.TURNS:
            try_standing(rules, phase, outcome, chance)
        if eligible_seats(phase, outcome.position.state) - outcome.position.ready:
            return outcome
    return close_after(rules, outcome, chance)


def close_after(rules: Ruleset, outcome: Outcome[Any], chance: Chance) -> Outcome[Any]:
    """Close the phase that an outcome left open; the new outcome contains both."""
    closing = close(rules, outcome.position, chance)
    closing.events = outcome.events + closing.events
    closing.transfers = outcome.transfers + closing.transfers
    return closing


def waiting_on(rules: Ruleset, position: AnyPosition) -> frozenset[int]:
    """The seats with a real choice that are not ready; in a review phase, all that are not ready."""
    return frozenset() if position.is_over else with_a_choice(rules, position) - position.ready


def with_a_choice(rules: Ruleset, position: AnyPosition) -> frozenset[int]:
    """The seats that have a real choice in the open phase."""
    if position.is_over:
        return frozenset()
    return eligible_seats(rules.flow_of(position).rows[_row(position)].phase, position.state)


def beside(rules: Ruleset, position: AnyPosition) -> frozenset[int]:
    """The seats that are not asked, but may act ahead."""
    phase, state = phase_of(rules, position), position.state
    return frozenset(phase.also(state)).difference(eligible_seats(phase, state), state.out) if phase else frozenset()


def phase_of(rules: Ruleset, position: AnyPosition) -> Phase | None:
    """The open phase; None when the game is over."""
    return None if position.is_over else rules.flow_of(position).rows[_row(position)].phase


def offers(rules: Ruleset, position: AnyPosition, seat: int, *, explained: bool = False) -> list[Offer]:
    """The seat's offers in the open phase, refused ones with their reason; empty if it has no choice.

    `explained`: with details for people, which bots work out for themselves."""
    if position.is_over:
        return []
    state, flow = position.state, rules.flow_of(position)
    phase = flow.rows[_row(position)].phase
    if phase.mode is Mode.AUTOMATIC or not _may_act(phase, state, seat, eligible_seats(phase, state)):
        return []
    seat_offers = rules.offers(state, seat, flow, phase)
    return [_with_details(rules, state, offer) for offer in seat_offers] if explained else seat_offers


def view_type_of(rules: Ruleset) -> type[Any]:
    """The type of a ruleset's views, taken from an example."""
    options = rules.parse_options({})
    outcome = start(rules, options, min(rules.seats_with(options)), Chance("00"))
    view: type[Any] = type(rules.view(outcome.position, None))
    return view


def _with_details(rules: Ruleset, state: Any, offer: Offer) -> Offer:
    details = rules.explain(state, offer)
    return msgspec.structs.replace(offer, details=details) if details else offer


def _row(position: AnyPosition) -> int:
    assert position.cursor.row is not None
    return position.cursor.row


def _may_act(phase: Phase, state: Any, seat: int, eligible: frozenset[int]) -> bool:
    """True if the seat has a choice, or may act ahead."""
    return seat in eligible or (seat not in state.out and seat in phase.also(state))


def _input_to_withdraw(position: AnyPosition, action: Withdraw) -> Action | None:
    """The input to be withdrawn: possible at any time until it is used. (revise, ahead)"""
    held: Action | None = position.pending.get(action.actor, {}).get(action.of)
    return held


def _check_turn_to_act(
    rules: Ruleset, phase: Phase, position: AnyPosition, action: Action, eligible: frozenset[int]
) -> None:
    state = position.state
    if not 0 <= action.actor < state.seats:
        raise rules.refused(
            "seats", "There is no seat {seat} in this game of {seats}.", seat=action.actor, seats=state.seats
        )
    is_withdrawal = isinstance(action, Withdraw) and _input_to_withdraw(position, action) is not None
    if not is_withdrawal and not isinstance(action, phase.takes):
        raise _refuse_kind(rules, phase, action)
    if not is_withdrawal and not _may_act(phase, state, action.actor, eligible):
        raise _refuse_seat(rules, phase)


def _takes_effect(phase: Phase, action: Action, eligible: frozenset[int]) -> bool:
    """True if the open phase carries an action out at once; in turns only those of the seats that are asked."""
    return action.is_public and (phase.mode is not Mode.TURNS or action.actor in eligible)


def _may_wait(phase: Phase, action: Action) -> bool:
    """True if an action may be sealed while seats act in turns: for the seat's own later turn, or for another phase."""
    return action.may_stand or (bool(action.phases) and phase.name not in action.phases)


def _refuse_kind(rules: Ruleset, phase: Phase, action: Action) -> Refused:
    number, title = phase.number, say(phase.title)
    if phase.mode is Mode.AUTOMATIC:
        return rules.refused(
            "phase", "Nothing is decided in phase {number}, {title}.", phase, number=number, title=title
        )
    return rules.refused(
        "phase",
        "{action} is not possible in phase {number}, {title}.",
        phase,
        action=say(action.title),
        number=number,
        title=title,
    )


def _refuse_seat(rules: Ruleset, phase: Phase) -> Refused:
    number, title = phase.number, say(phase.title)
    if phase.mode is Mode.TURNS:
        return rules.refused(
            "phase", "It is not your turn in phase {number}, {title}.", phase, number=number, title=title
        )
    return rules.refused("phase", "You have no decision in phase {number}, {title}.", phase, number=number, title=title)


def _accept(
    rules: Ruleset, phase: Phase, outcome: Outcome[Any], action: Action, eligible: frozenset[int], chance: Chance
) -> None:
    """Apply one action according to its kind and phase."""
    if isinstance(action, Undo):
        undo_step(rules, phase, outcome, action)
    elif isinstance(action, COMMON_ACTIONS):
        outcome.position = _apply_common(rules, outcome.position, phase, action)
    elif _takes_effect(phase, action, eligible):
        rest = action.remainder(outcome.position.state)
        rest_standing(rules, phase, outcome, action.actor)
        carry_out(rules, phase, outcome, action, chance)
        if phase.mode is Mode.TURNS and action.may_stand and rest.is_kept(outcome.position.state):
            outcome.position = _seal(rules, outcome.position, phase, rest)
            note_kept(outcome, action.slot())
    elif phase.mode is Mode.TURNS and not _may_wait(phase, action):
        raise _refuse_seat(rules, phase)
    else:
        names.check(action, outcome.position.state)
        outcome.position = _seal(rules, outcome.position, phase, action)


def _apply_common(rules: Ruleset, position: AnyPosition, phase: Phase, action: Action) -> AnyPosition:
    """The position after one of the kernel's own actions on sealed inputs."""
    ready, pending = position.ready, position.pending
    if isinstance(action, Ready):
        ready = ready | {action.actor} if action.on else ready - {action.actor}
    elif isinstance(action, Pass):
        inputs = pending.get(action.actor, {})
        others = {slot: held for slot, held in inputs.items() if not phase.uses(held, position.state)}
        pending = {**pending, action.actor: others | {"pass": action}}
    elif isinstance(action, Withdraw):
        held = _input_to_withdraw(position, action)
        if held is not None and phase.uses(held, position.state) and rules.promises.reopens(held):
            ready = ready - {action.actor}
        pending = {**pending, action.actor: _without_slot(rules, pending.get(action.actor, {}), action.of)}
    return with_inputs(position, pending, ready)


def _without_slot(rules: Ruleset, inputs: dict[str, Any], slot: str) -> dict[str, Any]:
    if slot not in inputs:
        raise rules.refused("withdraw", "You have submitted nothing by that name to withdraw.")
    return {key: held for key, held in inputs.items() if key != slot}


def _seal(rules: Ruleset, position: AnyPosition, phase: Phase, action: Action) -> AnyPosition:
    """The position with one more sealed input; it replaces the seat's input in the same slot and, unless it is for a
    later phase, a pass."""
    inputs = dict(position.pending.get(action.actor, {}))
    if phase.uses(action, position.state):
        inputs.pop("pass", None)
    inputs[action.slot()] = rules.promises.store(action, phase, position.state)
    return with_inputs(position, {**position.pending, action.actor: inputs}, position.ready)


def _missed_decisions(phase: Phase, position: AnyPosition, instead: str) -> list[Event]:
    """Events for seats that had a choice and left it open; none in a review phase, or once a turn was begun. `instead`:
    what counted, if it is not what the phase says."""
    if phase.mode is Mode.AUTOMATIC or (phase.mode is Mode.TURNS and position.cursor.step):
        return []
    state, pending = position.state, position.pending
    undecided = eligible_seats(phase, state) - position.ready
    return [
        DecisionMissed(
            audience=(seat,),
            seat=seat,
            phase=phase.name,
            number=phase.number,
            title=phase.title,
            default=instead or phase.instead or phase.default,
        )
        for seat in sorted(undecided)
        if not any(phase.answered_by(held, state) for held in pending.get(seat, {}).values())
    ]


def _close_row(rules: Ruleset, outcome: Outcome[Any], row: FlowRow, chance: Chance) -> None:
    """Resolve a phase with the inputs that serve it; the others stay. An AUTOMATIC phase has done its work on entry.
    Seats that were voted out go when the phase is over."""
    position, mode = outcome.position, row.phase.mode
    state = position.state
    if mode is Mode.AUTOMATIC and not state.leaving:
        outcome.position = with_inputs(position, position.pending, frozenset())
        return
    takes_inputs = mode is Mode.SEALED or mode is Mode.OPEN
    serving, waiting = _split_inputs(row.phase, position) if takes_inputs else ({}, position.pending)
    play = Play(state, state.ledger, chance_at(row.phase, outcome, chance), serving)
    row.phase.close(play)
    for seat in state.leaving:
        rules.remove_voted_out(play, seat)
    outcome.absorb(play)
    outcome.position = with_inputs(position, waiting, frozenset())
    state.ledger.assert_sound()


def _split_inputs(phase: Phase, position: AnyPosition) -> tuple[dict[int, list[Action]], dict[int, dict[str, Action]]]:
    """The inputs that the open phase uses, and those that wait for a later one; lasting and standing ones do both."""
    serving: dict[int, list[Action]] = {}
    waiting: dict[int, dict[str, Action]] = {}
    for seat, inputs in position.pending.items():
        for slot, action in inputs.items():
            is_used = phase.uses(action, position.state)
            if is_used:
                serving.setdefault(seat, []).append(action)
            if action.is_lasting or action.may_stand or not is_used:
                waiting.setdefault(seat, {})[slot] = action
    return serving, waiting


def _walk(rules: Ruleset, flow: Flow, row: FlowRow | None, outcome: Outcome[Any], chance: Chance) -> Outcome[Any]:
    """Enter phase after phase until one waits for players or the game is over."""
    for _ in range(CASCADE_LIMIT):
        if row is None:
            outcome.position = _finished(outcome.position)
            return outcome
        _enter(rules, outcome, flow, row, chance)
        if row.phase.mode is Mode.TURNS:
            try_standing(rules, row.phase, outcome, chance)
        if _waits(row.phase, outcome.position):
            if row.phase.mode is Mode.TURNS:
                outcome.events += _doubts(row.phase, outcome.position)
            return outcome
        _close_row(rules, outcome, row, chance)
        row = flow.after(row, outcome.position.state)
    raise CascadeError(f"{rules.key}: more than {CASCADE_LIMIT} phases without a decision")


def _doubts(phase: Phase, position: AnyPosition) -> list[Event]:
    return ahead.doubts(phase, position.state, position.pending, eligible_seats(phase, position.state))


def _finished(position: AnyPosition) -> AnyPosition:
    cursor = msgspec.structs.replace(position.cursor, row=None, serial=position.cursor.serial + 1)
    return msgspec.structs.replace(position, cursor=cursor, pending={}, ready=frozenset(), earlier=())


def _enter(rules: Ruleset, outcome: Outcome[Any], flow: Flow, row: FlowRow, chance: Chance) -> None:
    """Open a phase: number it, run its entry work, and keep the inputs that still wait."""
    position = outcome.position
    state, old, phase = position.state, position.cursor, row.phase
    play = Play(state, state.ledger, chance.at(branch=old.branch, serial=old.serial + 1, workload=outcome.workload), {})
    phase.enter(play)
    trail = (*old.trail, row.index) if state.turn == old.turn else (row.index,)
    cursor = Cursor(row.index, old.serial + 1, old.branch, state.turn, trail)
    play.events.insert(0, _opening_event(phase, cursor, state))
    outcome.absorb(play)
    pending, ready = position.pending, frozenset[int]()
    if pending:
        waiting = ahead.carried(pending, same_round=_is_same_round(flow, old, row), same_turn=state.turn == old.turn)
        outcome.events += ahead.unused(state, pending, waiting)
        pending = waiting
        if rules.promises.lapse:
            pending, lapses = ahead.without_lapsed(state, pending)
            outcome.events += lapses
    if pending and (phase.mode is Mode.SEALED or phase.mode is Mode.OPEN):
        fit = ahead.meet(phase, state, pending)
        pending, ready = fit.pending, fit.answered - rules.promises.still_waits(fit)
        outcome.events += fit.events
    outcome.position = msgspec.structs.replace(position, cursor=cursor, pending=pending, ready=ready, earlier=())
    state.ledger.assert_sound()


def _opening_event(phase: Phase, cursor: Cursor, state: Any) -> PhaseOpened:
    eligible = eligible_seats(phase, state) if phase.mode is Mode.TURNS else frozenset()
    seat = min(eligible) if len(eligible) == 1 else None
    return PhaseOpened(
        serial=cursor.serial, turn=state.turn, phase=phase.name, number=phase.number, title=phase.title, seat=seat
    )


def _is_same_round(flow: Flow, old: Cursor, row: FlowRow) -> bool:
    return old.row is not None and flow.rows[old.row].rounds[-1:] == row.rounds[-1:]


def _waits(phase: Phase, position: AnyPosition) -> bool:
    """True if the phase just entered stops the cascade."""
    if phase.mode is Mode.AUTOMATIC:
        return position.reviews
    return bool(eligible_seats(phase, position.state) - position.ready)
