"""Where browsers are reached: how often a service that has accepted nothing is called, and when one is called no
more."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.utils import timezone

from accounts import limits
from game.outbox.push_models import PushSubscription

GONE, REFUSED = {404, 410}, {400, 401, 403}
MOST_REFUSALS = 4  # without a success between them
GIVEN_UP_AFTER = timedelta(days=3)
MOST_DAYS = 3  # days with a failure, so that two failures far apart do not remove a browser
NO_TROUBLE: dict[str, Any] = {"refusals": 0, "failing_since": None, "failed_on": None, "failed_days": 0}


def may_be_asked(place: PushSubscription) -> bool:
    """Whether to post there. The host of a browser that has never accepted anything may belong to someone else: when it
    has been called often enough, the browser is forgotten."""
    if place.has_taken or not limits.is_spent("push_try", _person_and_host(place)):
        return True
    place.delete()
    return False


def note_success(place: PushSubscription) -> None:
    if not place.has_taken:
        limits.forget("push_try", _person_and_host(place))
    if not place.has_taken or place.refusals or place.failing_since:
        _note(place, has_taken=True, **NO_TROUBLE)


def note_failure(place: PushSubscription, status: int | None) -> None:
    """Forget a browser that is gone, whose service has refused us several times, or that has failed for days, and on
    several of them; `status` is None where no answer came."""
    now = timezone.now()
    since, refusals = place.failing_since or now, place.refusals + (status in REFUSED)
    days = place.failed_days + (place.failed_on != now.date())
    is_lost = days >= MOST_DAYS and now - since > GIVEN_UP_AFTER
    if status in GONE or refusals >= MOST_REFUSALS or is_lost:
        place.delete()
    else:
        _note(place, refusals=refusals, failing_since=since, failed_on=now.date(), failed_days=days)


def _note(place: PushSubscription, **known: Any) -> None:
    """Its owner may have removed it meanwhile."""
    for name, value in known.items():
        setattr(place, name, value)
    PushSubscription.objects.filter(pk=place.pk).update(**known)


def _person_and_host(place: PushSubscription) -> str:
    host = urlsplit(place.endpoint).hostname or ""
    return f"{place.user_id}:{limits.digest(host)}"
