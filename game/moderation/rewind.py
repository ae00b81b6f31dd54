"""Rewind a game to the start of an earlier phase and tell players whose submissions no longer count; rebuild a damaged
position from the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from game.engine.actions import COMMON_ACTIONS, Refused
from game.engine.codec import Damaged, decompress
from game.engine.flow import Mode
from game.engine.play import Outcome
from game.engine.position import AnyPosition
from game.moderation import interventions
from game.moderation.approvals import Approval
from game.outbox import notices
from game.play import door, moves
from game.store import replay
from game.store.game import BEGUN, Game, Keeper, Status
from game.store.log import Kind, LoggedAction, Notice
from game.store.log_notes import PhaseStart, Sentence
from game.store.moderation_models import Intervention
from game.store.packed_log import every_entry

REWINDABLE = (*BEGUN, Status.FINISHED)
EVENTS_NOT_REPLAYED = {Kind.REWIND, Kind.RERUN, Kind.RULES}
ADVICE = "Rewind the game to the start of an earlier phase instead."


@dataclass(frozen=True)
class Moment:
    """The start of a phase to which the game can be rewound; `number` is the log entry that opened it. Its text is
    English, like the desk and the log."""

    number: int
    serial: int
    turn: int
    phase: str
    start: PhaseStart
    at: datetime
    back_to: int | None

    def __str__(self) -> str:
        return self.start.english


def moments_of(game: Game) -> list[Moment]:
    """The phases that were decided, newest first, without those that a rewind has undone."""
    course: list[Moment] = []
    for moment in _opened_phases(game):
        if moment.back_to is not None:
            course = [earlier for earlier in course if earlier.number < moment.back_to]
        course.append(moment)
    return course[::-1]


@transaction.atomic
def rewind_to(
    *,
    game_id: int,
    moderator: User,
    reason: str,
    seen: interventions.Seen,
    number: int,
    approval: Approval | None = None,
) -> None:
    """Rewind to the start of the phase that log entry `number` opened, with approval. Raises `Refused`."""
    what = Intervention.REWIND_TO
    game = interventions.lock_for_moderator(
        what, game_id, moderator, reason, seen, *REWINDABLE, approval=approval, number=number
    )
    moment = next((moment for moment in moments_of(game) if moment.number == number), None)
    if moment is None:
        raise Refused("The game cannot be rewound there: no phase started at that entry.", code="no_such_phase")
    seats, public_seats = void_seats(game, number), public_void_seats(game, number)
    note = interventions.note_of(Sentence.REWOUND, moderator, reason, moment=moment.start)
    moves.rewind(game_id=game_id, number=number, user_id=moderator.pk, note=note)
    # A void result and a new secret of the draws concern everybody.
    notify_void_submissions(game_id, set(range(game.seats_wanted)) if game.status == Status.FINISHED else seats)
    details = {"number": number, "moment": str(moment), "void_seats": public_seats}
    interventions.record(game, moderator, Intervention.REWIND_TO, reason, **details)


def void_seats(game: Game, number: int) -> set[int]:
    """The seats of people who have submitted something after log entry `number`, on the current branch."""
    return {entry.seat for entry in _void_entries(game, number) if entry.seat is not None}


def public_void_seats(game: Game, number: int) -> list[int]:
    """The void seats that everybody may know of: none that a phase asked in secret, and none that has withdrawn what it
    sealed in the open phase."""
    secret = {row.phase.name for row in game.rules.flow(game.read_options()).rows if row.phase.asks_in_secret}
    is_sealed, states = game.phase is not None and game.phase.mode is Mode.SEALED, dict(enumerate(game.seat_states))
    withdrawn = {seat for seat, state in states.items() if is_sealed and state == "untouched"}
    return sorted(
        {
            entry.seat
            for entry in _void_entries(game, number)
            if entry.seat is not None
            and entry.phase_name not in secret
            and not (entry.serial == game.phase_serial and entry.seat in withdrawn)
        }
    )


def _void_entries(game: Game, number: int) -> list[LoggedAction]:
    submissions = [
        entry for entry in every_entry(game) if entry.number > number and entry.kind in (Kind.SUBMIT, Kind.DRAFT)
    ]
    rewinds = list(game.log.exclude(back_to=None).values_list("back_to", "number"))
    # Submissions of a seat's earlier owner do not concern the new one.
    last_handovers = dict(game.log.filter(kind=Kind.HANDOVER).order_by("number").values_list("seat", "number"))
    own = [entry for entry in submissions if entry.number > last_handovers.get(entry.seat, 0)]
    return [
        entry
        for entry in own
        if entry.seat is not None and _is_order(game, entry) and not _is_undone(entry.number, rewinds)
    ]


def notify_void_submissions(game_id: int, numbers: set[int]) -> None:
    """Notify the people on these seats, unless they resigned, that their submissions no longer count."""
    game = Game.objects.on_the_clock().get(pk=game_id)
    seats = game.seats.filter(number__in=numbers, user__isnull=False, bot="").exclude(keeper=Keeper.RESIGNED)
    people = [(seat, seat.user_id or 0) for seat in seats]
    notices.notify(game=game, people=people, kind=Notice.Kind.VOID, serial=game.phase_serial)


@transaction.atomic
def restore_from_log(*, game_id: int, moderator: User, reason: str, seen: interventions.Seen) -> None:
    """Store the position to which the log leads. Raises `Refused`, also if the log is damaged too."""
    game = interventions.lock_for_moderator(
        Intervention.RESTORE_FROM_LOG, game_id, moderator, reason, seen, Status.HELD, Status.FINISHED
    )
    if not game.is_damaged:
        raise Refused(
            "The stored position of this game is sound: there is nothing to restore.", code="nothing_to_restore"
        )
    try:
        game.check_fixed()
    except Damaged as error:
        raise Refused(
            f"{error} The log cannot restore that: whoever runs the site has to put it back.", code="not_in_the_log"
        ) from error
    start, entries = _last_start(game)
    position = _replay_log(game, start, entries)
    game.schema = game.rules.schema
    game.state = game.rules.codec.pack(position.state)
    game.store_position(position)
    game.bots_due = game.calls_bots
    door.write(game)
    replay.rebuild_projections(game_id=game_id)
    interventions.save_note(game, moderator, Sentence.RESTORED, reason)
    interventions.record(
        game, moderator, Intervention.RESTORE_FROM_LOG, reason, from_entry=start.number, replayed=len(entries)
    )


def _opened_phases(game: Game) -> Iterable[Moment]:
    """Every phase that was opened, named by the entries in it; the open phase is named by the game."""
    flow = game.rules.flow(game.read_options())
    phases = {row.phase.name: (row.phase.number, row.phase.title) for row in flow.rows}
    names = {
        serial: (turn, name) for serial, turn, name in game.log.values_list("serial", "turn", "phase_name").distinct()
    }
    names[game.phase_serial] = (game.turn, game.phase_name)
    opened = (
        game.log.exclude(opened_serial=None).order_by("number").values_list("number", "opened_serial", "at", "back_to")
    )
    for number, serial, at, back_to in opened:
        turn, name = names.get(serial or 0, (0, ""))
        if name:
            start = PhaseStart(turn, flow.turn_name, *phases.get(name, ("", name)))
            yield Moment(number, serial or 0, turn, name, start, at, back_to)


def _is_order(game: Game, entry: LoggedAction) -> bool:
    if str(entry.seat) in game.bots or game.keepers.get(str(entry.seat)) == Keeper.RESIGNED:
        return False
    entry.game = game
    try:
        return not isinstance(entry.read_action(), COMMON_ACTIONS)
    except Damaged:
        return True


def _is_undone(number: int, rewinds: Iterable[tuple[int | None, int]]) -> bool:
    return any(back_to is not None and back_to < number < rewound for back_to, rewound in rewinds)


def _last_start(game: Game) -> tuple[LoggedAction, Sequence[LoggedAction]]:
    """The newest entry with a readable snapshot, or the game's first entry, and all entries after it."""
    keys = list(game.log.exclude(opened_serial=None).order_by("-number").values_list("pk", flat=True))
    opened = (game.log.get(pk=key) for key in keys)  # one query each: the first nearly always suffices
    start = next((entry for entry in opened if entry.kind == Kind.START or _has_readable_snapshot(game, entry)), None)
    if start is None:
        raise Refused(
            "No start of a phase in the log of this game can be read, so it cannot be restored from it.",
            code="log_unreadable",
        )
    entries = [entry for entry in every_entry(game) if entry.number > start.number]
    numbers = [entry.number for entry in entries]
    if numbers != list(range(start.number + 1, game.entries + 1)):
        raise Refused("The log is not complete: it lacks entries.", code="log_not_whole")
    return start, entries


