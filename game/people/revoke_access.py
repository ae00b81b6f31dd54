"""Sign out an intruder: once staff have restored an account, nothing else gives access to it."""

from __future__ import annotations

from accounts import api_tokens
from accounts.models import User
from accounts.sessions import end_sessions
from game.delivery import webhooks
from game.engine.language import mark
from game.outbox import push_subscriptions

CHANGED = mark("A moderator changed how you sign in. Check the address of the webhook to make it active again.")


def shut_out(person: User) -> None:
    """End the sessions and tokens of a person and their bots, and disable their browser notifications and webhooks."""
    end_sessions(person)
    api_tokens.revoke_with_bots(user=person)
    push_subscriptions.forget_all(user=person)
    for hook in webhooks.webhooks_of(person):
        webhooks.disable(webhook=hook, why=CHANGED)
