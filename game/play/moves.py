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
from game.infra.statements import piled
from game.outbox import webhook_events
from game.play import attendance, authority, clocks, closing, drafts, failures, not_running
from game.play.batch import Around
from game.play.late import TooLate, is_late
from game.play.transactions import DamageFound, GameTransaction, ResolutionError
from game.store import log_notes, packed_log, replay
from game.store.game import Game, Keeper, Status, new_secret
from game.store.locking import lock, locking
from game.store.log import Kind, LoggedAction

MOST_REQUESTS = 40


class PhaseClosed(Refused):
    """The phase a form was made for is over."""

    usual_code = "phase_closed"

    def __init__(self) -> None:
        super().__init__(mark("That phase has closed, so nothing was submitted. Another phase is open now."))


class TurnMoved(Refused):
    """The turn has moved on since a form was made."""

    usual_code = "turn_moved"

    def __init__(self) -> None:
        super().__init__(
            mark("The turn has moved on, so nothing was submitted. Check the turn as it is now, then decide again.")
        )


@dataclass(frozen=True)
class Form:
    """What a submission says of itself: its token with a fingerprint of what it holds, the phase and step it was made
    for, and whether it takes the place of what the seat has saved as a draft."""

    token: str = ""
    fingerprint: str = ""
    serial: int | None = None
    step: int | None = None
    ends_drafts: bool = False


Asks = Callable[[GameTransaction], list[Action]]


@dataclass(frozen=True)
class Receipt:
    """The result of a submission. `closed`: it was the last one that was needed."""

    version: int
    serial: int
    closed: bool = False
    is_repeat: bool = False
    after: tuple[Game, AnyPosition] | None = None
    """The game as the submission left it; None for a repetition."""


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
    """Accept a seat's requests, all or none. Raises `Refused`, and `TooLate` after the deadline: then they are kept as
    a draft."""
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
    """Accept what `asks` reads out of the locked game, all or none, if this person has that seat then; without one it
    is the site that submits. Raises `Refused`, and `TooLate` after the deadline.
    The same form sent again by the same person in the same phase gets the same answer without effect. In another phase
    it is another submission, so a token needs its phase and its person."""
    if form.token and (form.serial is None or user_id is None):
        raise ValueError("A token says nothing without the phase and the person it was made for.")
    try:
        with transaction.atomic():
            return _submit(game_id, seat_number, asks, form, user_id)
    except (Refused, IntegrityError) as error:
        earlier = _earlier(game_id, seat_number, form, user_id)
        if earlier is not None:
            return earlier
        if isinstance(error, TooLate) and error.kept:
            drafts.keep_late(game_id=game_id, seat_number=seat_number, user_id=user_id, late=error)
        raise
    except ResolutionError as error:
        if not error.in_closing:
            raise failures.refused_for(game_id=game_id, error=error) from error
        failures.note_failure(game_id=game_id, error=error)
        words = failures.DAMAGED if isinstance(error, DamageFound) else not_running.WHY[Status.HELD]
        raise Refused(words, code="not_running") from error


class Stuck(Exception):
    """The rules failed in one of several games that were to be closed together: `error` says how. None was closed."""

    def __init__(self, game_id: int, error: ResolutionError | Newer) -> None:
        super().__init__(f"Game {game_id}: {error}")
        self.game_id, self.error = game_id, error


def close_phase(*, game_id: int, expected_serial: int) -> bool:
    """Close a phase whose deadline has passed: once, never early. False where there is nothing to do. Raises
    `ResolutionError`, and `Newer`."""
    try:
        return bool(close_phases({game_id: expected_serial}))
    except Stuck as stuck:
        raise stuck.error from None