def _has_readable_snapshot(game: Game, entry: LoggedAction) -> bool:
    entry.game = game
    try:
        entry.read_snapshot()
    except Damaged:
        return False
    return True


def _replay_log(game: Game, start: LoggedAction, entries: Sequence[LoggedAction]) -> AnyPosition:
    """The position after the last entry; every step must match what the log says of it."""
    start.game = game
    position = start.read_snapshot() if _has_readable_snapshot(game, start) else _play(game, None, start).position
    assert position is not None
    _compare(start, position)
    for entry in entries:
        position = _play(game, position, entry).position
        if entry.opened_serial is not None:
            # Its snapshot was unreadable, or the replay would have begun there.
            entry.write_snapshot(position)
    _compare_with_state(game, position)
    return position


def _compare(entry: LoggedAction, position: AnyPosition) -> None:
    """A phase that an entry opened must have the number and the branch that the log says. Moderators read neither the
    numbers of entries, which count sealed submissions, nor the words of errors, which may quote them."""
    cursor = position.cursor
    if entry.opened_serial is not None and (entry.opened_serial, entry.branch) != (cursor.serial, cursor.branch):
        raise Refused(
            f"An entry of the log opened phase number {entry.opened_serial} on branch {entry.branch}; "
            f"played again it opens {cursor.serial} on branch {cursor.branch}. {ADVICE}",
            code="log_opens_else",
        )


