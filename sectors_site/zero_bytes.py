"""Zero bytes, which PostgreSQL takes in no text: no address here has one, and no cookie of ours."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

from game.api.documents import is_of_api

ZERO = "\x00"


class ZeroByteMiddleware:
    """Refuses addresses of pages with one, and takes cookies with one for none, before either is looked up. Forms and
    the API refuse them by their fields."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_there = ZERO in request.path_info or "%00" in request.META.get("QUERY_STRING", "")
        if is_there and not is_of_api(request):
            raise BadRequest("No address of this site has a zero byte.")
        for name in [name for name, value in request.COOKIES.items() if ZERO in value]:
            del request.COOKIES[name]
        return self.get_response(request)
