"""What a channel is: a way by which people are told of what happens in their games. Each says itself how it delivers;
when, to whom and whether at all is decided for all of them alike, in `notices`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

from accounts.models import User
from game.models import Channel, Notice


class NotTaken(Exception):
    """The other side has certainly not taken the message, so that it may be tried again; `for_good` where it never
    will, `is_down` where it would take no other now either."""

    def __init__(self, words: str, *, for_good: bool = False, is_down: bool = False) -> None:
        super().__init__(words)
        self.for_good, self.is_down = for_good, is_down


class Unanswered(Exception):
    """The message was on its way and no answer came: it may have arrived, and is not sent again."""


class Way(Protocol):
    """A channel in use, for one round of sending."""

    channel: Channel
    window: timedelta
    """How long a person who was told something is left alone, so that the rest comes together."""
    most_a_day: int | None
    """How many messages one person gets in 24 hours at most; the digest carries the rest. None: any number."""

    def reaches(self, user: User) -> bool:
        """Whether the person can be told by it at all."""

    def write(self, notices: Sequence[Notice], *, now: datetime) -> Any:
        """One message about everything that is due to one person."""

    def open(self) -> None:
        """Make ready to send. Raises `NotTaken`."""

    def send(self, message: Any) -> None:
        """Hand one message over. Raises `NotTaken` or `Unanswered`."""

    def close(self) -> None:
        """After the round."""
