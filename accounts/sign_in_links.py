"""The link that `./dev play` prints: it signs its person in once, soon, from this machine, and only in the embedded
mode."""

import hashlib
import ipaddress
import secrets
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from accounts.models import SignInLink, User

VALID_FOR = timedelta(minutes=30)
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


def create_link(user: User) -> str:
    """The path of a fresh link; links that no longer open are forgotten."""
    now = timezone.now()
    user.sign_in_links.exclude(pk__in=SignInLink.objects.open_at(now)).delete()
    token = secrets.token_urlsafe(32)
    SignInLink.objects.create(user=user, digest=_digest(token), created_at=now, expires_at=now + VALID_FOR)
    return reverse("sign_in_link", args=[token])


def redeem(token: str) -> User | None:
    """The person the link belongs to, exactly once."""
    now = timezone.now()
    opened = SignInLink.objects.open_at(now).filter(digest=_digest(token))
    # One conditional update: of two clicks at the same moment one wins.
    if opened.update(used_at=now) != 1:
        return None
    return User.objects.filter(sign_in_links__digest=_digest(token), is_active=True).first()


def is_allowed(request: HttpRequest) -> bool:
    """Embedded, and asked from this machine without a proxy in between."""
    return bool(settings.EMBEDDED) and not _is_proxied(request) and _is_loopback(request.META.get("REMOTE_ADDR", ""))


def _is_proxied(request: HttpRequest) -> bool:
    """Whether any header shows that a proxy forwarded the request, whatever the proxy calls it."""
    names = {name.lower() for name in request.headers}
    return any(name in PROXY_HEADERS or name.startswith("x-forwarded") for name in names)


def _is_loopback(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_loopback


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
