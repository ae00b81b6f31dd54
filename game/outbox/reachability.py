"""Whether any channel (email, push, webhook) reaches a player, and what to fix if none does."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Lower
from django.urls import reverse

from accounts.addresses import CONSOLE_BACKEND
from accounts.models import Bounce, User
from game.engine.language import mark, say
from game.infra.compiled import CompiledQuery
from game.outbox import push_subscriptions
from game.outbox.models import NoticeTiming, NotificationPreference, PushSubscription, Topic, Webhook
from game.outbox.webhook_events import wants
from game.outbox.webhook_types import OPENED
from game.store.game import Game
from game.store.log import Channel

BOUNCED = mark("Our emails to your address came back, so none tells you when you must decide.")
SPAM = mark("One of our emails to you was marked as spam, so none tells you when you must decide.")
UNCONFIRMED = mark("Your email address is not confirmed, so nothing tells you when you must decide.")
NO_ADDRESS = mark("Your account has no email address, so nothing tells you when you must decide.")
OFF = mark("Emails about your decisions are off, so nothing tells you when you must decide.")
OFF_HERE = mark("Emails about your decisions in {game} are off, so nothing tells you when you must decide.")


class UnreachableReason(NamedTuple):
    """Why no channel reaches a person, and where to fix it; `is_chosen` if they turned emails off."""

    text: str
    mend: str
    url: str
    is_chosen: bool = False


class Reachability:
    """Whether notifications about decisions in a game reach a reader, queried at first use."""

    def __init__(self, user: User | AnonymousUser | None, game: Game | None) -> None:
        self._user, self._game = user, game

    @cached_property
    def reason(self) -> UnreachableReason | None:
        """The reason why nothing reaches the reader; None if something does, or if the game has no slow deadline."""
        user, game = self._user, self._game
        if not isinstance(user, User) or user.is_guest or user.is_bot:
            return None
        return _reason_of(user, game) if game and game.is_slow and game.deadline_at else None


def _reason_of(user: User, game: Game) -> UnreachableReason | None:
    is_confirmed, bounce_reason, here, everywhere, push_here, push, hook_here, hook, has_browser = _facts.rows(
        user.pk, game.pk
    )[0]
    if bounce_reason:
        return of_returned_mail(is_spam=bounce_reason == Bounce.Why.SPAM)
    is_off, has_address = (here or everywhere) == NoticeTiming.OFF, bool(user.email)
    is_reached = has_address and (is_confirmed or settings.EMAIL_BACKEND == CONSOLE_BACKEND) and not is_off
    is_pushed = has_browser and push_subscriptions.is_offered() and (push_here or push) != NoticeTiming.OFF
    if is_reached or is_pushed or ((hook_here or hook) != NoticeTiming.OFF and _has_webhook(user)):
        return None
    if is_off:
        return _emails_off(game, is_here=bool(here))
    if has_address:
        return UnreachableReason(say(UNCONFIRMED), say("Confirm your address"), reverse("account_email"))
    return UnreachableReason(say(NO_ADDRESS), say("Add an address"), reverse("account_email"))


def of_returned_mail(*, is_spam: bool) -> UnreachableReason:
    """The reason for a bounce or a spam report."""
    return UnreachableReason(say(SPAM if is_spam else BOUNCED), say("Change your address"), reverse("account_email"))


def _emails_off(game: Game, *, is_here: bool) -> UnreachableReason:
    mend = say("Choose what we tell you about")
    if is_here:
        url = reverse("game_notifications", args=[game.pk])
        return UnreachableReason(say(OFF_HERE, game=game.name), mend, url, is_chosen=True)
    return UnreachableReason(say(OFF), mend, reverse("notifications"), is_chosen=True)


def _has_webhook(user: User) -> bool:
    hooks = Webhook.objects.filter(user=user, state=Webhook.State.ACTIVE)
    return any(wants(hook, OPENED) for hook in hooks)


@CompiledQuery
def _facts(user_id: int, game_id: int) -> QuerySet[User, Any]:
    """Facts about a person and a game, read in one query: whether the address is confirmed, why it bounced, the
    preferences by channel for this game and for all, and whether there is a push subscription."""
    address = EmailAddress.objects.annotate(low=Lower("email")).filter(low=Lower(OuterRef("email")), verified=True)
    bounces = Bounce.objects.filter(address=Lower(OuterRef("email"))).values("why")[:1]
    rows = NotificationPreference.objects.filter(user_id=OuterRef("pk"), topic=Topic.TURN)
    preferences = [
        Subquery(rows.filter(channel=channel, **where).values("how")[:1])
        for channel in Channel
        for where in ({"game_id": game_id}, {"game": None})
    ]
    subscriptions = PushSubscription.objects.filter(user_id=OuterRef("pk"))
    people = User.objects.filter(pk=user_id)
    confirmed = Exists(address.filter(user_id=OuterRef("pk")))
    return people.values_list(confirmed, Subquery(bounces), *preferences, Exists(subscriptions))
