"""The root URLs of the site, `security.txt`, and responses to requests that fail before a view sees them."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, time, timedelta

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.contrib.sessions.exceptions import SessionInterrupted
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import include, path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.defaults import page_not_found
from django.views.generic import RedirectView

from accounts import at_once
from game.admin import home
from game.api.documents import is_of_api
from game.api.problems import Problem, answer, problem_of
from game.api.urls import nowhere

SECURITY_TXT_PATH = "/.well-known/security.txt"
LIFETIME = timedelta(days=180)  # the RFC recommends less than a year, so that a forgotten file expires
OUTAGE = (OperationalError, InterfaceError)
RETRY_SECONDS = 10  # by then a database outage is mostly over


@require_safe
@cache_control(public=True, max_age=86_400)
def security_txt(request: HttpRequest) -> HttpResponse:
    """Contacts for security reports (RFC 9116), valid for half a year from today; 404 if SECURITY_CONTACT is empty."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = datetime.combine(datetime.now(UTC).date() + LIFETIME, time(), UTC)
    lines = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(code for code, _ in settings.LANGUAGES)}",
        f"Canonical: {settings.SITE_URL}{SECURITY_TXT_PATH}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own handler looks for a token in the form, and fails again if the form cannot be read. A session that
    the database would not take is called interrupted; that is an outage."""
    if isinstance(exception, SessionInterrupted) and _is_outage(exception):
        return _unavailable()
    if is_of_api(request):
        return answer(Problem("too-large" if isinstance(exception, RequestDataTooBig) else "bad-request"))
    if isinstance(exception, RequestDataTooBig):
        return HttpResponse(render_to_string("413.html"), status=413)
    return HttpResponse(render_to_string("400.html"), status=400)


def server_error(request: HttpRequest) -> HttpResponse:
    """A database outage is not a bug of ours: nothing was changed, and the client may retry."""
    error = sys.exc_info()[1]
    if is_of_api(request):
        return answer(problem_of(error if isinstance(error, Exception) else Problem("error")))
    if isinstance(error, OUTAGE):
        return _unavailable()
    return HttpResponse(render_to_string("500.html"), status=500)


def _is_outage(error: BaseException | None) -> bool:
    """True if the database is behind this error."""
    while error is not None and not isinstance(error, OUTAGE):
        error = error.__context__
    return error is not None


def _unavailable() -> HttpResponse:
    return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": str(RETRY_SECONDS)})


# The admin's own form does not limit failed attempts; allauth's does.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.index_title = "The moderation desk"

handler400 = "sectors_site.urls.bad_request"
handler500 = "sectors_site.urls.server_error"

urlpatterns = [
    path(".well-known/security.txt", security_txt, name="security_txt"),
    # The admin's own page neither limits attempts nor notifies the owner.
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password"), name="staff_password"),
    # No page of the desk completes what is typed; the answers would have rows' keys, whose gaps count hidden rows.
    path("admin/autocomplete/", page_not_found, {"exception": Http404()}, name="no_completion"),
    path("admin/", admin.site.admin_view(home.index)),
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("accounts/", include(at_once.patterns_of("allauth.account.urls"))),
    path("api/v1/", include("game.api.urls")),
    path("api/", include(nowhere)),
    path("accounts/2fa/", include(at_once.patterns_of("allauth.mfa.urls"))),
    path("", include("game.urls")),
]
