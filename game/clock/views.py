"""Taking more time for a phase, from the page of a game; and the account page about play times and vacations."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from game.clock import extensions, play_times
from game.clock.forms import HoursForm, VacationForm, times_context
from game.engine.actions import Refused
from game.infra.idempotency import submit_once
from game.play.panel import call_service


@login_required
@require_POST
def extend_phase(request: HttpRequest, game_id: int, serial: int) -> HttpResponse:
    return call_service(request, game_id, extensions.extend, serial=serial)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def play_times_page(request: HttpRequest) -> HttpResponse:
    """The week and the vacations; a POST sets the hours of the week."""
    assert isinstance(request.user, User)
    form = HoursForm(request.POST)
    if request.method != "POST":
        return _render_page(request, request.user, VacationForm())
    if not form.is_valid():
        return _render_refusal(request, request.user, VacationForm(), gettext("Choose hours from the week's table."))
    try:
        play_times.choose_hours(user=request.user, hours=form.hours())
    except Refused as refused:
        return _render_refusal(request, request.user, VacationForm(), str(refused))
    messages.success(request, gettext("Your hours are saved."))
    return redirect("play_times")


@never_cache
@login_required
@require_POST
def declare_vacation(request: HttpRequest) -> HttpResponse:
    """Declare a vacation; a refusal is 422, with the reason."""
    assert isinstance(request.user, User)
    form = VacationForm(request.POST)
    if not form.is_valid():
        return _render_page(request, request.user, form, status=422)
    declare = partial(play_times.declare_vacation, user=request.user, **form.cleaned_data)
    try:
        submit_once(request, lambda: str(declare().pk))
    except Refused as refused:
        return _render_refusal(request, request.user, form, str(refused))
    messages.success(request, gettext("Your vacation is saved. Your games show it, and their deadlines wait for you."))
    return redirect("play_times")


@never_cache
@login_required
@require_POST
def end_vacation(request: HttpRequest, number: int) -> HttpResponse:
    """Remove a vacation, or end it early."""
    assert isinstance(request.user, User)
    play_times.end_vacation(user=request.user, number=number)
    return redirect("play_times")


def _render_refusal(request: HttpRequest, user: User, form: VacationForm, why: str) -> HttpResponse:
    messages.error(request, why)
    return _render_page(request, user, form, status=422)


def _render_page(request: HttpRequest, user: User, form: VacationForm, status: int = 200) -> HttpResponse:
    return render(request, "accounts/times.html", times_context(user, form), status=status)
