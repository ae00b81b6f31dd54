"""Answers for requests whose account, or whose object, was deleted while they were running."""

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

NO_SUCH_ROW = "23503"  # PostgreSQL: foreign key violation
log = structlog.get_logger("accounts.gone")


class GoneMiddleware:
    """Sends users whose account is gone to the sign-in page; answers 404 if something else is gone."""

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
    """True if the error was caused by the deletion of the requesting user's account."""
    is_row_error = isinstance(error, DatabaseError | ObjectDoesNotExist)
    if not is_row_error or isinstance(error, OperationalError | InterfaceError) or not isinstance(user, User):
        return False
    return not User.objects.filter(pk=user.pk).exists()


def names_what_is_gone(error: Exception) -> bool:
    """True if a request tried to store a reference to a deleted row; nothing was stored."""
    if not isinstance(error, IntegrityError):
        return False
    is_gone = getattr(error.__cause__, "sqlstate", "") == NO_SUCH_ROW or "FOREIGN KEY" in str(error)
    if is_gone:
        log.warning("names_what_is_gone", exc_info=error)
    return is_gone
