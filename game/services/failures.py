"""What happens when the rules break: the attempts are counted, then the game is held until somebody looks at it."""

from __future__ import annotations

import structlog
from django.db import transaction

from game.models import Game, Kind, Status
from game.services.clocks import note_on_log, stop_clock

ATTEMPTS = 5
NOTE = "Something went wrong in our rules: the game is held. Nothing is lost and its clock stands still."
log = structlog.get_logger(__name__)


@transaction.atomic
def note_failure(*, game_id: int, error: Exception, is_counted: bool = False) -> None:
    """Count a failed resolution and hold the game at the fifth. `is_counted`: the sweep has counted it before it tried."""
    game = Game.objects.on_the_clock().select_for_update().get(pk=game_id)
    if not game.is_running:
        return
    game.attempts += not is_counted
    log.error("resolution_failed", game=game_id, serial=game.phase_serial, attempts=game.attempts, exc_info=error)
    if game.attempts >= ATTEMPTS:
        hold(game=game, reason=str(error))
    game.save(update_fields=["attempts", "status", "held_reason", "paused_left", "deadline_at", "version", "entries"])


@transaction.atomic
def hold_exhausted(*, game_id: int) -> bool:
    """Hold a game whose attempts ran out without a word: each of them took its process along."""
    game = Game.objects.on_the_clock().select_for_update().filter(pk=game_id, status=Status.RUNNING, attempts__gt=ATTEMPTS).first()
    if game is None:
        return False
    hold(game=game, reason="The process that resolved the phase died each time.")
    game.save(update_fields=["status", "held_reason", "paused_left", "deadline_at", "version", "entries"])
    return True


def hold(*, game: Game, reason: str, user_id: int | None = None) -> None:
    """Stop a locked game's clock until somebody retries. The caller saves the game."""
    stop_clock(game=game, status=Status.HELD)
    game.held_reason = reason[:200]
    note_on_log(game=game, kind=Kind.MODERATION, note=NOTE, user_id=user_id)
    log.critical("game_held", game=game.pk, reason=reason)
