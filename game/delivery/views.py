"""Notification preferences: a page for all games, one for each game, and the link that stops emails."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts import addresses
from accounts.models import User
from game.delivery import unsubscribing, webhooks
from game.delivery.forms import HoursForm, NoticeForm
from game.delivery.webhook_views import line_of
from game.outbox import preferences, push_subscriptions
from game.play.panel import find_game
from game.store.game import Game, Status
from game.store.readers import own_seat

UNFINISHED = (Status.WAITING, Status.RUNNING, Status.PAUSED, Status.HELD)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notifications(request: HttpRequest) -> HttpResponse:
    """Preferences for all games, and the hours of the day."""
    assert isinstance(request.user, User)
    if request.user.is_guest:
        return redirect("preferences")
    form = NoticeForm(request.POST or None, user=request.user)
    hours = HoursForm(request.POST or None, instance=request.user)
    is_valid = form.is_valid() and hours.is_valid()
    if request.method == "POST" and is_valid:
        with transaction.atomic():
            form.save()  # locks the account
            hours.save()
        messages.success(request, gettext("Your choices are saved."))
        return redirect("notifications")
    own = preferences.games_with_preferences(request.user.pk)
    games = Game.objects.filter(seats__user=request.user, status__in=UNFINISHED).only("name").order_by("name", "pk")
    context = {
        "form": form,
        "hours": hours,
        "games": [(game, game.pk in own) for game in games],
        "is_confirmed": addresses.is_confirmed(request.user),
        "bounce": addresses.bounce_of(request.user),
        "push_key": push_subscriptions.public_key(settings.PUSH_KEY) if push_subscriptions.is_offered() else "",
        "browsers": push_subscriptions.listed(user=request.user),
        "hooks": [line_of(hook) for hook in webhooks.webhooks_of(request.user)],
        "window": settings.MAIL_WINDOW.seconds // 60,
    }
    status = 200 if is_valid or not form.is_bound else 422
    return render(request, "delivery/notifications.html", context, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def game_notifications(request: HttpRequest, game_id: int) -> HttpResponse:
    """Preferences for one game; for its players."""
    assert isinstance(request.user, User)
    game = find_game(request, game_id)
    if request.user.is_guest or own_seat(game_id=game.pk, user=request.user) is None:
        return redirect("game", game_id=game_id)
    form = NoticeForm(request.POST or None, user=request.user, game_id=game.pk)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, gettext("Your choices are saved."))
        return redirect("game_notifications", game_id=game_id)
    context = {"form": form, "game": game}
    return render(request, "delivery/game_notifications.html", context, status=422 if form.errors else 200)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """A GET only asks, because mail scanners follow links; the signed token replaces a CSRF token."""
    what = unsubscribing.read(token)
    if what is None:
        raise Http404(gettext("This unsubscribe link is not complete."))
    context = {"label": what.label, "is_all": what.is_all, "game_name": what.game_name}
    if request.method == "POST" and (before := request.POST.get("before")):
        if not unsubscribing.bring_back(what, before):
            raise Http404(gettext("This unsubscribe link is not complete."))
        return render(request, "delivery/emails_again.html", context)
    if done := request.method == "POST":
        context["before"] = unsubscribing.stop(what)
    return render(request, "delivery/unsubscribe.html", context | {"done": done})
