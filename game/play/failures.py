"""Failures of the rules. While a phase closes, attempts are counted, with growing pauses; then the game is on hold
until a moderator restarts it. During a player's request, the request is refused and nothing is counted, so that no seat
can stop its table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import uniform

import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction
from django.http import Http404

from game.engine.actions import Refused
from game.engine.codec import Damaged, Newer
from game.infra import metrics
from game.infra.calls import Hook
from game.play import door
from game.play.clocks import stop_clock
from game.play.transactions import DamageFound
from game.store import readers
from game.store.game import Game, Status
from game.store.log import Kind
from game.store.log_notes import Note, Sentence

ATTEMPTS = len(settings.RETRY_SECONDS) + 1
UNPLAYED: dict[str, str] = {Status.WAITING: "waiting_game_damaged", Status.FINISHED: "finished_game_damaged"}
"""Log events by status, for damage that stops no clock."""
UPDATE_DURATION = timedelta(minutes=2)  # processes of both versions may run during an update
NEWER_RETRY_DELAY = timedelta(seconds=5)
log = structlog.get_logger("game.services.failures")
on_broken = Hook()
"""The rules failed on a request: `game`, and the class name of the `error`."""


@transaction.atomic
def note_failure(*, game_id: int, error: Exception, is_counted: bool = False) -> None:
    """Count a failed resolution, so that sweeps skip the game for a while. Put it on hold at the last attempt, or at
    once if it is damaged. `is_counted`: the sweep counted the attempt in advance, and does not wait for another process
    that is trying now."""
    if isinstance(error, DamageFound):
        hold_damaged(game_id=game_id)
        return
    game = readers.lock(game_id, waits=not is_counted)
    if game is None or not game.is_running:
        log.error("resolution_failed", game=game_id, exc_info=error)
        return
    metrics.FAILURES.labels(game.ruleset).inc()
    game.attempts += not is_counted
    log.error("resolution_failed", game=game_id, serial=game.phase_serial, attempts=game.attempts, exc_info=error)
    if game.attempts >= ATTEMPTS:
        hold(game=game, reason=str(error))
    else:
        game.not_before = game.now + timedelta(seconds=settings.RETRY_SECONDS[game.attempts - 1])
    door.write(game)


@contextmanager
def as_refusals(*, game_id: int) -> Iterator[None]:
    """Within this block, a failure of rules or forms on a tentative request becomes a refusal. Not for use inside a
    transaction, which would roll the report back. Raises `Refused`."""
    try:
        yield
    except (Refused, DatabaseError, Damaged, Newer, PermissionDenied, Http404):
        raise
    except Exception as error:
        raise refused_for(game_id=game_id, error=error) from error


def refused_for(*, game_id: int, error: Exception) -> Refused:
    """Report to the staff that the rules failed on a request. Returns the refusal for its sender."""
    note_broken(game_id=game_id, error=error)
    return Refused(
        "The rules failed with an error on our side, so nothing was submitted. The moderators know. You can "
        "try something else.",
        code="rules_failed",
    )


@transaction.atomic
def note_broken(*, game_id: int, error: Exception) -> None:
    """Report to the staff that the rules failed on a request: one log line each time, one case per game at the desk.
    The game continues."""
    log.error("request_failed", game=game_id, exc_info=error)
    game = readers.lock(game_id)
    if game is not None:
        on_broken(game=game, error=type(error.__cause__ or error).__name__)


@transaction.atomic
def hold_damaged(*, game_id: int) -> str:
    """Put a game that is played on hold if its position is damaged. Returns the status that it has then; empty if it is
    not damaged, as checked again under the lock."""
    game = readers.lock(game_id)
    damage = "" if game is None else game.damage
    if game is None or not damage:
        return ""
    if game.status in {Status.RUNNING, Status.PAUSED}:
        hold(game=game, reason=f"Stored data is damaged. {damage}", note=Sentence.DAMAGED())
    elif game.status in UNPLAYED:
        log.critical(UNPLAYED[game.status], game=game_id)
    return game.status


@transaction.atomic
def leave_to_newer(*, game_id: int, is_counted: bool = False) -> None:
    """Leave a game that newer rules have moved to the processes that run them, as there are during an update. Put it on
    hold if none has moved it for a while. `is_counted`: a sweep counted an attempt that was not made."""
    game = Game.objects.free().filter(pk=game_id, status=Status.RUNNING).first()
    if game is None or not game.is_newer:
        return
    game.attempts = max(game.attempts - is_counted, 0)
    due = game.deadline_at if game.deadline_at is not None and game.deadline_at <= game.now else game.moved_at
    if due is not None and game.now - due > UPDATE_DURATION:
        hold(game=game, reason="A later version of the site has moved this game: run that version, then try again.")
    else:
        # Random, because otherwise the same process might come first each time.
        game.not_before = game.now + NEWER_RETRY_DELAY * uniform(0.2, 1)
    door.write(game)


@transaction.atomic
def hold_exhausted(*, game_id: int) -> bool:
    """Hold a game when every attempt crashed its worker without reporting an error."""
    game = Game.objects.free().filter(pk=game_id, status=Status.RUNNING, attempts__gt=ATTEMPTS).first()
    if game is None:
        return False
    hold(game=game, reason="The process that resolved the phase died each time.")
    return True


def hold(*, game: Game, reason: str, note: Note | None = None) -> None:
    """Stop a locked game's clock until a moderator restarts it."""
    stop_clock(game=game, status=Status.HELD)
    game.held_reason, game.not_before = reason[:200], None
    door.write_note(game=game, kind=Kind.MODERATION, note=note or Sentence.WENT_ON_HOLD())
    log.critical("game_held", game=game.pk, reason=reason)
