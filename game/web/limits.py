"""Rate limits for pages, counted together with those of the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts import limits
from accounts.addresses import mailbox_of
from accounts.limit_answers import add_headers, describe_refusal, describe_wait, network_of_request
from accounts.models import User
from game.infra.calls import measured_work

API = "/api/"
ACCOUNTS = "/accounts/"  # exempt: signing in must work even if others at the address read too much

PREVIEWS = {"save_draft"}
"""Forms that only preview: they are refused like reads once a reader's share of work is used up."""
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
    "account_login": (),  # counted where the password is checked, also by account
    "mfa_authenticate": (),
    "account_logout": (),  # signing out is never limited
    "invite_person": (),  # counted by the service, also for the API
    "chat_say": (),  # counted by the service, also for the API
    "chat_read": (),  # sent by the pages' scripts; it writes almost nothing
    "read_note": (),
}
"""The name of a form's URL -> the limits it counts against."""
OF_OTHERS = ("write",)
"""The limits of every other form of a signed-in user."""


class Limits:
    """Answers 429 with the limit that was exceeded and the time of the next try."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(API):
            return self.get_response(request)
        with measured_work() as work:
            response = self.get_response(request)
        work.charge(who_reads(request))
        return response

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Mapping[str, Any]
    ) -> HttpResponse | None:
        """Count form submissions, and refuse reads from users whose share of work is used up. The API counts where it
        reads the token."""
        match = request.resolver_match
        if match is None or request.path_info.startswith(API):
            return None
        try:
            if request.method == "POST":
                for name in OF_PAGES.get(match.url_name or "", OF_OTHERS):
                    _spend(name, request, kwargs)
            if match.url_name in PREVIEWS or (request.method != "POST" and not request.path_info.startswith(ACCOUNTS)):
                limits.check("work", who_reads(request))
        except limits.TooMany as too_many:
            return refused(request, too_many)
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer a limit that a view or a service exceeded."""
        return refused(request, error) if isinstance(error, limits.TooMany) else None


def refused(request: HttpRequest, too_many: limits.TooMany) -> HttpResponse:
    """The page about the limit that was reached, and when it ends."""
    text, when = describe_refusal(too_many.usage), describe_wait(too_many.usage)
    if "HX-Request" in request.headers:  # a script shows the text at the form
        part = HttpResponse(f"{text} {when}", status=429, content_type="text/plain", headers={"HX-Reswap": "none"})
        return add_headers(part, too_many)
    return add_headers(render(request, "429.html", {"words": text, "when": when}, status=429), too_many)


def _spend(name: str, request: HttpRequest, kwargs: Mapping[str, Any]) -> None:
    """Count one request by the limit's `by`. Raises `limits.TooMany`."""
    by = limits.LIMITS[name].by
    if by == limits.ADDRESS:
        limits.spend(name, network_of_request(request))
    elif by == limits.MAILBOX:
        if address := request.POST.get("email", "").strip():  # without one, the form is rejected
            limits.spend(name, limits.digest("@".join(mailbox_of(address))))
    elif isinstance(request.user, User):
        user_key = str(request.user.pk)
        limits.spend(name, f"{user_key}.{kwargs.get('game_id')}" if by == limits.PERSON_AND_GAME else user_key)


def who_reads(request: HttpRequest) -> str:
    """The key that reads are counted for: the user, or the address of a visitor."""
    return str(request.user.pk) if isinstance(request.user, User) else network_of_request(request)