@transaction.atomic
def close_phases(expected: Mapping[int, int]) -> set[int]:
    """Close the phases with these serials, by game, as far as their deadlines have passed: all or none. Which were
    closed. Raises `Stuck`.

    Most of what a close takes is the way to the database and back: games share it."""
    due = [game for game in locking(skips=True).several(list(expected)) if _is_due(game, expected[game.pk])]
    if not due:
        return set()
    around = Around(due)
    with piled():
        for game in due:
            try:
                _close(game, around)
            except (ResolutionError, Newer) as error:
                raise Stuck(game.pk, error) from error
    webhook_events.tell_of_misses(around.misses)
    for game in due:
        attendance.pause_if_deserted(game=game)
    return {game.pk for game in due}


def _is_due(game: Game, expected_serial: int) -> bool:
    is_open = game.is_running and game.phase_serial == expected_serial
    return is_open and game.deadline_at is not None and game.deadline_at <= game.now


def _close(game: Game, around: Around) -> None:
    assert game.deadline_at is not None
    metrics.note_lateness(game.now - game.deadline_at)
    change = transaction_of(game)
    change.around, opened = around, change.serial
    drafted = closing.submit_drafts(change, around)
    if change.serial == opened:
        change.silent = attendance.silent_seats(change, around, drafted=drafted)
        change.close()
        attendance.note_missed(change, around, serial=opened)
    change.commit()


@transaction.atomic
def resolve_now(*, game_id: int, user_id: int | None, note: str) -> None:
    """Close the open phase of a running game as its deadline would, by a moderator's hand. Raises `Refused`."""
    change = transaction_of(lock_running(game_id))
    opened = change.serial
    around = Around([change.game])
    drafted = closing.submit_drafts(change, around)
    if change.serial == opened:
        # A phase that was closed before its deadline counts as missed for no one.
        change.silent = attendance.silent_seats(change, around, drafted=drafted)
        change.close(kind=Kind.MODERATION, user_id=user_id, note=note)
    change.entries[-1].note = note
    change.commit()


@transaction.atomic
def rewind(*, game_id: int, number: int, user_id: int | None, note: str) -> None:
    """Go back to the start of the phase that log entry `number` opened, on a new branch. Raises `Refused`."""
    game = lock(game_id)
    entry = LoggedAction.objects.filter(game_id=game_id, number=number).exclude(opened_serial=None).first()
    if game is None or entry is None:
        raise Refused("The log has no such phase to rewind to.", code="no_such_phase")
    packed_log.take_out(game)
    if was_over := game.status == Status.FINISHED:
        _take_new_secret(game)
    entry.game = game
    change = transaction_of(game, is_read=not game.is_damaged)
    try:
        change.go_back_to(entry, user_id=user_id, note=note)
    except Damaged as error:
        raise Refused(
            "The start of the phase that entry {number} opened is damaged: go back to another one.",
            number=number,
            code="damaged",
        ) from error
    change.commit()
    if was_over:
        _publish_fingerprint(game)
    replay.rebuild_projections(game_id=game_id)
    stand_still_if_deserted(game_id)


def _publish_fingerprint(game: Game) -> None:
    """Publish the fingerprint, so that the new secret cannot be exchanged afterwards either."""
    note = log_notes.NEW_SECRET.format(fingerprint=game.secret_hash)
    clocks.note_on_log(game=game, kind=Kind.MODERATION, note=note)
    game.save(update_fields=["entries", "version"])


def _take_new_secret(game: Game) -> None:
    """The secret of an ended game is public, so later draws need a new one."""
    game.past_secrets = [*game.past_secrets, (game.entries, game.secret)]
    game.secret = new_secret()
    game.fixed_sum = game.sum_up_what_is_fixed()
    game.save(update_fields=["past_secrets", "secret", "fixed_sum"])


def stand_still_if_deserted(game_id: int) -> None:
    """A rewind brings no player back: if none is present, the game stays paused. It ends a pause that players voted
    for, and what they proposed about it."""
    game = Game.objects.on_the_clock().get(pk=game_id)
    clocks.book_pause(game)
    game.deserted_at = game.paused_left = None
    game.save(update_fields=["deserted_at", "paused_left", "pause", "pause_ends_at"])
    attendance.pause_if_deserted(game=game)


