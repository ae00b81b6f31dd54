"""Sending what is due: claimed under a row lock, judged and written at that moment, sent once, tried again where the
post is down."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused
from typing import Any

import structlog
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts.mail import is_confirmed
from accounts.models import User
from accounts.post import is_for_good
from game.models import Game, Keeper, Notice, Status
from game.services import chat_mail, outbox
from game.services.emails import write_email

SECONDS = 20  # a round ends well before the task's time limit; the next goes on
FIRST_RETRY, LONGEST_RETRY = timedelta(minutes=2), timedelta(hours=1)
AT_ONCE = 50
MOST_ATTEMPTS = 40  # more than a day
LOOK_AGAIN = timedelta(minutes=5)  # while a game is paused or on hold, or its phase is about to close
STANDING = {Status.PAUSED, Status.HELD}
HOLDS_WHILE = {
    Notice.Kind.STARTED: {Status.RUNNING},
    Notice.Kind.FINISHED: {Status.FINISHED},
    Notice.Kind.VOID: {Status.RUNNING, *STANDING, Status.FINISHED},
    Notice.Kind.AWAY: {Status.RUNNING, *STANDING},
    Notice.Kind.REPLACED: {Status.RUNNING, *STANDING, Status.FINISHED},
    Notice.Kind.ENDING: {Status.RUNNING, *STANDING},
}
log = structlog.get_logger(__name__)


class PostIsDown(Exception):
    """No mail can be sent now: the rest of the round would only wait for the same thing."""


def send_due_notices() -> int:
    """Write the notices that moves asked for and send what is due; how many mails went out."""
    outbox.write_notices()
    ends, sent, post = time.monotonic() + SECONDS, 0, mail.get_connection()
    try:
        while time.monotonic() < ends and (due := _claim()) is not None:
            sent += _deal_with(due, post) if due else 0
    except PostIsDown as down:
        log.warning("post_is_down", trouble=str(down))
    finally:
        post.close()
    return sent


@transaction.atomic
def _claim() -> list[Notice] | None:
    """All that is due to one person, or None where nothing is due to anybody who is free.

    The next attempt is committed before this one is made, so that no other worker makes it too; nor may two workers
    share out what one person is to get in one mail, so the person is locked, past what keys of other rows need."""
    waiting = [notice.user_id for notice in _due().order_by("due_at", "pk")[:AT_ONCE]]
    person = User.objects.select_for_update(skip_locked=True, no_key=True).filter(pk__in=waiting).first()
    if person is None:
        return None
    due = list(_due().select_for_update(skip_locked=True).filter(user=person).order_by("pk"))
    for notice in due:
        notice.due_at = notice.now + min(FIRST_RETRY * 2**notice.attempts, LONGEST_RETRY)
        notice.attempts += 1
    Notice.objects.bulk_update(due, ["due_at", "attempts"])
    return due


def _due() -> QuerySet[Any]:
    return Notice.objects.annotate(now=Now()).filter(due_at__lte=Now(), sent_at=None, cancelled_at=None)


def _deal_with(due: Sequence[Notice], post: BaseEmailBackend) -> int:
    """Check the claimed notices and send one email about those that still hold. No row is locked while it is sent."""
    now, notices = _with_all_they_need(due)
    verdicts = {notice.pk: _verdict(notice, now) for notice in notices}
    _cancel(notice for notice in notices if verdicts[notice.pk] is False)
    for notice in notices:
        if isinstance(moment := verdicts[notice.pk], datetime):
            Notice.objects.filter(pk=notice.pk).update(due_at=moment, attempts=0)
    holding = [notice for notice in notices if verdicts[notice.pk] is True]
    return _send(holding, now, post) if holding else 0


def _with_all_they_need(due: Sequence[Notice]) -> tuple[datetime, list[Notice]]:
    notices = list(Notice.objects.filter(pk__in=[notice.pk for notice in due]).select_related("seat__user", "user"))
    games = Game.objects.on_the_clock().in_bulk([notice.game_id for notice in notices])
    for notice in notices:
        notice.game = games[notice.game_id]
    return max(game.now for game in games.values()), notices


def _verdict(notice: Notice, now: datetime) -> bool | datetime:
    """True: send it. False: it is no longer true. A moment: not before then."""
    game, user, seat = notice.game, notice.user, notice.seat
    is_theirs = seat.user_id == user.pk and not seat.bot
    if not user.is_active or user.is_bot or is_theirs == (notice.kind == Notice.Kind.REPLACED):
        return False
    switches = {Notice.Kind.REMINDER: user.mail_reminders, Notice.Kind.MENTION: user.mail_mentions}
    is_wanted = switches.get(Notice.Kind(notice.kind), user.mail_turns)
    if not (is_wanted and _concerns(notice, seat.keeper) and is_confirmed(user)):
        return False
    if notice.kind == Notice.Kind.MENTION:
        return game.has_position and chat_mail.is_still_news(notice)
    if notice.kind in HOLDS_WHILE:
        return game.status in HOLDS_WHILE[Notice.Kind(notice.kind)]
    return _verdict_on_asking(notice, now)


def _concerns(notice: Notice, keeper: str) -> bool:
    """Whether a notice is for somebody whose seat the caretaker plays; nobody is asked there. A proposal is told while
    it stands."""
    kind = notice.kind
    if kind == Notice.Kind.ENDING:
        ending = notice.game.open_ending
        return ending is not None and ending["number"] == notice.serial and notice.seat.number not in ending["agreed"]
    if kind == Notice.Kind.REPLACED:
        return True
    if keeper == Keeper.RESIGNED:
        return kind == Notice.Kind.FINISHED
    return kind not in {Notice.Kind.TURN, Notice.Kind.REMINDER} if keeper else kind != Notice.Kind.AWAY


def _verdict_on_asking(notice: Notice, now: datetime) -> bool | datetime:
    """A decision is mailed while its phase is open and nothing was sent; a reminder not before its time, which may have
    moved."""
    game = notice.game
    if notice.serial != game.phase_serial or notice.seat.number not in game.waiting_seats:
        return False
    if game.seat_states[notice.seat.number] != "untouched" or game.status not in {Status.RUNNING, *STANDING}:
        return False
    is_closing = game.deadline_at is not None and game.deadline_at <= now
    if game.status in STANDING or is_closing:
        return now + LOOK_AGAIN
    moment = outbox.remind_at(game) if notice.kind == Notice.Kind.REMINDER else None
    return moment if moment is not None and moment > now else True


def _cancel(notices: Iterable[Notice], **trouble: str) -> None:
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(cancelled_at=Now(), **trouble)


def _send(notices: Sequence[Notice], now: datetime, post: BaseEmailBackend) -> int:
    """Send one mail and note it. A mail that cannot be written or delivered stays, and holds no other up."""
    try:
        email = write_email(notices, now=now)
        post.open()
        post.send_messages([email])
    except Exception as error:
        post.close()
        return _failed(notices, error)
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(sent_at=Now(), trouble="")
    log.info("mail_sent", user=notices[0].user_id, notices=[notice.pk for notice in notices])
    return 1


def _failed(notices: Sequence[Notice], error: Exception) -> int:
    """Keep what the server said; give up where it will never take the mail. Raises `PostIsDown` where nothing can be
    sent."""
    words = f"{type(error).__name__}: {error}"[:200]
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(trouble=words)
    spent = [notice for notice in notices if notice.attempts >= MOST_ATTEMPTS]
    _cancel(notices if is_for_good(error) else spent)
    if isinstance(error, OSError) and not isinstance(error, SMTPDataError | SMTPRecipientsRefused):
        raise PostIsDown(words) from error
    log.error(
        "mail_not_sent", user=notices[0].user_id, notices=[notice.pk for notice in notices], exc_info=_unexpected(error)
    )
    return 0


def _unexpected(error: Exception) -> Exception | None:
    """Only our own bugs need a traceback in the log."""
    return None if isinstance(error, SMTPException) else error
