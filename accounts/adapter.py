"""What allauth asks of us: sending its mails without breaking the page where the post is down."""

from typing import Any

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as current
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts.models import refuse_taken_name

WRONG_SIGN_IN = "That name or address and that password do not belong together."
NOT_SENT = "The mail could not be sent just now. Nothing is lost: ask for it again in some minutes."
log = structlog.get_logger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Allauth's own, for a site whose mail server may hang or refuse."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": WRONG_SIGN_IN,
        "username_password_mismatch": WRONG_SIGN_IN,
        "account_inactive": "This account is closed.",
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name: str = super().clean_username(username, shallow)
        if not shallow:
            refuse_taken_name(name)
        return name

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Too many wrong passwords are answered as every other limit is: with the time after which one may try again."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError as error:
            raise ImmediateHttpResponse(ratelimit.respond_429(request)) from error

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """By account and address: a guesser elsewhere does not keep its owner out."""
        return f"{super()._get_login_attempts_cache_key(request, **credentials)}:{ratelimit.get_ip(request)}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A mail that cannot be sent is said to be so, for every address alike: the step it belongs to is taken all the same."""
        try:
            super().send_mail(template_prefix, email, context)
        except Exception as error:
            log.error("account_mail_not_sent", mail=template_prefix, trouble=type(error).__name__)
            messages.error(current.request, NOT_SENT)