def transaction_of(game: Game, *, is_read: bool = True) -> GameTransaction:
    """The transaction that moves a locked game: every change of a running game begins here."""
    return GameTransaction(game, is_read=is_read)


def lock_running(game_id: int) -> Game:
    """The locked game, able to be moved. Raises `Refused` with the reason why not."""
    game = lock(game_id)
    if game is None:
        raise Refused("There is no such game.", code="no_game")
    not_running.check(game)
    return game


def _submit(game_id: int, seat: int, asks: Asks, form: Form, user_id: int | None) -> Receipt:
    change = transaction_of(lock_running(game_id))
    opened = change.serial
    if user_id is not None:
        authority.seat_of(change.game, user_id, seat)
    if (keeper := change.game.keepers.get(str(seat))) is not None:
        raise Refused(attendance.KEPT if keeper == Keeper.AWAY else attendance.GIVEN_UP, code="caretaker_plays")
    _check_form(change, form)
    actions = change.read(asks)
    if is_late(change.game, change.game.now):
        raise _too_late(change, seat, actions)
    taken: list[LoggedAction] = []
    for place, action in enumerate(actions):
        if change.serial == opened:
            with at_place(place):
                taken.append(change.take(action, user_id=user_id))
        elif not isinstance(action, Ready):
            raise Refused(
                "One of your entries closed the phase before the others, so nothing was submitted. Submit last what "
                "closes the phase.",
                code="closed_too_early",
            )
    if form.token:  # not on what the game says of newer rules before it
        taken[0].token, taken[0].fingerprint = form.token, form.fingerprint
    change.commit()
    if form.ends_drafts:
        drafts.forget_drafts(game=change.game, seat_number=seat, serial=opened)
    after = (change.game, change.position)
    return Receipt(change.game.version, change.serial, closed=change.serial != opened, after=after)


def _check_form(change: GameTransaction, form: Form) -> None:
    """A form of another phase is not read, nor one of an earlier step of the same turn: its fields would mean something
    else."""
    if form.serial is not None and form.serial != change.serial:
        raise PhaseClosed
    if form.step is not None and change.is_in_turns and form.step != change.position.cursor.step:
        raise TurnMoved


def _too_late(change: GameTransaction, seat: int, actions: Sequence[Action]) -> TooLate:
    """What to refuse after the deadline; what the rules would refuse anyway is said first. Nothing is kept for a
    turn."""
    for place, action in enumerate(actions):
        with at_place(place):
            change.check(action)
    kept = [] if change.is_in_turns else drafts.kept_of(actions)
    return TooLate(change.game, seat, at=change.game.now, is_kept=bool(kept), kept=kept)


def _earlier(game_id: int, seat: int, form: Form, user_id: int | None) -> Receipt | None:
    """The receipt of an earlier submission of this person in this phase with this token; whoever had the seat before
    them may have used the same. Raises `Refused` where that one asked something else."""
    if not form.token or form.serial is None or user_id is None:
        return None
    mine = LoggedAction.objects.filter(game_id=game_id, seat=seat, user_id=user_id)
    sent = mine.filter(serial=form.serial, token=form.token)
    entry = sent.defer("snapshot", "events").first()
    if entry is None:
        return None
    if entry.fingerprint != form.fingerprint:
        raise Refused(
            "You already submitted other entries with this form or key, so nothing was submitted now. Reload the page "
            "or take a new key.",
            code="key_reused",
        )
    together = LoggedAction.objects.filter(game_id=game_id, version=entry.version, number__gte=entry.number)
    closed = together.exclude(opened_serial=None).exists()  # whatever opens a phase has a version of its own
    return Receipt(entry.version, entry.serial, closed=closed, is_repeat=True)
