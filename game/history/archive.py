"""Archiving a finished game a day after its end: pack its snapshots and its steps into one value each, and delete what
players needed only during the game. Its pages do not change."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from game.infra import idempotency
from game.outbox import webhook_events
from game.play import door, leases, moves
from game.play.failures import ATTEMPTS
from game.store import packed_log
from game.store.game import Game, Status
from game.store.heartbeats import DryRun
from game.store.log import Draft, Notice

BATCH_SIZE = 20
ARCHIVE_AFTER = timedelta(days=1)  # by then its last mails and digests are sent, and nobody resubmits one of its forms


def finished_games() -> list[int]:
    """Games that ended at least a day ago and are not archived yet. After five failed attempts a game is skipped."""
    finished = Game.objects.filter(status=Status.FINISHED, is_archived=False, attempts__lt=ATTEMPTS)
    due = finished.filter(finished_at__lte=Now() - ARCHIVE_AFTER).order_by("finished_at")
    return list(due.values_list("pk", flat=True)[:BATCH_SIZE])


def archive_due(*, game_id: int) -> None:
    """Archive an ended game. Counts the attempt in a commit of its own; skips a game that another process works on."""
    with transaction.atomic():
        finished = Game.objects.filter(pk=game_id, status=Status.FINISHED)
        if not finished.free().exists():
            return
        leases.count_attempt(finished)
    archive_game(game_id=game_id)


@transaction.atomic
def archive_game(*, game_id: int) -> bool:
    """Archive a finished game. Returns False if there is nothing to do or another process is working on the game."""
    game = moves.lock(game_id, waits=False)
    if game is None or game.status != Status.FINISHED or game.is_archived:
        return False
    packed_log.pack_snapshots_of(game)
    packed_log.pack_log(game)
    _delete_temporary_rows(game)
    game.is_archived, game.attempts = True, 0
    door.write(game)
    return True


def delete_old_responses() -> None:
    """Delete stored API responses whose idempotency keys have expired."""
    idempotency.delete_expired()


def _delete_temporary_rows(game: Game) -> None:
    """Delete what players needed while the game ran. Emails from a day ago are sent or out of date."""
    Notice.objects.filter(game=game).delete()
    Draft.objects.filter(seat__game=game).delete()
    DryRun.objects.filter(game=game).delete()
    webhook_events.forget_game(game=game)
