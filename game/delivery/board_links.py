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
from game.store.game import Game, Seat
from game.store.log import Notice
from game.store.readers import game_for

VALID_FOR = timedelta(hours=24)
SALT = "game.peeks"
LENGTH = 16  # of the account's fingerprint, in hexadecimal digits


class BoardLink(NamedTuple):
    """The game of a link, the seat whose board it shows, and its end."""

    game: Game
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
    if seat is None or seat.user is None or seat.user.is_banned:
        return None
    game = game_for(game_id=seat.game_id, user=seat.user)
    eyes = eyes_among(game, [seat], user_id) if game else None
    if game is None or eyes is None or not constant_time_compare(fingerprint, _fingerprint(seat.user)):
        return None
    return BoardLink(game, seat, eyes, until)


def _fingerprint(user: User) -> str:
    """A fingerprint of the account that changes with its password and address."""
    return salted_hmac(SALT, f"{user.password}\n{user.email.lower()}").hexdigest()[:LENGTH]
