"""Notify the owner of an account about a sign-in on a new device."""

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
MAX_ACCOUNTS = 5  # accounts remembered by one browser
NO_NOTICE = timedelta(hours=1)  # after the sign-up: the user knows about it


def note_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Email the owner unless this browser signed in to the account within the last year; then remember the browser."""
    known = known_accounts(request)
    if user.pk not in known and timezone.now() - user.date_joined > NO_NOTICE:
        get_adapter().send_notification_mail("account/email/new_device", user, {"user": user})
    accounts = [user.pk, *(other for other in known if other != user.pk)][:MAX_ACCOUNTS]
    response.set_cookie(
        COOKIE,
        signing.dumps(accounts, salt=SALT),
        max_age=A_YEAR,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
    )


def known_accounts(request: HttpRequest) -> list[int]:
    """The accounts that signed in with this browser within the last year."""
    try:
        return list(signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=A_YEAR))
    except (signing.BadSignature, TypeError):
        return []
