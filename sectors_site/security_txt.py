"""Contacts for security reports: `/.well-known/security.txt` (RFC 9116)."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

PATH = "/.well-known/security.txt"
LIFETIME = timedelta(days=180)  # the RFC recommends less than a year, so that a forgotten file expires


@require_safe
@cache_control(public=True, max_age=86_400)
def security_txt(request: HttpRequest) -> HttpResponse:
    """The file, valid for half a year from today; 404 if SECURITY_CONTACT is empty."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = datetime.combine(datetime.now(UTC).date() + LIFETIME, time(), UTC)
    lines = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(code for code, _ in settings.LANGUAGES)}",
        f"Canonical: {settings.SITE_URL}{PATH}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
