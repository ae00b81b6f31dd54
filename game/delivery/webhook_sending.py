"""Posting due messages to webhooks (Standard Webhooks). Each attempt is committed before it is made, and repeated until
the other side confirms. People take turns, and slow hosts share one slot."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from datetime import datetime, timedelta
from random import uniform
from typing import Any

import msgspec
import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now, TruncMinute
from django.utils import timezone

from accounts.models import User
from game.delivery import chat_services, webhooks
from game.engine.language import mark
from game.infra import safe_http
from game.infra.calls import Slots
from game.infra.safe_http import Answer, Unreachable
from game.outbox import models
from game.outbox.models import Delivery, Webhook
from game.outbox.webhook_events import is_still_true
from game.outbox.webhook_types import PING
from game.site import features
from game.store import account_locks
from game.store.game import Game

SECONDS = 20  # messages in one round; the next one continues
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
WAITS = (timedelta(seconds=5), 5 * MINUTE, 30 * MINUTE, *(HOUR * hours for hours in (2, 5, 10, 14, 20, 24)))
"""The delay before each further attempt."""
TRIES_OF_A_STRANGER = 4  # pings to a host that has never echoed one: it may be somebody else's
JITTER = 0.1
LONGEST_WAIT = timedelta(hours=24)  # the longest wait that Retry-After may ask for
GONE = 410
GIVEN_UP_AFTER = timedelta(days=3)
LOST_AFTER = timedelta(seconds=30)  # after this a process in an attempt has died
SLOW = 2.0  # seconds; owners of slower hosts wait for the slow slot
SLOW_FOR = timedelta(minutes=5)
SLOW_LANE = Slots(1)
ANSWERED_GONE = mark("Its address answered “410 Gone”.")
FAILED_FOR_DAYS = mark("Every message has failed for three days.")
NO_ECHO = mark("It did not answer with the challenge.")
log = structlog.get_logger("game.services.webhook_sending")


def send_due() -> int:
    """Post due messages one after another. Returns how many were accepted. Safe in several processes and threads, of
    which one at a time also serves slow hosts."""
    if features.is_off(features.WEBHOOKS):
        return 0
    ends, sent_count = time.monotonic() + SECONDS, 0
    with SLOW_LANE.try_acquire() as takes_slow:
        while time.monotonic() < ends and (deliveries := _claim(takes_slow=takes_slow)) is not None:
            sent_count += sum(_attempt(delivery) for delivery in deliveries)
    return sent_count


@transaction.atomic
def _claim(*, takes_slow: bool) -> list[Delivery] | None:
    """The next message of the person who has waited longest, with the attempt recorded; empty if it should not be sent
    or another thread has it, None if nothing is due. The owner is locked, more strongly than foreign keys need, so that
    no other thread uses their other webhooks."""
    owner = _owners(takes_slow=takes_slow).first()
    if owner is None:
        return None
    due = _due().filter(webhook__user=owner).select_related("webhook__user")
    delivery = due.select_for_update(of=("self", "webhook"), skip_locked=True).first()
    if delivery is None:
        return []
    hook, now = delivery.webhook, delivery.now
    Webhook.objects.filter(pk=hook.pk).update(served_at=now)
    if delivery.game_id is not None:
        delivery.game = Game.objects.on_the_clock().get(pk=delivery.game_id)
    verdict = hook.user.is_active and account_locks.ban_of(hook.user) is None and is_still_true(delivery, now)
    if verdict is True:
        _note_attempt(delivery, now)
        return [delivery]
    changes = {"due_at": verdict} if isinstance(verdict, datetime) else {"cancelled_at": now}
    Delivery.objects.filter(pk=delivery.pk).update(**changes)
    return []


def _owners(*, takes_slow: bool) -> QuerySet[Any]:
    """People with a due message, least recently served first. Bots have no webhooks."""
    own_hooks = Webhook.objects.filter(user=OuterRef("pk"))
    last_served = own_hooks.order_by(F("served_at").desc(nulls_last=True)).values("served_at")[:1]
    owners = User.objects.filter(pk__in=_due().order_by().values("webhook__user")).annotate(
        served=Subquery(last_served)
    )
    if not takes_slow:
        owners = owners.exclude(Exists(own_hooks.filter(slow_at__gt=Now() - SLOW_FOR)))
    locked = owners.select_for_update(of=("self",), no_key=True, skip_locked=True)
    return locked.order_by(F("served").asc(nulls_first=True), "pk")


def _due() -> QuerySet[Any]:
    """Messages that may be sent now, in order of their due time. One person gets one message at a time, across all of
    their webhooks."""
    may_receive = Q(webhook__state=Webhook.State.ACTIVE) | Q(type=PING)
    busy_hooks = Webhook.objects.filter(user=OuterRef("webhook__user"), busy_until__gt=Now())
    waiting = Delivery.objects.filter(may_receive, sent_at=None, cancelled_at=None, failed_at=None)
    return waiting.filter(~Exists(busy_hooks), due_at__lte=Now()).annotate(now=Now()).order_by("due_at", "pk")


def _note_attempt(delivery: Delivery, now: datetime) -> None:
    """Record an attempt: if the process dies from here on, the message becomes due again under the same name."""
    delivery.body = delivery.body or _compose(delivery)
    delivery.attempts += 1
    delivery.due_at = now + _delay_before(delivery.attempts)
    delivery.tried_at = now
    delivery.save(update_fields=["body", "attempts", "due_at", "tried_at"])
    Webhook.objects.filter(pk=delivery.webhook_id).update(busy_until=now + LOST_AFTER)


def _delay_before(attempts: int) -> timedelta:
    return WAITS[min(attempts, len(WAITS)) - 1] * uniform(1 - JITTER, 1 + JITTER)


def _compose(delivery: Delivery) -> str:
    """A short message of public numbers; programs fetch the news with a token. Chat services get a sentence."""
    if (service := chat_services.service_of(delivery.webhook.url)) is not None:
        return chat_services.compose(service, delivery)
    data: dict[str, Any] = {"challenge": delivery.webhook.challenge}
    if (game := delivery.game) is not None:
        deadline = game.deadline_at if delivery.serial == game.phase_serial else None
        data = {
            "game": game.pk,
            "version": delivery.version,
            "phase_serial": delivery.serial,
            "seat": delivery.seat,
            "deadline": deadline,
        }
    message = {"type": delivery.type, "timestamp": delivery.made_at, "data": data}
    return msgspec.json.encode(message).decode()


def headers_of(delivery: Delivery, at: datetime) -> dict[str, str]:
    """The signed name and time of a message; after a change both secrets sign for a day."""
    hook, moment = delivery.webhook, int(at.timestamp())
    is_fresh = hook.rotated_at is not None and at < hook.rotated_at + webhooks.ROTATION
    secrets = [hook.secret, *([hook.earlier_secret] if is_fresh and hook.earlier_secret else [])]
    name = f"msg_{delivery.name.hex}"
    signed_content = f"{name}.{moment}.{delivery.body}".encode()
    return {
        "Content-Type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": str(moment),
        "webhook-signature": " ".join(f"v1,{_signature(secret, signed_content)}" for secret in secrets),
    }


def _signature(secret: str, signed_content: bytes) -> str:
    return base64.b64encode(hmac.digest(webhooks.key_of(secret), signed_content, hashlib.sha256)).decode()


def _attempt(delivery: Delivery) -> int:
    """Post a message and record the result, without holding row locks."""
    began = time.monotonic()
    try:
        answer = safe_http.post(delivery.webhook.url, delivery.body.encode(), headers_of(delivery, timezone.now()))
    except Unreachable as error:
        _note_speed(delivery.webhook, time.monotonic() - began)
        _note_failure(delivery, str(error))
        return 0
    _note_speed(delivery.webhook, time.monotonic() - began)
    if answer.status == GONE:
        _note_failure(delivery, "", answer)
        webhooks.disable(webhook=delivery.webhook, why=ANSWERED_GONE)
    elif not 200 <= answer.status < 300:
        _note_failure(delivery, "", answer)
    elif delivery.webhook.state != Webhook.State.ACTIVE and not _has_agreed(delivery.webhook, answer):
        _note_failure(delivery, NO_ECHO, answer)
    else:
        _note_success(delivery, answer)
        return 1
    return 0


def _note_speed(hook: Webhook, seconds: float) -> None:
    """Owners of slow hosts wait for the slow slot for some minutes: being quick every other time does not help."""
    if seconds > SLOW:
        Webhook.objects.filter(pk=hook.pk).update(slow_at=Now())


def _has_agreed(hook: Webhook, answer: Answer) -> bool:
    """True if the answer shows that this host wants our messages."""
    service = chat_services.service_of(hook.url)
    return service.accepts(answer) if service else _is_echo(hook, answer.body)


def _is_echo(hook: Webhook, body: bytes) -> bool:
    """True if the answer is the challenge, alone or as JSON: a page that repeats any input has not agreed to
    anything."""
    text = body.strip()
    if text.startswith(b"{"):
        try:
            answer = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False
        return list(answer) == ["challenge"] and answer["challenge"] == hook.challenge
    return hmac.compare_digest(text, hook.challenge.encode())


@transaction.atomic
def _note_success(delivery: Delivery, answer: Answer) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(sent_at=Now(), status=answer.status, trouble="")
    changes: dict[str, Any] = {"busy_until": None, "failing_since": None}
    if delivery.type == PING:
        changes |= {"state": Webhook.State.ACTIVE, "why": ""}
    Webhook.objects.filter(pk=delivery.webhook_id).update(**changes)
    _forget_old(delivery.webhook)
    log.info("webhook_sent", webhook=delivery.webhook_id, type=delivery.type, status=answer.status)


@transaction.atomic
def _note_failure(delivery: Delivery, trouble: str, answer: Answer | None = None) -> None:
    """Store only the status; after the last attempt, or three days without a success, give up."""
    status, retry_after = (answer.status, answer.wait) if answer else (None, None)
    changes: dict[str, Any] = {"status": status, "trouble": trouble}
    if retry_after is not None:
        changes["due_at"] = max(delivery.due_at, timezone.now() + min(retry_after, LONGEST_WAIT))
    is_stranger = delivery.webhook.state != Webhook.State.ACTIVE
    if delivery.attempts > (TRIES_OF_A_STRANGER - 1 if is_stranger else len(WAITS)):
        changes["failed_at"] = Now()
    Delivery.objects.filter(pk=delivery.pk).update(**changes)
    hooks = Webhook.objects.filter(pk=delivery.webhook_id)
    hooks.update(busy_until=None)
    # To the minute: the owner could compare how long the look-ups of names took that our network may have.
    hooks.filter(failing_since=None).update(failing_since=TruncMinute(Now()))
    _forget_old(delivery.webhook)
    log.info("webhook_failed", webhook=delivery.webhook_id, type=delivery.type, status=status, trouble=trouble)
    failing_hooks = hooks.filter(failing_since__lte=Now() - GIVEN_UP_AFTER, state=Webhook.State.ACTIVE)
    if failing_hooks.exists():
        webhooks.disable(webhook=delivery.webhook, why=FAILED_FOR_DAYS)


def _forget_old(hook: Webhook) -> None:
    """Delete completed messages beyond the last hundred, and those of archived games."""
    is_old = Q(game__is_archived=True)
    last_old_id = (
        hook.deliveries.order_by("-pk")
        .values_list("pk", flat=True)[webhooks.MAX_DELIVERIES : webhooks.MAX_DELIVERIES + 1]
        .first()
    )
    if last_old_id is not None:
        is_old |= Q(pk__lte=last_old_id)
    hook.deliveries.filter(models.DONE, is_old).delete()
