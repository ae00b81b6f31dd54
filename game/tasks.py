"""Background work: each task calls one service, and may run twice or never without harm."""

from __future__ import annotations

from uuid import uuid4

from celery import shared_task
from django.core.cache import cache

from accounts import post
from game.models import Heart
from game.services import bots, guests, hearts, hints, notices, rehearsals
from game.services import sweep as sweeping

ROUND_OF_MAIL = "game.tasks.round_of_mail"
LONGEST_ROUND = 60  # seconds; a worker that died in its round holds the next one up no longer


@shared_task
def sweep() -> None:
    """Close what is due."""
    sweeping.sweep()


@shared_task
def play_forgotten_bots() -> None:
    """Let bots act whose call was lost."""
    sweeping.play_forgotten_bots()


@shared_task
def put_away_finished() -> None:
    """Make the logs of games that have ended small."""
    sweeping.put_away_finished()


@shared_task
def play_bots(game_id: int) -> None:
    """Let the bots of a game act, phase after phase, as long as nobody else is waited for."""
    bots.play_bots(game_id=game_id)


@shared_task
def rehearse() -> None:
    """Try what is due within minutes, and throw it away."""
    rehearsals.rehearse_due()


@shared_task
def remove_idle_guests() -> None:
    """Remove guests who did not come back, with what they left."""
    guests.remove_idle_guests()


@shared_task
def forget_old_traces() -> None:
    """Delete fingerprints of addresses that are a month old."""
    hints.forget_old_traces()


@shared_task
def send_due_notices() -> None:
    """Send the mail that accounts wait for, write the notices that moves have asked for, and send those that are due.

    One round at a time: a mail server that hangs would otherwise take one worker after another away from other work.
    While Redis is away there may be two; rows claimed in the database keep each mail single."""
    hearts.beat(Heart.MAIL)
    mine = uuid4().hex
    if not cache.add(ROUND_OF_MAIL, mine, LONGEST_ROUND):
        return
    try:
        post.send_waiting()
        notices.send_due_notices()
    finally:
        if cache.get(ROUND_OF_MAIL) == mine:  # a round that took too long has lost its turn to another
            cache.delete(ROUND_OF_MAIL)
