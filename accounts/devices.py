"""Telling the owner of an account about a sign-in on a device that is new to it."""

from __future__ import annotations

from datetime import timedelta

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.models import User

COOKIE, SALT = "devices", "accounts.devices"
A_YEAR = 31_536_000
MOST = 5  # accounts that one browser remembers
NEW = timedelta(hours=1)  # a person who has just signed up knows that they did


def note_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Mail the owner unless this browser has signed in to the account within a year; from now on it has."""
    known = known_accounts(request)
    if user.pk not in known and timezone.now() - user.date_joined > NEW:
        get_adapter().send_notification_mail("account/email/new_device", user, {"user": user})
    kept = [user.pk, *(other for other in known if other != user.pk)][:MOST]
    response.set_cookie(
        COOKIE,
        signing.dumps(kept, salt=SALT),
        max_age=A_YEAR,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
    )


def known_accounts(request: HttpRequest) -> list[int]:
    """The accounts that have signed in with this browser within a year."""
    try:
        return list(signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=A_YEAR))
    except (signing.BadSignature, TypeError):
        return []
