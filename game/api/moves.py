"""Moves submitted through the API: like a form, plus a permanent idempotency key, replacing all earlier inputs in one
step, and a dry run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from game.engine import referee
from game.engine.actions import Action, Refused, Withdraw, at_place
from game.engine.flow import Mode, Phase
from game.infra import idempotency
from game.play import attendance, failures, late, moves
from game.play.transactions import GameTransaction
from game.store.game import Game, Seat
from game.store.log import LoggedAction
from game.store.rule_limits import Budget

Request = dict[str, Any]


class Submission(NamedTuple):
    """A submission: requests for the phase `serial`, and in phases with turns for its `step`. `replaces`: first
    withdraw the seat's sealed inputs of this phase. `key` makes it safe to repeat."""

    requests: Sequence[Request]
    serial: int
    step: int | None = None
    replaces: bool = False
    key: str = ""


def submit(*, seat: Seat, submission: Submission, user_id: int) -> moves.Receipt:
    """Accept a submission's requests, all or none. The same key with the same requests gets the same response without
    effect, even long after the phase. Raises `Refused`, with the index of the refused request."""
    _check_size(submission)
    game_id, number = seat.game_id, seat.number
    if submission.key and _is_used_elsewhere(seat, submission, user_id):
        raise Refused("This key was already used for a submission of another phase.", code="key_reused")
    withdrawals: list[Action] = []

    def asks(change: GameTransaction) -> list[Action]:
        _check_step(submission, change.is_in_turns)
        withdrawals[:] = _withdrawals(change, number) if submission.replaces else []
        return [*withdrawals, *_parse_requests(change.game, submission.requests, number)]

    identity = {"step": submission.step, "replace": submission.replaces}
    fingerprint = idempotency.fingerprint_of([identity, *submission.requests])
    form = moves.Form(submission.key, fingerprint, submission.serial, submission.step, ends_drafts=True)
    try:
        return moves.submit_actions(game_id=game_id, seat_number=number, asks=asks, form=form, user_id=user_id)
    except Refused as refused:
        if refused.place is not None:
            refused.place = max(refused.place - len(withdrawals), 0)
        raise


def was_sent(*, game_id: int, user_id: int, key: str) -> bool:
    """True if a submission of this user in this game had this key."""
    return LoggedAction.objects.filter(game=game_id, user=user_id, token=key).exists()


def check_dry_run(*, game: Game, seat: Seat, submission: Submission) -> None:
    """Refuse what `submit` would refuse now, checking each request separately against the current game. Nothing is
    carried out, so that programs cannot probe random outcomes. Raises `Refused`."""
    _check_size(submission)
    late.check_running(game)
    if seat.keeper:
        raise Refused(attendance.CARETAKER_PLAYS, code="caretaker_plays")
    if submission.serial != game.phase_serial:
        raise moves.PhaseClosed
    is_in_turns = game.phase is not None and game.phase.mode is Mode.TURNS
    _check_step(submission, is_in_turns)
    if is_in_turns and submission.step != game.phase_step:
        raise moves.TurnMoved
    with failures.as_refusals(game_id=game.pk):
        Budget().run(_check_requests, game, submission.requests, seat.number)


def _check_requests(game: Game, requests: Sequence[Request], seat: int) -> None:
    position = game.load_position()
    for place, action in enumerate(_parse_requests(game, requests, seat)):
        with at_place(place):
            referee.check(game.rules, position, action)


def _parse_requests(game: Game, requests: Sequence[Request], seat: int) -> list[Action]:
    actions = []
    for place, request in enumerate(requests):
        with at_place(place):
            actions.append(game.rules.parse(request, seat))
    return actions


def _withdrawals(change: GameTransaction, seat: int) -> list[Action]:
    pending, state, phase = change.position.pending.get(seat, {}), change.position.state, change.game.phase
    return [Withdraw(actor=seat, of=slot) for slot, action in pending.items() if _is_of_phase(action, phase, state)]


def _is_of_phase(action: Action, phase: Phase | None, state: Any) -> bool:
    """True if the action is sealed for this phase only. Actions for a later phase, or lasting ones, stay."""
    return phase is not None and phase.answered_by(action, state) and not action.is_lasting


def _check_step(submission: Submission, is_in_turns: bool) -> None:
    """Require the step where seats act in turns; without it or a key, a repeat would act twice. Raises `Refused`."""
    if is_in_turns and submission.step is None:
        raise Refused(
            "In this phase players act in turns. Send the step that you read in the offers.",
            code="step_missing",
            field="step",
        )


def _check_size(submission: Submission) -> None:
    number = len(submission.requests)
    if not 0 < number <= moves.MOST_REQUESTS:
        raise Refused(
            "A submission contains 1 to {most} requests; this one has {number}.",
            code="wrong_number",
            most=moves.MOST_REQUESTS,
            number=number,
        )


def _is_used_elsewhere(seat: Seat, submission: Submission, user_id: int) -> bool:
    submissions = LoggedAction.objects.filter(game=seat.game_id, seat=seat.number, user=user_id, token=submission.key)
    return submissions.exclude(serial=submission.serial).exists()
