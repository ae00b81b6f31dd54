"""Writing in a chat, and switching it off as the host."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts import limits
from accounts.models import User
from game.chat import rules
from game.chat.models import Chat, Mention, Message, Mute, Notebook, ReadMark
from game.chat.rules import parts_of, read_message, without_names
from game.engine.actions import Refused
from game.engine.language import ENGLISH, mark, mark_as, speaking
from game.engine.language import say as translated
from game.engine.phrases import capitalised
from game.live import announce as live
from game.outbox import notices
from game.play import authority
from game.site import features
from game.store import readers
from game.store.badges import titles_of
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Notice
from game.store.readers import lock, seats_of

BEFORE_START, AFTER_END = mark("Before the start"), mark("After the game")
EMAIL_DELAY = timedelta(minutes=15)  # no email to players who read it before
FORMER_PLAYER = mark_as("seat", "Former player")
"""The author of messages whose account is deleted."""


def say(*, game_id: int, user: User, text: str, token: str = "") -> Message:
    """Write a message in a game in which the user plays. Sending the same form again writes nothing. Raises `Refused`,
    and `limits.TooMany`."""
    return _write_message(game_id, user, text, token, rules.check_pace)


def announce(*, game_id: int, user: User, text: str) -> None:
    """Write a message about what the user has just done; that action has its own rate limit. If the user may not write,
    nothing is sent."""
    with suppress(Refused):
        _write_message(game_id, user, text, "", lambda _: None)


def has_sent(*, game_id: int, user: User, token: str) -> bool:
    """True if the user has sent a message in this game with this token."""
    return _sent_with_token(game_id, user, token).exists()


def create_switched_off(game: Game) -> None:
    """Create a new game's chat switched off."""
    Chat.objects.update_or_create(game=game, defaults={"is_off": True})


@transaction.atomic
def switch(*, game_id: int, user: User, is_on: bool) -> None:
    """Switch the chat off or on again, with a line in it; only the host may. Raises `Refused`."""
    game = lock(game_id) or find_game(game_id)
    seat = rules.seat_of(game=game, user=user)
    authority.check_host(game, user)
    if seat is None or not rules.may_write(user):
        raise Refused("Only the host of the game can do that.", code="not_host")
    limits.spend("arrange", f"{user.pk}.{game.pk}")
    chat = lock_chat(game)
    if chat.is_off != is_on:
        return
    chat.is_off = not is_on
    chat.save(update_fields=["is_off"])
    kind = Message.Kind.ON if is_on else Message.Kind.OFF
    switch_lines = Message.objects.filter(game=game, number__gt=chat.messages - 2).exclude(kind=Message.Kind.SAID)
    if len(lines := list(switch_lines.order_by("number"))) < 2:
        _append(game, chat, Message(author=user, kind=kind))
    else:
        _merge_switch_lines(chat, lines, kind)


@transaction.atomic
def forget_author(user: User, names: Iterable[str]) -> None:
    """Remove a user's names from all chats: messages lose their author, mentions the name, and the user's notes are
    deleted."""
    for mention in Mention.objects.filter(user=user).select_related("message"):
        message = mention.message
        message.text = without_names(message.text, names, f"@{FORMER_PLAYER.lower()}")
        message.save(update_fields=["text"])
    changed_games = Message.objects.filter(Q(author=user) | Q(mentions__user=user)).values("game_id")
    Chat.objects.filter(game_id__in=changed_games).update(version=F("version") + 1)
    Message.objects.filter(author=user).update(author=None)
    for model in (Mention, ReadMark, Notebook):
        model.objects.filter(user=user).delete()
    Mute.objects.filter(Q(user=user) | Q(muted=user)).delete()


def moment_words(message: Message, game: Game) -> str:
    """The moment of the game at which a message was written, in the current language."""
    turn = game.rules.turn_words(message.turn) if message.turn else ""
    return capitalised(", ".join(part for part in (turn, _phase_words(message.phase, game)) if part))


def lock_chat(game: Game) -> Chat:
    """Lock the chat's row for this transaction; games older than chats get theirs now."""
    Chat.objects.get_or_create(game=game)
    return Chat.objects.select_for_update().get(game=game)


def announce_change(chat: Chat) -> None:
    """Raise the chat's version and announce it."""
    chat.version += 1
    chat.save(update_fields=["messages", "version"])
    live.chat_changed(chat.game_id, chat.version)


