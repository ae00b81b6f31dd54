"""Why a game accepts no submissions at present, and the refusal of submissions that arrive after the deadline and
before the phase is closed, which says what counts instead."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from game.engine.actions import Refused
from game.engine.language import count, mark, say
from game.play import attendance
from game.store.game import Game, Status
from game.store.log import Draft
from game.store.log_notes import rounded_words

Request = dict[str, Any]
STORED_AS_DRAFT = mark("This is kept as a draft, and counts only if the deadline moves, as it does after an outage.")


class TooLate(Refused):
    """It arrived at the instant `at` of the database's clock, after the deadline of the open phase.

    `requests` are those requests of the submission that are still to be stored as a draft."""

    usual_code = "too_late"

    def __init__(
        self, game: Game, seat: int, *, at: datetime, is_stored: bool, requests: Sequence[Request] = ()
    ) -> None:
        assert game.deadline_at is not None
        self.at, self.deadline, self.serial, self.requests = at, game.deadline_at, game.phase_serial, list(requests)
        deadline = f"{timezone.localtime(self.deadline):%H:%M:%S %Z}"
        lead = say(
            "This arrived {late} after the deadline, {deadline}, and was not accepted.",
            late=_describe_lateness(at - self.deadline),
            deadline=deadline,
        )
        parts = (lead, _describe_what_counts(game, seat), say(STORED_AS_DRAFT) if is_stored else "")
        super().__init__(" ".join(part for part in parts if part))


def is_late(game: Game, at: datetime) -> bool:
    """True if this instant is after the deadline; without a deadline nothing is late."""
    return game.deadline_at is not None and at > game.deadline_at


def _describe_lateness(late: timedelta) -> str:
    seconds = max(round(late.total_seconds()), 1)
    return rounded_words(late) if seconds >= 120 else count("{n} second", "{n} seconds", seconds)


def length_words(length: timedelta) -> str:
    """A length of time in the reader's language, in days from two days on."""
    hours = round(length.total_seconds() / 3600)
    if hours >= 48 and hours % 24 == 0:
        return count("{n} day", "{n} days", hours // 24)
    if hours >= 2 or length.total_seconds() % 3600 == 0:
        return count("{n} hour", "{n} hours", hours)
    seconds = round(length.total_seconds())
    if seconds % 60 and seconds < 600:
        return count("{n} second", "{n} seconds", seconds)
    return count("{n} minute", "{n} minutes", round(seconds / 60))


def _describe_what_counts(game: Game, seat: int) -> str:
    """The sentence on what counts for this seat when the phase closes, in the player's language."""
    state = game.seat_states[seat] if seat < len(game.seat_states) else ""
    if state in {"submitted", "ready"}:
        return say("What you had submitted counts.")
    draft = (
        Draft.objects.in_time()
        .filter(seat__game=game, seat__number=seat, serial=game.phase_serial)
        .order_by(*Draft.NEWEST)
        .first()
    )
    if draft is not None and draft.content:
        return say("Your draft of {clock} counts.", clock=f"{timezone.localtime(draft.saved_at):%H:%M:%S}")
    default = game.phase.default if game.phase else ""
    if not default or state != "untouched":
        return ""
    return say("You had submitted nothing: {default}.", default=say(default))


REASONS = {
    Status.WAITING: mark("This game has not started yet."),
    Status.FINISHED: mark("This game is over."),
    Status.ABANDONED: mark("This game was cancelled before it started."),
    Status.PAUSED: mark("This game is paused. You can submit again when a moderator resumes it."),
    Status.HELD: mark(
        "This game is on hold after an error on our side. Your submissions are safe, the clock is stopped, and a "
        "moderator will restart it."
    ),
}

PAUSED_BY_VOTE = mark(
    "The players paused this game. It goes on when more than half of them agree to that, or when the pause is over."
)
ENDED_BY_VOTE = mark("This game has ended without a result. Nobody is placed.")

HEADLINES = {
    Status.HELD: mark("On hold: nobody needs to do anything."),
    Status.PAUSED: mark("Paused: nobody needs to do anything."),
    Status.ABANDONED: mark("The game has ended without a result."),
}


def headline_of(game: Game) -> str:
    """The headline of the board of a game that is paused or on hold; empty for others."""
    if game.status == Status.PAUSED and (game.deserted_at is not None or game.pause_ends_at is not None):
        return mark("The game is paused.")
    return HEADLINES.get(Status(game.status), "")


def check_running(game: Game) -> None:
    """Check that the game is running. Raises `Refused` with the reason if it is not."""
    if not game.is_running:
        raise Refused(why_not_running(game), code="not_running")


def why_not_running(game: Game) -> str:
    """The reason as pages show it; empty while the game is running."""
    if game.deserted_at is not None and game.status == Status.PAUSED:
        return attendance.DESERTED
    if game.pause_ends_at is not None and game.status == Status.PAUSED:
        return PAUSED_BY_VOTE
    if game.status == Status.ABANDONED and game.has_position:
        return ENDED_BY_VOTE
    return REASONS.get(Status(game.status), "")
