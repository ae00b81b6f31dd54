"""What people want to be told of: their choices about one game before those about all, and those before the default,
which is at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.mail import confirmed_among
from accounts.models import Bounce, User
from game.store.game import Game
from game.store.log import Notice
from game.store.preference_models import Channel, How, Topic, Wish

Made = tuple[int | None, Topic, How]
"""A choice as it is kept: about a game, or about all."""
Chosen = Mapping[tuple[Topic, Channel], How | None]
TOPICS = {
    Notice.Kind.TURN: Topic.TURN,
    Notice.Kind.REMINDER: Topic.REMINDER,
    Notice.Kind.MISSED: Topic.MISSED,
    Notice.Kind.AWAY: Topic.MISSED,
    Notice.Kind.KEPT: Topic.SEAT,
    Notice.Kind.MENTION: Topic.MENTION,
    Notice.Kind.STARTED: Topic.STARTED,
    Notice.Kind.FINISHED: Topic.FINISHED,
    Notice.Kind.VOID: Topic.SEAT,
    Notice.Kind.REPLACED: Topic.SEAT,
    Notice.Kind.ENDING: Topic.SEAT,
    Notice.Kind.VOTE: Topic.SEAT,
    Notice.Kind.REWIND: Topic.SEAT,
    Notice.Kind.PAUSED: Topic.SEAT,
    Notice.Kind.RESUMED: Topic.SEAT,
    Notice.Kind.PROXIED: Topic.SEAT,
    Notice.Kind.STANDS_IN: Topic.SEAT,
    Notice.Kind.RETURNED: Topic.SEAT,
    Notice.Kind.STOOD_IN: Topic.SEAT,
    Notice.Kind.HELD: Topic.SEAT,
    Notice.Kind.MOVED: Topic.REMINDER,
    Notice.Kind.BOUNCED: Topic.SEAT,
    Notice.Kind.INVITED: Topic.INVITED,
    Notice.Kind.CLOSING: Topic.SEAT,
    Notice.Kind.CLOSED: Topic.SEAT,
}


def offered(topic: Topic, channel: Channel = Channel.MAIL) -> tuple[How, ...]:
    """The choices of a topic: a reminder in the next day's digest would be useless, and only email has a digest. A
    closed phase is reported only to programs."""
    if topic == Topic.STEP and channel != Channel.HOOK:
        return ()
    return (How.NOW, How.OFF) if topic == Topic.REMINDER or channel != Channel.MAIL else (How.NOW, How.DIGEST, How.OFF)


OF_MAIL = tuple(topic for topic in Topic if offered(topic))


class Wishes(NamedTuple):
    """All choices of one person."""

    chosen: Mapping[tuple[int | None, str, str], str]

    def own(self, topic: Topic, channel: Channel, game_id: int | None) -> How | None:
        """The choice about this game, or about all where none is named; None where there is none."""
        found = self.chosen.get((game_id, topic, channel))
        return How(found) if found else None

    def how(self, topic: Topic, channel: Channel, game_id: int | None) -> How:
        """The choice that applies."""
        return self.own(topic, channel, game_id) or self.own(topic, channel, None) or How.NOW


def wishes_of(user_id: int) -> Wishes:
    """One query."""
    return wishes_of_all([user_id])[user_id]


def wishes_of_all(user_ids: Collection[int]) -> dict[int, Wishes]:
    """The choices of each of these people, in one query."""
    chosen: dict[int, dict[tuple[int | None, str, str], str]] = {user_id: {} for user_id in user_ids}
    rows = Wish.objects.filter(user_id__in=user_ids).values_list("user_id", "game_id", "topic", "channel", "how")
    for user_id, game, topic, channel, how in rows:
        chosen[user_id][game, topic, channel] = how
    return {user_id: Wishes(theirs) for user_id, theirs in chosen.items()}


@transaction.atomic
def choose(*, user_id: int, game_id: int | None, chosen: Chosen) -> None:
    """Keep choices about one game, or about all; where a choice is None, what holds for all games holds again."""
    for (topic, channel), how in chosen.items():
        where: dict[str, Any] = {"user_id": user_id, "game_id": game_id, "topic": topic, "channel": channel}
        if how is None or (game_id is None and how == How.NOW):
            Wish.objects.filter(**where).delete()
        else:
            Wish.objects.update_or_create(**where, defaults={"how": how})


@transaction.atomic
def stop(*, user_id: int, topics: Collection[Topic], channel: Channel, game_id: int | None) -> None:
    """Tell no more of these by one channel: of one game, or of any, whatever was chosen about single ones."""
    choose(user_id=user_id, game_id=game_id, chosen={(topic, channel): How.OFF for topic in topics})
    if game_id is None:
        louder = _made(user_id, topics, channel).filter(game__isnull=False)
        louder.exclude(how=How.OFF).delete()


def made(*, user_id: int, topics: Collection[Topic], channel: Channel, game_id: int | None) -> list[Made]:
    """The choices that stopping these would replace."""
    rows = _made(user_id, topics, channel)
    rows = rows if game_id is None else rows.filter(game=game_id)
    return [(game, Topic(topic), How(how)) for game, topic, how in rows.values_list("game_id", "topic", "how")]


@transaction.atomic
def bring_back(
    *, user_id: int, topics: Collection[Topic], channel: Channel, game_id: int | None, before: Collection[Made]
) -> None:
    """Apply these again, and no others about the same; a deleted game needs none."""
    rows = _made(user_id, topics, channel)
    (rows if game_id is None else rows.filter(game=game_id)).delete()
    games = {None, *Game.objects.filter(pk__in=[game for game, _, _ in before if game]).values_list("pk", flat=True)}
    Wish.objects.bulk_create(
        Wish(user_id=user_id, game_id=game, topic=topic, channel=channel, how=how)
        for game, topic, how in before
        if game in games
    )


def _made(user_id: int, topics: Collection[Topic], channel: Channel) -> QuerySet[Wish]:
    return Wish.objects.filter(user_id=user_id, channel=channel, topic__in=topics).order_by("pk")


def without_mail(game_id: int) -> frozenset[int]:
    """The people who want no email about their decisions in this game."""
    asked = Wish.objects.filter(topic=Topic.TURN, channel=Channel.MAIL).filter(Q(game=None) | Q(game=game_id))
    # What is said about the game comes last, and counts.
    said = dict(asked.order_by(F("game").asc(nulls_first=True)).values_list("user_id", "how"))
    return frozenset(user for user, how in said.items() if how == How.OFF)


def not_reached(game_id: int, people: Collection[User]) -> frozenset[int]:
    """Of these people those whom no email about their decisions in this game reaches: they want none, it came back, or
    their address is not confirmed. Three queries."""
    addresses = [user.email.lower() for user in people if user.email]
    bounced = set(Bounce.objects.filter(address__in=addresses).values_list("address", flat=True))
    reached = confirmed_among(people) - without_mail(game_id)
    return frozenset(user.pk for user in people if user.pk not in reached or user.email.lower() in bounced)


def games_with_wishes(user_id: int) -> frozenset[int]:
    """The games about which the person has chosen something else."""
    found = Wish.objects.filter(user_id=user_id, game__isnull=False).values_list("game_id", flat=True)
    return frozenset(number for number in found.distinct() if number is not None)
