"""Connects limits with requests: the client's network, and headers that say when to retry."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from accounts import limits
from accounts.sign_in_log import address_of


def with_headers(response: HttpResponse, too_many: limits.TooMany) -> HttpResponse:
    """Add the headers that say when to retry."""
    for header, value in too_many.headers.items():
        response[header] = value
    return response


def network(request: HttpRequest) -> str:
    """The client's network, as limits count it."""
    return limits.network_of(address_of(request))
