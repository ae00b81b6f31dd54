"""What a channel is: a way to tell people what happens in their games. Each defines how it delivers; `notices` decides
for all of them when, to whom and whether at all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

from accounts.models import User
from game.store.log import Notice
from game.store.preference_models import Channel


class Way(Protocol):
    """A channel in use, for one round of sending."""

    channel: Channel
    window: timedelta
    """How long a person who was told something gets nothing more, so that further news comes together."""
    most_a_day: int | None
    """How many messages one person gets in 24 hours at most; the digest carries the rest. None: any number."""

    def reaches(self, user: User) -> bool:
        """Whether the person can be told by it at all."""

    def write(self, notices: Sequence[Notice], *, now: datetime) -> Any:
        """One message about everything that is due to one person."""

    def open(self) -> None:
        """Make ready to send. Raises `accounts.delivery.NotTaken`."""

    def send(self, message: Any) -> None:
        """Hand one message over. Raises `NotTaken` or `Unanswered` of `accounts.delivery`."""

    def close(self) -> None:
        """After the round."""
