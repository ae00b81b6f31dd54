"""The hours of a person's day, in their own zone: when no reminder wakes them, and when their digest comes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from accounts.models import User


def zone_of(user: User) -> ZoneInfo:
    """The person's zone; UTC if the machine no longer knows it."""
    try:
        return ZoneInfo(user.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def is_quiet(user: User, at: datetime) -> bool:
    """Whether an instant is in the person's quiet hours; there are none if they end in the hour in which they begin."""
    hour, start, end = at.astimezone(zone_of(user)).hour, user.quiet_from, user.quiet_until
    return start <= hour < end if start <= end else hour >= start or hour < end


def next_hour(user: User, hour: int, after: datetime) -> datetime:
    """When the person's clock strikes this hour next, later than an instant."""
    here = after.astimezone(zone_of(user))
    struck = here.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    # A day is added to what the clock shows, so that the hour stays the same where summer time begins.
    while struck.astimezone(UTC) <= after:
        struck += timedelta(days=1)
    return struck.astimezone(UTC)


def last_hour(user: User, hour: int, before: datetime) -> datetime:
    """When the person's clock has struck this hour last, not later than an instant."""
    here = before.astimezone(zone_of(user))
    struck = here.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    while struck.astimezone(UTC) > before:
        struck -= timedelta(days=1)
    return struck.astimezone(UTC)
