"""What programs submit for a seat: the same as a form, with a key whose answer is kept forever, with all earlier inputs
replaced in one step, and with a dry run that submits nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from game.engine import referee
from game.engine.actions import Action, Refused, Withdraw, at_place
from game.engine.flow import Mode, Phase
from game.infra import idempotency
from game.play import attendance, failures, moves, not_running
from game.play.transactions import GameTransaction
from game.store.game import Game, Seat
from game.store.log import LoggedAction
from game.store.rule_limits import Budget

Request = dict[str, Any]


class Program(NamedTuple):
    """What a program sends: requests for the phase `serial`, and in games played in turns for its `step`.

    `replaces`: what the seat has under seal in this phase is withdrawn first. `key` makes it safe to send again."""

    requests: Sequence[Request]
    serial: int
    step: int | None = None
    replaces: bool = False
    key: str = ""


def submit(*, seat: Seat, program: Program, user_id: int) -> moves.Receipt:
    """Accept a program's requests, all or none. The same key with the same requests gets the same answer without
    effect, even long after the phase. Raises `Refused`, with the place of the request that is at fault."""
    _check_size(program)
    game_id, number = seat.game_id, seat.number
    if program.key and _is_used_elsewhere(seat, program, user_id):
        raise Refused("This key was already used for a submission of another phase.", code="key_reused")
    dropped: list[Action] = []

    def asks(change: GameTransaction) -> list[Action]:
        _check_step(program, change.is_in_turns)
        dropped[:] = _withdrawals(change, number) if program.replaces else []
        return [*dropped, *_read(change.game, program.requests, number)]

    form = moves.Form(program.key, _fingerprint(program), program.serial, program.step, ends_drafts=True)
    try:
        return moves.submit_actions(game_id=game_id, seat_number=number, asks=asks, form=form, user_id=user_id)
    except Refused as refused:
        if refused.place is not None:
            refused.place = max(refused.place - len(dropped), 0)
        raise


def was_sent(*, game_id: int, user_id: int, key: str) -> bool:
    """Whether a submission of this person in this game had this key."""
    return LoggedAction.objects.filter(game=game_id, user=user_id, token=key).exists()


def rehearse(*, game: Game, seat: Seat, program: Program) -> None:
    """Refuse what `submit` would refuse now, each request checked separately against the current game. Nothing is
    carried out, so that programs cannot try out what chance will bring. Raises `Refused`."""
    _check_size(program)
    not_running.check(game)
    if seat.keeper:
        raise Refused(attendance.KEPT, code="caretaker_plays")
    if program.serial != game.phase_serial:
        raise moves.PhaseClosed
    is_in_turns = game.phase is not None and game.phase.mode is Mode.TURNS
    _check_step(program, is_in_turns)
    if is_in_turns and program.step != game.phase_step:
        raise moves.TurnMoved
    with failures.asking(game_id=game.pk):
        Budget().run(_rehearse, game, program.requests, seat.number)


def _rehearse(game: Game, requests: Sequence[Request], seat: int) -> None:
    position = game.load_position()
    for place, action in enumerate(_read(game, requests, seat)):
        with at_place(place):
            referee.check(game.rules, position, action)


def _read(game: Game, requests: Sequence[Request], seat: int) -> list[Action]:
    actions = []
    for place, request in enumerate(requests):
        with at_place(place):
            actions.append(game.rules.parse(request, seat))
    return actions


def _withdrawals(change: GameTransaction, seat: int) -> list[Action]:
    held, state, phase = change.position.pending.get(seat, {}), change.position.state, change.game.phase
    return [Withdraw(actor=seat, of=slot) for slot, action in held.items() if _is_of_phase(action, phase, state)]


def _is_of_phase(action: Action, phase: Phase | None, state: Any) -> bool:
    """Whether it is under seal for this phase and no other: what waits for a later one, or lasts until it is taken
    back, stays."""
    return phase is not None and phase.uses(action, state) and not action.is_lasting


def _check_step(program: Program, is_in_turns: bool) -> None:
    """Where seats act in turns, what is sent twice without a key would be done twice. Raises `Refused`."""
    if is_in_turns and program.step is None:
        raise Refused(
            "In this phase players act in turns. Send the step that you read in the offers.",
            code="step_missing",
            field="step",
        )


def _check_size(program: Program) -> None:
    number = len(program.requests)
    if not 0 < number <= moves.MOST_REQUESTS:
        raise Refused(
            "A submission contains 1 to {most} requests; this one has {number}.",
            code="wrong_number",
            most=moves.MOST_REQUESTS,
            number=number,
        )


def _fingerprint(program: Program) -> str:
    beside = {"step": program.step, "replace": program.replaces}
    return idempotency.fingerprint_of([beside, *program.requests])


def _is_used_elsewhere(seat: Seat, program: Program, user_id: int) -> bool:
    sent = LoggedAction.objects.filter(game=seat.game_id, seat=seat.number, user=user_id, token=program.key)
    return sent.exclude(serial=program.serial).exists()
