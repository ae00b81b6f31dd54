"""Chat mentions in emails: only those that the reader has not read and may read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from game.chat.models import Message, Mute, ReadMark
from game.chat.writing import FORMER, moment_words
from game.store.log import Notice


class Mentioned(NamedTuple):
    """A message that mentions the reader."""

    name: str
    text: str
    moment: str
    at: datetime


def is_still_news(notice: Notice) -> bool:
    """Whether a mention is worth sending: the message exists, is unread, and its author is not muted."""
    if not _mentions([notice]):
        return False
    marks = ReadMark.objects.filter(game_id=notice.game_id, user_id=notice.user_id)
    return not marks.filter(number__gte=notice.serial).exists()


def mentions_among(notices: Sequence[Notice], game_id: int) -> tuple[Mentioned, ...]:
    """The messages behind the mentions among these notices in one game, oldest first."""
    here = [notice for notice in notices if notice.game_id == game_id and notice.kind == Notice.Kind.MENTION]
    return tuple(
        Mentioned(
            message.author.username if message.author else FORMER.capitalize(),
            message.text,
            moment_words(message, here[0].game),
            message.at,
        )
        for message in (_mentions(here) if here else ())
    )


def _mentions(notices: Sequence[Notice]) -> list[Message]:
    game_id, user_id = notices[0].game_id, notices[0].user_id
    messages = Message.objects.filter(
        game_id=game_id, number__in=[notice.serial for notice in notices], removed_at=None
    )
    muted_ids = Mute.objects.filter(game_id=game_id, user_id=user_id).values("muted_id")
    return list(messages.exclude(author_id__in=muted_ids).select_related("author").order_by("number"))
