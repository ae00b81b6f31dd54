"""Notification preferences: those for one game override those for all games, and those the default, which is at
once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.addresses import confirmed_user_ids
from accounts.models import Bounce, User
from game.outbox.models import NoticeTiming, NotificationPreference, Topic
from game.store import account_locks
from game.store.game import Game
from game.store.log import Channel

Made = tuple[int | None, Topic, NoticeTiming]
"""A stored preference: for a game, or for all games."""
Chosen = Mapping[tuple[Topic, Channel], NoticeTiming | None]


def offered(topic: Topic, channel: Channel = Channel.MAIL) -> tuple[NoticeTiming, ...]:
    """The timings that a topic offers. Only email has a digest; a reminder in the next day's digest would be useless.
    Only webhooks report closed phases."""
    if topic == Topic.STEP and channel != Channel.HOOK:
        return ()
    return (
        (NoticeTiming.NOW, NoticeTiming.OFF)
        if topic == Topic.REMINDER or channel != Channel.MAIL
        else (NoticeTiming.NOW, NoticeTiming.DIGEST, NoticeTiming.OFF)
    )


OF_MAIL = tuple(topic for topic in Topic if offered(topic))


class Preferences(NamedTuple):
    """All preferences of one person."""

    chosen: Mapping[tuple[int | None, str, str], str]

    def own(self, topic: Topic, channel: Channel, game_id: int | None) -> NoticeTiming | None:
        """The preference for this game, or for all games if `game_id` is None; None if there is none."""
        stored = self.chosen.get((game_id, topic, channel))
        return NoticeTiming(stored) if stored else None

    def how(self, topic: Topic, channel: Channel, game_id: int | None) -> NoticeTiming:
        """The timing that applies."""
        return self.own(topic, channel, game_id) or self.own(topic, channel, None) or NoticeTiming.NOW


def preferences_of(user_id: int) -> Preferences:
    """The preferences of a person, in one query."""
    return preferences_of_all([user_id])[user_id]


def preferences_of_all(user_ids: Collection[int]) -> dict[int, Preferences]:
    """The preferences of each of these people, in one query."""
    chosen: dict[int, dict[tuple[int | None, str, str], str]] = {user_id: {} for user_id in user_ids}
    rows = NotificationPreference.objects.filter(user_id__in=user_ids).values_list(
        "user_id", "game_id", "topic", "channel", "how"
    )
    for user_id, game, topic, channel, how in rows:
        chosen[user_id][game, topic, channel] = how
    return {user_id: Preferences(theirs) for user_id, theirs in chosen.items()}


@transaction.atomic
def choose(*, user_id: int, game_id: int | None, chosen: Chosen) -> None:
    """Store preferences for one game, or for all games. None deletes a preference, so that the next default applies.
    Raises `Revoked`."""
    account_locks.lock_accounts(also=[user_id])
    for (topic, channel), how in chosen.items():
        where: dict[str, Any] = {"user_id": user_id, "game_id": game_id, "topic": topic, "channel": channel}
        if how is None or (game_id is None and how == NoticeTiming.NOW):
            NotificationPreference.objects.filter(**where).delete()
        else:
            NotificationPreference.objects.update_or_create(**where, defaults={"how": how})


@transaction.atomic
def stop(*, user_id: int, topics: Collection[Topic], channel: Channel, game_id: int | None) -> None:
    """Turn these topics off for one channel: for one game, or for all, overriding preferences for single games."""
    choose(user_id=user_id, game_id=game_id, chosen={(topic, channel): NoticeTiming.OFF for topic in topics})
    if game_id is None:
        louder = _stored_preferences(user_id, topics, channel).filter(game__isnull=False)
        louder.exclude(how=NoticeTiming.OFF).delete()


def made(*, user_id: int, topics: Collection[Topic], channel: Channel, game_id: int | None) -> list[Made]:
    """The preferences that `stop` would replace."""
    rows = _stored_preferences(user_id, topics, channel)
    rows = rows if game_id is None else rows.filter(game=game_id)
    return [(game, Topic(topic), NoticeTiming(how)) for game, topic, how in rows.values_list("game_id", "topic", "how")]


@transaction.atomic
def bring_back(
    *, user_id: int, topics: Collection[Topic], channel: Channel, game_id: int | None, before: Collection[Made]
) -> None:
    """Undo `stop`: restore exactly these preferences, except for deleted games."""
    account_locks.lock_accounts(also=[user_id])
    rows = _stored_preferences(user_id, topics, channel)
    (rows if game_id is None else rows.filter(game=game_id)).delete()
    games = {None, *Game.objects.filter(pk__in=[game for game, _, _ in before if game]).values_list("pk", flat=True)}
    NotificationPreference.objects.bulk_create(
        NotificationPreference(user_id=user_id, game_id=game, topic=topic, channel=channel, how=how)
        for game, topic, how in before
        if game in games
    )


def _stored_preferences(user_id: int, topics: Collection[Topic], channel: Channel) -> QuerySet[NotificationPreference]:
    return NotificationPreference.objects.filter(user_id=user_id, channel=channel, topic__in=topics).order_by("pk")


def without_mail(game_id: int) -> frozenset[int]:
    """The people who turned off emails about their decisions in this game."""
    preferences = NotificationPreference.objects.filter(topic=Topic.TURN, channel=Channel.MAIL).filter(
        Q(game=None) | Q(game=game_id)
    )
    # A preference for the game comes last, and wins.
    how_by_user = dict(preferences.order_by(F("game").asc(nulls_first=True)).values_list("user_id", "how"))
    return frozenset(user for user, how in how_by_user.items() if how == NoticeTiming.OFF)


def not_reached(game_id: int, people: Collection[User]) -> frozenset[int]:
    """Those of these people whom no email about their decisions in this game reaches: turned off, bounced, or the
    address is not confirmed. Three queries."""
    addresses = [user.email.lower() for user in people if user.email]
    bounced = set(Bounce.objects.filter(address__in=addresses).values_list("address", flat=True))
    reached = confirmed_user_ids(people) - without_mail(game_id)
    return frozenset(user.pk for user in people if user.pk not in reached or user.email.lower() in bounced)


def games_with_preferences(user_id: int) -> frozenset[int]:
    """The games for which the person has preferences."""
    game_ids = NotificationPreference.objects.filter(user_id=user_id, game__isnull=False).values_list(
        "game_id", flat=True
    )
    return frozenset(number for number in game_ids.distinct() if number is not None)
