"""Times in the reader's own zone."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

GetResponse = Callable[[HttpRequest], HttpResponse]


def time_zone(get_response: GetResponse) -> GetResponse:
    """Activate the zone of whoever is signed in for the length of one request."""

    def in_their_zone(request: HttpRequest) -> HttpResponse:
        user = request.user
        with timezone.override(ZoneInfo(user.timezone) if user.is_authenticated else None):
            return get_response(request)

    return in_their_zone
