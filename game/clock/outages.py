"""Outages are neutral: each clock that ran during an outage is moved by that time, whenever its phase ends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from game.deadlines.due import floor_of
from game.deadlines.paces import SLOW
from game.deadlines.phase_clock import read_clock
from game.infra.statements import write_batch
from game.live import announce
from game.outbox import status_notices
from game.play import clocks, door
from game.store import heartbeats
from game.store.game import Game, GameQuerySet, Status
from game.store.heartbeats import Job, Outage
from game.store.log import Kind
from game.store.log_notes import Note, Sentence

BATCH_SIZE = 200  # games in one transaction
BRIEF_OUTAGE = timedelta(seconds=60)  # a shorter outage matters only to players who were deciding: in live games,
QUICK_PHASE = timedelta(
    seconds=SLOW
)  # that is in phases shorter than this, and in phases that ended during it or soon after
MOVED_COLUMNS = ("deadline_at", "clock_since", "clock", "version", "entries")
LOG_COLUMNS = ("branch", "phase_serial", "turn", "phase_name")
DEADLINE_COLUMNS = (
    "ruleset", "options", "pace", "timing", "status", "lesson", "seats_wanted", "keeps_clock", "phase_row", "trail",
)  # fmt: skip
WAITING_COLUMNS = ("bots", "keepers", "availability", "seat_states")
log = structlog.get_logger("game.services.outages")


def settle() -> bool:
    """Move the clocks that outages overlapped, chunk by chunk. False while another process does it. Each chunk is
    committed with its progress, so another process can continue after a crash."""
    while Outage.objects.filter(settled_at=None).exists():
        if not _settle_chunk():
            return False
        heartbeats.beat(Job.DEADLINES)
    return True


def shift_clock(*, deadline: datetime, since: datetime, began: datetime, ended: datetime) -> tuple[datetime, datetime]:
    """A phase's deadline and start after an outage: both move by as long as its clock ran during it.

    At least a quarter of the phase is left, but at most an hour, and at most the length of the outage."""
    overlap = ended - max(since, began)
    floor = min(floor_of(deadline - since), ended - began)
    return max(deadline + overlap, ended + floor), since + overlap


@transaction.atomic
def _settle_chunk() -> bool:
    """Settle one chunk; False if another process is doing it."""
    unsettled = Outage.objects.filter(settled_at=None).order_by("began_at")  # in order: two may overlap one phase
    can_skip = connection.features.has_select_for_update_skip_locked
    outage = unsettled.select_for_update(skip_locked=can_skip).first()
    if outage is None:
        return not unsettled.exists()
    games = list(_affected_games(outage)[:BATCH_SIZE])
    before = {game.pk: game.deadline_at for game in games}
    _move_clocks(games, outage)
    status_notices.notify_moved_deadlines([game for game in games if game.deadline_at != before[game.pk]])
    outage.moved_up_to = games[-1].pk if games else outage.moved_up_to
    outage.settled_at = None if len(games) == BATCH_SIZE else Now()
    outage.save()
    return True


def _affected_games(outage: Outage) -> GameQuerySet:
    """Games whose clock ran during the outage and was not moved yet; waits for locked ones."""
    affected = Game.objects.filter(
        status=Status.RUNNING, deadline_at__gt=outage.began_at, clock_since__lt=outage.ended_at
    )
    if outage.ended_at - outage.began_at < BRIEF_OUTAGE:
        affected = affected.filter(
            Q(deadline_at__lt=F("clock_since") + QUICK_PHASE) | Q(deadline_at__lt=outage.ended_at + BRIEF_OUTAGE)
        )
    affected = affected.filter(pk__gt=outage.moved_up_to).order_by("pk").locked()
    return affected.only(*MOVED_COLUMNS, *LOG_COLUMNS, *DEADLINE_COLUMNS, *WAITING_COLUMNS)


def _move_clocks(games: Sequence[Game], outage: Outage) -> None:
    with write_batch():
        for game in games:
            door.add_note(game=game, kind=Kind.CLOCK, note=_move_clock(game, outage))
            announce.game_changed(game)
    log.warning("deadlines_moved", games=len(games), outage=str(outage.ended_at - outage.began_at))


def _move_clock(game: Game, outage: Outage) -> Note:
    """Move one game's clock and return the log note about it. A game that cannot be read is moved by the overlap alone,
    so it does not block others."""
    assert game.deadline_at is not None
    assert game.clock_since is not None
    former_deadline, since, game.now = game.deadline_at, game.clock_since, outage.ended_at
    until, moved_since = shift_clock(
        deadline=former_deadline, since=since, began=outage.began_at, ended=outage.ended_at
    )
    try:
        _add_to_clock(game, outage, until)
    except DatabaseError:
        raise
    except Exception:
        log.exception("outage_not_counted", game=game.pk)
        game.deadline_at = until
    game.clock_since = moved_since
    length = outage.ended_at - outage.began_at
    return _outage_note(length, game.deadline_at - former_deadline)


def _add_to_clock(game: Game, outage: Outage, until: datetime) -> None:
    """Record an outage in a clock: a brief one as extra time, otherwise as a pause, which later vacations and fixed
    closing times take into account. A plain clock ends at a known instant. Raises `Damaged`."""
    game.check_described()
    assert game.deadline_at is not None
    assert game.clock_since is not None
    clock, ran = read_clock(game.clock).begun(game.clock_since), max(game.clock_since, outage.began_at)
    more, is_brief = until - game.deadline_at, outage.ended_at - outage.began_at < BRIEF_OUTAGE
    if is_brief or clocks.is_plain(game):
        stood = clock if is_brief else clock.stood(ran, outage.ended_at)
        added = more if is_brief else more - (outage.ended_at - ran)
        game.clock, game.deadline_at = stood.delayed(added).stored, until
    else:
        game.clock = clock.stored
        clocks.make_good(game=game, since=ran, until=outage.ended_at)


def _outage_note(length: timedelta, later: timedelta) -> Note:
    """The log note about an outage; one long before a fixed closing time, or outside everybody's hours, moves
    nothing."""
    if not later:
        return Sentence.SITE_WAS_AWAY_BEFORE(length=length)
    return Sentence.SITE_WAS_AWAY(length=length, later=later)
