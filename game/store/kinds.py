"""Types of values shared by API resources, with their choices."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta

from game.engine.progress import SEAT_STATES
from game.store.game import Keeper, Pace, Status


def one_of(values: Iterable[str]) -> Any:
    """Declare in the API contract that a string is one of these values."""
    return Meta(extra_json_schema={"enum": [*values]})


Instant = Annotated[datetime, Meta(tz=True)]
"""A moment, in UTC and ISO 8601: it ends in Z."""
StatusKey = Annotated[str, one_of(Status.values)]
PaceKey = Annotated[str, one_of(Pace.values)]
KeeperKey = Annotated[str, one_of(Keeper.values)]
SeatState = Annotated[str, one_of(SEAT_STATES)]
