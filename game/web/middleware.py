"""Middleware: features that are off, read-only times, refusals, damaged games, and records of who takes a seat."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from django.contrib.sessions.models import Session
from django.db import IntegrityError
from django.db.models import Exists
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language

from accounts import ways_back
from accounts.models import User
from accounts.sign_ins import address_of, known_accounts
from game.api import problems
from game.engine.actions import Refused
from game.engine.codec import Damaged, Newer
from game.engine.language import mark, say
from game.infra import credentials
from game.moderation import multi_accounts, site_desk
from game.play import failures
from game.play.panel import private
from game.site import features
from game.table.refusals import refusal_page

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
UPDATE_SECONDS = 10  # during an update, the next process that answers is usually a new one
SEAT_TAKING_URLS = frozenset(
    {"create_game", "join_game", "invitation", "take_seat", "rematch", "api_games", "api_seats", "api_seat"}
)
Handler = Callable[[HttpRequest], HttpResponse]


def switched_off(get_response: Handler) -> Handler:
    """Answer 503 for features that are off."""

    def middleware(request: HttpRequest) -> HttpResponse:
        feature = next((name for path, name in PATHS.items() if request.path_info.startswith(path)), None)
        if feature is None or not features.was_recently_off(feature):
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


def while_signed_in(get_response: Handler) -> Handler:
    """Let a session change a game only if nobody has ended it by the time the game is locked."""

    def middleware(request: HttpRequest) -> HttpResponse:
        is_exempt = request.method in {"GET", "HEAD", "OPTIONS"} or request.path_info.startswith("/api/")
        if is_exempt or not isinstance(request.user, User):
            return get_response(request)
        user, key = request.user, request.session.session_key
        sessions = Session.objects.filter(pk=key)
        owners = User.objects.filter(Exists(sessions), pk=user.pk, password=user.password, is_active=True)
        # A request that signs somebody in or out has another session from then on.
        with credentials.used(lambda: request.session.session_key != key or owners.exists()):
            return get_response(request)

    return middleware


def _unavailable(request: HttpRequest, text: str, *, page: str, code: str) -> HttpResponse:
    """A page, or a problem for the API, that says what is off and when to try again."""
    if request.path_info.startswith("/api/"):
        response = problems.answer(problems.Problem("switched-off", text, code=code))
    else:
        response = render(request, page, {"words": text}, status=503)
    response["Retry-After"] = RETRY_SECONDS
    return private(response)


class GameErrorMiddleware:
    """Answers a refused request with 409 and the game's page, with the reason at the top. Shows an error page when
    stored data is damaged; a game whose position is damaged is put on hold."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page for `Refused`, `Damaged` or `Newer`, and for a session that has been ended; other exceptions
        propagate."""
        if isinstance(error, credentials.Revoked):
            return ways_back.sign_in_again(request)
        game_id = request.resolver_match.kwargs.get("game_id") if request.resolver_match else None
        try:
            if isinstance(error, Refused) and game_id is not None:
                return refusal_page(request, game_id, error)
        except (Damaged, Newer) as unreadable:  # the page's game, not the request
            error = unreadable
        if isinstance(error, Newer):
            headers = {"Retry-After": str(UPDATE_SECONDS), "Cache-Control": "private, no-store"}
            return HttpResponse(render_to_string("web/newer.html"), status=503, headers=headers)
        if not isinstance(error, Damaged):
            return None
        status = failures.hold_damaged(game_id=game_id) if game_id is not None else ""
        page = render_to_string("web/damaged.html", {"status": status})
        return HttpResponse(page, status=409, headers={"Cache-Control": "private, no-store"})


class RecordSeatTakers:
    """Records the address's fingerprint after a user has taken a seat; no other request records one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        took_seat = request.method == "POST" and match is not None and match.url_name in SEAT_TAKING_URLS
        if took_seat and response.status_code < 400 and isinstance(request.user, User):
            with suppress(IntegrityError):  # the account was deleted meanwhile
                multi_accounts.note_visit(
                    user=request.user, address=address_of(request), others_here=known_accounts(request)
                )
        return response