def _compare_with_state(game: Game, position: AnyPosition) -> None:
    """Check that the stored state equals the replayed one, if only other columns are damaged."""
    codec = game.rules.codec
    try:
        state = decompress(bytes(game.state))
    except Damaged:
        return
    if game.schema == game.rules.schema and state != codec.encode(position.state):
        raise Refused(
            f"The stored state is sound, but the log leads to another one. {ADVICE}", code="log_leads_elsewhere"
        )


def _play(game: Game, position: AnyPosition | None, entry: LoggedAction) -> Outcome[Any]:
    entry.game = game
    where = f"An entry of the log, {entry.get_kind_display()} in {entry.phase_name or 'no phase'}"
    try:
        outcome = replay.play_entry(game, position, entry)
    except Damaged:
        raise Refused(
            f"{where}, is damaged, and the game cannot be restored past it. {ADVICE}", code="log_unreadable"
        ) from None
    except Exception as error:
        raise Refused(
            f"{where}, cannot be played again: {type(error).__name__}. {ADVICE}", code="log_unplayable"
        ) from error
    _compare(entry, outcome.position)
    if (
        (stored_events := _stored_events(entry)) is not None
        and entry.kind not in EVENTS_NOT_REPLAYED
        and stored_events != outcome.events
    ):
        raise Refused(
            f"{where}, tells of other events than it leads to when it is played again. {ADVICE}", code="log_tells_else"
        )
    return outcome


def _stored_events(entry: LoggedAction) -> list[Any] | None:
    try:
        return entry.read_all_events()
    except Damaged:
        return None