def reads_chat(seat: Seat) -> bool:
    """True if a person who reads the chat has the seat."""
    return seat.user_id is not None and not seat.bot and seat.keeper != Keeper.RESIGNED


def emails_mentions(game: Game) -> bool:
    """True if mentions are emailed: not before the game starts, nor while everybody plays at once."""
    return game.has_position and (game.is_slow or not game.is_running)


def find_game(game_id: int) -> Game:
    game = Game.objects.on_the_clock().filter(pk=game_id).first()
    if game is None:
        raise Refused("There is no such game.", code="no_game")
    return game


@transaction.atomic
def _write_message(game_id: int, user: User, text: str, token: str, check_rate: Callable[[User], None]) -> Message:
    game = find_game(game_id)
    if game.status == Status.WAITING:  # then a message is activity in the game
        game = lock(game_id) or game
    seat = rules.lock_seat(game=game, user=user)
    access = rules.access_to(game=game, user=user)
    if access.seat is None or access.refusal:
        raise Refused(access.refusal, code="may_not_write")
    features.check(features.CHAT)
    clean_text = read_message(text)
    earlier = _sent_with_token(game.pk, user, token).first() if token else None
    if earlier is not None:
        return _check_same_text(earlier, clean_text)
    check_rate(user)
    chat = lock_chat(game)
    if refusal := rules.why_cannot_write(game, user, seat, chat):
        raise Refused(refusal, code="may_not_write")
    earlier = _sent_with_token(game.pk, user, token).first() if token else None
    if earlier is not None:
        return _check_same_text(earlier, clean_text)
    message = _append(game, chat, Message(author=user, text=clean_text, token=token))
    _notify_mentioned(game, message)
    if game.status == Status.WAITING:
        readers.stir(game.pk)
    return message


def _append(game: Game, chat: Chat, message: Message) -> Message:
    """Add a message to a locked chat; its author has read so far."""
    chat.messages += 1
    message.game, message.number = game, chat.messages
    message.turn, message.phase = _moment(game)
    message.is_after = game.status == Status.FINISHED
    message.save()
    announce_change(chat)
    return message


def _moment(game: Game) -> tuple[int, str]:
    if not game.has_position:
        return 0, BEFORE_START
    if game.status == Status.FINISHED:
        return 0, AFTER_END
    return game.turn, game.phase_name


def _notify_mentioned(game: Game, message: Message) -> None:
    """Store whom a message mentions, and schedule emails to those who do not read it soon."""
    seats = {seat.number: seat for seat in seats_of(game) if reads_chat(seat)}
    mentioned = {part.seat for part in parts_of(message.text, [(n, seat.shown_name) for n, seat in seats.items()])}
    people = [
        (seat, seat.user)
        for number, seat in seats.items()
        if number in mentioned and seat.user and seat.user_id != message.author_id
    ]
    Mention.objects.bulk_create(Mention(message=message, user=user) for _, user in people)
    recipients = [(seat, user.pk) for seat, user in people]
    kind, is_mailed = Notice.Kind.MENTION, emails_mentions(game)
    notices.notify(
        game=game, people=recipients, kind=kind, serial=message.number, delay=EMAIL_DELAY, is_mailed=is_mailed
    )


def _check_same_text(earlier: Message, text: str) -> Message:
    if earlier.text != text:
        raise Refused(
            "You already sent another text with this form or key, so nothing was sent now. Reload the page or take a "
            "new key.",
            code="key_reused",
        )
    return earlier


def _sent_with_token(game_id: int, user: User, token: str) -> QuerySet[Message]:
    return Message.objects.filter(game=game_id, author=user, token=token)


def _merge_switch_lines(chat: Chat, lines: list[Message], kind: Message.Kind) -> None:
    """Let the last two switch lines show the previous and the current state, so that switching cannot fill a chat."""
    before, last = lines
    before.kind, last.kind = last.kind, kind
    Message.objects.bulk_update(lines, ["kind"])
    announce_change(chat)


def _phase_words(stored: str, game: Game) -> str:
    """A stored phase in words. Earlier versions stored its English title instead of its name."""
    if stored in {"", BEFORE_START, AFTER_END}:
        return translated(stored) if stored else ""
    flow = game.rules.flow(game.read_options())
    titles = titles_of(flow)
    if stored in titles:
        return titles[stored]
    with speaking(ENGLISH):
        names = {title: name for name, title in titles_of(flow).items()}
    return titles[names[stored]] if stored in names else translated(stored)
