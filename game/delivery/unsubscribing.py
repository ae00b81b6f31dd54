"""One-click unsubscribing (RFC 8058): a signed link that needs no sign-in."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse

from accounts.models import User
from game.engine.phrases import listed
from game.outbox import preferences
from game.outbox.models import Topic
from game.store import account_locks
from game.store.game import Game
from game.store.log import Channel

SALT, SALT_BEFORE = "accounts.unsubscribe", "accounts.unsubscribe.before"
# Links in old emails name one of three switches. They must work as long as those emails exist.
OLD_SWITCHES = {
    "turns": (Topic.TURN, Topic.MISSED, Topic.STARTED, Topic.FINISHED, Topic.SEAT),
    "reminders": (Topic.REMINDER,),
    "mentions": (Topic.MENTION,),
}


class Stop(NamedTuple):
    """What a link stops: one person's mails about these topics, in one game or in all."""

    user_id: int
    topics: tuple[Topic, ...]
    game_id: int | None

    @property
    def label(self) -> str:
        """The topics in words."""
        return listed([str(topic.label) for topic in self.topics])

    @property
    def is_all(self) -> bool:
        return set(self.topics) == set(preferences.OF_MAIL)

    @property
    def game_name(self) -> str:
        """The name of the one game; empty for all games or a deleted one."""
        if self.game_id is None:
            return ""
        return Game.objects.filter(pk=self.game_id).values_list("name", flat=True).first() or ""


def address(user: User, topics: Collection[Topic], *, game_id: int | None = None) -> str:
    """The absolute URL that stops these topics without sign-in."""
    topic_names = [topic.value for topic in Topic if topic in topics]
    token = signing.dumps([user.pk, topic_names, game_id], salt=SALT)
    return settings.SITE_URL + reverse("unsubscribe", args=[token])


def headers(user: User, topics: Collection[Topic]) -> dict[str, str]:
    """One click stops the email's topics, and nothing else about the same game."""
    return {
        "List-Unsubscribe": f"<{address(user, topics)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def read(token: str) -> Stop | None:
    """What a link stops, or None if this site did not make it."""
    try:
        user_id, topic_names, *game_ids = signing.loads(token, salt=SALT)
        topics = (
            OLD_SWITCHES[topic_names] if isinstance(topic_names, str) else tuple(Topic(each) for each in topic_names)
        )
    except (signing.BadSignature, ValueError, KeyError):
        return None
    return Stop(user_id, topics, game_ids[0] if game_ids else None)


@transaction.atomic
def stop(what: Stop) -> str:
    """Stop it; idempotent, also for a deleted game or person. Returns a token that restores the earlier choices, empty
    if nothing changes."""
    account_locks.lock_accounts(also=[what.user_id])
    if not _exists(what):
        return ""
    selection = {**what._asdict(), "channel": Channel.MAIL}
    before = preferences.made(**selection)
    preferences.stop(**selection)
    return "" if preferences.made(**selection) == before else signing.dumps([*what, before], salt=SALT_BEFORE)


def bring_back(what: Stop, token: str) -> bool:
    """Restore the choices from before this was stopped. Returns whether the token was valid."""
    try:
        user_id, topics, game_id, before = signing.loads(token, salt=SALT_BEFORE)
    except (signing.BadSignature, ValueError):
        return False
    if Stop(user_id, tuple(topics), game_id) != what:
        return False
    if _exists(what):
        preferences.bring_back(**what._asdict(), channel=Channel.MAIL, before=before)
    return True


def _exists(what: Stop) -> bool:
    is_person = User.objects.filter(pk=what.user_id).exists()
    return is_person and (what.game_id is None or Game.objects.filter(pk=what.game_id).exists())
