"""Middleware for every page: the reader's language and, for signed-in users, their time zone and private caching."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from allauth.account.adapter import get_adapter
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext

from accounts.languages import language_of, speaking, wanted_language
from accounts.models import User
from accounts.second_factor import gave_factor

DESK_PATH, API_PATH = "/admin/", "/api/"
GetResponse = Callable[[HttpRequest], HttpResponse]


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
        with speaking(user.language):
            messages.warning(request, gettext("The desk needs a second factor: add a passkey or set up an app first."))
        return redirect("mfa_index")
    if gave_factor(request):
        return None
    with speaking(user.language):
        messages.warning(request, gettext("The desk needs your second factor. Your password alone does not open it."))
    back = request.get_full_path() if request.method == "GET" else DESK_PATH
    method, *_ = get_adapter().get_reauthentication_methods(user)  # its page links to the others
    return redirect_to_login(back, str(method["url"]))


def language(get_response: GetResponse) -> GetResponse:
    """Answer in the reader's language; the moderation desk is in English, and programs are answered without regard to
    cookies."""

    def in_their_language(request: HttpRequest) -> HttpResponse:
        is_program = request.path_info.startswith(API_PATH)
        choose_language = wanted_language if is_program else language_of
        code = settings.LANGUAGE_CODE if request.path_info.startswith(DESK_PATH) else choose_language(request)
        with speaking(code):
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
