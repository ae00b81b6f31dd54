"""Wrong passwords and codes: counted by the address they come from, by the account from one address, and by the account
from all addresses together. A device that has signed in to the account within a year is counted separately, so that
strangers cannot lock its owner out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import structlog
from allauth.account.signals import password_reset
from django.db.models import Q
from django.http import HttpRequest

from accounts.devices import COOKIE, known_accounts
from accounts.limits import Spent, TooMany, digest, forget, network_of, spend
from accounts.models import User
from accounts.sign_in_log import address_of

CODES = "codes."  # of an account: someone who guesses those already has the password
log = structlog.get_logger("accounts.guesses")


def count_sign_in(request: HttpRequest, credentials: Mapping[str, Any]) -> list[Spent]:
    """Count an attempt as a wrong one until it is known to be right. Raises `TooMany`."""
    typed = str(credentials.get("email") or credentials.get("username") or "").strip().lower()
    account = _account_of(typed)
    is_known = account in known_accounts(request)
    device = _device_of(request) if is_known else network_of(address_of(request))
    try:
        spend("sign_in", device)
        return _count(request, digest(typed) if account is None else str(account), is_known=is_known)
    except TooMany:
        log.warning("sign_in_slowed", address=address_of(request))
        raise


def count_code(request: HttpRequest, user: User) -> list[Spent]:
    """The same for a code of the second factor. Raises `TooMany`."""
    return _count(request, f"{CODES}{user.pk}", is_known=user.pk in known_accounts(request))


def connect() -> None:
    """Listen from now on: a new password by email lets its owner in, however often the old one was guessed."""
    password_reset.connect(_password_was_reset, dispatch_uid="guesses_password_reset")


def _count(request: HttpRequest, account: str, *, is_known: bool) -> list[Spent]:
    if is_known:
        return [spend("guess_device", f"{account}.{_device_of(request)}")]
    here = network_of(address_of(request))
    # The account comes last: what one address may not ask is not counted against the owner.
    return [spend("guess", here), spend("guess_here", f"{account}.{here}"), spend("guess_account", account)]


def _account_of(typed: str) -> int | None:
    """Whose name or address this is; all that lead to one account are counted together."""
    named = Q(username__iexact=typed) | Q(email__iexact=typed) | Q(emailaddress__email__iexact=typed)
    return User.objects.filter(named).order_by("pk").values_list("pk", flat=True).first()


def _device_of(request: HttpRequest) -> str:
    return digest(request.COOKIES.get(COOKIE, ""))


def _password_was_reset(*, request: HttpRequest, user: User, **_: Any) -> None:
    forget("guess_account", user.pk)
    forget("guess_here", f"{user.pk}.{network_of(address_of(request))}")
