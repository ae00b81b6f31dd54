"""The readers and subjects of notices and webhook messages, and the checks whether a message is still true. Rows of
`game.outbox.notice_kinds` name these checks; rooms above are reached through the models, as `game.messages`."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import F, QuerySet

from accounts.addresses import bounce_of
from accounts.models import User
from game.store.eyes import is_invitee
from game.store.game import Game, Keeper
from game.store.log import LoggedAction


class Occasion(NamedTuple):
    """The subject of a notice or a webhook message."""

    game: Game
    user: User
    seat: int
    serial: int
    """As in `Notice`: of the phase, or of the subject."""


def is_phase_open(occasion: Occasion) -> bool:
    return occasion.serial == occasion.game.phase_serial


def has_caretaker(occasion: Occasion) -> bool:
    """True if the caretaker plays the seat for somebody who may come back."""
    return occasion.game.keepers.get(str(occasion.seat)) == Keeper.AWAY


def is_lent(occasion: Occasion) -> bool:
    """True if a stand-in plays the reader's seat."""
    return occasion.game.seat_owned_by(occasion.user.pk) == occasion.seat


def is_lent_to_absentee(occasion: Occasion) -> bool:
    """True if the caretaker plays for the stand-in of the reader's seat."""
    return is_lent(occasion) and has_caretaker(occasion)


def is_stand_in(occasion: Occasion) -> bool:
    """True if the reader plays the seat for its owner."""
    return occasion.game.seat_stood_in_by(occasion.user.pk) == occasion.seat


def has_seen_phase(occasion: Occasion) -> bool:
    """True if the reader has seen the board since the phase opened."""
    return _seen_entries(occasion).filter(opened_serial=occasion.serial).exists()


def is_start_news(occasion: Occasion) -> bool:
    """True unless the reader was on the board of a fast game when it began."""
    return occasion.game.is_slow or not has_seen_phase(occasion)


def is_miss_news(occasion: Occasion) -> bool:
    """True if the reader has not seen the board since they missed a decision."""
    return not _seen_entries(occasion).filter(opened_serial__gt=occasion.serial).exists()


def is_mention_unread(occasion: Occasion) -> bool:
    game = occasion.game
    mentions = game.messages.filter(number=occasion.serial)
    return game.has_position and mentions.readable_by(occasion.user.pk).unread_by(occasion.user.pk).exists()


def is_address_broken(occasion: Occasion) -> bool:
    """True if it is still the reader's address and no mail goes there."""
    bounce = bounce_of(occasion.user)
    return bounce is not None and bounce.pk == occasion.serial


def is_invited(occasion: Occasion) -> bool:
    return is_invitee(game_id=occasion.game.pk, user_id=occasion.user.pk)


def will_close(occasion: Occasion) -> bool:
    """True if the game is going to be closed because nobody opens it."""
    return occasion.game.closes_at is not None


def _seen_entries(occasion: Occasion) -> QuerySet[LoggedAction]:
    """The log entries up to the version that the reader has seen on the board."""
    seen_version = F("game__seats__seen_version")
    return occasion.game.log.filter(game__seats__number=occasion.seat, version__lte=seen_version)
