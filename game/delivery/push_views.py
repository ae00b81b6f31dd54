"""Browser notifications: subscribe or remove a browser, the list of them, and the script that shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe
from msgspec import Meta

from accounts import ways_back
from accounts.at_once import one_at_a_time
from accounts.limit_answers import add_headers, describe_refusal, describe_wait
from accounts.limits import TooMany
from accounts.models import User
from game.engine.actions import Refused
from game.outbox import push_subscriptions
from game.site import features

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
Address = Annotated[str, Meta(max_length=2000, pattern=r"^[^\x00]*$")]  # databases reject zero bytes
SCRIPT = "js/push-worker.js"


class Keys(msgspec.Struct, frozen=True):
    """A subscription's keys, named as browsers name them."""

    p256dh: Annotated[str, Meta(max_length=90)]
    auth: Annotated[str, Meta(max_length=30)]


class Subscription(msgspec.Struct, frozen=True):
    """The subscription that a browser sends; other fields are ignored."""

    endpoint: Address
    keys: Keys


class Removal(msgspec.Struct, frozen=True):
    """The subscription to remove."""

    endpoint: Address


@one_at_a_time
@login_required
@require_POST
def allow(request: HttpRequest) -> HttpResponse:
    """Subscribe this browser. Returns the list, or the page on which its owner must reauthenticate first."""
    assert isinstance(request.user, User)
    try:
        features.check(features.PUSH)
        subscription = msgspec.json.decode(request.body, type=Subscription)
        _store_subscription(request, subscription)
    except ReauthenticationRequired:
        return JsonResponse({"confirm": _reauthentication_url(request)}, status=401)
    except UNREADABLE:
        return JsonResponse({"detail": gettext("The keys of this browser cannot be read.")}, status=422)
    except Refused as refused:
        return JsonResponse({"detail": str(refused)}, status=422)
    except TooMany as too_many:
        detail = f"{describe_refusal(too_many.usage)} {describe_wait(too_many.usage)}"
        return add_headers(JsonResponse({"detail": detail}, status=429), too_many)
    return _render_list(request)


@login_required
@require_POST
def stop(request: HttpRequest) -> HttpResponse:
    """Unsubscribe this browser. Returns the list."""
    assert isinstance(request.user, User)
    try:
        push_subscriptions.forget(user=request.user, endpoint=msgspec.json.decode(request.body, type=Removal).endpoint)
    except UNREADABLE:
        return JsonResponse({"detail": gettext("The keys of this browser cannot be read.")}, status=422)
    return _render_list(request)


@login_required
@require_POST
def remove(request: HttpRequest, number: int) -> HttpResponse:
    """Unsubscribe one browser of the list."""
    assert isinstance(request.user, User)
    push_subscriptions.remove(user=request.user, number=number)
    messages.success(request, gettext("The browser is removed. It no longer shows you notifications."))
    return redirect("notifications")


@reauthentication_required  # type: ignore[untyped-decorator]
def _store_subscription(request: HttpRequest, subscription: Subscription) -> None:
    assert isinstance(request.user, User)
    session, keys = request.session.session_key or "", subscription.keys
    push_subscriptions.allow(
        user=request.user, endpoint=subscription.endpoint, p256dh=keys.p256dh, auth=keys.auth, session=session
    )


def _reauthentication_url(request: HttpRequest) -> str:
    """The page that asks to reauthenticate; it leads back to the notifications page, whose script continues at
    “#allow”."""
    way = get_adapter().get_reauthentication_methods(request.user)[0]
    ways_back.remember(request, reverse("notifications") + "#allow")
    return str(way["url"])


def _render_list(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    return render(request, "delivery/_browsers.html", {"browsers": push_subscriptions.listed(user=request.user)})


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Served at the root of the site: a service worker controls only pages below its own URL."""
    place = finders.find(SCRIPT)
    if not isinstance(place, str):
        raise Http404
    script = HttpResponse(Path(place).read_bytes(), content_type="text/javascript; charset=utf-8")
    script["Cache-Control"] = "no-cache"
    return script
