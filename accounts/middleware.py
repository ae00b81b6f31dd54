"""Middleware for every page: the reader's language and theme, the time zone and private caching of signed-in users, the
second factor of staff, and answers to requests whose account or object was deleted meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import structlog
from allauth.account.adapter import get_adapter
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language, gettext
from django.views.defaults import page_not_found

from accounts import ways_back
from accounts.languages import language_of, override_language, requested_language
from accounts.models import Theme, User
from accounts.security import has_used_factor

COOKIE = "theme"
A_YEAR = 365 * 24 * 3600
DESK_PATH, API_PATH = "/admin/", "/api/"
GetResponse = Callable[[HttpRequest], HttpResponse]
FOREIGN_KEY_VIOLATION = "23503"  # PostgreSQL: foreign key violation
log = structlog.get_logger("accounts.gone")


def theme_of(request: HttpRequest) -> str:
    """The theme that a visitor chose: from the account, else the cookie."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return str(user.theme)
    theme = request.COOKIES.get(COOKIE, "")
    return theme if theme in Theme.values else Theme.AUTO.value


def remember_theme(response: HttpResponse, theme: str) -> None:
    response.set_cookie(
        COOKIE, theme, max_age=A_YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE, httponly=True
    )


def time_zone(get_response: GetResponse) -> GetResponse:
    """Activate the user's time zone for one request."""

    def in_their_zone(request: HttpRequest) -> HttpResponse:
        user = request.user
        with timezone.override(ZoneInfo(user.timezone) if user.is_authenticated else None):
            return get_response(request)

    return in_their_zone


def second_factor(get_response: GetResponse) -> GetResponse:
    """Redirect staff whose session has given no second factor from the desk to the page where they give or set up
    one."""

    def with_second_factor(request: HttpRequest) -> HttpResponse:
        user, is_needed = request.user, settings.STAFF_SECOND_FACTOR and request.path_info.startswith(DESK_PATH)
        refusal = _redirect_to_factor(request, user) if is_needed and isinstance(user, User) and user.is_staff else None
        return refusal or get_response(request)

    return with_second_factor


def _redirect_to_factor(request: HttpRequest, user: User) -> HttpResponse | None:
    """The redirect for staff whose account or session lacks a second factor. The message is in their own language, like
    the page that shows it."""
    if not is_mfa_enabled(user):
        with override_language(user.language):
            messages.warning(request, gettext("The desk needs a second factor: add a passkey or set up an app first."))
        return redirect("mfa_index")
    if has_used_factor(request):
        return None
    with override_language(user.language):
        messages.warning(request, gettext("The desk needs your second factor. Your password alone does not open it."))
    back = request.get_full_path() if request.method == "GET" else DESK_PATH
    method, *_ = get_adapter().get_reauthentication_methods(user)  # its page links to the others
    return redirect_to_login(back, str(method["url"]))


def language(get_response: GetResponse) -> GetResponse:
    """Answer in the reader's language; the moderation desk is in English, and programs are answered without regard to
    cookies."""

    def in_their_language(request: HttpRequest) -> HttpResponse:
        is_program = request.path_info.startswith(API_PATH)
        choose_language = requested_language if is_program else language_of
        code = settings.LANGUAGE_CODE if request.path_info.startswith(DESK_PATH) else choose_language(request)
        with override_language(code):
            response = get_response(request)
        response.headers.setdefault("Content-Language", code)
        patch_vary_headers(response, ("Accept-Language",) if is_program else ("Accept-Language", "Cookie"))
        return response

    return in_their_language


def private(get_response: GetResponse) -> GetResponse:
    """Mark pages of signed-in users as private, and fragments as no-store, unless the view sets Cache-Control
    itself."""

    def kept_private(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.user.is_authenticated and not response.has_header("Cache-Control"):
            is_part = "HX-Request" in request.headers
            response["Cache-Control"] = "private, no-store" if is_part else "private, no-cache"
        return response

    return kept_private


def appearance(request: HttpRequest) -> dict[str, str]:
    """Template context about the reader."""
    return {"theme": theme_of(request), "language": get_language() or settings.LANGUAGE_CODE}


class GoneMiddleware:
    """Sends users whose account is gone to the sign-in page; answers 404 if something else is gone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if is_account_deleted(error, request.user):
            return ways_back.sign_in_again(request)
        return page_not_found(request, Http404()) if refers_to_deleted_row(error) else None


def is_account_deleted(error: Exception, user: Any) -> bool:
    """True if the requesting user's account was deleted meanwhile, which explains the error. A database that cannot be
    reached is another failure."""
    if isinstance(error, OperationalError | InterfaceError) or not isinstance(user, User):
        return False
    is_gone = not User.objects.filter(pk=user.pk).exists()
    if is_gone:
        log.info("account_is_gone", exc_info=error)
    return is_gone


def refers_to_deleted_row(error: Exception) -> bool:
    """True if a request tried to store a reference to a deleted row; nothing was stored."""
    if not isinstance(error, IntegrityError):
        return False
    is_gone = getattr(error.__cause__, "sqlstate", "") == FOREIGN_KEY_VIOLATION or "FOREIGN KEY" in str(error)
    if is_gone:
        log.warning("names_what_is_gone", exc_info=error)
    return is_gone
