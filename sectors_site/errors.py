"""Responses to requests that fail before a view sees them."""

from __future__ import annotations

import sys

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from game.api.documents import is_of_api
from game.api.problems import Problem, answer, problem_of

RETRY_SECONDS = 10  # by then a database outage is mostly over


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own handler looks for a token in the form, and fails again if the form cannot be read."""
    if is_of_api(request):
        return answer(Problem("too-large" if isinstance(exception, RequestDataTooBig) else "bad-request"))
    if isinstance(exception, RequestDataTooBig):
        return HttpResponse(render_to_string("413.html"), status=413)
    return HttpResponse(render_to_string("400.html"), status=400)


def server_error(request: HttpRequest) -> HttpResponse:
    """A database outage is not a bug of ours: nothing was changed, and the client may retry."""
    error = sys.exc_info()[1]
    if is_of_api(request):
        return answer(problem_of(error if isinstance(error, Exception) else Problem("error")))
    if isinstance(error, OperationalError | InterfaceError):
        return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": str(RETRY_SECONDS)})
    return HttpResponse(render_to_string("500.html"), status=500)
