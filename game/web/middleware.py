"""Middleware for features that are switched off, and for read-only times."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from game.api import problems
from game.engine.language import mark, say
from game.moderation import site_desk
from game.play.pages import private
from game.site import features

PATHS = {"/api/v1/": features.API, "/accounts/signup/": features.SIGN_UP}
READ_ONLY = mark("The site is read-only for now. Nothing was submitted; please try again later.")
OPEN_TO_ALL = (
    "/admin/",
    "/accounts/login/",
    "/accounts/way-in/",
    "/accounts/logout/",
    "/accounts/2fa/",
    "/language/",
    "/theme/",
    "/mail/unsubscribe/",
)
RETRY_SECONDS = "600"
Handler = Callable[[HttpRequest], HttpResponse]


def switched_off(get_response: Handler) -> Handler:
    """Answer 503 for features that are off."""

    def middleware(request: HttpRequest) -> HttpResponse:
        feature = next((name for path, name in PATHS.items() if request.path_info.startswith(path)), None)
        if feature is None or not features.was_off(feature):
            return get_response(request)
        return _unavailable(request, say(features.OFF[feature]), page="web/switched_off.html", code="switched_off")

    return middleware


def read_only(get_response: Handler) -> Handler:
    """While the site is read-only, refuse changes by players; they can read, sign in and sign out."""

    def middleware(request: HttpRequest) -> HttpResponse:
        is_exempt = request.method in {"GET", "HEAD", "OPTIONS"} or request.path_info.startswith(OPEN_TO_ALL)
        if is_exempt or not site_desk.is_read_only():
            return get_response(request)
        text = site_desk.banner(get_language() or "") or say(READ_ONLY)
        return _unavailable(request, text, page="web/read_only.html", code="read_only")

    return middleware


def _unavailable(request: HttpRequest, text: str, *, page: str, code: str) -> HttpResponse:
    """A page, or a problem for the API, that says what is off and when to try again."""
    if request.path_info.startswith("/api/"):
        response = problems.answer(problems.Problem("switched-off", text, code=code))
    else:
        response = render(request, page, {"words": text}, status=503)
    response["Retry-After"] = RETRY_SECONDS
    return private(response)
