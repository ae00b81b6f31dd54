"""What holds for every page: its reader's language and, of somebody who is signed in, times in their own zone and no
shared cache that keeps it."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from accounts.languages import language_of, speaking

ENGLISH_ONLY = "/admin/"
GetResponse = Callable[[HttpRequest], HttpResponse]


def time_zone(get_response: GetResponse) -> GetResponse:
    """Activate the signed-in user's time zone for one request."""

    def in_their_zone(request: HttpRequest) -> HttpResponse:
        user = request.user
        with timezone.override(ZoneInfo(user.timezone) if user.is_authenticated else None):
            return get_response(request)

    return in_their_zone


def language(get_response: GetResponse) -> GetResponse:
    """Answer in the reader's language; the moderators' desk is in English."""

    def in_their_language(request: HttpRequest) -> HttpResponse:
        chosen = settings.LANGUAGE_CODE if request.path_info.startswith(ENGLISH_ONLY) else language_of(request)
        with speaking(chosen):
            response = get_response(request)
        response.headers.setdefault("Content-Language", chosen)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
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
