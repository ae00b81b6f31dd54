"""The limits for what people do on pages: the same counter and numbers as for programs, counted together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts import limits
from accounts.limit_answers import network, with_headers
from accounts.limit_words import refusal_words, when_words
from accounts.mail import mailbox_of
from accounts.models import User
from game.infra.work import working

API = "/api/"
ACCOUNTS = "/accounts/"  # who shares an address with somebody who reads too much can sign in all the same

OF_PAGES: Mapping[str, tuple[str, ...]] = {
    "account_signup": ("sign_up", "sign_up_mailbox"),
    "mfa_login_webauthn": ("sign_in",),
    "account_reset_password": ("reset", "reset_mailbox"),
    "account_reset_password_from_key": ("new_password",),
    "account_change_password": ("change_password",),
    "account_set_password": ("change_password",),
    "account_email": ("change_address", "address_mailbox"),
    "account_reauthenticate": ("reauthenticate",),
    "mfa_reauthenticate": ("reauthenticate",),
    "mfa_reauthenticate_webauthn": ("reauthenticate",),
    "new_token": ("program",),
    "new_bot_token": ("program",),
    "new_bot": ("program",),
    "new_webhook": ("program",),
    "households": ("household",),
    "submit_action": ("move",),
    "save_draft": ("draft",),
    "account_login": (),  # counted where the password is, by account too
    "mfa_authenticate": (),
    "account_logout": (),  # nobody is kept from leaving
    "invite_person": (),  # counted where somebody is invited, by programs too
    "chat_say": (),  # counted where a message is written, from programs too
    "chat_read": (),  # sent by pages themselves, and it writes next to nothing
    "read_note": (),
}
"""The page that a form is sent to -> the limits that it counts for."""
OF_OTHERS = ("write",)
"""What every other form of somebody who is signed in counts for."""


class Limits:
    """Answers 429 with the limit and the time after which one may try again, wherever it is met."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(API):
            return self.get_response(request)
        with working() as work:
            response = self.get_response(request)
        work.charge(who_reads(request))
        return response

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Mapping[str, Any]
    ) -> HttpResponse | None:
        """Count what is sent to a page, and let nobody read whose share of work is used up. Programs are counted where
        their token is read."""
        match = request.resolver_match
        if match is None or request.path_info.startswith(API):
            return None
        try:
            if request.method == "POST":
                for name in OF_PAGES.get(match.url_name or "", OF_OTHERS):
                    _spend(name, request, kwargs)
            elif not request.path_info.startswith(ACCOUNTS):
                limits.check("work", who_reads(request))
        except limits.TooMany as too_many:
            return refused(request, too_many)
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """A limit that a view or a service met."""
        return refused(request, error) if isinstance(error, limits.TooMany) else None


def refused(request: HttpRequest, too_many: limits.TooMany) -> HttpResponse:
    """Which limit is reached, and until when."""
    words, when = refusal_words(too_many.spent), when_words(too_many.spent)
    if "HX-Request" in request.headers:  # a script puts the words where the form is
        part = HttpResponse(f"{words} {when}", status=429, content_type="text/plain", headers={"HX-Reswap": "none"})
        return with_headers(part, too_many)
    return with_headers(render(request, "429.html", {"words": words, "when": when}, status=429), too_many)


def _spend(name: str, request: HttpRequest, kwargs: Mapping[str, Any]) -> None:
    """Count it for whom the table says. Raises `limits.TooMany`."""
    by = limits.LIMITS[name].by
    if by == limits.ADDRESS:
        limits.spend(name, network(request))
    elif by == limits.MAILBOX:
        if address := request.POST.get("email", "").strip():  # a form without one is sent back, and fills no mailbox
            limits.spend(name, limits.digest("@".join(mailbox_of(address))))
    elif isinstance(request.user, User):
        own = str(request.user.pk)
        limits.spend(name, f"{own}.{kwargs.get('game_id')}" if by == limits.GAME else own)


def who_reads(request: HttpRequest) -> str:
    """For whom reading counts: a person, or all visitors of an address."""
    return str(request.user.pk) if isinstance(request.user, User) else network(request)
