"""Every change of a running game goes through here, under the lock of its row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from game.engine.actions import Action, Ready, Refused, at_place
from game.engine.codec import Damaged, Newer
from game.engine.language import mark
from game.engine.position import AnyPosition
from game.infra import metrics
from game.infra.idempotency import fingerprint_of
from game.infra.statements import write_batch
from game.outbox import webhook_events
from game.play import attendance, authority, clocks, door, drafts, failures, late
from game.play.batch import ClosingBatch
from game.play.late import TooLate, is_late
from game.play.transactions import DamageFound, GameTransaction, ResolutionError
from game.store import packed_log, replay
from game.store.game import Game, Keeper, Status, new_secret
from game.store.log import Kind, LoggedAction
from game.store.log_notes import Note, Sentence
from game.store.readers import lock, lock_free_games

MOST_REQUESTS = 40


class PhaseClosed(Refused):
    """The phase a form was made for is over."""

    usual_code = "phase_closed"

    def __init__(self) -> None:
        super().__init__(mark("That phase has closed, so nothing was submitted. Another phase is open now."))


class OtherSeat(Refused):
    """The form was made for another seat than the one its sender has now, as in a second window on a copy."""

    usual_code = "other_seat"

    def __init__(self, name: str) -> None:
        super().__init__(mark("That form was made for another seat. You have the seat of {name} now."), name=name)


class TurnMoved(Refused):
    """The turn has moved on since a form was made."""

    usual_code = "turn_moved"

    def __init__(self) -> None:
        super().__init__(
            mark("The turn has moved on, so nothing was submitted. Check the turn as it is now, then decide again.")
        )


@dataclass(frozen=True)
class Form:
    """Metadata of a submission: its token with a fingerprint of its contents, the phase and step it was made for, and
    whether it replaces the seat's draft."""

    token: str = ""
    fingerprint: str = ""
    serial: int | None = None
    step: int | None = None
    ends_drafts: bool = False


Asks = Callable[[GameTransaction], list[Action]]


@dataclass(frozen=True)
class Receipt:
    """The result of a submission. `closed`: it closed the phase."""

    version: int
    serial: int
    closed: bool = False
    is_repeat: bool = False
    after: tuple[Game, AnyPosition] | None = None
    """The game after the submission; None for a repeat."""


def submit(
    *,
    game_id: int,
    seat_number: int,
    requests: list[dict[str, Any]],
    token: str = "",
    serial: int | None = None,
    step: int | None = None,
    user_id: int | None = None,
) -> Receipt:
    """Accept a seat's requests, all or none. Raises `Refused`, and `TooLate` after the deadline: then they are stored
    as a draft."""
    if not 0 < len(requests) <= MOST_REQUESTS:
        raise Refused(
            "A submission contains 1 to {most} requests; this one has {number}.",
            code="wrong_number",
            most=MOST_REQUESTS,
            number=len(requests),
        )
    return submit_actions(
        game_id=game_id,
        seat_number=seat_number,
        asks=lambda change: [change.rules.parse(request, seat_number) for request in requests],
        form=Form(token, fingerprint_of(requests), serial, step),
        user_id=user_id,
    )


def submit_actions(*, game_id: int, seat_number: int, asks: Asks, form: Form, user_id: int | None = None) -> Receipt:
    """Accept the actions that `asks` parses for the locked game, all or none, if this person has that seat; without a
    person the site submits. Raises `Refused`, and `TooLate` after the deadline.
    If the same person sends the same form again in the same phase, it has no effect and gets the same receipt. In
    another phase it is another submission, so a token needs a phase and a person."""
    if form.token and (form.serial is None or user_id is None):
        raise ValueError("A token says nothing without the phase and the person it was made for.")
    try:
        with transaction.atomic():
            return _submit(game_id, seat_number, asks, form, user_id)
    except (Refused, IntegrityError) as error:
        repeat = _find_repeat(game_id, seat_number, form, user_id)
        if repeat is not None:
            return repeat
        if isinstance(error, TooLate) and error.requests:
            drafts.keep_late(game_id=game_id, seat_number=seat_number, user_id=user_id, late=error)
        raise
    except ResolutionError as error:
        if not error.in_closing:
            raise failures.refused_for(game_id=game_id, error=error) from error
        failures.note_failure(game_id=game_id, error=error)
        text = Sentence.DAMAGED.value if isinstance(error, DamageFound) else late.REASONS[Status.HELD]
        raise Refused(text, code="not_running") from error


