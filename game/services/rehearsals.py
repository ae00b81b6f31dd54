"""Rehearsals: some minutes before a deadline its resolution is tried and thrown away; where it fails, the staff know
before the players do."""

from __future__ import annotations

import contextlib
from datetime import timedelta

import structlog
from django.db import OperationalError, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from structlog.contextvars import bound_contextvars

from game.engine.codec import Newer
from game.models import Game, Rehearsal, Status
from game.models.game import GameQuerySet
from game.services import absences, staff_mail
from game.services.around import Around
from game.services.transactions import GameTransaction, ResolutionError

LEAD = timedelta(minutes=10)
SHORTEST = timedelta(minutes=30)  # of a phase that is rehearsed: in a quicker game nobody could help in time
AT_ONCE = 50
log = structlog.get_logger(__name__)


class _ThrownAway(Exception):
    """Rolls back what was tried."""


def rehearse_due() -> int:
    """Rehearse what is due within minutes, each phase once; how many were."""
    numbers = list(waiting().values_list("pk", flat=True)[:AT_ONCE])
    return sum(rehearse(game_id=number) for number in numbers)


def waiting() -> GameQuerySet:
    """Running games whose deadline is near and whose open phase has not been rehearsed."""
    near = Game.objects.filter(status=Status.RUNNING, attempts=0, deadline_at__gt=Now(), deadline_at__lte=Now() + LEAD)
    slow = near.filter(deadline_at__gte=F("clock_since") + SHORTEST)
    return slow.filter(Q(rehearsal=None) | ~Q(rehearsal__serial=F("phase_serial"))).order_by("deadline_at")


def rehearse(*, game_id: int) -> bool:
    """Rehearse one game; False where its phase has been by now. Nothing of it is kept but how it went."""
    if not _note(game_id):
        return False
    with bound_contextvars(game=game_id):
        try:
            _try(game_id)
        except ResolutionError as error:
            log.error("rehearsal_failed", exc_info=error)
            _tell(game_id)
        except (Newer, OperationalError):
            log.warning("rehearsal_left_out")
    return True


@transaction.atomic
def _note(game_id: int) -> bool:
    game = waiting().on_the_clock().filter(pk=game_id).first()
    if game is None:
        return False
    values = {"serial": game.phase_serial, "at": game.now, "has_failed": False}
    Rehearsal.objects.update_or_create(game_id=game_id, defaults=values)
    return True


def _try(game_id: int) -> None:
    with contextlib.suppress(_ThrownAway), transaction.atomic():
        _resolve(game_id)
        raise _ThrownAway


def _resolve(game_id: int) -> None:
    """What the deadline would do, with what has been sent and saved so far. The game's row is not locked while the
    rules work, so nobody waits."""
    game = Game.objects.on_the_clock().get(pk=game_id)
    change = GameTransaction(game)
    opened = change.serial
    absences.submit_drafts(change, Around([game]))
    if change.serial == opened:
        change.close()
    change.commit()


@transaction.atomic
def _tell(game_id: int) -> None:
    Rehearsal.objects.filter(game_id=game_id).update(has_failed=True)
    staff_mail.tell_of_risk(game=Game.objects.get(pk=game_id))
