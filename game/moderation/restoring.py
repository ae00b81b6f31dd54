"""Rebuild a damaged position from the log: load the last readable start of a phase and replay what followed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from accounts.models import User
from game.engine.actions import Refused
from game.engine.codec import Damaged, decompress
from game.engine.play import Outcome
from game.engine.position import AnyPosition
from game.moderation import interventions
from game.store import log_notes, replay
from game.store.game import Game, Status
from game.store.log import Intervention, Kind, LoggedAction, every_entry
from game.store.snapshots import pack_snapshot

RESTORED = (
    "state", "inputs", "earlier", "schema", "phase_row", "phase_name", "phase_serial",
    "phase_step", "branch", "turn",
    "trail", "ready", "reviews", "seat_states", "bots_due",
)  # fmt: skip
EVENTS_NOT_REPLAYED = {Kind.REWIND, Kind.RERUN, Kind.RULES}
ADVICE = "Rewind the game to the start of an earlier phase instead."


@transaction.atomic
def restore_from_log(*, game_id: int, moderator: User, reason: str, seen: interventions.Seen) -> None:
    """Store the position to which the log leads. Raises `Refused`, also if the log is damaged too."""
    game = interventions.take(
        Intervention.RESTORE_FROM_LOG, game_id, moderator, reason, seen, Status.HELD, Status.FINISHED
    )
    if not game.is_damaged:
        raise Refused(
            "The stored position of this game is sound: there is nothing to restore.", code="nothing_to_restore"
        )
    start, entries = _last_start(game)
    position = _replay_log(game, start, entries)
    game.schema = game.rules.schema
    game.state = game.rules.codec.pack(position.state)
    game.store_position(position)
    game.bots_due = game.calls_bots
    game.save(update_fields=RESTORED)
    replay.rebuild_projections(game_id=game_id)
    interventions.tell(game, moderator, log_notes.RESTORED, reason)
    interventions.record(
        game, moderator, Intervention.RESTORE_FROM_LOG, reason, from_entry=start.number, replayed=len(entries)
    )


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
        raise Refused(
            f"The log is not complete: after entry {start.number} it has {len(numbers)} of "
            f"{game.entries - start.number} entries.",
            code="log_not_whole",
        )
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
            packed = game.rules.codec.pack(position.state)
            LoggedAction.objects.filter(pk=entry.pk).update(snapshot=pack_snapshot(game.rules, position, packed))
    _compare_with_state(game, position)
    return position


def _play(game: Game, position: AnyPosition | None, entry: LoggedAction) -> Outcome[Any]:
    entry.game = game
    where = f"Entry {entry.number} of the log, {entry.get_kind_display()} in {entry.phase_name or 'no phase'}"
    try:
        outcome = replay.play_entry(game, position, entry)
    except Damaged:
        raise Refused(
            f"{where}, is damaged, and the game cannot be restored past it. {ADVICE}", code="log_unreadable"
        ) from None
    except Exception as error:
        raise Refused(f"{where}, cannot be played again: {error} {ADVICE}", code="log_unplayable") from error
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


def _compare(entry: LoggedAction, position: AnyPosition) -> None:
    """A phase that an entry opened must have the number and the branch that the log says."""
    cursor = position.cursor
    if entry.opened_serial is not None and (entry.opened_serial, entry.branch) != (cursor.serial, cursor.branch):
        raise Refused(
            f"Entry {entry.number} opened phase number {entry.opened_serial} on branch {entry.branch}; "
            f"played again it opens {cursor.serial} on branch {cursor.branch}. {ADVICE}",
            code="log_opens_else",
        )


def _compare_with_state(game: Game, position: AnyPosition) -> None:
    """If only other columns are damaged, the stored state must equal the replayed one."""
    codec = game.rules.codec
    try:
        stored = decompress(bytes(game.state))
    except Damaged:
        return
    if game.schema == game.rules.schema and stored != codec.encode(position.state):
        raise Refused(
            f"The stored state is sound, but the log leads to another one. {ADVICE}", code="log_leads_elsewhere"
        )
