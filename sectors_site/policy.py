"""What browsers may load: for pages drawn up for each answer from the settings; for programs nothing, said once."""

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from game.api.documents import is_of_api

NOTHING = "default-src 'none'; frame-ancestors 'none'"


class PolicyMiddleware(CSPMiddleware):
    """The policy of pages costs a twentieth of what a program's answer takes, which no browser shows as a page."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if is_of_api(request):
            response.headers.setdefault(HEADER, NOTHING)
            return response
        return super().process_response(request, response)
