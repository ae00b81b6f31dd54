"""Push services: limit calls to services that have accepted nothing, and remove subscriptions that fail."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.utils import timezone

from accounts import limits
from game.outbox.push_models import PushSubscription

GONE_STATUSES, REFUSED_STATUSES = {404, 410}, {400, 401, 403}
MOST_REFUSALS = 4  # without a success between them
GIVEN_UP_AFTER = timedelta(days=3)
MOST_DAYS = 3  # days with a failure, so that two failures far apart do not remove a browser
NO_TROUBLE: dict[str, Any] = {"refusals": 0, "failing_since": None, "failed_on": None, "failed_days": 0}


def may_be_asked(place: PushSubscription) -> bool:
    """True if we may post to this subscription. If it has never accepted anything, its host may belong to somebody
    else: after enough attempts the subscription is deleted."""
    if place.has_taken or not limits.is_spent("push_try", _person_and_host(place)):
        return True
    place.delete()
    return False


def note_success(place: PushSubscription) -> None:
    if not place.has_taken:
        limits.forget("push_try", _person_and_host(place))
    if not place.has_taken or place.refusals or place.failing_since:
        _save_fields(place, has_taken=True, **NO_TROUBLE)


def note_failure(place: PushSubscription, status: int | None) -> None:
    """Delete a subscription that is gone, was refused several times, or has failed for days and on several of them.
    `status` is None if there was no response."""
    now = timezone.now()
    since, refusals = place.failing_since or now, place.refusals + (status in REFUSED_STATUSES)
    days = place.failed_days + (place.failed_on != now.date())
    is_lost = days >= MOST_DAYS and now - since > GIVEN_UP_AFTER
    if status in GONE_STATUSES or refusals >= MOST_REFUSALS or is_lost:
        place.delete()
    else:
        _save_fields(place, refusals=refusals, failing_since=since, failed_on=now.date(), failed_days=days)


def _save_fields(place: PushSubscription, **fields: Any) -> None:
    """Update some fields; the owner may have deleted the row in the meantime."""
    for name, value in fields.items():
        setattr(place, name, value)
    PushSubscription.objects.filter(pk=place.pk).update(**fields)


def _person_and_host(place: PushSubscription) -> str:
    host = urlsplit(place.endpoint).hostname or ""
    return f"{place.user_id}:{limits.digest(host)}"
