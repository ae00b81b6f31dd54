"""The interface of a channel that notifies people about their games. Each channel defines how it delivers; `notices`
decides for all of them when, to whom and whether."""

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
    """For how long after a message a person gets no further one, so that news is batched."""
    most_a_day: int | None
    """The most messages to one person in 24 hours; the digest carries the rest. None: no limit."""

    def reaches(self, user: User) -> bool:
        """Whether the channel can reach this person."""

    def write(self, notices: Sequence[Notice], *, now: datetime) -> Any:
        """One message about all notices due to one person."""

    def open(self) -> None:
        """Connect. Raises `accounts.delivery.NotTaken`."""

    def send(self, message: Any) -> None:
        """Deliver one message. Raises `NotTaken` or `Unanswered` of `accounts.delivery`."""

    def close(self) -> None:
        """Disconnect after the round."""
