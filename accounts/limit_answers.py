"""What the limits say to requests: where they come from, and when to try again."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from accounts import limits
from accounts.sign_in_log import address_of


def with_headers(response: HttpResponse, too_many: limits.TooMany) -> HttpResponse:
    """An answer that says when to try again."""
    for header, value in too_many.headers.items():
        response[header] = value
    return response


def network(request: HttpRequest) -> str:
    """Where a request comes from, as limits count it."""
    return limits.network_of(address_of(request))
