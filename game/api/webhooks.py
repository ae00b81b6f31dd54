"""Endpoints for webhooks, which notify a user's programs of events in their games."""

from __future__ import annotations

from hashlib import blake2b

import msgspec
from django.db import transaction
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_tokens import WEBHOOKS
from accounts.limits import most_of
from game.api import shapes
from game.api.endpoint import MATCHED, Endpoint, Operation
from game.api.problems import Problem
from game.delivery import webhooks
from game.engine.language import say
from game.outbox.models import Delivery, Webhook
from game.outbox.webhook_types import PING, TYPES


def facts_of(hook: Webhook, *, secret: str | None = None) -> shapes.WebhookFacts:
    """A webhook's facts for its owner."""
    why = say(hook.why) if hook.why else ""
    return shapes.WebhookFacts(hook.pk, hook.url, hook.types, hook.state, why, hook.made_at, hook.failing_since, secret)


def delivery_facts(delivery: Delivery) -> shapes.DeliveryFacts:
    """One message and its delivery state."""
    return shapes.DeliveryFacts(
        delivery.public_number,
        f"msg_{delivery.name.hex}",
        delivery.type,
        delivery.game_id,
        delivery.made_at,
        delivery.how,
        delivery.attempts,
        delivery.status,
        say(delivery.trouble) if delivery.trouble else "",
        delivery.due_at if delivery.how == "waiting" else None,
        "" if delivery.type == PING else delivery.body,
    )


def _tag_of(facts: shapes.WebhookFacts) -> str:
    return blake2b(msgspec.json.encode(facts), digest_size=8).hexdigest()


class Hooked(Endpoint):
    """Base of the endpoints of one webhook."""

    def find_webhook(self, number: int) -> Webhook:
        """Raises `Problem`."""
        hook = webhooks.find(user=self.person, number=number)
        if hook is None:
            raise Problem("not-found", say("You have no such webhook."))
        return hook


class Webhooks(Endpoint):
    """The user's webhooks, and adding one."""

    operations = {
        "GET": Operation("list_webhooks", "Your webhooks, and what they can be told of", shapes.Webhooks, WEBHOOKS),
        "POST": Operation(
            "add_webhook",
            "Add a webhook, which is sent a challenge; the answer has its secret",
            shapes.WebhookFacts,
            WEBHOOKS,
            body=shapes.NewWebhook,
            status=201,
            limit="program",
            problems=("refused",),
        ),
    }

    def get(self, request: Request) -> Response:
        facts = [facts_of(hook) for hook in webhooks.webhooks_of(self.person)]
        return Response(shapes.Webhooks(facts, [*TYPES], most_of("webhooks")))

    def post(self, request: Request) -> Response:
        hook = webhooks.add(user=self.person, url=self.body.url, types=self.body.types)
        headers = {"Location": reverse("api_webhook", args=[hook.pk]), "Cache-Control": "no-store"}
        return Response(facts_of(hook, secret=hook.secret), status=201, headers=headers)


class OneWebhook(Hooked):
    """One webhook."""

    operations = {
        "GET": Operation(
            "get_webhook",
            "One of your webhooks",
            shapes.WebhookFacts,
            WEBHOOKS,
            problems=("not-found",),
        ),
        "PATCH": Operation(
            "change_webhook",
            "Choose anew what a webhook is told of",
            shapes.WebhookFacts,
            WEBHOOKS,
            body=shapes.WebhookChanges,
            limit="write",
            problems=("not-found", "refused", *MATCHED),
            needs_match=True,
        ),
        "DELETE": Operation(
            "remove_webhook",
            "Remove a webhook with its messages",
            None,
            WEBHOOKS,
            status=204,
            limit="write",
            problems=("not-found",),
        ),
    }

    def get(self, request: Request, webhook: int) -> Response:
        facts = facts_of(self.find_webhook(webhook))
        return Response(facts, headers=self.tagged(_tag_of(facts)))

    def patch(self, request: Request, webhook: int) -> Response:
        with transaction.atomic():
            self.check_match(_tag_of(facts_of(webhooks.locked(user=self.person, number=webhook))))
            facts = facts_of(webhooks.change(user=self.person, number=webhook, types=self.body.types))
        return Response(facts, headers={"ETag": f'"{_tag_of(facts)}"'})

    def delete(self, request: Request, webhook: int) -> Response:
        webhooks.remove(user=self.person, number=webhook)
        return Response(None, status=204)


class Secret(Hooked):
    """The signing secret of a webhook."""

    operations = {
        "POST": Operation(
            "change_webhook_secret",
            "Have a new secret; for 24 hours the one before it signs as well",
            shapes.WebhookFacts,
            WEBHOOKS,
            limit="write",
            problems=("not-found",),
        )
    }

    def post(self, request: Request, webhook: int) -> Response:
        hook = webhooks.change_secret(user=self.person, number=webhook)
        return Response(facts_of(hook, secret=hook.secret), headers={"Cache-Control": "no-store"})


class Check(Hooked):
    """A ping."""

    operations = {
        "POST": Operation(
            "check_webhook",
            "Send a challenge; a webhook that echoes it is active from then on",
            shapes.DeliveryFacts,
            WEBHOOKS,
            status=202,
            limit="write",
            problems=("not-found",),
        )
    }

    def post(self, request: Request, webhook: int) -> Response:
        delivery = webhooks.check_again(user=self.person, number=webhook)
        return Response(delivery_facts(delivery), status=202)


class Deliveries(Hooked):
    """The messages sent to a webhook."""

    operations = {
        "GET": Operation(
            "list_deliveries",
            "The last hundred messages of a webhook, newest first",
            shapes.Deliveries,
            WEBHOOKS,
            problems=("not-found",),
        )
    }

    def get(self, request: Request, webhook: int) -> Response:
        deliveries = self.find_webhook(webhook).deliveries.all()[: webhooks.MAX_DELIVERIES]
        return Response(shapes.Deliveries([delivery_facts(delivery) for delivery in deliveries]))


class Again(Hooked):
    """Sending a message again."""

    operations = {
        "POST": Operation(
            "send_delivery_again",
            "Send one message once more, under its old name",
            shapes.DeliveryFacts,
            WEBHOOKS,
            status=202,
            limit="write",
            problems=("not-found", "refused"),
        )
    }

    def post(self, request: Request, webhook: int, delivery: int) -> Response:
        new_delivery = webhooks.send_again(user=self.person, number=webhook, delivery=delivery)
        return Response(delivery_facts(new_delivery), status=202)
