"""Account pages that two browsers send at once: they run one after the other, each entirely or not at all, and do
nothing once the other browser has ended their session. Most are allauth's, which reads whether something is still free
or unconfirmed and writes it later."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

from allauth.account.models import get_emailconfirmation_model
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver

from accounts import guests
from accounts.models import User

View = Callable[..., HttpResponse]
PAGES = frozenset(
    {
        *("account_signup", "account_email", "account_confirm_email", "account_change_password"),
        *("account_set_password", "mfa_activate_totp", "mfa_deactivate_totp", "mfa_generate_recovery_codes"),
        *("mfa_add_webauthn", "mfa_remove_webauthn", "mfa_reauthenticate", "mfa_reauthenticate_webauthn"),
    }
)
"""By the names of their addresses."""
SIGN_IN_PAGES = frozenset({"mfa_authenticate", "mfa_login_webauthn"})


def patterns_of(module: str) -> list[URLPattern | URLResolver]:
    """The URL patterns of a module of allauth, with these pages one at a time."""
    return [_with_pages_alone(each) for each in import_module(module).urlpatterns]


def _with_pages_alone(pattern: URLPattern | URLResolver) -> URLPattern | URLResolver:
    if isinstance(pattern, URLResolver):
        inner = [_with_pages_alone(each) for each in pattern.url_patterns]
        return URLResolver(pattern.pattern, inner, pattern.default_kwargs, pattern.app_name, pattern.namespace)
    if pattern.name in PAGES:
        return URLPattern(pattern.pattern, one_at_a_time(pattern.callback), pattern.default_args, pattern.name)
    if pattern.name in SIGN_IN_PAGES:
        return URLPattern(pattern.pattern, asked_again(pattern.callback), pattern.default_args, pattern.name)
    return pattern


def asked_again(view: View) -> View:
    """Wraps a sign-in page so that it runs again if the second factor in use is removed meanwhile; it then finds no
    such factor. Nothing is locked, because signing in may lock games."""

    @wraps(view)
    def again(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except DatabaseError as error:
            if type(error) is not DatabaseError:  # what Django raises when a row that it saves is gone
                raise
            return view(request, *args, **kwargs)

    return again


def one_at_a_time(view: View) -> View:
    """Wraps a page so that its forms run in one transaction, with the account locked, and only if the session is still
    open. Where no account could be locked, as at sign-up, and another browser was faster, the page runs again and sees
    the result of the other one."""

    @wraps(view)
    def alone(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return view(request, *args, **kwargs)
        try:
            return _answer_alone(view, request, *args, **kwargs)
        except IntegrityError:
            return _answer_alone(view, request, *args, **kwargs)

    return alone


@transaction.atomic
def _answer_alone(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    own, owner, guest = request.user.pk, _owner_of_link(str(kwargs.get("key", ""))), guests.guest_of(request)
    rows = guests.lock_with_guests(own, owner, guest.pk if guest else None)
    if own is not None and not (own in rows and is_open(request, rows[own])):
        request.session.flush()  # nothing can be stored in it any more, not even the way back from signing in
        request.user = AnonymousUser()
    elif own is not None:
        request.user = rows[own]
    return view(request, *args, **kwargs)


def is_open(request: HttpRequest, user: User) -> bool:
    """True unless the session was ended, or the password changed, since the request began."""
    session = request.session
    is_current = session.get(HASH_SESSION_KEY) == user.get_session_auth_hash()
    return is_current and user.is_active and session.exists(session.session_key or "")


def _owner_of_link(key: str) -> int | None:
    """The key of the user whose address a link confirms; None if it is no such link."""
    confirmation = get_emailconfirmation_model().from_key(key) if key else None
    return confirmation.email_address.user_id if confirmation else None
