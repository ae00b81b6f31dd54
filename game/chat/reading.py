"""What a reader does with a chat: read marks, mutes and reports; and private notes on one game, which no one else can
read, not even a later player of the seat."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models.functions import Greatest
from django.utils import timezone

from accounts import limits
from accounts.models import User
from game.chat import rules
from game.chat.models import Chat, Message, Mute, Notebook, ReadMark, Report
from game.chat.rules import Reader, read_notes
from game.chat.writing import find_game, reads_chat
from game.engine.actions import Refused
from game.engine.language import mark
from game.infra.calls import Hook
from game.live import announce
from game.store import account_locks
from game.store.case_models import LONGEST_WHY
from game.store.eyes import own_seats
from game.store.game import Game, Seat
from game.store.readers import seats_of
from game.store.visible_text import one_line

CONTEXT_SIZE = 5  # messages stored before and after a reported one
on_report = Hook()
"""A message was reported for the first time by somebody: the `report`."""


class NotesChanged(Refused):
    """The notes were changed on another page since this one showed them."""

    usual_code = "notes_changed"

    def __init__(self) -> None:
        super().__init__(
            mark(
                "These notes were changed elsewhere after you read them. Nothing was saved: copy what you wrote, then "
                "read them again."
            )
        )


@transaction.atomic
def mark_read(*, game_id: int, user: User, number: int) -> None:
    """Record the last message a user has read; it never decreases, nor exceeds the last message. Raises `Revoked`."""
    chat = Chat.objects.filter(game_id=game_id).first()
    number = min(number, chat.messages if chat else 0)
    if chat is None or ReadMark.objects.filter(game_id=game_id, user=user, number__gte=number).exists():
        return
    account_locks.lock_accounts(user)
    seat = own_seats(user.pk).filter(game_id=game_id).first()
    if seat is None or not user.is_active:
        return
    if not ReadMark.objects.filter(game_id=game_id, user=user).update(number=Greatest("number", number)):
        ReadMark.objects.bulk_create([ReadMark(game_id=game_id, user=user, number=number)], ignore_conflicts=True)
    announce.chat_read(game_id, seat.number, chat.version)


@transaction.atomic
def mute(*, game_id: int, user: User, seat_number: int, is_on: bool) -> None:
    """Hide another player's messages from this reader, or show them again. Only players of the game can mute and be
    muted; a muted player can be shown again even after resigning. Raises `Refused`."""
    game = find_game(game_id)
    own_seat = rules.lock_seat(game=game, user=user)
    seat = next((seat for seat in seats_of(game) if seat.number == seat_number and seat.user is not None), None)
    if seat and not is_on and Mute.objects.filter(game=game, user=user, muted=seat.user).delete()[0]:
        return
    is_other = seat is not None and reads_chat(seat) and seat.user != user
    if seat is None or not is_other or own_seat is None:
        raise Refused("You can mute the other players of a game that you play in.", code="cannot_mute")
    if is_on:
        Mute.objects.get_or_create(game=game, user=user, muted=seat.user)


@transaction.atomic
def report(*, game_id: int, user: User, number: int, reason: str) -> Report:
    """Report a message to the moderators, with the messages around it as they are now. Raises `Refused`."""
    game, why = find_game(game_id), one_line(reason)
    account_locks.lock_free_account(user)
    message = find_message(game=game, user=user, number=number)
    if message is None or message.kind != Message.Kind.SAID or message.removed_at:
        raise Refused("There is no such message to report.", code="no_such_message")
    if message.author_id == user.pk:
        raise Refused("You cannot report your own message.", code="own_message")
    if not rules.may_write(user):
        raise Refused("Guests cannot report messages. Create an account to do so.", code="guest_may_not")
    if not 0 < len(why) <= LONGEST_WHY:
        raise Refused(
            "Say in 1 to {most} characters what is wrong with it; this has {length}.",
            most=LONGEST_WHY,
            length=len(why),
            code="wrong_length",
            field="why",
        )
    limits.spend("report", user.pk)
    copies: dict[str, Any] = {"author": message.author, "text": message.text, "context": _messages_around(message)}
    new_report, _ = Report.objects.get_or_create(
        message=message, reporter=user, defaults={"game": game, "reason": why, **copies}
    )
    on_report(report=new_report)
    return new_report


def find_message(*, game: Game, user: Reader, number: int) -> Message | None:
    """A message this reader may read, or None."""
    access = rules.access_to(game=game, user=user)
    if not access.is_reader:
        return None
    message = Message.objects.filter(game=game, number=number).select_related("author").first()
    return message if message and (access.is_player or message.is_after) else None


def notebook_of(*, game_id: int, user: Reader, is_player: bool | None = None) -> Notebook | None:
    """A user's notes on a game: for its players, and for former players who wrote notes. At one device there are none,
    because the next who holds a seat would read them."""
    if not isinstance(user, User):
        return None
    notebook = Notebook.objects.filter(game=game_id, user=user).first()
    if notebook is not None:
        return notebook
    seats = Seat.objects.filter(game=game_id, user=user)
    if user.shares_device and seats.exclude(device="").exists():
        return None
    sits = seats.exists() if is_player is None else is_player
    return Notebook(game_id=game_id, user=user) if sits else None


@transaction.atomic
def save_notes(*, game: Game, user: User, text: str, revision: int) -> Notebook:
    """Save the notes; `revision` is the one that the page showed. Raises `Refused`."""
    new_text = read_notes(text)
    account_locks.lock_free_account(user)
    if notebook_of(game_id=game.pk, user=user) is None:
        raise Refused("Only the players of this game can keep notes on it.", code="not_seated")
    Notebook.objects.get_or_create(game=game, user=user)
    notebook = Notebook.objects.select_for_update().get(game=game, user=user)
    if notebook.text == new_text:
        return notebook
    if notebook.revision != revision:
        raise NotesChanged
    notebook.text, notebook.revision, notebook.saved_at = new_text, notebook.revision + 1, timezone.now()
    notebook.save(update_fields=["text", "revision", "saved_at"])
    return notebook


def _messages_around(message: Message) -> list[dict[str, Any]]:
    """The messages before and after one, as they are now."""
    nearby = Message.objects.filter(game_id=message.game_id, kind=Message.Kind.SAID).exclude(pk=message.pk)
    before = nearby.filter(number__lt=message.number).order_by("-number")[:CONTEXT_SIZE]
    after = nearby.filter(number__gt=message.number).order_by("number")[:CONTEXT_SIZE]
    return [
        {"number": other.number, "author": other.author_id, "at": other.at.isoformat(), "text": other.text}
        for other in [*reversed(before), *after]
    ]
