"""Where to report a security hole: `/.well-known/security.txt`, as RFC 9116 says."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

WAY = "/.well-known/security.txt"
VALID = timedelta(days=180)  # the RFC wants less than a year, so that a forgotten file is not believed


@require_safe
@cache_control(public=True, max_age=86_400)
def security_txt(request: HttpRequest) -> HttpResponse:
    """The file, valid for half a year from today; 404 where SECURITY_CONTACT names nobody."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = datetime.combine(datetime.now(UTC).date() + VALID, time(), UTC)
    lines = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(code for code, _ in settings.LANGUAGES)}",
        f"Canonical: {settings.SITE_URL}{WAY}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
