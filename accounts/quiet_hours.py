"""A user's daily hours, in their time zone: quiet hours, and the hour of the digest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from accounts.models import User


def zone_of(user: User) -> ZoneInfo:
    """The user's zone; UTC if the machine does not know it."""
    try:
        return ZoneInfo(user.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def is_quiet(user: User, at: datetime) -> bool:
    """True if an instant is in the user's quiet hours; there are none if they begin and end in the same hour."""
    hour, start, end = at.astimezone(zone_of(user)).hour, user.quiet_from, user.quiet_until
    return start <= hour < end if start <= end else hour >= start or hour < end


def next_hour(user: User, hour: int, after: datetime) -> datetime:
    """The next time after an instant when the user's clock shows this hour."""
    local = after.astimezone(zone_of(user))
    time = local.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    # Adds a day of local time, so that the hour stays the same when DST begins.
    while time.astimezone(UTC) <= after:
        time += timedelta(days=1)
    return time.astimezone(UTC)


def last_hour(user: User, hour: int, before: datetime) -> datetime:
    """The last time, at or before an instant, when the user's clock showed this hour."""
    local = before.astimezone(zone_of(user))
    time = local.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    while time.astimezone(UTC) > before:
        time -= timedelta(days=1)
    return time.astimezone(UTC)
