"""Signed read-only links in emails: show one seat's board for 24 hours without sign-in."""

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


class BoardLink(NamedTuple):
    """What a link shows, as whom, and until when."""

    seat: Seat
    eyes: Eyes
    until: datetime


def board_url(notice: Notice) -> str:
    """The absolute URL of the board as the notice's reader sees it."""
    until = round((timezone.now() + VALID_FOR).timestamp())
    token = signing.dumps([notice.seat_id, notice.user_id, _fingerprint(notice.user), until], salt=SALT)
    return settings.SITE_URL + reverse("peek", args=[token])


def read_board_link(token: str) -> BoardLink | None:
    """The seat of a link; None if the link is forged or expired, or if its person has changed password or address, has
    closed the account, is banned, or no longer has the seat."""
    try:
        seat_id, user_id, fingerprint, ends = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError):
        return None
    until = datetime.fromtimestamp(ends, UTC)
    if until <= timezone.now():
        return None
    seat = own_seats(user_id).filter(pk=seat_id, bot="", device="", user__is_active=True).select_related("user").first()
    eyes = eyes_among([seat] if seat else [], user_id)
    if seat is None or seat.user is None or eyes is None or seat.user.is_banned:
        return None
    if not constant_time_compare(fingerprint, _fingerprint(seat.user)):
        return None
    return BoardLink(seat, eyes, until)


def _fingerprint(user: User) -> str:
    """Changes with the password and the address."""
    return salted_hmac(SALT, f"{user.password}\n{user.email.lower()}").hexdigest()[:LENGTH]
