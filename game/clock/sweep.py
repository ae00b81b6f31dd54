"""Everything that is due is closed, played or archived by any process; doing it twice or skipping a round does no
harm."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

import structlog
from django.db import OperationalError, connection
from structlog.contextvars import bound_contextvars

from game.bots import dealing, playing
from game.clock import outages, pauses
from game.engine.codec import Newer
from game.history import archive
from game.moderation import site_desk
from game.play import failures, leases, moves
from game.play.leases import Claim
from game.play.transactions import ResolutionError
from game.seats import stand_ins
from game.store import heartbeats
from game.store.heartbeat_models import Heart

ROUND = 20.0  # seconds; what is due after it is the next tick's, long before a task's limit of time
PATIENCE = 1.0  # seconds with one batch; the rest of it is then released for others
Together = Callable[[list[Claim]], list[Claim]]
log = structlog.get_logger("game.services.sweep")


def sweep() -> None:
    """Close what is due, until nothing is."""
    heartbeats.beat(Heart.DEADLINES)
    _end_proxies()
    is_stopped = site_desk.refresh().stopped_since is not None
    if outages.settle() and not is_stopped:
        _end_pauses()
        _close_due()


def play_forgotten_bots() -> None:
    """Let bots act whose call was lost."""
    heartbeats.beat(Heart.BOTS)
    if leases.is_any_forgotten():
        play_due_bots()


def play_due_bots() -> None:
    """Let bots act, job by job in the order of `dealing`, until nobody's bots are waited for."""
    ends = time.monotonic() + ROUND
    while time.monotonic() < ends and (job := dealing.take()) is not None:
        _work_off([job.claim], play_claimed)
        dealing.finish(job)
        heartbeats.beat(Heart.BOTS)


def put_away_finished() -> None:
    """Make the log of games small that have ended."""
    archive.forget_answers()
    for game_id in archive.finished_games():
        with _alone(game=game_id):
            archive.put_away(game_id=game_id)


def close_due(claim: Claim) -> bool:
    """Close one phase; if every attempt at the game has crashed its process, put it on hold instead. False if another
    process has it."""
    if claim.attempts > failures.ATTEMPTS:
        return failures.hold_exhausted(game_id=claim.game_id)
    try:
        return moves.close_phase(game_id=claim.game_id, expected_serial=claim.serial)
    except (ResolutionError, Newer) as error:
        _note(claim.game_id, error)
    return True


def close_together(batch: list[Claim]) -> list[Claim]:
    """Close the phases of a batch in one transaction. Returns what is left: games that another process has, or, if one
    has failed, all except that one."""
    try:
        closed = moves.close_phases({claim.game_id: claim.serial for claim in batch})
    except moves.Stuck as stuck:
        with _alone(game=stuck.game_id):
            _note(stuck.game_id, stuck.__cause__)
        return [claim for claim in batch if claim.game_id != stuck.game_id]
    return [claim for claim in batch if claim.game_id not in closed]


def play_claimed(claim: Claim) -> bool:
    """Let the bots of one game act, unless every attempt crashed the process. False as with `close_due`."""
    if claim.attempts > failures.ATTEMPTS:
        return failures.hold_exhausted(game_id=claim.game_id)
    return playing.play_bots(game_id=claim.game_id, is_counted=True)


def _note(game_id: int, error: BaseException | None) -> None:
    """That a close has failed, or waits for later rules."""
    if isinstance(error, ResolutionError):
        failures.note_failure(game_id=game_id, error=error, is_counted=True)
    else:
        failures.leave_to_newer(game_id=game_id, is_counted=True)


def _end_pauses() -> None:
    """Let games go on whose pause is over."""
    for game_id in pauses.due_games():
        with _alone(game=game_id):
            pauses.end_due(game_id=game_id)


def _end_proxies() -> None:
    """Give seats back whose proxy's time is over, whether or not the deadlines of the site stand still."""
    for game_id, number in stand_ins.due():
        with _alone(game=game_id):
            stand_ins.end_due(game_id=game_id, number=number)


def _close_due() -> None:
    ends = time.monotonic() + ROUND
    while time.monotonic() < ends and (batch := leases.take(leases.due_games())):
        _work_off(batch, close_due, close_together)
        heartbeats.beat(Heart.DEADLINES)


def _work_off(batch: list[Claim], work: Callable[[Claim], bool], together: Together | None = None) -> None:
    """All `together` if possible, or one game after another. What waits behind a slow one, what another process had,
    and what is left when the database fails is released."""
    ends, left = time.monotonic() + PATIENCE, list(reversed(batch))
    passed: list[Claim] = []
    try:
        if together is not None and len(batch) > 1:
            left = _left_of(batch, together)[::-1]
        while left and time.monotonic() < ends:
            with _alone(game=left[-1].game_id):
                passed += [] if work(left[-1]) else [left[-1]]
            left.pop()
    except OperationalError:
        connection.close_if_unusable_or_obsolete()
        with contextlib.suppress(OperationalError):
            leases.give_back([*left, *passed])
        raise
    leases.give_back([*left, *passed])


def _left_of(batch: list[Claim], together: Together) -> list[Claim]:
    """What is to be tried alone: everything where an error is no single game's."""
    try:
        return together(batch)
    except OperationalError:
        raise
    except Exception:
        log.exception("batch_failed")
        return batch


@contextlib.contextmanager
def _alone(*, game: int) -> Iterator[None]:
    """One game's work: its errors are logged and the others continue; a database that does not answer ends the round.
    Everything logged during it names the game."""
    with bound_contextvars(game=game):
        try:
            yield
        except OperationalError:
            raise
        except Exception:
            log.exception("sweep_failed")
