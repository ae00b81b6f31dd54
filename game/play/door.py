"""The door: only `game.play` and `game.store` write a game, a seat or an entry of its log. Whoever has locked a game
changes it and then writes it: with a log note by `write_note`, under a new version by `publish`, and otherwise by
`write`; each writes what differs. What follows from a change stands in `CONSEQUENCES`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from game.infra.calls import Hook
from game.infra.statements import insert
from game.live import announce
from game.outbox import status_notices
from game.reputation import ratings
from game.store import log_notes
from game.store.game import Game, Seat, Status
from game.store.log import Kind, LoggedAction
from game.store.log_notes import Note

ENTRY_COLUMNS = tuple(field.attname for field in LoggedAction._meta.local_concrete_fields if not field.primary_key)
Former = Mapping[str, Any]
"""What the columns of a game that differ held before."""
on_hold = Hook()
"""A locked `game` goes on hold."""


def _has_new_version(game: Game, former: Former) -> bool:
    return "version" in former


def _are_bots_asked(game: Game, former: Former) -> bool:
    return game.is_running and game.bots_due and not former.keys().isdisjoint({"moved_at", "status"})


def _is_result_new(game: Game, former: Former) -> bool:
    """True if the game is over, or no longer."""
    return "status" in former and Status.FINISHED in {game.status, former["status"]}


def _has_stopped_or_resumed(game: Game, former: Former) -> bool:
    """True if a game under way was paused, held or resumed: not by a rewind, nor because of who is present."""
    statuses = {game.status, former.get("status")}
    return statuses <= status_notices.KIND_OF_STATUS.keys() and not {"phase_serial", "deserted_at"} & former.keys()


def _is_newly_held(game: Game, former: Former) -> bool:
    return "status" in former and game.status == Status.HELD


def _has_deadline_moved(game: Game, former: Former) -> bool:
    """True if the open phase ends at another time, or will after a pause."""
    column = "deadline_at" if game.is_running else "paused_left"
    return column in former and not {"phase_serial", "status"} & former.keys()


CONSEQUENCES: Sequence[tuple[Callable[[Game, Former], bool], Callable[[Game, Seat | None], None]]] = (
    (_has_new_version, lambda game, by: announce.game_changed(game)),
    (_are_bots_asked, lambda game, by: announce.call_bots(game.pk)),
    (_is_result_new, lambda game, by: ratings.settle(game=game)),
    (_has_stopped_or_resumed, lambda game, by: status_notices.notify_status(game=game, but=by)),
    (_is_newly_held, lambda game, by: on_hold(game=game)),
    (_has_deadline_moved, lambda game, by: status_notices.notify_moved_deadlines([game])),
)
"""When something follows from a change of a game, and what, in this order; `by` is the seat that caused it."""


def follow_up(game: Game, former: Former, by: Seat | None = None) -> None:
    """Do what follows from a change of a game that has been written."""
    for act in [act for is_due, act in CONSEQUENCES if is_due(game, former)]:
        act(game, by)


def write(row: Game | Seat) -> None:
    """Write what differs in a locked game or seat, or a new one."""
    former = row.write_changes()
    if isinstance(row, Game):
        follow_up(row, former)


def publish(game: Game) -> None:
    """Write a locked game under a new version, which open pages fetch."""
    game.version += 1
    write(game)


def write_note(
    *, game: Game, kind: Kind, note: Note, seat: int | None = None, user_id: int | None = None, by: Seat | None = None
) -> None:
    """Write a public log note and a locked game."""
    follow_up(game, add_note(game=game, kind=kind, note=note, seat=seat, user_id=user_id), by)


def add_note(*, game: Game, kind: Kind, note: Note, seat: int | None = None, user_id: int | None = None) -> Former:
    """Like `write_note`, but what follows is left to the caller, who does it for a batch of games at once."""
    game.entries, game.version = game.entries + 1, game.version + 1
    position = {"branch": game.branch, "serial": game.phase_serial, "turn": game.turn, "phase_name": game.phase_name}
    entry = LoggedAction(game=game, number=game.entries, version=game.version, kind=kind, **position, **note.columns)
    entry.seat, entry.user_id, entry.at, entry.draws = seat, user_id, game.now, b""
    insert_entries([entry])
    return game.write_changes()


def count_note(*, game: Game, kind: Kind, note: Note, seat: int | None = None) -> None:
    """Like `write_note`, but a note that repeats one about the same seat (or about none) in this phase, with or without
    other lines between, is counted: a second line says how often."""
    same_kind = game.log.filter(kind=kind, seat=seat, branch=game.branch, serial=game.phase_serial).exclude(note="")
    notes = [(entry, log_notes.read(entry.remark)) for entry in same_kind.only("remark", "at").order_by("number")]
    counters = [(entry, line) for entry, line in notes if line is not None and line.times > 1]
    index = next((index for index, (_, line) in enumerate(counters) if line.repeats(note)), None)
    if index is not None:
        _count_again(game, counters[index:])
        return
    is_repeat = any(line is not None and line.repeats(note) for _, line in notes)
    note = msgspec.structs.replace(note, times=2) if is_repeat else note
    write_note(game=game, kind=kind, seat=seat, note=note)


def _count_again(game: Game, counters: Sequence[tuple[LoggedAction, Note]]) -> None:
    """Increase the first of these counters and move it behind the others, so that the seat's last action is read last.
    Announce it like a new entry."""
    publish(game)
    (_, first), *others = counters
    again = (msgspec.structs.replace(first, times=first.times + 1), game.now)
    moved = [*((note, entry.at) for entry, note in others), again]
    for (entry, _), (note, at) in zip(counters, moved, strict=True):
        entry.write_note(note)
        entry.at, entry.version = at, game.version
        entry.save(update_fields=["note", "remark", "at", "version"])


def insert_entries(entries: Iterable[LoggedAction]) -> None:
    """Write new entries of the log, as part of a write batch if there is one."""
    insert(LoggedAction, ENTRY_COLUMNS, [[getattr(entry, name) for name in ENTRY_COLUMNS] for entry in entries])
