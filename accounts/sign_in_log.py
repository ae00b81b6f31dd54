"""Logs sign-ins, sign-outs and failures: which account and from where, never the typed text."""

from __future__ import annotations

from typing import Any

import structlog
from allauth.account.adapter import get_adapter
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.db.models import Q
from django.http import HttpRequest

from accounts.models import User
from accounts.names import sought

log = structlog.get_logger("accounts.sign_in_log")


def connect() -> None:
    """Subscribe to sign-ins, sign-outs and failures."""
    user_logged_in.connect(_log_sign_in, dispatch_uid="log_sign_in")
    user_logged_out.connect(_log_sign_out, dispatch_uid="log_sign_out")
    user_login_failed.connect(_log_failure, dispatch_uid="log_failed_sign_in")


def address_of(request: HttpRequest | None) -> str:
    """The client's address, as far as proxies are trusted."""
    try:
        return str(get_adapter().get_client_ip(request)) if request is not None else ""
    except (ImproperlyConfigured, PermissionDenied):
        return ""


def _log_sign_in(*, user: User, request: HttpRequest | None = None, **_: Any) -> None:
    log.info("signed_in", user=user.pk, address=address_of(request))


def _log_sign_out(*, user: User | None, request: HttpRequest | None = None, **_: Any) -> None:
    if user is not None:
        log.info("signed_out", user=user.pk, address=address_of(request))


def _log_failure(*, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    """Logs the account's id only: people type passwords into the name field."""
    name, address = (sought(str(credentials.get(which) or "")) for which in ("username", "email"))
    matches = Q(username__iexact=name or address) | Q(email__iexact=address or name)
    log.warning(
        "sign_in_failed",
        user=User.objects.filter(matches).values_list("pk", flat=True).first(),
        address=address_of(request),
    )
