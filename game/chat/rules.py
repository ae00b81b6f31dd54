"""Who may read a game's chat and who may write in it; how a message's text is cleaned and its mentions are found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts import limits
from accounts.models import User
from game.chat.models import LONGEST_MESSAGE, LONGEST_NOTES, Chat
from game.engine.actions import Refused
from game.engine.language import mark
from game.engine.phrases import thousands
from game.store import account_locks
from game.store.case_models import Silence
from game.store.eyes import own_seats
from game.store.game import Game, Seat, Status
from game.store.visible_text import is_blank, visible_letters

Reader = User | AnonymousUser | None
MOST_LINES = 30
_BLANK_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True)
class Access:
    """What one reader may do with a chat. `refusal` says why they cannot write; empty if they can."""

    user: User | None
    seat: Seat | None
    chat: Chat
    is_reader: bool
    refusal: str

    @property
    def is_player(self) -> bool:
        """True if they read all of it; others read only what was written after the end."""
        return self.seat is not None


class Part(NamedTuple):
    """A piece of a message; `seat` is the seat it mentions, if any."""

    text: str
    seat: int | None = None


def may_write(user: User) -> bool:
    """True if this user may write at all. Bots and guests never may."""
    return user.is_active and not user.is_bot and not user.is_guest


def seat_of(*, game: Game, user: User) -> Seat | None:
    """The user's seat. A player who has resigned reads only what strangers read."""
    return own_seats(user.pk).filter(game=game).first()


def lock_seat(*, game: Game, user: User) -> Seat | None:
    """The user's seat, locked until the message is stored: a takeover or a ban waits. Raises `Refused`."""
    account_locks.lock_free_account(user)
    return own_seats(user.pk).filter(game=game).select_for_update(no_key=True, of=("self",)).first()


def access_to(*, game: Game, user: Reader) -> Access:
    """What this reader may do with the chat of a game that they may open."""
    signed_in = user if isinstance(user, User) else None
    seat = seat_of(game=game, user=signed_in) if signed_in else None
    chat = Chat.objects.filter(game=game).first() or Chat(game=game)
    is_reader = seat is not None or (game.is_open and game.status == Status.FINISHED)
    return Access(signed_in, seat, chat, is_reader, why_cannot_write(game, signed_in, seat, chat))


def why_cannot_write(game: Game, user: User | None, seat: Seat | None, chat: Chat) -> str:
    """Why somebody cannot write in a chat; empty if they can."""
    if user is None or seat is None:
        return mark("Only the players of this game can write in its chat.")
    if user.is_bot:
        return mark("Bots cannot write in chats.")
    if not may_write(user):
        return mark("Guests cannot write in a chat. Create an account to do so.")
    if game.status == Status.ABANDONED:
        return mark("This game was cancelled, so its chat is closed.")
    if chat.is_off:
        return mark("The host switched the chat off.")
    return silence_words(user)


def silence_words(user: User) -> str:
    """The end and the reason of a user's silence, in words; empty without one."""
    silence = Silence.objects.filter(user=user, until__gt=timezone.now()).first()
    if silence is None:
        return ""
    here = timezone.localtime(silence.until)
    until = f"{here:%A} {here.day} {here:%B}, {here:%H:%M}"
    return f"A moderator silenced you in all chats until {until}: {silence.reason}"


def check_pace(user: User) -> None:
    """Rate-limit a user's messages. Raises `limits.TooMany`."""
    limits.spend("message", user.pk)
    limits.spend("message_day", user.pk)


def read_message(typed: str) -> str:
    """A message as it is stored: without invisible letters, and without letters that change the direction of text.
    Raises `Refused`."""
    text = plain(typed)
    if is_blank(text):
        raise Refused("A message needs text. Write something and send it again.", code="text_missing", field="text")
    if len(text) > LONGEST_MESSAGE:
        raise Refused(
            "A message has up to {most} characters; this one has {length}. Nothing was sent.",
            most=thousands(LONGEST_MESSAGE),
            length=thousands(len(text)),
            code="text_too_long",
            field="text",
        )
    if (lines := text.count("\n") + 1) > MOST_LINES:
        raise Refused(
            "A message has up to {most} lines; this one has {lines}. Nothing was sent.",
            most=MOST_LINES,
            lines=lines,
            code="too_many_lines",
            field="text",
        )
    return text


def read_notes(typed: str) -> str:
    """A notebook's text as it is stored. Raises `Refused`."""
    text = plain(typed)
    if len(text) > LONGEST_NOTES:
        raise Refused(
            "A notebook has up to {most} characters; this has {length}. Nothing was saved.",
            most=thousands(LONGEST_NOTES),
            length=thousands(len(text)),
            code="text_too_long",
            field="text",
        )
    return text


def plain(typed: str) -> str:
    """Typed text as plain text: visible letters, spaces and line breaks."""
    text = unicodedata.normalize("NFC", typed.replace("\r\n", "\n").replace("\r", "\n"))
    return _BLANK_LINES.sub("\n\n", "".join(visible_letters(text))).strip()


def parts_of(text: str, names: Iterable[tuple[int, str]]) -> list[Part]:
    """The text split at its mentions: `@` and a player's name, in any case; the longest matching name wins."""
    seat_by_name = {name.casefold(): seat for seat, name in names}
    if not seat_by_name or "@" not in text:
        return [Part(text)]
    pattern = "|".join(re.escape(name) for name in sorted(seat_by_name, key=len, reverse=True))
    parts, end = [], 0
    for match in re.finditer(rf"(?<!\w)@({pattern})(?!\w)", text, re.IGNORECASE):
        seat = seat_by_name.get(match[1].casefold())
        if seat is not None:
            parts += [Part(text[end : match.start()]), Part(match[0], seat)]
            end = match.end()
    return [part for part in (*parts, Part(text[end:])) if part.text]


def without_names(text: str, names: Iterable[str], instead: str) -> str:
    """The text with every mention of one of these names replaced."""
    parts = parts_of(text, [(0, name) for name in names])
    return "".join(part.text if part.seat is None else instead for part in parts)
