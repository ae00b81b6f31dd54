"""What a request is answered whose account, or what it names, was deleted while it was under way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.defaults import page_not_found

from accounts.models import User

NO_SUCH_ROW = "23503"  # PostgreSQL's state for a row that names another which is not there
log = structlog.get_logger("accounts.gone")


class GoneMiddleware:
    """Leads people whose account is gone to signing in, and answers 404 where something else is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if lost_account(error, request.user):
            request.session.flush()
            return redirect("account_login")
        return page_not_found(request, Http404()) if names_what_is_gone(error) else None


def lost_account(error: Exception, user: Any) -> bool:
    """Whether an error comes from the account of the person who asks being gone."""
    is_of_rows = isinstance(error, DatabaseError | ObjectDoesNotExist)
    if not is_of_rows or isinstance(error, OperationalError | InterfaceError) or not isinstance(user, User):
        return False
    return not User.objects.filter(pk=user.pk).exists()


def names_what_is_gone(error: Exception) -> bool:
    """Whether a request would have stored something about a row that is gone; nothing was stored."""
    if not isinstance(error, IntegrityError):
        return False
    is_gone = getattr(error.__cause__, "sqlstate", "") == NO_SUCH_ROW or "FOREIGN KEY" in str(error)
    if is_gone:
        log.warning("names_what_is_gone", exc_info=error)
    return is_gone
