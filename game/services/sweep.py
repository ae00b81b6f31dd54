"""One look at everything that is due: the tick of the site, harmless when it runs twice or misses a beat."""

from __future__ import annotations

from game.services import bots, clocks, failures, moves
from game.services.sittings import ResolutionError


def sweep() -> None:
    """Close what is due, and let bots act whose call was lost."""
    clocks.beat()
    for game_id, serial in clocks.due_games():
        close_due(game_id=game_id, serial=serial)
    for game_id in bots.forgotten_games():
        bots.play_bots(game_id=game_id)


def close_due(*, game_id: int, serial: int) -> None:
    """Close one phase; the attempt is committed before it is made."""
    clocks.count_attempt(game_id=game_id, serial=serial)
    if failures.hold_exhausted(game_id=game_id):
        return
    try:
        moves.close_phase(game_id=game_id, expected_serial=serial)
    except ResolutionError as error:
        failures.note_failure(game_id=game_id, error=error, is_counted=True)