class Stuck(Exception):
    """The rules failed with `error` in one game of a batch. None of the batch was closed."""

    def __init__(self, game_id: int, error: ResolutionError | Newer) -> None:
        super().__init__(f"Game {game_id}: {error}")
        self.game_id, self.error = game_id, error


def close_phase(*, game_id: int, expected_serial: int) -> bool:
    """Close a phase whose deadline has passed: once, never early. False if there is nothing to do. Raises
    `ResolutionError`, and `Newer`."""
    try:
        return bool(close_phases({game_id: expected_serial}))
    except Stuck as stuck:
        raise stuck.error from None


@transaction.atomic
def close_phases(expected: Mapping[int, int]) -> set[int]:
    """Close the phases with these serials, by game, whose deadlines have passed: all or none. Returns the games that
    were closed. Raises `Stuck`.

    Round trips dominate the cost of closing a phase, so a batch shares them."""
    due = [game for game in lock_free_games(expected) if _is_due(game, expected[game.pk])]
    if not due:
        return set()
    batch = ClosingBatch(due)
    with write_batch():
        for game in due:
            try:
                _close(game, batch)
            except (ResolutionError, Newer) as error:
                raise Stuck(game.pk, error) from error
    webhook_events.queue_missed_decisions(batch.misses)
    for game in due:
        attendance.pause_if_deserted(game=game)
    return {game.pk for game in due}


def _is_due(game: Game, expected_serial: int) -> bool:
    is_open = game.is_running and game.phase_serial == expected_serial
    return is_open and game.deadline_at is not None and game.deadline_at <= game.now


def _close(game: Game, batch: ClosingBatch) -> None:
    assert game.deadline_at is not None
    metrics.note_lateness(game.now - game.deadline_at)
    change = transaction_of(game)
    change.batch, opened_serial = batch, change.serial
    drafted = drafts.submit_drafts(change, batch)
    if change.serial == opened_serial:
        change.silent_seats = attendance.silent_seats(change, batch, drafted=drafted)
        change.close()
        attendance.note_missed(change, batch, serial=opened_serial)
    change.commit()


@transaction.atomic
def resolve_now(*, game_id: int, user_id: int | None, note: Note) -> None:
    """Let a moderator close the open phase of a running game as its deadline would. Raises `Refused`."""
    change = transaction_of(lock_running(game_id))
    opened_serial = change.serial
    batch = ClosingBatch([change.game])
    drafted = drafts.submit_drafts(change, batch)
    if change.serial == opened_serial:
        # A phase that was closed before its deadline counts as missed for no one.
        change.silent_seats = attendance.silent_seats(change, batch, drafted=drafted)
        change.close(kind=Kind.MODERATION, user_id=user_id, note=note)
    change.entries[-1].write_note(note)
    change.commit()


@transaction.atomic
def rewind(*, game_id: int, number: int, user_id: int | None, note: Note) -> None:
    """Go back to the start of the phase that log entry `number` opened, on a new branch. Raises `Refused`."""
    game = lock(game_id)
    entry = LoggedAction.objects.filter(game_id=game_id, number=number).exclude(opened_serial=None).first()
    if game is None or entry is None:
        raise Refused("The log has no such phase to rewind to.", code="no_such_phase")
    packed_log.unpack_log(game)
    if was_over := game.status == Status.FINISHED:
        _take_new_secret(game)
    entry.game = game
    change = transaction_of(game, is_read=not game.is_damaged)
    game.held_reason = ""
    try:
        change.rewind_to(entry, user_id=user_id, note=note)
    except Damaged as error:
        raise Refused("The start of this phase is damaged: go back to another one.", code="damaged") from error
    change.commit()
    if was_over:
        _publish_fingerprint(game)
    replay.rebuild_projections(game_id=game_id)
    stand_still_if_deserted(game_id)


def _publish_fingerprint(game: Game) -> None:
    """Publish the fingerprint, so that the new secret cannot be exchanged afterwards either."""
    note = Sentence.NEW_SECRET(fingerprint=game.secret_hash)
    door.write_note(game=game, kind=Kind.MODERATION, note=note)


def _take_new_secret(game: Game) -> None:
    """The secret of an ended game is public, so later draws need a new one."""
    game.past_secrets = [*game.past_secrets, (game.entries, game.secret)]
    game.secret = new_secret()
    game.fixed_sum = game.compute_fixed_sum()


