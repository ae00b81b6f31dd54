"""Answers to requests that go wrong before a view sees them."""

from __future__ import annotations

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

PATIENCE = 300  # seconds; after so long one may sign in or up again
SOON = 10  # seconds; a database that is busy, full or away is mostly back by then


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own answer looks for a token in the form, and breaks once more where that cannot be read."""
    return HttpResponse(render_to_string("400.html"), status=400)


def server_error(request: HttpRequest) -> HttpResponse:
    """A database that does not answer is not a bug of ours: nothing was changed, and one may try again."""
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": str(SOON)})
    return HttpResponse(render_to_string("500.html"), status=500)


def too_many_requests(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say when to come again."""
    return HttpResponse(render_to_string("429.html"), status=429, headers={"Retry-After": str(PATIENCE)})
