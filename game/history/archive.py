"""Making a finished game small, a day after its end: the starts of its phases are packed into one value and its steps
into another, and what players needed only during the game is deleted. Its pages show the same as before."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from game.infra import idempotency
from game.outbox import webhook_events
from game.play import moves
from game.play.failures import ATTEMPTS
from game.store import packed_log
from game.store.dry_run_models import Rehearsal
from game.store.game import Game, Status
from game.store.log import Bundle, Draft, LoggedAction, Notice
from game.store.snapshots import bundle, unbundle, unpack_snapshot

AT_ONCE = 20
RESTS = timedelta(days=1)  # until its last mails are sent, digests too, and no form of it is sent again


def finished_games() -> list[int]:
    """Games that ended a day ago and still store each step separately; after five failed attempts a game stays as it
    is."""
    ended = Game.objects.filter(status=Status.FINISHED, is_archived=False, attempts__lt=ATTEMPTS)
    rested = ended.filter(finished_at__lte=Now() - RESTS).order_by("finished_at")
    return list(rested.values_list("pk", flat=True)[:AT_ONCE])


def put_away(*, game_id: int) -> None:
    """Archive an ended game; the attempt is committed before it is made, unless another process is working on the
    game."""
    with transaction.atomic():
        ended = Game.objects.filter(pk=game_id, status=Status.FINISHED)
        if not ended.free().exists():
            return
        ended.update(attempts=F("attempts") + 1)
    archive_game(game_id=game_id)


@transaction.atomic
def archive_game(*, game_id: int) -> bool:
    """Make a finished game small; False if there is nothing to do or another process is working on it."""
    game = moves.lock(game_id, waits=False)
    if game is None or game.status != Status.FINISHED or game.is_archived:
        return False
    kept = game.log.exclude(snapshot=None)
    if kept.exists():
        _bundle(game, kept)
    kept.update(snapshot=None)
    packed_log.put_away(game)
    _clear(game)
    Game.objects.filter(pk=game_id).update(is_archived=True, attempts=0)
    return True


def forget_answers() -> None:
    """Remove what the API keeps so that requests can be sent again, once they cannot."""
    idempotency.forget_old()


def _bundle(game: Game, entries: QuerySet[LoggedAction]) -> None:
    snapshots = {number: bytes(snapshot) for number, snapshot in entries.values_list("number", "snapshot") if snapshot}
    packed = bundle(snapshots)
    # What could not be read again must not be thrown away.
    assert unbundle(packed) == {number: unpack_snapshot(snapshot) for number, snapshot in snapshots.items()}
    Bundle.objects.create(game=game, first=min(snapshots), packed=packed)


def _clear(game: Game) -> None:
    """Delete what its players needed while it ran: emails of a day ago are sent or out of date."""
    Notice.objects.filter(game=game).delete()
    Draft.objects.filter(seat__game=game).delete()
    Rehearsal.objects.filter(game=game).delete()
    webhook_events.forget_game(game=game)
