"""Posting due messages to webhooks (Standard Webhooks): each attempt is committed before it is made, and repeated until
the other side has confirmed it. People take turns, and slow hosts share one lane."""

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
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from game.delivery import webhooks
from game.engine.language import mark
from game.infra import safe_http
from game.infra.safe_http import Answer, Unreachable
from game.infra.slots import Lanes
from game.outbox import webhook_models
from game.outbox.webhook_events import PING, is_still_true
from game.outbox.webhook_models import Delivery, Webhook
from game.reputation import bans
from game.site import features
from game.store.game import Game

SECONDS = 20  # a round; the next goes on
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
WAITS = (timedelta(seconds=5), 5 * MINUTE, 30 * MINUTE, *(HOUR * hours for hours in (2, 5, 10, 14, 20, 24)))
"""Before each attempt after the first."""
TRIES_OF_A_STRANGER = 4  # of a ping to whom has never echoed one: it may be somebody else's host
JITTER = 0.1
LONGEST_WAIT = timedelta(hours=24)  # that Retry-After may ask for
GONE = 410
GIVEN_UP_AFTER = timedelta(days=3)
LOST_AFTER = timedelta(seconds=30)  # a process that has not come back from an attempt by then is gone
SLOW = 2.0  # seconds; whose host took longer waits for the lane of the slow
SLOW_FOR = timedelta(minutes=5)
SLOW_LANE = Lanes(1)
ANSWERED_GONE = mark("It answered 410 Gone.")
FAILED_FOR_DAYS = mark("Every message has failed for three days.")
NO_ECHO = mark("It did not answer with the challenge.")
log = structlog.get_logger("game.services.webhook_sending")


def send_due() -> int:
    """Post what is due, one message after another; how many were taken. Several processes may do so at once, and
    several threads, of which one takes what is for slow hosts too."""
    if features.is_off(features.WEBHOOKS):
        return 0
    ends, sent = time.monotonic() + SECONDS, 0
    with SLOW_LANE.one() as takes_slow:
        while time.monotonic() < ends and (claimed := _claim(takes_slow=takes_slow)) is not None:
            sent += sum(_attempt(delivery) for delivery in claimed)
    return sent


@transaction.atomic
def _claim(*, takes_slow: bool) -> list[Delivery] | None:
    """The next message of the person who has waited longest, with the attempt noted; nothing if it should not be sent
    or another thread was quicker, and None if nothing is due. The owner is locked more strongly than keys of other rows
    need, so that no other thread takes one of their other webhooks."""
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
    verdict = hook.user.is_active and bans.ban_of(hook.user) is None and is_still_true(delivery, now)
    if verdict is True:
        _note_attempt(delivery, now)
        return [delivery]
    changes = {"due_at": verdict} if isinstance(verdict, datetime) else {"cancelled_at": now}
    Delivery.objects.filter(pk=delivery.pk).update(**changes)
    return []


def _owners(*, takes_slow: bool) -> QuerySet[Any]:
    """People for whom something is due, whoever was served longest ago first. Bots have no webhooks."""
    theirs = Webhook.objects.filter(user=OuterRef("pk"))
    served = theirs.order_by(F("served_at").desc(nulls_last=True)).values("served_at")[:1]
    owners = User.objects.filter(pk__in=_due().order_by().values("webhook__user")).annotate(served=Subquery(served))
    if not takes_slow:
        owners = owners.exclude(Exists(theirs.filter(slow_at__gt=Now() - SLOW_FOR)))
    locked = owners.select_for_update(of=("self",), no_key=True, skip_locked=True)
    return locked.order_by(F("served").asc(nulls_first=True), "pk")


def _due() -> QuerySet[Any]:
    """What may be sent now, of each webhook in the order in which it is due. To one person goes one message at a time,
    whichever of their webhooks it is for."""
    able = Q(webhook__state=Webhook.State.ACTIVE) | Q(type=PING)
    busy = Webhook.objects.filter(user=OuterRef("webhook__user"), busy_until__gt=Now())
    waiting = Delivery.objects.filter(able, sent_at=None, cancelled_at=None, failed_at=None)
    return waiting.filter(~Exists(busy), due_at__lte=Now()).annotate(now=Now()).order_by("due_at", "pk")


