"""Guests: users without an account, password or address, known by their session alone. What they may do is a row of
docs/security.md; the service of each thing that they may not do refuses it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from allauth.account.signals import user_signed_up
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language, gettext

from accounts import ways_back
from accounts.models import User
from accounts.time_zones import offered_zones

BACKEND = "django.contrib.auth.backends.ModelBackend"
DAY = 86_400  # seconds
VISIT_INTERVAL = timedelta(hours=12)  # requests in between write nothing
NUMBER_LIMITS = (10_000, 10_000, 10_000, 1_000_000, 1_000_000, 1_000_000_000)
"""Limits for a guest's random number; higher ones are tried when many short numbers are taken."""
MAX_NOTES = 200
NETWORK_NUMBERS = 1024
FACTOR_PAGES_PREFIX = "mfa_"  # URL names of the second-factor pages
ACCOUNT_PAGES = frozenset(
    {
        "account_email",
        "account_change_password",
        "account_set_password",
        "new_token",
        "account_reauthenticate",
    }
)
"""Pages about a password or an address, which a guest does not have."""
SIGN_IN_PAGES = frozenset({"account_login", "account_signup", "mfa_authenticate", "mfa_login_webauthn"})
"""On these pages a guest is treated as a visitor who has not signed in."""

guest_merged = Signal()
"""`user` takes over everything of `guest`. Sent before the guest is deleted. Whoever has something of guests locks it,
and then both accounts."""
locking = Signal()
"""Sent before accounts are locked that may take over `guest_ids`: what these guests have is locked first."""


class AccountEnded(Exception):
    """The account was closed or deleted while somebody signed in to it. Their guest keeps everything."""


def new_guest(zone: str = "", network: str = "") -> User:
    """A guest with a free name, `Guest 4821` in their language, and the time zone that the browser reports. Of the
    network only a number is kept."""
    for below in NUMBER_LIMITS:
        try:
            with transaction.atomic():
                number = secrets.randbelow(below - below // 10) + below // 10
                return _create_guest(f"{gettext('Guest')} {number}", zone, network)
        except IntegrityError:
            continue
    raise RuntimeError("No free name for a guest was found.")


def sign_in_guest(request: HttpRequest, guest: User) -> None:
    """Sign in a new guest; the session lasts as long as they return within `GUEST_DAYS`."""
    login(request, guest, backend=BACKEND)
    request.session.set_expiry(settings.GUEST_DAYS * DAY)


def is_guest(user: Any) -> bool:
    """False for visitors and accounts."""
    return bool(getattr(user, "is_guest", False))


def guest_of(request: HttpRequest) -> User | None:
    """The guest who sent the request, also on the pages for signing in."""
    guest = getattr(request, "guest", request.user)
    return guest if isinstance(guest, User) and guest.is_guest else None


def merge_guests(guest: User | None, user: User, request: HttpRequest | None = None) -> None:
    """The account that is being signed in to takes over everything of its guests: the one of this session, and those
    that signed up for it elsewhere. Raises `AccountEnded`."""
    merged = {each.pk: each for each in (guest, *User.objects.filter(is_guest=True, becomes=user)) if each is not None}
    for each in merged.values():
        with transaction.atomic():
            guest_merged.send(User, guest=each, user=user)
            if User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True).first() is None:
                raise AccountEnded
            mark_notes_read(user, each.notes_seen)
            each.delete()
    if merged and request is not None:
        messages.success(request, gettext("The games that you played as a guest are yours now."))


def lock_with_guests(*keys: int | None) -> dict[int, User]:
    """Lock these accounts and their guests, and before them what the guests have."""
    account_ids = [key for key in keys if key is not None]
    rows = User.objects.filter(Q(pk__in=account_ids) | Q(becomes__in=account_ids))
    guest_ids = list(rows.filter(is_guest=True).values_list("pk", flat=True))
    if guest_ids:
        locking.send(User, guest_ids=guest_ids)
    return {user.pk: user for user in rows.select_for_update(no_key=True).order_by("pk")}


def mark_notes_read(user: User, notes: Iterable[str]) -> None:
    """Record which notes for newcomers the user has read."""
    seen = list(dict.fromkeys((*user.notes_seen, *notes)))[:MAX_NOTES]
    if seen != user.notes_seen:
        user.notes_seen = seen
        User.objects.filter(pk=user.pk).update(notes_seen=seen)


def connect() -> None:
    """Subscribe to sign-ups."""
    user_signed_up.connect(_remember_guest, dispatch_uid="guest_signed_up")


class GuestMiddleware:
    """Records visits of guests, so that they are not deleted, and keeps guests off account pages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_guest(request.user):
            _note_visit(request)
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """A guest who wants to change a password, an address or a second factor must sign up first."""
        match, guest = request.resolver_match, request.user
        name = (match.url_name if match else None) or ""
        if not is_guest(guest):
            return None
        if name in SIGN_IN_PAGES:
            request.guest, request.user = guest, AnonymousUser()  # type: ignore[attr-defined]
            return None
        if name not in ACCOUNT_PAGES and not name.startswith(FACTOR_PAGES_PREFIX):
            return None
        messages.info(request, gettext("A guest has no email and no password. Sign up to keep your games."))
        return ways_back.redirect_and_return(request, "account_signup")


def number_of_network(network: str) -> int:
    """A number below `NETWORK_NUMBERS`, from which nobody learns the network: many networks have it, and it is keyed by
    the site's secret."""
    return int(salted_hmac("accounts.guests", network).hexdigest(), 16) % NETWORK_NUMBERS


def _create_guest(name: str, zone: str, network: str) -> User:
    guest = User(username=name, is_guest=True, seen_at=timezone.now(), guest_network=number_of_network(network))
    if zone in offered_zones():
        guest.timezone, guest.zone_known = zone, True
    guest.language = get_language() or guest.language
    guest.set_unusable_password()
    guest.save()
    return guest


def _note_visit(request: HttpRequest) -> None:
    guest, now = request.user, timezone.now()
    assert isinstance(guest, User)
    if guest.seen_at is None or now - guest.seen_at > VISIT_INTERVAL:
        User.objects.filter(pk=guest.pk).update(seen_at=now)
        request.session.set_expiry(settings.GUEST_DAYS * DAY)


def _remember_guest(*, request: HttpRequest, user: User, **_: Any) -> None:
    """The address may be confirmed in another browser, so the account remembers its guest."""
    guest = guest_of(request)
    if guest is not None:
        User.objects.filter(pk=guest.pk).update(becomes=user)
