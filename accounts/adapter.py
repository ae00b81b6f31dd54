"""What allauth asks of us: names, limits, and mails that wait for the worker."""

from typing import Any

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as current
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy

from accounts import guests
from accounts.devices import note_device
from accounts.models import User, refuse_taken_name
from accounts.post import keep
from accounts.sign_in_log import address_of

WRONG_SIGN_IN = gettext_lazy("Wrong name, email or password.")
log = structlog.get_logger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Allauth's own, with our words, names and mail."""

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

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Too many wrong passwords are answered as every other limit is: with the time after which one may try
        again."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError as error:
            log.warning("sign_in_slowed", address=address_of(request))
            raise ImmediateHttpResponse(ratelimit.respond_429(request)) from error

    def login(self, request: HttpRequest, user: User) -> None:
        """Whoever played as a guest until now keeps their games."""
        guest = guests.guest_of(request)
        super().login(request, user)
        guests.hand_over(guest, user, request)

    def post_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse:
        """The owner learns of a device that is new to the account."""
        response: HttpResponse = super().post_login(request, user, **more)
        note_device(request, response, user)
        return response

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """By account and address: a guesser elsewhere does not keep its owner out."""
        return f"{super()._get_login_attempts_cache_key(request, **credentials)}:{ratelimit.get_ip(request)}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Written here, sent by the worker: no answer waits for a mail server, and none tells by its time whether there
        is a mail."""
        request = current.request
        keep(
            self.render_mail(template_prefix, email, {"request": request, "email": email} | _at_home(request, context))
        )


def _at_home(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Links as the site's own address begins them, whatever host and port the request named."""
    named = request.build_absolute_uri("/")
    return {
        key: f"{settings.SITE_URL}/{value.removeprefix(named)}"
        if isinstance(value, str) and value.startswith(named)
        else value
        for key, value in context.items()
    }
