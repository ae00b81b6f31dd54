"""From where people sit down, on pages and through the API: what the desk's hints are made of."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse

from accounts.devices import known_accounts
from accounts.models import User
from accounts.sign_in_log import address_of
from game.moderation import multi_accounts

SITS_DOWN = frozenset(
    {"create_game", "join_game", "invitation", "take_seat", "rematch", "api_games", "api_seats", "api_seat"}
)


class NoteWhoSits:
    """Keeps the fingerprint of an address once its person has a seat; no other request writes one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        sat_down = request.method == "POST" and match is not None and match.url_name in SITS_DOWN
        if sat_down and response.status_code < 400 and isinstance(request.user, User):
            with suppress(IntegrityError):  # the account was deleted meanwhile
                multi_accounts.note_visit(
                    user=request.user, address=address_of(request), others_here=known_accounts(request)
                )
        return response
