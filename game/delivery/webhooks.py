"""A person's webhooks: created, changed and deleted by their owner, with a secret that is shown once."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse

from accounts import emails, limits
from accounts.addresses import is_confirmed
from accounts.languages import override_language
from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import say
from game.infra import safe_http
from game.outbox.models import Delivery, Webhook
from game.outbox.webhook_types import PING, TYPES
from game.site import features
from game.store import account_locks
from game.store.moderation_models import MOST
from game.store.moderation_models import key_of as row_key_of

PREFIX = "whsec_"
ROTATION = timedelta(hours=24)  # both secrets sign
MAX_DELIVERIES = 100  # deliveries of a webhook that can be viewed and sent again


def webhooks_of(user: User) -> QuerySet[Webhook]:
    """A person's webhooks, oldest first."""
    return Webhook.objects.filter(user=user)


@transaction.atomic
def add(*, user: User, url: str, types: Collection[str] = ()) -> Webhook:
    """Create a webhook, send it a challenge, and tell its owner by mail. Raises `Refused`."""
    account_locks.lock_free_account(user)  # also serializes the count
    features.check(features.WEBHOOKS)
    safe_http.check_url(url)
    if user.is_guest or user.is_bot:
        raise Refused("Only people with an account can have webhooks.", code="needs_account")
    known_types = _known_types(types)
    if webhooks_of(user).count() >= (most := limits.most_of("webhooks")):
        raise Refused("You have {most} webhooks, the maximum. Remove one first.", code="too_many_webhooks", most=most)
    if webhooks_of(user).filter(url=url).exists():
        raise Refused("You already have a webhook with this address.", code="address_taken", field="url")
    hook = Webhook.objects.create(
        user=user, url=url, types=known_types, secret=_new_secret(), challenge=secrets.token_urlsafe(32)
    )
    ping(webhook=hook)
    _mail_owner(hook, "webhook_made")
    return hook


@transaction.atomic
def change(*, user: User, number: int, types: Collection[str]) -> Webhook:
    """Set the message types of a webhook; none means all. Raises `Refused`."""
    hook = locked(user=user, number=number)
    hook.types = _known_types(types)
    hook.save(update_fields=["types"])
    return hook


@transaction.atomic
def change_secret(*, user: User, number: int) -> Webhook:
    """Give a webhook a new secret; the former one signs too for a day. Raises `Refused`."""
    hook = locked(user=user, number=number)
    hook.earlier_secret, hook.secret = hook.secret, _new_secret()
    Webhook.objects.filter(pk=hook.pk).update(secret=hook.secret, earlier_secret=hook.earlier_secret, rotated_at=Now())
    return hook


@transaction.atomic
def remove(*, user: User, number: int) -> None:
    """Delete a webhook and its messages. Raises `Refused`."""
    locked(user=user, number=number).delete()


@transaction.atomic
def check_again(*, user: User, number: int) -> Delivery:
    """Send a ping with the challenge; a disabled or new webhook becomes active when it echoes it. Raises `Refused`, and
    `limits.TooMany`."""
    hook = locked(user=user, number=number)
    _limit_challenges(hook)
    waiting = open_deliveries(hook).filter(type=PING).first()
    if waiting is not None:
        hook.deliveries.filter(pk=waiting.pk).update(due_at=Now(), attempts=0)
        return hook.deliveries.get(pk=waiting.pk)
    return ping(webhook=hook)


@transaction.atomic
def send_again(*, user: User, number: int, delivery: int) -> Delivery:
    """Send one message again under its old name, whatever its state. `delivery`: its public number. Raises `Refused`,
    and `limits.TooMany`."""
    hook = locked(user=user, number=number)
    key = row_key_of(Delivery, delivery) if delivery <= MOST else 0
    message = hook.deliveries.select_for_update().filter(pk=key).first()
    if message is None:
        raise Refused(
            "There is no such message any more; the last {kept} are kept.", code="no_message", kept=MAX_DELIVERIES
        )
    if hook.state != Webhook.State.ACTIVE and message.type != PING:
        raise Refused("This webhook is not active. Check its address first.", code="webhook_not_active")
    _limit_challenges(hook)
    cleared = dict.fromkeys(("sent_at", "cancelled_at", "failed_at"))
    hook.deliveries.filter(pk=key).update(due_at=Now(), attempts=0, **cleared)
    return hook.deliveries.get(pk=key)


def _limit_challenges(hook: Webhook) -> None:
    """A host that has not echoed the challenge, or fails now, may be a stranger's who has not agreed. Raises
    `limits.TooMany`."""
    if hook.state != Webhook.State.ACTIVE or hook.failing_since is not None:
        limits.spend("challenge", hook.user_id)


def find(*, user: User, number: int) -> Webhook | None:
    return webhooks_of(user).filter(pk=number).first()


def ping(*, webhook: Webhook) -> Delivery:
    """Create a message that only asks for an echo of the challenge."""
    delivery = Delivery.objects.create(webhook=webhook, type=PING, due_at=webhook.made_at)
    Delivery.objects.filter(pk=delivery.pk).update(due_at=Now())
    return Delivery.objects.get(pk=delivery.pk)


def open_deliveries(webhook: Webhook) -> QuerySet[Delivery]:
    """Messages still to be sent."""
    return webhook.deliveries.filter(sent_at=None, cancelled_at=None, failed_at=None)


@transaction.atomic
def disable(*, webhook: Webhook, why: str) -> None:
    """Stop sending to it, and tell its owner."""
    enabled_hooks = Webhook.objects.filter(pk=webhook.pk).exclude(state=Webhook.State.DISABLED)
    if enabled_hooks.update(state=Webhook.State.DISABLED, why=why[:200]):
        open_deliveries(webhook).update(cancelled_at=Now())
        webhook.why = why
        _mail_owner(webhook, "webhook_disabled")


def key_of(secret: str) -> bytes:
    """The key in a secret."""
    return base64.b64decode(secret.removeprefix(PREFIX))


def _new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def _known_types(types: Collection[str]) -> list[str]:
    if unknown := next((kind for kind in types if kind not in TYPES), None):
        raise Refused("There is no type “{type}”.", code="unknown_type", field="types", type=unknown[:40])
    return [kind for kind in TYPES if kind in types]


def locked(*, user: User, number: int) -> Webhook:
    """Lock one of somebody's webhooks, after their account. Raises `Refused`."""
    account_locks.lock_free_account(user)
    hook = webhooks_of(user).select_for_update().filter(pk=number).first()
    if hook is None:
        raise Refused("You have no such webhook.", code="no_webhook")
    return hook


def _mail_owner(hook: Webhook, template: str) -> None:
    """Owners must notice a webhook that somebody else made, and one that gets no more messages."""
    user = hook.user
    if not is_confirmed(user):
        return
    context: dict[str, Any] = {"user": user, "hook": hook, "url": settings.SITE_URL + reverse("webhooks")}
    with override_language(user.language):
        context["why"] = say(hook.why) if hook.why else ""
        subject = " ".join(render_to_string(f"mail/{template}_subject.txt", context).split())
        text = render_to_string(f"mail/{template}.txt", context)
        emails.queue_email(EmailMessage(subject, text, to=[user.email]))
