"""Sign-ins: their log, the known devices of an account, limits on wrong passwords and codes, and the one-time link of
`./dev play`.

Wrong passwords and codes are limited per address, per account from one address, and per account from all addresses. A
device that signed in to the account within the last year is counted separately, so that strangers cannot lock out the
owner."""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import structlog
from allauth.account.adapter import get_adapter
from allauth.account.signals import password_reset
from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.core import signing
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from accounts.limits import TooMany, Usage, digest, forget, network_of, spend
from accounts.models import SignInLink, User
from accounts.names import sought

COOKIE, SALT = "devices", "accounts.devices"
A_YEAR = 31_536_000
MAX_ACCOUNTS = 5  # accounts remembered by one browser
QUIET_AFTER_SIGN_UP = timedelta(hours=1)  # after the sign-up: the user knows about it
CODES_PREFIX = "codes."  # counted separately: somebody who guesses codes already has the password
LINK_LIFETIME = timedelta(minutes=30)
PROXY_HEADERS = {
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "client-ip",
    "true-client-ip",
    "cf-connecting-ip",
}
log = structlog.get_logger("accounts.sign_in_log")
guess_log = structlog.get_logger("accounts.guesses")


def connect() -> None:
    """Log sign-ins, sign-outs and failures. Reset the counts of wrong passwords on a password reset: it lets the owner
    in, however often the old password was guessed."""
    user_logged_in.connect(_log_sign_in, dispatch_uid="log_sign_in")
    user_logged_out.connect(_log_sign_out, dispatch_uid="log_sign_out")
    user_login_failed.connect(_log_failure, dispatch_uid="log_failed_sign_in")
    password_reset.connect(_password_was_reset, dispatch_uid="guesses_password_reset")


def address_of(request: HttpRequest | None) -> str:
    """The client's address; headers of proxies count only if they are trusted."""
    try:
        return str(get_adapter().get_client_ip(request)) if request is not None else ""
    except (ImproperlyConfigured, PermissionDenied):
        return ""


def _log_sign_in(*, user: User, request: HttpRequest | None = None, **_: Any) -> None:
    log.info("signed_in", user=user.pk, address=address_of(request))


def _log_sign_out(*, user: User | None, request: HttpRequest | None = None, **_: Any) -> None:
    if user is not None:
        log.info("signed_out", user=user.pk, address=address_of(request))


def _log_failure(*, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    """Logs the account's id only: people type passwords into the name field."""
    name, address = (sought(str(credentials.get(which) or "")) for which in ("username", "email"))
    matches = Q(username__iexact=name or address) | Q(email__iexact=address or name)
    log.warning(
        "sign_in_failed",
        user=User.objects.filter(matches).values_list("pk", flat=True).first(),
        address=address_of(request),
    )


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Email the owner unless this browser signed in to the account within the last year; then remember the browser."""
    accounts_here = known_accounts(request)
    if user.pk not in accounts_here and timezone.now() - user.date_joined > QUIET_AFTER_SIGN_UP:
        get_adapter().send_notification_mail("account/email/new_device", user, {"user": user})
    accounts = [user.pk, *(other for other in accounts_here if other != user.pk)][:MAX_ACCOUNTS]
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


def count_sign_in(request: HttpRequest, credentials: Mapping[str, Any]) -> list[Usage]:
    """Count an attempt as wrong until it has been checked. Raises `TooMany`."""
    login = str(credentials.get("email") or credentials.get("username") or "").strip().lower()
    account = _account_of(login)
    is_known = account in known_accounts(request)
    device = _device_of(request) if is_known else network_of(address_of(request))
    try:
        spend("sign_in", device)
        return _count(request, digest(login) if account is None else str(account), is_known=is_known)
    except TooMany:
        guess_log.warning("sign_in_slowed", address=address_of(request))
        raise


def count_code(request: HttpRequest, user: User) -> list[Usage]:
    """Count an attempt with a second-factor code. Raises `TooMany`."""
    return _count(request, f"{CODES_PREFIX}{user.pk}", is_known=user.pk in known_accounts(request))


def _count(request: HttpRequest, account: str, *, is_known: bool) -> list[Usage]:
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


def create_link(user: User) -> str:
    """The path of a new link, which `./dev play` prints; deletes the user's expired ones."""
    now = timezone.now()
    user.sign_in_links.exclude(pk__in=SignInLink.objects.open_at(now)).delete()
    token = secrets.token_urlsafe(32)
    SignInLink.objects.create(user=user, digest=_digest(token), created_at=now, expires_at=now + LINK_LIFETIME)
    return reverse("sign_in_link", args=[token])


def redeem_link(token: str) -> User | None:
    """The user of the link; each link works once."""
    now = timezone.now()
    matches = SignInLink.objects.open_at(now).filter(digest=_digest(token))
    # One conditional update: of two simultaneous clicks one wins.
    if matches.update(used_at=now) != 1:
        return None
    return User.objects.filter(sign_in_links__digest=_digest(token), is_active=True).first()


def is_link_allowed(request: HttpRequest) -> bool:
    """True on an embedded site, for a request from this machine without a proxy."""
    return bool(settings.EMBEDDED) and not _is_proxied(request) and _is_loopback(request.META.get("REMOTE_ADDR", ""))


def _is_proxied(request: HttpRequest) -> bool:
    """True if any header shows that a proxy forwarded the request."""
    names = {name.lower() for name in request.headers}
    return any(name in PROXY_HEADERS or name.startswith("x-forwarded") for name in names)


def _is_loopback(address: str) -> bool:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return (mapped or ip).is_loopback


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
