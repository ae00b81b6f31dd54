"""Deadlines: set when a phase opens, stopped and started again."""

from __future__ import annotations

from datetime import timedelta

from game.engine.flow import Mode
from game.engine.phrases import plural
from game.models import Game, Kind, LoggedAction, Status
from game.paces import seconds_of
from game.services import push


def restart_clock(game: Game) -> None:
    """Set the deadline of the phase that has just opened, if it has one."""
    length = length_of(game)
    game.deadline_at = None if length is None else game.now + length
    game.clock_since = None if length is None else game.now


def length_of(game: Game) -> timedelta | None:
    """How long the open phase lasts; None when the game is over, or for a decision of one person against bots
    who wanted no clock."""
    phase = game.phase
    if phase is None or (game.is_untimed and phase.mode is not Mode.AUTOMATIC):
        return None
    return timedelta(seconds=seconds_of(game.rules, game.read_options(), phase, game.pace))


def stop_clock(*, game: Game, status: Status) -> None:
    """Stop a locked running game's clock. The caller saves the game."""
    game.paused_left = game.deadline_at - game.now if game.deadline_at else None
    game.status, game.deadline_at = status, None


def start_clock(*, game: Game) -> None:
    """Let a locked paused or held game run on with the time it had left. The caller saves the game."""
    game.status, game.attempts, game.not_before, game.held_reason = Status.RUNNING, 0, None, ""
    if game.paused_left is None:
        restart_clock(game)
    else:
        game.deadline_at, game.clock_since, game.paused_left = game.now + game.paused_left, game.now, None
    if game.bots_due:
        push.call_bots(game.pk)


def note_on_log(
    *, game: Game, kind: Kind, note: str, user_id: int | None = None, seat: int | None = None
) -> LoggedAction:
    """Enter a sentence that everybody may read, and say that there is something new. The caller saves the game."""
    entry = new_note(game=game, kind=kind, note=note, user_id=user_id, seat=seat)
    entry.save()
    return entry


def new_note(*, game: Game, kind: Kind, note: str, user_id: int | None = None, seat: int | None = None) -> LoggedAction:
    """The same, where the caller saves the entry as well."""
    game.entries, game.version = game.entries + 1, game.version + 1
    push.tell_game(game.pk, game.version)
    where = {"branch": game.branch, "serial": game.phase_serial, "turn": game.turn, "phase_name": game.phase_name}
    entry = LoggedAction(
        game=game, number=game.entries, version=game.version, kind=kind, seat=seat, user_id=user_id, **where
    )
    entry.note, entry.at = note, game.now
    return entry


def in_words(length: timedelta) -> str:
    """A length of time as a person says it."""
    seconds = round(length.total_seconds())
    if 0 <= seconds < 60:
        return plural(seconds, "second")
    minutes = round(seconds / 60)
    if minutes < 120:
        return f"{minutes} minutes" if minutes != 1 else "1 minute"
    return f"{round(minutes / 60)} hours"
