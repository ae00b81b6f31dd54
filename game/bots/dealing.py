"""Fair queue of bot jobs by person. The person who has waited longest since their last job comes next, and nobody has
more than one running job, so that many games of one person do not delay the bots of another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import BooleanField, Exists, ExpressionWrapper, F, OuterRef, Q, Subquery
from django.db.models.functions import Now

from game.bots.share_models import BotShare
from game.play import leases
from game.play.leases import Claim
from game.store.game import Game

FORGOTTEN_AFTER = timedelta(days=1)
IS_BROKEN = ExpressionWrapper(Q(attempts__gt=0), BooleanField())


@dataclass(frozen=True)
class Job:
    """A game whose bots must act, and the person whose share it uses."""

    claim: Claim
    person: int


@transaction.atomic
def take() -> Job | None:
    """Claim the next job, like `leases.take`; None if there is none, or only for people with a running job."""
    while (game := _next()) is not None:
        until = game.now + leases.lease()
        if _give_turn(game.person, until):
            return Job(leases.claim([game], until)[0], game.person)
    return None


def finish(job: Job) -> None:
    """Allow the person another job. If a worker dies before this, they may have one when its lease expires."""
    BotShare.objects.filter(person=job.person, until=job.claim.until).update(until=None)


def forget_idle() -> None:
    """Delete rows that no longer affect the order."""
    BotShare.objects.filter(dealt_at__lte=Now() - FORGOTTEN_AFTER).delete()


def _next() -> Game | None:
    """The oldest job of the person who has waited longest; their failed games come last."""
    share = BotShare.objects.filter(person=OuterRef("person"))
    games = leases.idle_games().by_person().annotate(dealt_at=Subquery(share.values("dealt_at")))
    free = games.exclude(Exists(share.filter(until__gt=Now()))).order_by(
        F("dealt_at").asc(nulls_first=True), IS_BROKEN, "moved_at"
    )
    return leases.lock(free, 1).first()


def _give_turn(person: int, until: datetime) -> bool:
    """Reserve the person's share. False if another worker was quicker."""
    is_free = Q(until=None) | Q(until__lte=Now())
    if BotShare.objects.filter(is_free, person=person).update(dealt_at=Now(), until=until):
        return True
    return BotShare.objects.get_or_create(person=person, defaults={"dealt_at": Now(), "until": until})[1]
