"""The list of lessons, and starting one, with or without an account."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import guests
from accounts.models import User
from game.engine.actions import Refused
from game.infra.once import made_once
from game.lobby.guest_views import check_may_come_in, come_in
from game.lobby.lessons import begin_lesson, lists_of


@never_cache
@require_safe
def lessons(request: HttpRequest) -> HttpResponse:
    """Every lesson, with the reader's progress."""
    user = request.user if isinstance(request.user, User) else None
    return render(request, "lobby/lessons.html", {"page": "lessons", "games": lists_of(user)})


@never_cache
def start_lesson(request: HttpRequest, ruleset: str, key: str) -> HttpResponse:
    """Start a lesson, for a visitor as a new guest. A GET redirects to the list."""
    if request.method != "POST":
        return redirect("lessons")
    check_may_come_in(request)
    try:
        return redirect(come_in(request, made_once(request, partial(_begin, request, ruleset, key))))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("lessons")


@transaction.atomic
def _begin(request: HttpRequest, ruleset: str, key: str) -> str:
    user = request.user if isinstance(request.user, User) else guests.new_guest()
    return str(begin_lesson(user=user, ruleset=ruleset, key=key).pk)
