"""The link that `./dev play` prints. It signs its user in once, within a short time, from this machine and only in
embedded mode."""

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
    """The path of a new link; deletes the user's expired ones."""
    now = timezone.now()
    user.sign_in_links.exclude(pk__in=SignInLink.objects.open_at(now)).delete()
    token = secrets.token_urlsafe(32)
    SignInLink.objects.create(user=user, digest=_digest(token), created_at=now, expires_at=now + VALID_FOR)
    return reverse("sign_in_link", args=[token])


def redeem(token: str) -> User | None:
    """The user of the link; each link works once."""
    now = timezone.now()
    matches = SignInLink.objects.open_at(now).filter(digest=_digest(token))
    # One conditional update: of two simultaneous clicks one wins.
    if matches.update(used_at=now) != 1:
        return None
    return User.objects.filter(sign_in_links__digest=_digest(token), is_active=True).first()


def is_allowed(request: HttpRequest) -> bool:
    """Embedded, and requested from this machine without a proxy."""
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
