"""Stopping mail with one click, as RFC 8058 wants it: a signed link that needs no sign-in."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User
from game.engine.phrases import listed
from game.outbox import preferences
from game.store.game import Game
from game.store.preference_models import Channel, Topic

SALT, SALT_BEFORE = "accounts.unsubscribe", "accounts.unsubscribe.before"
# What links say in emails from the time of three switches. They must work as long as those emails are kept.
EARLIER = {
    "turns": (Topic.TURN, Topic.MISSED, Topic.STARTED, Topic.FINISHED, Topic.SEAT),
    "reminders": (Topic.REMINDER,),
    "mentions": (Topic.MENTION,),
}


class Stop(NamedTuple):
    """What a link stops: for one person the mails about these topics, in one game or in all."""

    user_id: int
    topics: tuple[Topic, ...]
    game_id: int | None

    @property
    def label(self) -> str:
        """The topics as people read them."""
        return listed([str(topic.label) for topic in self.topics])

    @property
    def is_all(self) -> bool:
        """Whether nothing is left."""
        return set(self.topics) == set(preferences.OF_MAIL)

    @property
    def game_name(self) -> str:
        """Of the one game; empty where it is all, or gone."""
        if self.game_id is None:
            return ""
        return Game.objects.filter(pk=self.game_id).values_list("name", flat=True).first() or ""


def address(user: User, topics: Collection[Topic], *, game_id: int | None = None) -> str:
    """The absolute address that stops these, without signing in."""
    named = [topic.value for topic in Topic if topic in topics]
    token = signing.dumps([user.pk, named, game_id], salt=SALT)
    return settings.SITE_URL + reverse("unsubscribe", args=[token])


def headers(user: User, topics: Collection[Topic]) -> dict[str, str]:
    """One click stops the topic of the email, and nothing else it mentions about the same game: each topic is a list of
    its own."""
    return {
        "List-Unsubscribe": f"<{address(user, topics)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def read(token: str) -> Stop | None:
    """What a link stops, or None where it was not made here."""
    try:
        user_id, named, *more = signing.loads(token, salt=SALT)
        topics = EARLIER[named] if isinstance(named, str) else tuple(Topic(each) for each in named)
    except (signing.BadSignature, ValueError, KeyError):
        return None
    return Stop(user_id, topics, more[0] if more else None)


def stop(what: Stop) -> str:
    """Stop it; twice has the same effect as once, and a deleted game or person needs no email. Returns what restores
    the earlier choices, and nothing if nothing changes."""
    if not _is_there(what):
        return ""
    about = {**what._asdict(), "channel": Channel.MAIL}
    before = preferences.made(**about)
    preferences.stop(**about)
    return "" if preferences.made(**about) == before else signing.dumps([*what, before], salt=SALT_BEFORE)


def bring_back(what: Stop, token: str) -> bool:
    """Have the choices hold again that held before this was stopped; whether they could be read."""
    try:
        user_id, topics, game_id, before = signing.loads(token, salt=SALT_BEFORE)
    except (signing.BadSignature, ValueError):
        return False
    if Stop(user_id, tuple(topics), game_id) != what:
        return False
    if _is_there(what):
        preferences.bring_back(**what._asdict(), channel=Channel.MAIL, before=before)
    return True


def _is_there(what: Stop) -> bool:
    is_person = User.objects.filter(pk=what.user_id).exists()
    return is_person and (what.game_id is None or Game.objects.filter(pk=what.game_id).exists())
