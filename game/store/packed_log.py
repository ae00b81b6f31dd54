"""Pack the log of a finished game, and unpack it if the game resumes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from heapq import merge
from operator import attrgetter

from game.engine.codec import Damaged, compress
from game.store.game import Game
from game.store.log import Kind, LoggedAction, PackedLog, PackedSnapshots
from game.store.packing import (
    MARK,
    PackedColumns,
    Quiet,
    Steps,
    pack_snapshots,
    pack_steps,
    place_of,
    plain,
    unpack_snapshot,
    unpack_snapshots,
    unpack_steps,
)

LARGE_COLUMNS = ("events", "action", "transfers", "draws")
FORM_COLUMNS = ("token", "fingerprint")


def pack_snapshots_of(game: Game) -> None:
    """Pack the snapshots of a locked game's log into one value, if there are any."""
    entries = game.log.exclude(snapshot=None)
    snapshots = {number: bytes(snapshot) for number, snapshot in entries.values_list("number", "snapshot") if snapshot}
    if snapshots:
        packed_snapshots = pack_snapshots(snapshots)
        # The originals are deleted next, so the pack must be readable.
        assert unpack_snapshots(packed_snapshots) == {
            number: unpack_snapshot(snapshot) for number, snapshot in snapshots.items()
        }
        PackedSnapshots.objects.create(game=game, first=min(snapshots), packed=packed_snapshots)
    entries.update(snapshot=None)


def pack_log(game: Game) -> None:
    """Pack the large columns of a locked game's log, and whole entries of submissions that had nothing to show. Raises
    `Damaged`."""
    entries = list(game.log.defer("snapshot").order_by("number"))
    quiet = [entry for entry in entries if _is_quiet(entry)]
    large = [entry for entry in entries if _is_large(entry) and not _is_quiet(entry)]
    steps = Steps([_build_quiet(entry) for entry in quiet], {entry.number: _build_columns(entry) for entry in large})
    packed = pack_steps(steps)
    # Never delete what could not be read back.
    assert unpack_steps(packed) == steps
    PackedLog.objects.create(game=game, number=game.packed_logs.count(), packed=packed)
    LoggedAction.objects.filter(pk__in=[entry.pk for entry in quiet]).delete()
    for entry in large:
        _replace_by_mark(entry)
    LoggedAction.objects.bulk_update(large, [*LARGE_COLUMNS, *FORM_COLUMNS], batch_size=100)


def unpack_log(game: Game) -> None:
    """Undo `pack_log` for a locked game's log, except for entries in a damaged packed log."""
    if not game.is_archived:
        return
    entries = list(every_entry(game))
    LoggedAction.objects.bulk_create([entry for entry in entries if entry.pk is None])
    restored = [entry for entry in entries if entry.pk is not None and entry.unpack()]
    LoggedAction.objects.bulk_update(restored, LARGE_COLUMNS, batch_size=100)
    game.packed_logs.filter(
        pk__in=[packed_log.pk for packed_log in game.packed_logs.all() if _is_readable(packed_log)]
    ).delete()
    game.is_archived = False
    game.write_changes()
    del game.packed_steps


def _replace_by_mark(entry: LoggedAction) -> None:
    """Replace the large columns by the entry's mark, and clear the form columns: after the end a repeated form is
    refused."""
    place = place_of(entry.number)
    entry.events = place if entry.events else ""
    entry.action = None if entry.action is None else place.encode()
    entry.transfers = None if entry.transfers is None else place.encode()
    entry.draws = place.encode() if entry.draws else entry.draws
    entry.token = entry.fingerprint = ""


def _is_quiet(entry: LoggedAction) -> bool:
    """True for a submission with nothing to show, which no page looks up by itself."""
    has_content = entry.events or entry.note or entry.transfers is not None or entry.draws
    return entry.kind == Kind.SUBMIT and not has_content and entry.opened_serial is None and entry.is_told


def _is_large(entry: LoggedAction) -> bool:
    """True if it has something to pack. Marks of a damaged packed log stay as they are."""
    return not entry.events.startswith(MARK) and any(getattr(entry, name) for name in LARGE_COLUMNS)


def _build_quiet(entry: LoggedAction) -> Quiet:
    (action,) = plain([entry.action])
    fields = {name: getattr(entry, name) for name in Quiet.__struct_fields__ if name != "is_own"}
    return Quiet(**fields | {"action": action, "kind": str(entry.kind), "is_own": entry.user_id is not None})


def _build_columns(entry: LoggedAction) -> PackedColumns:
    return PackedColumns(entry.events, *plain([entry.action, entry.transfers, entry.draws or None]))


def _is_readable(packed_log: PackedLog) -> bool:
    with suppress(Damaged):
        unpack_steps(bytes(packed_log.packed))
        return True
    return False


def every_entry(game: Game) -> Iterator[LoggedAction]:
    """The whole log in order, including packed entries, each with this game set."""
    stored = game.log.order_by("number").iterator(chunk_size=100)
    quiet = sorted(game.packed_steps.quiet, key=attrgetter("number"))
    for entry in merge(stored, (_build_entry(step) for step in quiet), key=attrgetter("number")):
        entry.game = game
        yield entry


def _build_entry(step: Quiet) -> LoggedAction:
    action = None if step.action is None else compress(step.action)
    columns = [name for name in step.__struct_fields__ if name != "is_own"]
    return LoggedAction(**{name: getattr(step, name) for name in columns} | {"action": action})
