"""Claiming games in batches: the attempt and a lease are committed together before the first game is tried. The lease
keeps other processes away until the game's turn in the batch has come; then its locked row does. If a process dies with
a batch, others take it when the lease is over, and the attempt that killed it has been counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Q
from django.db.models.functions import Now

from game.infra.prepared import Prepared
from game.site.models import SiteState
from game.store import heartbeats
from game.store.game import Game, GameQuerySet, Status
from game.store.heartbeat_models import Outage

AT_ONCE = 50
OVERDUE_AFTER = timedelta(seconds=0.5)  # with the second between two looks of the clock: late by a second and a half
LOST_AFTER = timedelta(seconds=3)  # bots that have not acted by then are taken to be lost

_IS_FREE = Q(not_before=None) | Q(not_before__lte=Now())


@dataclass(frozen=True)
class Claim:
    """One game that is this process's to resolve until the lease ends; `attempts` counts the one to be made."""

    game_id: int
    serial: int
    attempts: int
    until: datetime


def due_games() -> GameQuerySet:
    """Running games whose deadline has passed by the database's clock."""
    return Game.objects.filter(status=Status.RUNNING, deadline_at__lte=Now()).order_by("deadline_at")


def idle_games() -> GameQuerySet:
    """Running games in which a bot must act and that no process has claimed."""
    return Game.objects.filter(_IS_FREE, status=Status.RUNNING, bots_due=True)


def is_any_forgotten() -> bool:
    """Whether bots were called and have not acted, and no outage is to be settled first."""
    return not _is_held_up() and idle_games().filter(moved_at__lte=Now() - LOST_AFTER).exists()


def overdue() -> GameQuerySet:
    """Games whose deadline has passed without being closed, and that have not failed; none while all deadlines are
    stopped."""
    stopped = SiteState.objects.filter(stopped_since__isnull=False)
    return due_games().filter(~Exists(stopped), attempts=0)


def is_any_overdue() -> bool:
    """Whether a deadline has been overdue for longer than a worker needs to find it, and no process has claimed the
    game."""
    return overdue().filter(_IS_FREE, deadline_at__lte=Now() - OVERDUE_AFTER).exists()


@transaction.atomic
def take(waiting: GameQuerySet) -> list[Claim]:
    """Claim games that no other process has: a batch of sound ones, or else one that has failed before. None while an
    outage is unsettled, because deadlines are still to be moved."""
    if _is_held_up():
        return []
    free = waiting.filter(_IS_FREE)
    found = list(lock(free.filter(attempts=0), AT_ONCE)) or list(lock(free.exclude(attempts=0), 1))
    return claim(found, found[0].now + lease()) if found else []


def lock(games: GameQuerySet, most: int) -> GameQuerySet:
    """So many of these games, without those that another process has; the caller claims them in this transaction."""
    return games.on_the_clock().free().only("phase_serial", "attempts")[:most]


def claim(found: Sequence[Game], until: datetime) -> list[Claim]:
    """Claim locked games."""
    Game.objects.filter(pk__in=[game.pk for game in found]).update(attempts=F("attempts") + 1, not_before=until)
    return [Claim(game.pk, game.phase_serial, game.attempts + 1, until) for game in found]


def give_back(claims: Sequence[Claim]) -> None:
    """Leave games that were not tried to others, at once and uncounted."""
    for until in {claim.until for claim in claims}:
        held = Game.objects.filter(pk__in=[claim.game_id for claim in claims], not_before=until)
        held.update(attempts=F("attempts") - 1, not_before=None)


def lease() -> timedelta:
    """Longer than one game may take, on a busy machine too."""
    return timedelta(seconds=5 + 2 * settings.RULES_SECONDS)


def _is_held_up() -> bool:
    """Whether deadlines are still to be moved after an outage."""
    return heartbeats.is_absent() or bool(_unsettled.rows())


_unsettled = Prepared(lambda: Outage.objects.filter(settled_at=None).values_list("pk")[:1])
