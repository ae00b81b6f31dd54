"""Dry runs: minutes before a deadline its resolution is tried and rolled back; if it fails, the staff know before the
players do."""

from __future__ import annotations

import contextlib
from datetime import timedelta

import structlog
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from structlog.contextvars import bound_contextvars

from game.engine.codec import Newer
from game.moderation import emails
from game.play import drafts
from game.play.batch import ClosingBatch
from game.play.transactions import GameTransaction
from game.store.changed_columns import LOCKED
from game.store.game import Game, GameQuerySet, Status
from game.store.heartbeats import DryRun

LEAD_TIME = timedelta(minutes=10)
MIN_PHASE = timedelta(minutes=30)  # shorter phases are not tried: no one could help in time
RETRY_AFTER = timedelta(minutes=2)  # before a failed one is repeated: the cause may have been repaired
BATCH_SIZE = 50
log = structlog.get_logger("game.services.rehearsals")


class _RolledBack(Exception):
    """Rolls back a dry run."""


def try_due_closings() -> int:
    """Try the closings that are minutes away, once each, and again after a failure. Returns how many were tried."""
    game_ids = list(untried_games().values_list("pk", flat=True)[:BATCH_SIZE])
    return sum(try_closing(game_id=game_id) for game_id in game_ids)


def untried_games() -> GameQuerySet:
    """Running games whose deadline is near and was not tried, or failed some minutes ago."""
    near = Game.objects.filter(
        status=Status.RUNNING, attempts=0, deadline_at__gt=Now(), deadline_at__lte=Now() + LEAD_TIME
    )
    slow = near.filter(deadline_at__gte=F("clock_since") + MIN_PHASE)
    is_tried = Q(dry_run__serial=F("phase_serial"), dry_run__deadline_at=F("deadline_at"))
    is_failed = Q(dry_run__has_failed=True, dry_run__at__lte=Now() - RETRY_AFTER)
    return slow.filter(Q(dry_run=None) | ~is_tried | is_failed).order_by("deadline_at")


def try_closing(*, game_id: int) -> bool:
    """Dry run of one game; False if its phase is over. Only the result is stored."""
    if not _store_attempt(game_id):
        return False
    with bound_contextvars(game=game_id):
        before = _progress_of(game_id)
        try:
            with contextlib.suppress(_RolledBack), transaction.atomic():
                _resolve(game_id)
                raise _RolledBack
        except (Newer, OperationalError, InterfaceError):
            _mark_inconclusive(game_id)
        except Exception as error:
            if _progress_of(game_id) != before:  # perhaps only a concurrent submission
                _mark_inconclusive(game_id)
            else:  # the deadline would fail in the same way
                log.error("rehearsal_failed", exc_info=error)
                _note_failure(game_id)
    return True


@transaction.atomic
def _store_attempt(game_id: int) -> bool:
    game = untried_games().on_the_clock().filter(pk=game_id).first()
    if game is None:
        return False
    values = {"serial": game.phase_serial, "deadline_at": game.deadline_at, "at": game.now, "has_failed": False}
    DryRun.objects.update_or_create(game_id=game_id, defaults=values)
    return True


def _progress_of(game_id: int) -> tuple[int, int] | None:
    return Game.objects.values_list("version", "entries").filter(pk=game_id).first()


def _mark_inconclusive(game_id: int) -> None:
    """Discard the result, so that the next round tries again."""
    log.warning("rehearsal_left_out")
    DryRun.objects.filter(game_id=game_id).update(deadline_at=None)


def _resolve(game_id: int) -> None:
    """Resolve as the deadline would, with what was submitted and saved so far. The game's row is not locked meanwhile,
    so no one waits: nothing of it is kept."""
    game = Game.objects.on_the_clock().annotate(**LOCKED).get(pk=game_id)
    change = GameTransaction(game)
    first_serial = change.serial
    drafts.submit_drafts(change, ClosingBatch([game]))
    if change.serial == first_serial:
        change.close()
    change.commit()


@transaction.atomic
def _note_failure(game_id: int) -> None:
    """Tell the staff once for each phase, however often its dry run fails."""
    dry_run = DryRun.objects.select_related("game").get(game_id=game_id)
    is_told = dry_run.told_serial == dry_run.serial
    dry_run.has_failed, dry_run.told_serial = True, dry_run.serial
    dry_run.save(update_fields=["has_failed", "told_serial"])
    if not is_told:
        emails.email_risk(game=dry_run.game)
