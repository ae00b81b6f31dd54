"""Answers to requests that go wrong before a view sees them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

PATIENCE = 300  # seconds; after so long one may sign in or up again


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own answer looks for a token in the form, and breaks once more where that cannot be read."""
    return HttpResponse(render_to_string("400.html"), status=400)


def too_many_requests(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say when to come again."""
    return HttpResponse(render_to_string("429.html"), status=429, headers={"Retry-After": str(PATIENCE)})
