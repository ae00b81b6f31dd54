"""The pages of a person's webhooks: the list, a new one with its secret shown once, and its last messages."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.at_once import one_at_a_time
from accounts.limits import most_of
from accounts.models import User
from game.delivery import chat_services, webhooks
from game.engine.actions import Refused
from game.engine.language import say
from game.infra.idempotency import submit_once
from game.infra.safe_http import MOST_OF_A_URL
from game.outbox.models import Webhook
from game.outbox.webhook_types import TYPES


class TypesForm(forms.Form):
    """The types of messages that a webhook gets."""

    types = forms.MultipleChoiceField(
        label=_("Messages"),
        choices=list(TYPES.items()),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one.")},
    )

    def chosen(self) -> list[str]:
        """The chosen types; empty if all are chosen, so that it also gets types that are added later."""
        kinds: Any = self.cleaned_data["types"]
        return [] if len(kinds) == len(TYPES) else list(kinds)


class WebhookForm(TypesForm):
    """The URL of a webhook, and the types of messages that it gets."""

    url = forms.CharField(
        label=_("Address"),
        max_length=MOST_OF_A_URL,
        help_text=_("The address of your own program, or of a chat’s webhook. It begins with https://."),
        widget=forms.URLInput(attrs={"placeholder": "https://hooks.example.org/sectors", "autocomplete": "off"}),
    )
    field_order = ["url", "types"]


HEAVY = ("game__state", "game__inputs", "game__course")
MOST_DELIVERIES = 20  # messages on the page; the API has all


@never_cache
@login_required
@require_safe
def webhook_list(request: HttpRequest) -> HttpResponse:
    hooks = [line_of(hook) for hook in webhooks.webhooks_of(_owner(request))]
    return render(request, "accounts/webhooks.html", {"hooks": hooks, "has_room": len(hooks) < most_of("webhooks")})


@one_at_a_time
@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def new_webhook(request: HttpRequest) -> HttpResponse:
    """Add one. Its secret is shown only in the answer to the form."""
    form = WebhookForm(request.POST or None, initial={"types": [*TYPES]})
    if request.method == "POST" and form.is_valid():

        def make() -> str:
            return str(webhooks.add(user=_owner(request), url=form.cleaned_data["url"], types=form.chosen()).pk)

        try:
            hook = _find_webhook(request, int(submit_once(request, make)))
        except Refused as refused:
            form.add_error("url" if refused.field == "url" else None, str(refused))
        else:
            return render(request, "accounts/webhook_secret.html", {"hook": hook, "is_new": True})
    return render(request, "accounts/new_webhook.html", {"form": form}, status=422 if form.errors else 200)


@never_cache
@login_required
@require_safe
def show_webhook(request: HttpRequest, number: int) -> HttpResponse:
    """The state of one webhook, its message types, and its last messages."""
    hook = _find_webhook(request, number)
    return _render_webhook(request, hook, TypesForm(initial={"types": hook.types or [*TYPES]}))


@login_required
@require_POST
def change_types(request: HttpRequest, number: int) -> HttpResponse:
    """Change the types of messages it gets."""
    hook, form = _find_webhook(request, number), TypesForm(request.POST)
    if not form.is_valid():
        return _render_webhook(request, hook, form, status=422)
    try:
        webhooks.change(user=_owner(request), number=number, types=form.chosen())
    except Refused as refused:  # it was removed meanwhile
        messages.error(request, str(refused))
        return redirect("webhooks")
    messages.success(request, gettext("Saved. From now on the webhook gets messages about these."))
    return redirect("webhook", number=number)


def _find_webhook(request: HttpRequest, number: int) -> Webhook:
    hook = webhooks.find(user=_owner(request), number=number)
    if hook is None:
        raise Http404(gettext("You have no such webhook."))
    return hook


def _render_webhook(request: HttpRequest, hook: Webhook, form: TypesForm, status: int = 200) -> HttpResponse:
    deliveries = list(hook.deliveries.select_related("game").defer(*HEAVY)[:MOST_DELIVERIES])
    for each in deliveries:
        each.trouble = say(each.trouble) if each.trouble else ""
    context = line_of(hook) | {"deliveries": deliveries, "most": MOST_DELIVERIES, "form": form}
    return render(request, "accounts/webhook.html", context, status=status)


@login_required
@require_POST
def check(request: HttpRequest, number: int) -> HttpResponse:
    try:
        webhooks.check_again(user=_owner(request), number=number)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("webhooks")
    messages.success(request, gettext("A challenge is on its way. Reload this page to see the answer."))
    return redirect("webhook", number=number)


@one_at_a_time
@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def change_secret(request: HttpRequest, number: int) -> HttpResponse:
    """Give it a new secret, which is shown once; a GET asks first."""
    hook = _find_webhook(request, number)
    if request.method != "POST":
        return render(request, "accounts/change_webhook_secret.html", {"hook": hook})
    hook = webhooks.change_secret(user=_owner(request), number=number)
    return render(request, "accounts/webhook_secret.html", {"hook": hook, "is_new": False})


@login_required
@require_POST
def remove(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a webhook with its messages."""
    try:
        webhooks.remove(user=_owner(request), number=number)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, gettext("The webhook is removed."))
    return redirect("webhooks")


@login_required
@require_POST
def send_again(request: HttpRequest, number: int, delivery: int) -> HttpResponse:
    try:
        webhooks.send_again(user=_owner(request), number=number, delivery=delivery)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, gettext("The message is on its way again."))
    return redirect("webhook", number=number)


def _owner(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def line_of(hook: Webhook) -> dict[str, object]:
    """A webhook, with its message types in words, and its chat service if it belongs to one."""
    type_texts = [words for kind, words in TYPES.items() if not hook.types or kind in hook.types]
    why = say(hook.why) if hook.why else ""
    service = chat_services.service_of(hook.url)
    return {
        "hook": hook,
        "service": service.title if service else "",
        "told": type_texts,
        "is_all": not hook.types,
        "why": why,
    }
