"""The chat of a game in facts, as programs read it."""

from __future__ import annotations

import msgspec

from game.chat import rules
from game.chat.models import Message
from game.chat.page import messages_for, muted_by
from game.store.game import Game
from game.store.kinds import Instant
from game.store.readers import Reader


class MessageLine(msgspec.Struct, frozen=True):
    """A message: `kind` is said, or off and on where the host switched the chat; `person` is None of a closed account,
    and `text` is empty of one that moderators removed."""

    number: int
    at: Instant
    kind: str
    person: int | None
    name: str
    text: str


def may_read(game: Game, reader: Reader) -> bool:
    """Whether any of it is there for this reader."""
    return rules.access_to(game=game, user=reader).is_reader


def messages_of(game: Game, reader: Reader, *, before: int | None, limit: int) -> tuple[list[MessageLine], int | None]:
    """The newest messages before a number, oldest first, and before which number older ones are."""
    access = rules.access_to(game=game, user=reader)
    found = list(messages_for(game, access, muted_by(game, access), before)[: limit + 1])
    shown = found[:limit]
    return [line_of(each) for each in reversed(shown)], shown[-1].number if len(found) > limit else None


def line_of(message: Message) -> MessageLine:
    """One message."""
    author = message.author
    return MessageLine(
        message.number,
        message.at,
        message.kind,
        author.pk if author else None,
        author.username if author else "",
        "" if message.removed_at else message.text,
    )
