"""What arrives after the deadline and before the phase is closed: it is refused, and its sender told what counts
instead."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from game.engine.actions import Refused
from game.engine.phrases import plural
from game.models import Draft, Game
from game.services.clocks import in_words

Request = dict[str, Any]
KEPT = "This is kept as a draft, and counts only if the deadline moves, as it does after an outage."


class TooLate(Refused):
    """It arrived at the instant `at` of the database's clock, after the deadline of the open phase.

    `kept` are the requests of a submission that are still to be kept as a draft."""

    def __init__(self, game: Game, seat: int, *, at: datetime, is_kept: bool, kept: Sequence[Request] = ()) -> None:
        assert game.deadline_at is not None
        self.at, self.deadline, self.serial, self.kept = at, game.deadline_at, game.phase_serial, list(kept)
        deadline = f"{timezone.localtime(self.deadline):%H:%M:%S %Z}"
        lead = f"This arrived {_length(at - self.deadline)} after the deadline, {deadline}, and was not taken."
        super().__init__(" ".join(part for part in (lead, _what_counts(game, seat), KEPT if is_kept else "") if part))


def is_late(game: Game, at: datetime) -> bool:
    """Whether something that arrives at this instant has missed the deadline; where there is none nothing has."""
    return game.deadline_at is not None and at > game.deadline_at


def _length(late: timedelta) -> str:
    seconds = max(round(late.total_seconds()), 1)
    return in_words(late) if seconds >= 120 else plural(seconds, "second")


def _what_counts(game: Game, seat: int) -> str:
    """What the closing will find of this seat."""
    state = game.seat_states[seat] if seat < len(game.seat_states) else ""
    if state in {"submitted", "ready"}:
        return "What you had submitted counts."
    draft = (
        Draft.objects.in_time()
        .filter(seat__game=game, seat__number=seat, serial=game.phase_serial)
        .order_by(*Draft.NEWEST)
        .first()
    )
    if draft is not None and draft.content:
        return f"Your draft of {timezone.localtime(draft.saved_at):%H:%M:%S} counts."
    default = game.phase.default if game.phase else ""
    return f"You had sent nothing: {default}." if default and state == "untouched" else ""
