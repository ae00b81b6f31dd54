"""Acts of staff on games, cases, reports, people and the site, and how their forms are carried out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from accounts.models import User
from game.admin.forms import WhyForm
from game.engine.actions import Refused
from game.infra.idempotency import submit_once
from game.moderation import approvals, permissions
from game.moderation.interventions import Stale
from game.store.moderation_models import ApprovalRequest, Intervention, number_of

DONE, STALE, REFUSED = 302, 409, 422
"""The status of the answer to a form: it was carried out, what it is about has changed meanwhile, or it was refused."""


@dataclass(frozen=True)
class Act:
    """A button of the desk, its form, and the service behind it."""

    key: str
    what: Intervention
    label: str
    effect: str
    service: Callable[..., Any]
    form: type[forms.Form] = WhyForm
    success_text: str = ""

    @property
    def done(self) -> str:
        """The message to the moderator after the act."""
        return self.success_text or f"Done: {self.label.lower()}."


A = TypeVar("A", bound=Act)


def table_of(*acts: A) -> Mapping[str, A]:
    return {act.key: act for act in acts}


def allowed(acts: Mapping[str, A], moderator: User) -> list[A]:
    """Those that this moderator may do."""
    return [act for act in acts.values() if permissions.may(act.what, moderator)]


def carry_out(request: HttpRequest, perform: Callable[[], Any], done: str) -> int:
    """Do what a form asks for, once. Returns the status of the answer."""
    try:
        do_once(request, perform, done)
    except Refused as refused:
        messages.error(request, str(refused))
        return STALE if isinstance(refused, Stale) else REFUSED
    return DONE


def do_once(request: HttpRequest, perform: Callable[[], Any], done: str) -> str:
    """Carry out an act once, however often its form is sent. The message is `done`, or says that a second moderator was
    asked. Returns the key of that request, if any. Raises `Refused`."""

    def make() -> str:
        result = perform()
        return str(result.pk) if isinstance(result, ApprovalRequest) else ""

    key = submit_once(request, make)
    if key:
        _link_to_request(request, key)
    else:
        messages.success(request, done)
    return key


def _link_to_request(request: HttpRequest, key: str) -> None:
    """Tell the moderator that a request was made, with a link to it."""
    page = reverse("admin:game_approvalrequest_change", args=[key])
    hours = round(approvals.REQUEST_LIFETIME.total_seconds() / 3600)
    html = '<a href="{}">Request {}</a>: nothing has changed yet. A second moderator must confirm it within {} hours.'
    number = number_of(ApprovalRequest, int(key))
    messages.success(request, format_html(html, page, number, hours))
