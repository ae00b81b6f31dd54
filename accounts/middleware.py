"""What applies to every page: its reader's language and, for signed-in people, times in their own zone and no shared
caching."""

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

DESK, PROGRAMS = "/admin/", "/api/"
GetResponse = Callable[[HttpRequest], HttpResponse]


def time_zone(get_response: GetResponse) -> GetResponse:
    """Activate the signed-in user's time zone for one request."""

    def in_their_zone(request: HttpRequest) -> HttpResponse:
        user = request.user
        with timezone.override(ZoneInfo(user.timezone) if user.is_authenticated else None):
            return get_response(request)

    return in_their_zone


def second_factor(get_response: GetResponse) -> GetResponse:
    """Keep staff whose session has given no second factor away from the desk, and lead them to where they give or set
    up one."""

    def with_second_factor(request: HttpRequest) -> HttpResponse:
        user, is_wanted = request.user, settings.STAFF_SECOND_FACTOR and request.path_info.startswith(DESK)
        asked = _asked_for_factor(request, user) if is_wanted and isinstance(user, User) and user.is_staff else None
        return asked or get_response(request)

    return with_second_factor


def _asked_for_factor(request: HttpRequest, user: User) -> HttpResponse | None:
    """Where to send staff whose account or session lacks a second factor. The reason is in their own language, like the
    page on which they read it."""
    if not is_mfa_enabled(user):
        with speaking(user.language):
            messages.warning(request, gettext("The desk needs a second factor: add a passkey or set up an app first."))
        return redirect("mfa_index")
    if gave_factor(request):
        return None
    with speaking(user.language):
        messages.warning(request, gettext("The desk needs your second factor. Your password alone does not open it."))
    back = request.get_full_path() if request.method == "GET" else DESK
    usual, *_ = get_adapter().get_reauthentication_methods(user)  # its page links to the others
    return redirect_to_login(back, str(usual["url"]))


def language(get_response: GetResponse) -> GetResponse:
    """Answer in the reader's language; the moderators' desk is in English, and cookies count for nothing where programs
    ask."""

    def in_their_language(request: HttpRequest) -> HttpResponse:
        is_program = request.path_info.startswith(PROGRAMS)
        usual = wanted_language if is_program else language_of
        chosen = settings.LANGUAGE_CODE if request.path_info.startswith(DESK) else usual(request)
        with speaking(chosen):
            response = get_response(request)
        response.headers.setdefault("Content-Language", chosen)
        patch_vary_headers(response, ("Accept-Language",) if is_program else ("Accept-Language", "Cookie"))
        return response

    return in_their_language


def private(get_response: GetResponse) -> GetResponse:
    """Mark pages of signed-in users as private, and parts of them as not to be stored, unless the view sets
    Cache-Control itself."""

    def kept_private(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.user.is_authenticated and not response.has_header("Cache-Control"):
            is_part = "HX-Request" in request.headers
            response["Cache-Control"] = "private, no-store" if is_part else "private, no-cache"
        return response

    return kept_private
