"""Links in emails that show one seat's board without signing in: to look at, for a day, and never to act."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from game.store.eyes import Eyes, eyes_among, own_seats
from game.store.game import Seat
from game.store.log import Notice

VALID_FOR = timedelta(hours=24)
SALT = "game.peeks"
LENGTH = 16  # of the account's fingerprint, in hexadecimal digits


class Peek(NamedTuple):
    """What a link opens, as whom, and until when."""

    seat: Seat
    eyes: Eyes
    until: datetime


def address(notice: Notice) -> str:
    """The absolute address of the board as the reader of a notice sees it."""
    until = round((timezone.now() + VALID_FOR).timestamp())
    token = signing.dumps([notice.seat_id, notice.user_id, _fingerprint(notice.user), until], salt=SALT)
    return settings.SITE_URL + reverse("peek", args=[token])


def read(token: str) -> Peek | None:
    """The seat of a link, or None if the link is forged or old, or if its person has changed password or address since,
    has lost the account, is banned, or no longer has the seat."""
    try:
        seat_id, user_id, fingerprint, ends = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError):
        return None
    until = datetime.fromtimestamp(ends, UTC)
    if until <= timezone.now():
        return None
    seat = own_seats(user_id).filter(pk=seat_id, bot="", user__is_active=True).select_related("user").first()
    eyes = eyes_among([seat] if seat else [], user_id)
    if seat is None or seat.user is None or eyes is None or seat.user.is_banned:
        return None
    if not constant_time_compare(fingerprint, _fingerprint(seat.user)):
        return None
    return Peek(seat, eyes, until)


def _fingerprint(user: User) -> str:
    """Changes with the password and with the address."""
    return salted_hmac(SALT, f"{user.password}\n{user.email.lower()}").hexdigest()[:LENGTH]