def stand_still_if_deserted(game_id: int) -> None:
    """Keep a rewound game paused if no player is present. A rewind ends a voted pause, and proposals about pausing."""
    game = Game.objects.locked().get(pk=game_id)
    clocks.book_pause(game)
    game.deserted_at = game.paused_left = None
    door.write(game)
    attendance.pause_if_deserted(game=game)


def transaction_of(game: Game, *, is_read: bool = True) -> GameTransaction:
    """The transaction for a locked game; every change of a running game starts here. Raises `RuntimeError`."""
    game.check_lock()
    return GameTransaction(game, is_read=is_read)


def open_transaction(game: Game) -> GameTransaction:
    """The transaction for a locked game. Raises `Refused` if its position is damaged."""
    try:
        return transaction_of(game)
    except ResolutionError as error:
        raise Refused(
            f"The position of {game} cannot be read, so nothing can be changed there: {error}",
            code="unreadable_position",
        ) from error


def lock_running(game_id: int) -> Game:
    """Lock a game and check that it is running. Raises `Refused` with the reason if it is not."""
    game = lock(game_id)
    if game is None:
        raise Refused("There is no such game.", code="no_game")
    late.check_running(game)
    return game


def _submit(game_id: int, seat: int, asks: Asks, form: Form, user_id: int | None) -> Receipt:
    change = transaction_of(lock_running(game_id))
    opened_serial = change.serial
    if user_id is not None:
        authority.seat_of(change.game, user_id, seat)
    if (keeper := change.game.keepers.get(str(seat))) is not None:
        raise Refused(
            attendance.CARETAKER_PLAYS if keeper == Keeper.AWAY else attendance.GIVEN_UP, code="caretaker_plays"
        )
    _check_form(change, form)
    actions = change.read(asks)
    if is_late(change.game, change.game.now):
        raise _refuse_late(change, seat, actions)
    entries: list[LoggedAction] = []
    for place, action in enumerate(actions):
        if change.serial == opened_serial:
            with at_place(place):
                entries.append(change.take(action, user_id=user_id))
        elif not isinstance(action, Ready):
            raise Refused(
                "One of your entries closed the phase before the others, so nothing was submitted. Submit last what "
                "closes the phase.",
                code="closed_too_early",
            )
    if form.token:  # `entries` leaves out a note about newer rules that comes before them
        entries[0].token, entries[0].fingerprint = form.token, form.fingerprint
    change.commit()
    if form.ends_drafts:
        drafts.forget_drafts(game=change.game, seat_number=seat, serial=opened_serial)
    after = (change.game, change.position)
    return Receipt(change.game.version, change.serial, closed=change.serial != opened_serial, after=after)


def _check_form(change: GameTransaction, form: Form) -> None:
    """Refuse a form of another phase, or of an earlier step of the same turn: its fields would mean something else."""
    if form.serial is not None and form.serial != change.serial:
        raise PhaseClosed
    if form.step is not None and change.is_in_turns and form.step != change.position.cursor.step:
        raise TurnMoved


def _refuse_late(change: GameTransaction, seat: int, actions: Sequence[Action]) -> TooLate:
    """The refusal of a late submission. A refusal by the rules comes first. Submissions in turns are not stored."""
    for place, action in enumerate(actions):
        with at_place(place):
            change.check(action)
    draft_requests = [] if change.is_in_turns else drafts.requests_for_draft(actions)
    return TooLate(change.game, seat, at=change.game.now, is_stored=bool(draft_requests), requests=draft_requests)


def _find_repeat(game_id: int, seat: int, form: Form, user_id: int | None) -> Receipt | None:
    """The receipt of this person's earlier submission with this token in this phase; a previous player of the seat may
    have used the same token. Raises `Refused` if that submission contained something else."""
    if not form.token or form.serial is None or user_id is None:
        return None
    own_entries = LoggedAction.objects.filter(game_id=game_id, seat=seat, user_id=user_id)
    same_token = own_entries.filter(serial=form.serial, token=form.token)
    entry = same_token.defer("snapshot", "events").first()
    if entry is None:
        return None
    if entry.fingerprint != form.fingerprint:
        raise Refused(
            "You already submitted other entries with this form or key, so nothing was submitted now. Reload the page "
            "or take a new key.",
            code="key_reused",
        )
    same_version = LoggedAction.objects.filter(game_id=game_id, version=entry.version, number__gte=entry.number)
    closed = same_version.exclude(opened_serial=None).exists()  # an entry that opens a phase has a version of its own
    return Receipt(entry.version, entry.serial, closed=closed, is_repeat=True)
