"""Making the log of a finished game small: the starts of its phases, turn by turn in one. Nothing else of the log
changes."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from django.db import transaction
from django.db.models import F, QuerySet

from game.models import Bundle, Game, LoggedAction, Status
from game.models.snapshots import bundle, unbundle, unpack_snapshot
from game.services import moves
from game.services.failures import ATTEMPTS

AT_ONCE = 20


def finished_games() -> list[int]:
    """Games that have ended and still keep each snapshot by itself; one that was tried five times stays as it is."""
    ended = Game.objects.filter(status=Status.FINISHED, is_archived=False, attempts__lt=ATTEMPTS).order_by(
        "finished_at"
    )
    return list(ended.values_list("pk", flat=True)[:AT_ONCE])


def put_away(*, game_id: int) -> None:
    """Bundle an ended game's snapshots; the attempt is committed before it is made, unless somebody else is at the
    game."""
    with transaction.atomic():
        ended = Game.objects.filter(pk=game_id, status=Status.FINISHED)
        if not ended.free().exists():
            return
        ended.update(attempts=F("attempts") + 1)
    archive_game(game_id=game_id)


@transaction.atomic
def archive_game(*, game_id: int) -> bool:
    """Bundle a finished game's snapshots; False where there is nothing to do or somebody else is at it."""
    game = moves.lock(game_id, waits=False)
    if game is None or game.status != Status.FINISHED or game.is_archived:
        return False
    kept = game.log.exclude(snapshot=None)
    places = list(kept.order_by("number").values_list("branch", "turn", "number"))
    for _, stretch in groupby(places, key=itemgetter(0, 1)):
        _bundle(game, kept.filter(number__in=[number for *_, number in stretch]))
    kept.update(snapshot=None)
    Game.objects.filter(pk=game_id).update(is_archived=True, attempts=0)
    return True


def _bundle(game: Game, entries: QuerySet[LoggedAction]) -> None:
    snapshots = {number: bytes(snapshot) for number, snapshot in entries.values_list("number", "snapshot") if snapshot}
    packed = bundle(snapshots)
    # What could not be read again must not be thrown away.
    assert unbundle(packed) == {number: unpack_snapshot(snapshot) for number, snapshot in snapshots.items()}
    Bundle.objects.create(game=game, first=min(snapshots), packed=packed)
