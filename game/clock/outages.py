"""Outages are neutral: every clock that ran in one is moved by as long as it ran in it, whenever its phase ends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from game.deadlines.due import floor_of
from game.deadlines.paces import SLOW
from game.deadlines.phase_clock import read_clock
from game.infra.statements import insert, piled, update
from game.outbox import status_notices
from game.play import clocks
from game.play.transactions import LOGGED
from game.store import heartbeats, log_notes
from game.store.game import Game, Status
from game.store.heartbeat_models import Heart, Outage
from game.store.log import Kind, LoggedAction

AT_ONCE = 200  # games in one transaction
BRIEF = timedelta(seconds=60)  # a shorter outage matters only to players who were deciding: where people sit together,
QUICK = timedelta(seconds=SLOW)  # in phases of less than this length, and where a phase ended in it or as soon after
MOVED = ("deadline_at", "clock_since", "clock", "version", "entries")
TOLD = ("branch", "phase_serial", "turn", "phase_name")
ENDED_BY = ("ruleset", "options", "pace", "timing", "status", "seats_wanted", "keeps_clock", "phase_row", "trail")
WAITED_FOR = ("bots", "keepers", "availability", "seat_states")
log = structlog.get_logger("game.services.outages")


def settle() -> bool:
    """Move the clocks that outages overlapped, one chunk of games after the other. False while another process does it.
    Each chunk is committed with how far it came: after a crash, the next process continues from there."""
    while Outage.objects.filter(settled_at=None).exists():
        if not _settle_some():
            return False
        heartbeats.beat(Heart.DEADLINES)
    return True


def moved(*, deadline: datetime, since: datetime, began: datetime, ended: datetime) -> tuple[datetime, datetime]:
    """A phase's deadline and start after an outage: both are later by as long as its clock ran in the outage.

    Of the time left there is at least a quarter of the phase, but not more than an hour, nor than the outage took."""
    overlap = ended - max(since, began)
    floor = min(floor_of(deadline - since), ended - began)
    return max(deadline + overlap, ended + floor), since + overlap


@transaction.atomic
def _settle_some() -> bool:
    """Settle one chunk; False if another process is doing it."""
    unsettled = Outage.objects.filter(settled_at=None).order_by("began_at")  # each leaves what the next one overlaps
    can_skip = connection.features.has_select_for_update_skip_locked
    outage = unsettled.select_for_update(skip_locked=can_skip).first()
    if outage is None:
        return not unsettled.exists()
    games = list(_overlapped(outage)[:AT_ONCE])
    before = {game.pk: game.deadline_at for game in games}
    _move(games, outage)
    status_notices.tell_of_moves([game for game in games if game.deadline_at != before[game.pk]])
    outage.moved_up_to = games[-1].pk if games else outage.moved_up_to
    outage.settled_at = None if len(games) == AT_ONCE else Now()
    outage.save()
    return True


def _overlapped(outage: Outage) -> QuerySet[Game]:
    """Games whose clock ran in the outage and that have not been moved; one that is at work is waited for."""
    ran = Game.objects.filter(status=Status.RUNNING, deadline_at__gt=outage.began_at, clock_since__lt=outage.ended_at)
    if outage.ended_at - outage.began_at < BRIEF:
        ran = ran.filter(Q(deadline_at__lt=F("clock_since") + QUICK) | Q(deadline_at__lt=outage.ended_at + BRIEF))
    ran = ran.filter(pk__gt=outage.moved_up_to).order_by("pk").select_for_update(no_key=True)
    return ran.only(*MOVED, *TOLD, *ENDED_BY, *WAITED_FOR)


def _move(games: Sequence[Game], outage: Outage) -> None:
    with piled():
        for game in games:
            entry = _move_one(game, outage)
            update(Game, game.pk, MOVED, [getattr(game, name) for name in MOVED])
            insert(LoggedAction, LOGGED, [[getattr(entry, name) for name in LOGGED]])
    log.warning("deadlines_moved", games=len(games), outage=str(outage.ended_at - outage.began_at))


def _move_one(game: Game, outage: Outage) -> LoggedAction:
    """Move one game's clock; returns what its log says of it. A game that cannot be read holds up no other: it is moved
    by its overlap."""
    assert game.deadline_at is not None
    assert game.clock_since is not None
    before, since, game.now = game.deadline_at, game.clock_since, outage.ended_at
    until, later_since = moved(deadline=before, since=since, began=outage.began_at, ended=outage.ended_at)
    try:
        _count(game, outage, until)
    except DatabaseError:
        raise
    except Exception:
        log.exception("outage_not_counted", game=game.pk)
        game.deadline_at = until
    game.clock_since = later_since
    took = clocks.in_words(outage.ended_at - outage.began_at)
    return clocks.new_note(game=game, kind=Kind.CLOCK, note=_told(took, game.deadline_at - before))


def _count(game: Game, outage: Outage, until: datetime) -> None:
    """Let a clock know of an outage: as of more time where it was brief, and otherwise as of a pause, which a vacation
    or a fixed time that comes after it reckons with. A plain one ends at an instant that is known."""
    assert game.deadline_at is not None
    assert game.clock_since is not None
    clock, ran = read_clock(game.clock).begun(game.clock_since), max(game.clock_since, outage.began_at)
    more, is_brief = until - game.deadline_at, outage.ended_at - outage.began_at < BRIEF
    if is_brief or clocks.is_plain(game):
        stood = clock if is_brief else clock.stood(ran, outage.ended_at)
        added = more if is_brief else more - (outage.ended_at - ran)
        game.clock, game.deadline_at = stood.delayed(added).stored, until
    else:
        game.clock = clock.stored
        clocks.make_good(game=game, since=ran, until=outage.ended_at)


def _told(length: str, later: timedelta) -> str:
    """What a log says of an outage; one long before a fixed time, or outside of anybody's hours, moves nothing."""
    if not later:
        return log_notes.SITE_WAS_AWAY_BEFORE.format(length=length)
    return log_notes.SITE_WAS_AWAY.format(length=length, later=clocks.in_words(later))
