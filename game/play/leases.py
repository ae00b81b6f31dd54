"""Find games whose deadline has passed or whose bots must act, and claim them in batches: the attempt and a lease are
committed together before the first game is tried. The lease keeps other processes away until the game's turn in the
batch; then its row lock does. If a process dies with a batch, others claim it when the lease expires, and the attempt
that killed it has been counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Q
from django.db.models.functions import Now

from game.infra.compiled import CompiledQuery
from game.site.models import SiteState
from game.store import heartbeats
from game.store.game import Game, GameQuerySet, Status
from game.store.heartbeats import Outage

BATCH_SIZE = 50
OVERDUE_AFTER = timedelta(seconds=0.5)  # plus the one-second tick: a deadline closes at most 1.5 s late
LOST_AFTER = timedelta(seconds=3)  # a call to the bots that had no effect by then is considered lost

_IS_FREE = Q(not_before=None) | Q(not_before__lte=Now())


@dataclass(frozen=True)
class Claim:
    """A game that this process may resolve until the lease ends; `attempts` includes the coming one."""

    game_id: int
    serial: int
    attempts: int
    until: datetime


def due_games() -> GameQuerySet:
    """Running games whose deadline has passed by the database's clock."""
    return Game.objects.filter(status=Status.RUNNING, deadline_at__lte=Now()).order_by("deadline_at")


def idle_games() -> GameQuerySet:
    """Unclaimed running games in which a bot must act."""
    return Game.objects.filter(_IS_FREE, status=Status.RUNNING, bots_due=True)


def is_any_forgotten() -> bool:
    """True if bots were called and have not acted, and no unsettled outage has to be handled first."""
    return not _is_outage_unsettled() and idle_games().filter(moved_at__lte=Now() - LOST_AFTER).exists()


def overdue() -> GameQuerySet:
    """Games with an unprocessed deadline in the past and no failed attempt; none while all deadlines are stopped."""
    stopped = SiteState.objects.filter(stopped_since__isnull=False)
    return due_games().filter(~Exists(stopped), attempts=0)


def is_any_overdue() -> bool:
    """True if an unclaimed game is overdue for longer than a worker needs to find it."""
    return overdue().filter(_IS_FREE, deadline_at__lte=Now() - OVERDUE_AFTER).exists()


@transaction.atomic
def claim_games(waiting: GameQuerySet) -> list[Claim]:
    """Claim free games: a batch without failed attempts, or else one that has failed before. Empty while an outage is
    unsettled, because its deadlines have not been moved yet."""
    if _is_outage_unsettled():
        return []
    free = waiting.filter(_IS_FREE)
    games = list(lock_free(free.filter(attempts=0), BATCH_SIZE)) or list(lock_free(free.exclude(attempts=0), 1))
    return lease_games(games, games[0].now + lease_length()) if games else []


def lock_free(games: GameQuerySet, most: int) -> GameQuerySet:
    """Lock up to `most` of these games, skipping locked rows; the caller claims them in this transaction."""
    return games.free().only("phase_serial", "attempts")[:most]


def lease_games(games: Sequence[Game], until: datetime) -> list[Claim]:
    """Claim locked games."""
    Game.objects.filter(pk__in=[game.pk for game in games]).update(attempts=F("attempts") + 1, not_before=until)
    return [Claim(game.pk, game.phase_serial, game.attempts + 1, until) for game in games]


def count_attempt(games: GameQuerySet) -> None:
    """Count an attempt at these games that is not leased, before it begins."""
    games.update(attempts=F("attempts") + 1)


def release(claims: Sequence[Claim]) -> None:
    """Give up the lease of games that were not tried; the attempt does not count."""
    for until in {claim.until for claim in claims}:
        claimed = Game.objects.filter(pk__in=[claim.game_id for claim in claims], not_before=until)
        claimed.update(attempts=F("attempts") - 1, not_before=None)


def lease_length() -> timedelta:
    """Must exceed the time limit for one game, even on a loaded machine."""
    return timedelta(seconds=5 + 2 * settings.RULES_SECONDS)


def _is_outage_unsettled() -> bool:
    """True if deadlines have not been moved yet after an outage."""
    return heartbeats.is_site_down() or bool(_unsettled.rows())


_unsettled = CompiledQuery(lambda: Outage.objects.filter(settled_at=None).values_list("pk")[:1])
