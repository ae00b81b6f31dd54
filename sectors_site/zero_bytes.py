"""Zero bytes, which PostgreSQL stores in no text: none of our URLs or cookies contains one."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

from game.api.documents import is_of_api

ZERO_BYTE = "\x00"


class ZeroByteMiddleware:
    """Refuses page URLs with a zero byte and drops such cookies, before either is looked up. Forms and the API check
    their own fields."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        has_zero_byte = ZERO_BYTE in request.path_info or "%00" in request.META.get("QUERY_STRING", "")
        if has_zero_byte and not is_of_api(request):
            raise BadRequest("No address of this site has a zero byte.")
        for name in [name for name, value in request.COOKIES.items() if ZERO_BYTE in value]:
            del request.COOKIES[name]
        return self.get_response(request)
