"""What the whole site refuses for a while: signing up, the API, or every change."""

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
LATER = "600"  # seconds
Handler = Callable[[HttpRequest], HttpResponse]


def switched_off(get_response: Handler) -> Handler:
    """Answer politely in place of what is off."""

    def kept(request: HttpRequest) -> HttpResponse:
        feature = next((name for path, name in PATHS.items() if request.path_info.startswith(path)), None)
        if feature is None or not features.was_off(feature):
            return get_response(request)
        return _not_now(request, say(features.OFF[feature]), page="web/switched_off.html", code="switched_off")

    return kept


def read_only(get_response: Handler) -> Handler:
    """While admins keep the site read-only, accept nothing from players: they can read, sign in and sign out."""

    def kept(request: HttpRequest) -> HttpResponse:
        is_asking = request.method in {"GET", "HEAD", "OPTIONS"} or request.path_info.startswith(OPEN_TO_ALL)
        if is_asking or not site_desk.is_read_only():
            return get_response(request)
        words = site_desk.banner(get_language() or "") or say(READ_ONLY)
        return _not_now(request, words, page="web/read_only.html", code="read_only")

    return kept


def _not_now(request: HttpRequest, words: str, *, page: str, code: str) -> HttpResponse:
    """A page, or a problem for programs, that says so and when to try again."""
    if request.path_info.startswith("/api/"):
        answer = problems.answer(problems.Problem("switched-off", words, code=code))
    else:
        answer = render(request, page, {"words": words}, status=503)
    answer["Retry-After"] = LATER
    return private(answer)
