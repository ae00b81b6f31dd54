"""Signing out an intruder: after staff have restored an account, the intruder must have no other way in."""

from __future__ import annotations

from accounts import api_tokens
from accounts.models import User
from accounts.sessions import end_sessions
from game.delivery import webhooks
from game.engine.language import mark
from game.outbox import push_subscriptions

CHANGED = mark("A moderator changed how you sign in. Check the address of the webhook to make it active again.")


def shut_out(person: User) -> None:
    """End all sessions and the tokens of a person and their bots, and tell their browsers and webhooks nothing more."""
    end_sessions(person)
    api_tokens.revoke_with_bots(user=person)
    push_subscriptions.forget_all(user=person)
    for hook in webhooks.webhooks_of(person):
        webhooks.disable(webhook=hook, why=CHANGED)
