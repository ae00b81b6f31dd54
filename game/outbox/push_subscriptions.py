"""Push subscriptions: create, list and delete them, the public key for browsers, and limits on calls to push services
that have accepted nothing."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection
from datetime import date, timedelta
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from accounts import emails, limits
from accounts.addresses import is_confirmed
from accounts.languages import override_language
from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark, say
from game.infra import safe_http
from game.outbox.models import PushSubscription
from game.store import account_locks

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


POINT, SECRET = 65, 16  # bytes of a browser's public key (uncompressed, P-256) and of its shared secret
SERVICES = {
    "push.services.mozilla.com": "Firefox",
    "fcm.googleapis.com": mark("Chrome or a browser like it"),
    "push.apple.com": "Safari",
    "notify.windows.com": "Edge",
}
"""The browser that uses a push service, by its host."""


class Listed(NamedTuple):
    """A browser as its owner sees it."""

    number: int
    name: str
    endpoint: str
    day: date


def is_offered() -> bool:
    """True if the site has a push key."""
    return bool(settings.PUSH_KEY)


def reached(user_ids: Collection[int]) -> frozenset[int]:
    """Those of these people who have a push subscription."""
    if not is_offered() or not user_ids:
        return frozenset()
    subscriptions = PushSubscription.objects.filter(user_id__in=user_ids)
    return frozenset(subscriptions.values_list("user_id", flat=True).distinct())


@transaction.atomic
def allow(*, user: User, endpoint: str, p256dh: str, auth: str, session: str = "") -> None:
    """Store a browser's subscription until the session with this key is signed out, taking it over from another person
    if necessary. Beyond the maximum, the oldest is deleted. The owner gets an email. Raises `Refused`, and
    `limits.TooMany`."""
    if not is_offered():
        raise Refused("This site sends no notifications to browsers.", code="no_push")
    if user.is_guest or user.is_bot:
        raise Refused("Only people with an account can allow notifications.", code="needs_account")
    account_locks.lock_free_account(user)
    safe_http.check_url(endpoint)
    if len(_decode(p256dh)) != POINT or len(_decode(auth)) != SECRET:
        raise Refused("The keys of this browser cannot be read.", code="no_key")
    is_known = user.push_subscriptions.filter(endpoint=endpoint).exists()
    if not is_known:
        limits.spend("browser", user.pk)
    fields = {"user": user, "p256dh": p256dh, "auth": auth, "session": _digest(session), **NO_TROUBLE}
    PushSubscription.objects.update_or_create(endpoint=endpoint, defaults=fields)
    newest = user.push_subscriptions.order_by("-pk").values_list("pk", flat=True)[: limits.most_of("browsers")]
    user.push_subscriptions.exclude(pk__in=list(newest)).delete()
    if not is_known:
        _mail_owner(user, endpoint)


@transaction.atomic
def forget(*, user: User, endpoint: str) -> None:
    """Delete a subscription; idempotent."""
    account_locks.lock_accounts(user)
    user.push_subscriptions.filter(endpoint=endpoint).delete()


@transaction.atomic
def remove(*, user: User, number: int) -> None:
    """Delete a subscription from the person's list, if it is still there."""
    account_locks.lock_accounts(user)
    user.push_subscriptions.filter(pk=number).delete()


def forget_session(*, user: User, session: str) -> None:
    """Delete the subscription of a session that is signed out, and those without a known session, which may be from the
    same browser."""
    user.push_subscriptions.filter(session__in={_digest(session), ""}).delete()


def forget_all(*, user: User) -> bool:
    """Delete all subscriptions of a person. Returns whether there were any."""
    return user.push_subscriptions.all().delete()[0] > 0


def listed(*, user: User) -> list[Listed]:
    """All subscriptions of a person, oldest first."""
    return [
        Listed(place.pk, name_of(place.endpoint), place.endpoint, place.made_at)
        for place in user.push_subscriptions.all()
    ]


def name_of(endpoint: str) -> str:
    """The name of the browser behind an endpoint; the host if it is unknown."""
    host = urlsplit(endpoint).hostname or ""
    names = (name for end, name in SERVICES.items() if host == end or host.endswith(f".{end}"))
    return next(map(say, names), host)


@cache
def public_key(private: str) -> str:
    """The public part of `PUSH_KEY`, which browsers need to subscribe."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid02  # both are large, and most processes never need them

    point = Vapid02.from_raw(private.encode()).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def _digest(session: str) -> str:
    return limits.digest(session) if session else ""


def _decode(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return b""


def _mail_owner(user: User, endpoint: str) -> None:
    """Email the owner, so that they notice a browser that somebody else allowed."""
    if not is_confirmed(user):
        return
    with override_language(user.language):
        url = settings.SITE_URL + reverse("notifications")
        context = {"user": user, "browser": name_of(endpoint), "url": url}
        subject = " ".join(render_to_string("mail/browser_allowed_subject.txt", context).split())
        text = render_to_string("mail/browser_allowed.txt", context)
        emails.queue_email(EmailMessage(subject, text, to=[user.email]))
