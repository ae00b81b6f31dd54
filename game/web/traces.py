"""Middleware: record a fingerprint of the address when a user takes a seat, for multi-account hints."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse

from accounts.devices import known_accounts
from accounts.models import User
from accounts.sign_in_log import address_of
from game.moderation import multi_accounts

SEAT_TAKING_URLS = frozenset(
    {"create_game", "join_game", "invitation", "take_seat", "rematch", "api_games", "api_seats", "api_seat"}
)


class NoteWhoSits:
    """Records the address's fingerprint after a user has taken a seat; no other request records one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        took_seat = request.method == "POST" and match is not None and match.url_name in SEAT_TAKING_URLS
        if took_seat and response.status_code < 400 and isinstance(request.user, User):
            with suppress(IntegrityError):  # the account was deleted meanwhile
                multi_accounts.note_visit(
                    user=request.user, address=address_of(request), others_here=known_accounts(request)
                )
        return response
