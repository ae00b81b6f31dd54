"""Allauth's adapter for this site: names, limits, and mail that the worker sends."""

from typing import Any, NoReturn

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.utils import filter_users_by_email
from allauth.core import context as current
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy

from accounts import addresses, guests, security, sign_ups, ways_back
from accounts.addresses import mailbox_of
from accounts.emails import queue_email
from accounts.limits import digest, is_spent
from accounts.models import User, refuse_taken_name
from accounts.sign_ins import count_sign_in, remember_device

WRONG_SIGN_IN = gettext_lazy("Wrong name, email or password.")
TOO_SHORT = gettext_lazy(
    "Your account no longer has a second factor. Without one a password needs {least} characters: choose a longer one."
)
SIGN_IN_OUTDATED = gettext_lazy("Your password or your second factors changed a moment ago. Sign in again.")
CONFIRMATIONS = frozenset(
    f"account/email/{name}"
    for name in ("email_confirmation", "email_confirmation_signup", "account_already_exists", "sign_up_refused")
)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Allauth's adapter with our texts, names and mail."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": WRONG_SIGN_IN,
        "username_password_mismatch": WRONG_SIGN_IN,
        "account_inactive": gettext_lazy("This account is closed."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name: str = super().clean_username(username, shallow)
        if not shallow:
            refuse_taken_name(name)
        return name

    def clean_email(self, email: str) -> str:
        """Called by every form with an address field. Raises `ValidationError`."""
        return addresses.clean_address(email)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Count a password as wrong until it has been checked. Raises `limits.TooMany`."""
        usages = count_sign_in(request, credentials)
        user = super().authenticate(request, **credentials)
        if user:
            for each in usages:
                each.refund()
            missing_characters = security.missing_characters(credentials.get("password", ""), user)
            request.lacks_characters = missing_characters  # type: ignore[attr-defined]
        return user

    def login(self, request: HttpRequest, user: User) -> None:
        """A guest who signs in keeps their games and returns to the page they came from. Raises
        `ImmediateHttpResponse` if what they signed in with was changed or removed meanwhile."""
        guest, records = guests.guest_of(request), get_authentication_records(request, user)
        way = ways_back.way_back_of(request)
        try:
            with transaction.atomic():
                super().login(request, user)
        except DatabaseError as error:
            if type(error) is not DatabaseError:  # what Django raises when a row that it saves is gone
                raise
            _refuse_sign_in(request, guest, way)
        security.restore_authentication_records(request, user, records)
        if not security.is_sign_in_valid(request, user):
            _refuse_sign_in(request, guest, way)
        ways_back.remember(request, way)
        try:
            guests.merge_guests(guest, user, request)
        except guests.AccountEnded:
            _refuse_sign_in(request, guest, way)

    def pre_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse | None:
        """Keep the way back with the account: the address may be confirmed in another browser."""
        ways_back.remember_with_account(user, ways_back.way_back_of(request))
        response: HttpResponse | None = super().pre_login(request, user, **more)
        return response

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return ways_back.way_back_of(request) or str(super().get_login_redirect_url(request))

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        return ways_back.way_back_of(request) or str(super().get_signup_redirect_url(request))

    def post_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse:
        """Notify the owner of a new device, and send users with a password that is now too short to the page that
        changes it. From there they continue to where they were going."""
        if getattr(request, "lacks_characters", 0):
            messages.warning(request, TOO_SHORT.format(least=security.MIN_LENGTH))
            going_to = {"next": more["redirect_url"]} if more.get("redirect_url") else {}
            more["redirect_url"] = reverse("account_change_password", query=going_to)
        response: HttpResponse = super().post_login(request, user, **more)
        remember_device(request, response, user)
        ways_back.forget(user)
        return response

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, Any]]:
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return security.reauthentication_methods(user, methods) if isinstance(user, User) else methods

    def send_account_already_exists_mail(self, email: str) -> None:
        """Explain to the owner of the address why there will be no account; the page says the same to everybody."""
        if sign_ups.is_blocked(email) and not filter_users_by_email(email):
            self.send_mail("account/email/sign_up_refused", email, {})
        else:
            super().send_account_already_exists_mail(email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue the email for the worker: no response waits for a mail server, and response times do not show whether
        an email is sent. Confirmations are limited, so that nobody can flood a mailbox: the last link still works."""
        if template_prefix in CONFIRMATIONS and _is_confirmation_limited(email):
            return
        request = current.request
        standard_context = {
            "request": request,
            "email": email,
            "ended_others": security.has_ended_others(request),
            "sessions_url": settings.SITE_URL + reverse("usersessions_list"),
        }
        queue_email(self.render_mail(template_prefix, email, standard_context | _with_site_links(request, context)))


def _refuse_sign_in(request: HttpRequest, guest: User | None, way: str) -> NoReturn:
    """Sign out again; a guest is the guest again."""
    logout(request)
    if guest is not None:
        guests.sign_in_guest(request, guest)
    ways_back.remember(request, way)
    messages.error(request, SIGN_IN_OUTDATED)
    raise ImmediateHttpResponse(redirect("account_login"))


def _is_confirmation_limited(address: str) -> bool:
    """True if the address has just been sent a confirmation, or its mailbox many, under any of its addresses."""
    mailbox = digest("@".join(mailbox_of(address)))
    return is_spent("confirmation", digest(address.lower())) or is_spent("confirmation_mailbox", mailbox)


def _with_site_links(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Replace the host and port of the request by SITE_URL in all links."""
    request_root = request.build_absolute_uri("/")
    return {
        key: f"{settings.SITE_URL}/{value.removeprefix(request_root)}"
        if isinstance(value, str) and value.startswith(request_root)
        else value
        for key, value in context.items()
    }
