"""Where browsers are reached: how often a service that has taken nothing is asked, and when one is asked no more."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlsplit

from django.utils import timezone

from accounts import limits
from game.models import PushSubscription

GONE, REFUSED = {404, 410}, {400, 401, 403}
MOST_REFUSALS = 4  # without a success between them
GIVEN_UP_AFTER = timedelta(days=3)


def may_be_asked(place: PushSubscription) -> bool:
    """Whether to post there. The host of a browser that has never taken anything may be a stranger's: when it has been
    asked often enough, the browser is forgotten."""
    if place.has_taken or not limits.is_spent("push_try", _person_and_host(place)):
        return True
    place.delete()
    return False


def note_success(place: PushSubscription) -> None:
    if not place.has_taken:
        limits.forget("push_try", _person_and_host(place))
    if not place.has_taken or place.refusals or place.failing_since:
        place.has_taken, place.refusals, place.failing_since = True, 0, None
        _keep(place)


def note_failure(place: PushSubscription, status: int | None) -> None:
    """Forget a browser that is gone, whose service has refused us several times, or that has failed for days; `status`
    is None where no answer came."""
    place.refusals += status in REFUSED
    place.failing_since = place.failing_since or timezone.now()
    is_lost = timezone.now() - place.failing_since > GIVEN_UP_AFTER
    if status in GONE or place.refusals >= MOST_REFUSALS or is_lost:
        place.delete()
    else:
        _keep(place)


def _keep(place: PushSubscription) -> None:
    """Its owner may have removed it meanwhile."""
    noted = {"has_taken": place.has_taken, "refusals": place.refusals, "failing_since": place.failing_since}
    PushSubscription.objects.filter(pk=place.pk).update(**noted)


def _person_and_host(place: PushSubscription) -> str:
    return f"{place.user_id}:{limits.digest(urlsplit(place.endpoint).netloc)}"
