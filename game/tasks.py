"""Background work: each task calls one service, and may run twice or never without harm."""

from __future__ import annotations

from celery import shared_task

from game.services import bots, notices
from game.services import sweep as sweeping


@shared_task
def sweep() -> None:
    """Close what is due."""
    sweeping.sweep()


@shared_task
def play_bots(game_id: int) -> None:
    """Let the bots of a game act, phase after phase, as long as nobody else is waited for."""
    bots.play_bots(game_id=game_id)


@shared_task
def send_due_notices() -> None:
    """Write the notices that moves have asked for, and send those that are due."""
    notices.send_due_notices()
