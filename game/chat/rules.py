"""Who may read a game's chat and who may write in it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts import limits
from accounts.models import User
from game.chat.models import Chat
from game.engine.language import mark
from game.play import authority
from game.store.case_models import Silence
from game.store.eyes import own_seats
from game.store.game import Game, Seat, Status

Reader = User | AnonymousUser | None


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


def may_talk(user: User) -> bool:
    """True if this user may write at all. Bots and guests never may."""
    return user.is_active and not user.is_bot and not user.is_guest


def seat_of(*, game: Game, user: User) -> Seat | None:
    """The user's seat. A player who has resigned reads only what strangers read."""
    return own_seats(user.pk).filter(game=game).first()


def hold_seat(*, game: Game, user: User) -> Seat | None:
    """The user's seat, locked until the message is stored: a takeover or a ban waits. Raises `Refused`."""
    authority.hold_free(user)
    return own_seats(user.pk).filter(game=game).select_for_update(no_key=True, of=("self",)).first()


def access_to(*, game: Game, user: Reader) -> Access:
    """What this reader may do with the chat of a game that they may open."""
    signed_in = user if isinstance(user, User) else None
    seat = seat_of(game=game, user=signed_in) if signed_in else None
    chat = Chat.objects.filter(game=game).first() or Chat(game=game)
    is_reader = seat is not None or (game.is_open and game.status == Status.FINISHED)
    return Access(signed_in, seat, chat, is_reader, why_silent(game, signed_in, seat, chat))


def why_silent(game: Game, user: User | None, seat: Seat | None, chat: Chat) -> str:
    """Why somebody cannot write in a chat; empty if they can."""
    if user is None or seat is None:
        return mark("Only the players of this game can write in its chat.")
    if user.is_bot:
        return mark("Bots cannot write in chats.")
    if not may_talk(user):
        return mark("Guests cannot write in a chat. Create an account to do so.")
    if game.status == Status.ABANDONED:
        return mark("This game was cancelled, so its chat is closed.")
    if chat.is_off:
        return mark("The host switched the chat off.")
    return silence_words(user)


def silence_words(user: User) -> str:
    """Until when a moderator has silenced a user, and why; empty if none has."""
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
