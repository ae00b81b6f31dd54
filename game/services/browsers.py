"""Browsers that show notifications: allowed and forgotten by their owners, and the key with which we sign to them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection
from functools import cache

from django.conf import settings
from django.db import transaction

from accounts.limits import most_of
from accounts.models import User
from game.engine.actions import Refused
from game.models import Channel, PushSubscription
from game.services import outgoing

POINT, SECRET = 65, 16  # bytes of a browser's public key (uncompressed, P-256) and of its shared secret


def is_offered() -> bool:
    """Whether the site has a key for it."""
    return bool(settings.PUSH_KEY)


def channels() -> tuple[Channel, ...]:
    """By what people can be told here."""
    return tuple(channel for channel in Channel if channel != Channel.PUSH or is_offered())


def reached(user_ids: Collection[int]) -> frozenset[int]:
    """Those of these people who have a browser that shows notifications."""
    if not is_offered() or not user_ids:
        return frozenset()
    found = PushSubscription.objects.filter(user_id__in=user_ids)
    return frozenset(found.values_list("user_id", flat=True).distinct())


@transaction.atomic
def allow(*, user: User, endpoint: str, p256dh: str, auth: str) -> None:
    """Remember a browser; one that had belonged to somebody else is this person's now. Of too many the oldest gives
    way. Raises `Refused`."""
    if not is_offered():
        raise Refused("This site sends no notifications to browsers.", code="no_push")
    outgoing.check_url(endpoint)
    if len(_decoded(p256dh)) != POINT or len(_decoded(auth)) != SECRET:
        raise Refused("The keys of this browser cannot be read.", code="no_key")
    keys = {"user": user, "p256dh": p256dh, "auth": auth}
    PushSubscription.objects.update_or_create(endpoint=endpoint, defaults=keys)
    newest = user.push_subscriptions.order_by("-pk").values_list("pk", flat=True)[: most_of("browsers")]
    user.push_subscriptions.exclude(pk__in=list(newest)).delete()


def forget(*, user: User, endpoint: str) -> None:
    """Send nothing more there; twice is as good as once."""
    user.push_subscriptions.filter(endpoint=endpoint).delete()


def forget_all(*, user: User) -> None:
    user.push_subscriptions.all().delete()


@cache
def public_key(private: str) -> str:
    """What browsers are given when they are asked, of the key in `PUSH_KEY`."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid02  # both are large, and most processes never need them

    point = Vapid02.from_raw(private.encode()).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return b""
