"""Limits on wrong passwords and codes: per address, per account from one address, and per account from all addresses. A
device that signed in to the account within the last year is counted separately, so that strangers cannot lock out the
owner."""

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
from accounts.names import sought
from accounts.sign_in_log import address_of

CODES_PREFIX = "codes."  # counted separately: whoever guesses codes already has the password
log = structlog.get_logger("accounts.guesses")


def count_sign_in(request: HttpRequest, credentials: Mapping[str, Any]) -> list[Spent]:
    """Count an attempt as wrong until it has been checked. Raises `TooMany`."""
    login = str(credentials.get("email") or credentials.get("username") or "").strip().lower()
    account = _account_of(login)
    is_known = account in known_accounts(request)
    device = _device_of(request) if is_known else network_of(address_of(request))
    try:
        spend("sign_in", device)
        return _count(request, digest(login) if account is None else str(account), is_known=is_known)
    except TooMany:
        log.warning("sign_in_slowed", address=address_of(request))
        raise


def count_code(request: HttpRequest, user: User) -> list[Spent]:
    """The same for a second-factor code. Raises `TooMany`."""
    return _count(request, f"{CODES_PREFIX}{user.pk}", is_known=user.pk in known_accounts(request))


def connect() -> None:
    """Reset the counts on a password reset: it lets the owner in, however often the old password was guessed."""
    password_reset.connect(_password_was_reset, dispatch_uid="guesses_password_reset")


def _count(request: HttpRequest, account: str, *, is_known: bool) -> list[Spent]:
    if is_known:
        return [spend("guess_device", f"{account}.{_device_of(request)}")]
    network = network_of(address_of(request))
    # The account comes last: attempts that one address may not make do not count against the owner.
    return [spend("guess", network), spend("guess_here", f"{account}.{network}"), spend("guess_account", account)]


def _account_of(login: str) -> int | None:
    """The account with this name or address; all its names and addresses are counted together."""
    login = sought(login)
    matches = Q(username__iexact=login) | Q(email__iexact=login) | Q(emailaddress__email__iexact=login)
    return User.objects.filter(matches).order_by("pk").values_list("pk", flat=True).first()


def _device_of(request: HttpRequest) -> str:
    return digest(request.COOKIES.get(COOKIE, ""))


def _password_was_reset(*, request: HttpRequest, user: User, **_: Any) -> None:
    forget("guess_account", user.pk)
    forget("guess_here", f"{user.pk}.{network_of(address_of(request))}")
