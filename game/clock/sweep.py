"""Periodic jobs: close overdue phases, play bots, archive. Idempotent, so any process may run them or skip a round."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

import structlog
from django.db import OperationalError, connection
from structlog.contextvars import bound_contextvars

from game.bots import playing
from game.clock import outages
from game.engine.codec import Newer
from game.history import archive
from game.moderation import site_desk
from game.play import failures, leases, moves
from game.play.leases import Claim
from game.play.transactions import ResolutionError
from game.seats import stand_ins
from game.store import heartbeats
from game.store.heartbeats import Job
from game.votes import pauses

ROUND_SECONDS = 20.0  # seconds, far below a task's time limit; the rest is left to the next tick
BATCH_SECONDS = 1.0  # seconds for one batch; the rest of it is then released for other processes
CloseBatch = Callable[[list[Claim]], list[Claim]]
log = structlog.get_logger("game.services.sweep")


def sweep() -> None:
    """Close everything that is due."""
    heartbeats.beat(Job.DEADLINES)
    _end_stand_ins()
    is_stopped = site_desk.refresh().stopped_since is not None
    if outages.settle() and not is_stopped:
        _end_pauses()
        _close_due()


def play_forgotten_bots() -> None:
    """Play bots whose wake-up was lost."""
    heartbeats.beat(Job.BOTS)
    if leases.is_any_forgotten():
        play_due_bots()


def play_due_bots() -> None:
    """Play bots, job by job in the order of `dealing`, until no game waits for one."""
    round_ends = time.monotonic() + ROUND_SECONDS
    while time.monotonic() < round_ends and (job := playing.claim_job()) is not None:
        _work_off([job.claim], play_claimed)
        playing.finish(job)
        heartbeats.beat(Job.BOTS)


def archive_finished() -> None:
    """Pack the logs of finished games."""
    archive.delete_old_responses()
    for game_id in archive.finished_games():
        with _isolated(game=game_id):
            archive.archive_due(game_id=game_id)


def close_due(claim: Claim) -> bool:
    """Close one phase, or put the game on hold if every attempt crashed its process. False if another process has
    it."""
    if claim.attempts > failures.ATTEMPTS:
        return failures.hold_exhausted(game_id=claim.game_id)
    try:
        return moves.close_phase(game_id=claim.game_id, expected_serial=claim.serial)
    except (ResolutionError, Newer) as error:
        _record_failure(claim.game_id, error)
    return True


def close_together(batch: list[Claim]) -> list[Claim]:
    """Close a batch of phases in one transaction. Returns the rest: games that another process has, or, after a
    failure, all but the failed one."""
    try:
        closed = moves.close_phases({claim.game_id: claim.serial for claim in batch})
    except moves.Stuck as stuck:
        with _isolated(game=stuck.game_id):
            _record_failure(stuck.game_id, stuck.__cause__)
        return [claim for claim in batch if claim.game_id != stuck.game_id]
    return [claim for claim in batch if claim.game_id not in closed]


def play_claimed(claim: Claim) -> bool:
    """Play the bots of one game, unless every attempt crashed the process. False as with `close_due`."""
    if claim.attempts > failures.ATTEMPTS:
        return failures.hold_exhausted(game_id=claim.game_id)
    return playing.play_bots(game_id=claim.game_id, is_counted=True)


def _record_failure(game_id: int, error: BaseException | None) -> None:
    """Record that a close has failed or waits for a newer version of the rules."""
    if isinstance(error, ResolutionError):
        failures.note_failure(game_id=game_id, error=error, is_counted=True)
    else:
        failures.leave_to_newer(game_id=game_id, is_counted=True)


def _end_pauses() -> None:
    """Resume games whose pause is over."""
    for game_id in pauses.due_games():
        with _isolated(game=game_id):
            pauses.end_due(game_id=game_id)


def _end_stand_ins() -> None:
    """Return seats whose stand-in's time is over, even while the site's deadlines are stopped."""
    for game_id, number in stand_ins.due_seats():
        with _isolated(game=game_id):
            stand_ins.end_due(game_id=game_id, number=number)


def _close_due() -> None:
    round_ends = time.monotonic() + ROUND_SECONDS
    while time.monotonic() < round_ends and (batch := leases.claim_games(leases.due_games())):
        _work_off(batch, close_due, close_together)
        heartbeats.beat(Job.DEADLINES)


def _work_off(batch: list[Claim], work: Callable[[Claim], bool], together: CloseBatch | None = None) -> None:
    """Work on all claims `together` if possible, otherwise one by one. Claims that are too late, held by another
    process or interrupted by a database failure are released."""
    batch_ends, remaining = time.monotonic() + BATCH_SECONDS, list(reversed(batch))
    skipped: list[Claim] = []
    try:
        if together is not None and len(batch) > 1:
            remaining = _close_batch(batch, together)[::-1]
        while remaining and time.monotonic() < batch_ends:
            with _isolated(game=remaining[-1].game_id):
                skipped += [] if work(remaining[-1]) else [remaining[-1]]
            remaining.pop()
    except OperationalError:
        connection.close_if_unusable_or_obsolete()
        with contextlib.suppress(OperationalError):
            leases.release([*remaining, *skipped])
        raise
    leases.release([*remaining, *skipped])


def _close_batch(batch: list[Claim], together: CloseBatch) -> list[Claim]:
    """The claims to try one by one: all of them if the batch failed for no single game."""
    try:
        return together(batch)
    except OperationalError:
        raise
    except Exception:
        log.exception("batch_failed")
        return batch


@contextlib.contextmanager
def _isolated(*, game: int) -> Iterator[None]:
    """Log errors of one game's work and let others continue; a database failure ends the round. All log entries inside
    name the game."""
    with bound_contextvars(game=game):
        try:
            yield
        except OperationalError:
            raise
        except Exception:
            log.exception("sweep_failed")
