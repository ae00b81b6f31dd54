"""Background work: each task calls one service, and may run twice or never without harm."""

from __future__ import annotations

from uuid import uuid4

from celery import shared_task
from django.conf import settings
from django.core.cache import cache

from accounts import emails, security, sign_ups
from game.bots import playing
from game.clock import dry_runs
from game.clock import sweep as sweeping
from game.delivery import notice_sending, webhook_sending
from game.infra.calls import Slots
from game.lobby import guests, waiting_games
from game.moderation import break_glass, detectors, multi_accounts, sanctions
from game.outbox import notices
from game.people import account_deletion
from game.reputation import households
from game.store import heartbeats
from game.store.heartbeats import Job

ROUND_OF_MAIL = "game.tasks.round_of_mail"
LONGEST_ROUND = 60  # seconds; then the next round starts even if the worker of the last one died
# Together fewer than the threads of the process: heartbeats, and pushes while webhooks are slow, need one.
HOOK_LANES, PUSH_LANES = (Slots(1), Slots(1)) if settings.EMBEDDED else (Slots(4), Slots(2))


@shared_task
def sweep() -> None:
    """Close what is due."""
    sweeping.sweep()


@shared_task
def play_forgotten_bots() -> None:
    """Let bots act if their call was lost."""
    sweeping.play_forgotten_bots()


@shared_task
def put_away_finished() -> None:
    """Archive the logs of finished games. No fallback worker does this, nor anything else that only Celery beat starts,
    so its heartbeat shows whether beat has stopped."""
    heartbeats.beat(Job.UPKEEP)
    sweeping.archive_finished()


@shared_task
def play_bots(game_id: int) -> None:
    """Let the bots act. The order of games is decided when a worker is free, and the task runs until no game waits for
    a bot, so that the next call finds nothing to do."""
    sweeping.play_due_bots()


@shared_task
def rehearse() -> None:
    """Dry runs of the closings that are due within minutes."""
    dry_runs.try_due_closings()


@shared_task
def remove_idle_guests() -> None:
    """Remove guests who did not come back, with their games, and unconfirmed sign-ups; close waiting rooms that nobody
    opens."""
    guests.remove_idle_guests()
    account_deletion.remove_unconfirmed()
    waiting_games.close_idle()


@shared_task
def tell_of_secret_views() -> None:
    """Notify players that moderators have read sealed submissions in their games."""
    break_glass.announce_readings()


@shared_task
def forget_old_traces() -> None:
    """Delete expired data: address fingerprints and ended household links after a month, ended sessions, digests of
    addresses whose sanction has ended, names of deleted accounts after a year, and records of when bots acted."""
    multi_accounts.forget_old_traces()
    security.delete_ended_sessions()
    households.forget_ended()
    sign_ups.delete_expired_blocks()
    sign_ups.delete_expired_reservations()
    sanctions.delete_ended()
    playing.forget_idle()


@shared_task
def compare_ended() -> None:
    """Open cases about suspicious pairs of players in games that have ended."""
    detectors.compare_ended()


@shared_task
def send_due_notices() -> None:
    """Send the emails of accounts, write the notices of moves, and send those that are due. One round at a time: a mail
    server that hangs would otherwise take one worker after another away from other work. While Redis is down there may
    be two rounds; because rows are claimed in the database, each email is still sent once."""
    heartbeats.beat(Job.MAIL)
    mine = uuid4().hex
    if not cache.add(ROUND_OF_MAIL, mine, LONGEST_ROUND):
        return
    try:
        emails.send_queued()
        notice_sending.send_due_notices()
    finally:
        if cache.get(ROUND_OF_MAIL) == mine:  # a round that took too long has lost its lock to another one
            cache.delete(ROUND_OF_MAIL)


@shared_task
def send_due_hooks() -> None:
    """Write the notices of moves, and post due messages to webhooks. The rounds leave threads of the process free, so
    pushes and its other work never wait for a webhook."""
    heartbeats.beat(Job.HOOKS)
    notices.write_notices()
    with HOOK_LANES.try_acquire() as has_room:
        if has_room:
            webhook_sending.send_due()


@shared_task
def send_due_pushes() -> None:
    """Write the notices of moves, and send due browser notifications."""
    heartbeats.beat(Job.PUSH)
    notices.write_notices()
    with PUSH_LANES.try_acquire() as has_room:
        if has_room:
            notice_sending.send_due_pushes()
