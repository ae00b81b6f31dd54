"""Deadlines: set when a phase opens, read by the sweep, and given back what an outage took."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.db import models, transaction
from django.db.models import F
from django.db.models.functions import Now

from game.engine.flow import Mode
from game.models import Game, Heartbeat, Kind, LoggedAction, Status
from game.paces import seconds_of
from game.services import push

OUTAGE = timedelta(seconds=60)  # a shorter silence is a slow tick
MOST_GIVEN_BACK = timedelta(hours=24)
GRACE = timedelta(minutes=5)  # what is left after an outage longer than what is given back
BEAT_EVERY = timedelta(seconds=5)
log = structlog.get_logger(__name__)


def restart_clock(game: Game) -> None:
    """Set the deadline of the phase that has just opened, if it has one."""
    length = length_of(game)
    game.deadline_at = None if length is None else game.now + length


def length_of(game: Game) -> timedelta | None:
    """How long the open phase lasts; None when the game is over, or for a decision of one person against bots
    who wanted no clock."""
    phase = game.phase
    if phase is None or (game.is_untimed and phase.mode is not Mode.AUTOMATIC):
        return None
    return timedelta(seconds=seconds_of(game.rules, game.read_options(), phase, game.pace))


def due_games() -> list[tuple[int, int]]:
    """Running games whose deadline has passed by the database's clock, with the phase it belongs to; those that failed
    come last."""
    due = Game.objects.filter(status=Status.RUNNING, deadline_at__lte=Now()).order_by("attempts", "deadline_at")
    return list(due.values_list("pk", "phase_serial"))


@transaction.atomic
def beat() -> None:
    """Say that the sweep is alive; after an outage give its length back to the deadlines that fell inside it."""
    heart = Heartbeat.objects.select_for_update().annotate(now=Now()).first()
    if heart is None:
        Heartbeat.objects.get_or_create(pk=1, defaults={"beat_at": Now()})
        return
    silence = heart.now - heart.beat_at
    if silence > OUTAGE:
        for game in Game.objects.on_the_clock().select_for_update().filter(_fell_inside(heart.beat_at)):
            give_back(game=game, since=heart.beat_at)
    # A clock that was put back would otherwise hide the next outage.
    if silence > BEAT_EVERY or silence < timedelta():
        Heartbeat.objects.filter(pk=heart.pk).update(beat_at=heart.now)


def is_silent() -> bool:
    """Whether the sweep has missed two of its beats."""
    return not Heartbeat.objects.filter(beat_at__gt=Now() - 2 * BEAT_EVERY).exists()


def give_back(*, game: Game, since: datetime) -> None:
    """Move a deadline by the length of the outage, so that no phase closes as soon as the site is back."""
    assert game.deadline_at is not None
    outage, left = game.now - since, game.deadline_at - since
    game.deadline_at = max(game.deadline_at + min(outage, MOST_GIVEN_BACK), game.now + min(left, GRACE))
    log.warning("deadline_moved", game=game.pk, outage=str(outage))
    note_on_log(
        game=game, kind=Kind.CLOCK, note=f"The site was away for {in_words(outage)}: the deadline moved by as much."
    )
    game.save(update_fields=["deadline_at", "version", "entries"])


def stop_clock(*, game: Game, status: Status) -> None:
    """Stop a locked running game's clock. The caller saves the game."""
    game.paused_left = game.deadline_at - game.now if game.deadline_at else None
    game.status, game.deadline_at = status, None


def start_clock(*, game: Game) -> None:
    """Let a locked paused or held game run on with the time it had left. The caller saves the game."""
    game.status, game.attempts, game.held_reason = Status.RUNNING, 0, ""
    if game.paused_left is None:
        restart_clock(game)
    else:
        game.deadline_at, game.paused_left = game.now + game.paused_left, None
    if game.bots_due:
        push.call_bots(game.pk)


def note_on_log(
    *, game: Game, kind: Kind, note: str, user_id: int | None = None, seat: int | None = None
) -> LoggedAction:
    """Enter a sentence that everybody may read, and say that there is something new. The caller saves the game."""
    game.entries, game.version = game.entries + 1, game.version + 1
    push.tell_game(game.pk, game.version)
    where = {"branch": game.branch, "serial": game.phase_serial, "turn": game.turn, "phase_name": game.phase_name}
    entry = LoggedAction(
        game=game, number=game.entries, version=game.version, kind=kind, seat=seat, user_id=user_id, **where
    )
    entry.note, entry.at = note, game.now
    entry.save()
    return entry


@transaction.atomic
def count_attempt(*, game_id: int, serial: int | None = None) -> bool:
    """Commit that a step is tried before it is: one that kills its process is counted too. `serial`: the phase is to be
    closed.

    False where there is nothing to do or somebody else is at it: whoever sweeps never waits for one game."""
    wanted = Game.objects.filter(pk=game_id, status=Status.RUNNING)
    if serial is not None:
        wanted = wanted.filter(phase_serial=serial, deadline_at__lte=Now())
    if not wanted.free().exists():
        return False
    wanted.update(attempts=F("attempts") + 1)
    return True


def in_words(length: timedelta) -> str:
    """A length of time as a person says it."""
    minutes = round(length.total_seconds() / 60)
    if minutes < 120:
        return f"{minutes} minutes" if minutes != 1 else "1 minute"
    return f"{round(minutes / 60)} hours"


def _fell_inside(since: datetime) -> models.Q:
    return models.Q(status=Status.RUNNING, deadline_at__gt=since, deadline_at__lte=Now())