def _note_attempt(delivery: Delivery, now: datetime) -> None:
    """A process that dies from here on leaves a message that is due again at its time, under the same name."""
    delivery.body = delivery.body or _written(delivery)
    delivery.attempts += 1
    delivery.due_at = now + _wait(delivery.attempts)
    delivery.tried_at = now
    delivery.save(update_fields=["body", "attempts", "due_at", "tried_at"])
    Webhook.objects.filter(pk=delivery.webhook_id).update(busy_until=now + LOST_AFTER)


def _wait(attempts: int) -> timedelta:
    return WAITS[min(attempts, len(WAITS)) - 1] * uniform(1 - JITTER, 1 + JITTER)


def _written(delivery: Delivery) -> str:
    """A short message: numbers that everyone in the game knows; a program fetches what is new with a token."""
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
    """The signed name and time of a message; both secrets sign for a day after a change."""
    hook, moment = delivery.webhook, int(at.timestamp())
    is_fresh = hook.rotated_at is not None and at < hook.rotated_at + webhooks.BOTH_SIGN
    valid = [hook.secret, *([hook.earlier_secret] if is_fresh and hook.earlier_secret else [])]
    name = f"msg_{delivery.name.hex}"
    signed = f"{name}.{moment}.{delivery.body}".encode()
    return {
        "Content-Type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": str(moment),
        "webhook-signature": " ".join(f"v1,{_signature(secret, signed)}" for secret in valid),
    }


def _signature(secret: str, signed: bytes) -> str:
    return base64.b64encode(hmac.digest(webhooks.key_of(secret), signed, hashlib.sha256)).decode()


def _attempt(delivery: Delivery) -> int:
    """Post it and note what became of it. No row is locked meanwhile."""
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
    elif delivery.webhook.state != Webhook.State.ACTIVE and not _is_echo(delivery.webhook, answer.body):
        _note_failure(delivery, NO_ECHO, answer)
    else:
        _note_success(delivery, answer)
        return 1
    return 0


def _note_speed(hook: Webhook, seconds: float) -> None:
    """The owner of a slow host waits for the lane of the slow until some minutes have passed: being quick every other
    time does not help."""
    if seconds > SLOW:
        Webhook.objects.filter(pk=hook.pk).update(slow_at=Now())


def _is_echo(hook: Webhook, body: bytes) -> bool:
    """Whether the answer is the challenge, alone or as JSON: a page that repeats whatever it is sent has not agreed to
    anything."""
    text = body.strip()
    if text.startswith(b"{"):
        try:
            told = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False
        return list(told) == ["challenge"] and told["challenge"] == hook.challenge
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
def _note_failure(delivery: Delivery, words: str, answer: Answer | None = None) -> None:
    """Keep the status alone; after the last attempt, or three days without a success, give up."""
    status, asked = (answer.status, answer.wait) if answer else (None, None)
    changes: dict[str, Any] = {"status": status, "trouble": words}
    if asked is not None:
        changes["due_at"] = max(delivery.due_at, timezone.now() + min(asked, LONGEST_WAIT))
    is_stranger = delivery.webhook.state != Webhook.State.ACTIVE
    if delivery.attempts > (TRIES_OF_A_STRANGER - 1 if is_stranger else len(WAITS)):
        changes["failed_at"] = Now()
    Delivery.objects.filter(pk=delivery.pk).update(**changes)
    hooks = Webhook.objects.filter(pk=delivery.webhook_id)
    hooks.update(busy_until=None)
    hooks.filter(failing_since=None).update(failing_since=Now())
    _forget_old(delivery.webhook)
    log.info("webhook_failed", webhook=delivery.webhook_id, type=delivery.type, status=status, trouble=words)
    lost = hooks.filter(failing_since__lte=Now() - GIVEN_UP_AFTER, state=Webhook.State.ACTIVE)
    if lost.exists():
        webhooks.disable(webhook=delivery.webhook, why=FAILED_FOR_DAYS)


def _forget_old(hook: Webhook) -> None:
    """Of what is done nothing is kept beyond the last hundred, or of a game that is put away."""
    past = Q(game__is_archived=True)
    border = hook.deliveries.order_by("-pk").values_list("pk", flat=True)[webhooks.KEPT : webhooks.KEPT + 1].first()
    if border is not None:
        past |= Q(pk__lte=border)
    hook.deliveries.filter(webhook_models.DONE, past).delete()
