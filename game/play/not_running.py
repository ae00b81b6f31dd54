"""Why a game accepts no submissions at present."""

from __future__ import annotations

from game.engine.actions import Refused
from game.engine.language import mark
from game.play import attendance
from game.store.game import Game, Status

WHY = {
    Status.WAITING: mark("This game has not started yet."),
    Status.FINISHED: mark("This game is over."),
    Status.ABANDONED: mark("This game was cancelled before it started."),
    Status.PAUSED: mark("This game is paused. You can submit again when a moderator resumes it."),
    Status.HELD: mark(
        "This game is on hold after an error on our side. Your submissions are safe, the clock is stopped, and a "
        "moderator will restart it."
    ),
}

VOTED = mark(
    "The players paused this game. It goes on when more than half of them agree to that, or when the pause is over."
)
ENDED = mark("This game has ended without a result. Nobody is placed.")


def check(game: Game) -> None:
    """Check that the game is running. Raises `Refused` with the reason if it is not."""
    if not game.is_running:
        raise Refused(reason_of(game), code="not_running")


def reason_of(game: Game) -> str:
    """The reason as pages show it; empty while the game is running."""
    if game.deserted_at is not None and game.status == Status.PAUSED:
        return attendance.DESERTED
    if game.pause_ends_at is not None and game.status == Status.PAUSED:
        return VOTED
    if game.status == Status.ABANDONED and game.has_position:
        return ENDED
    return WHY.get(Status(game.status), "")
