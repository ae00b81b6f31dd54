"""Sending due notices: each is claimed under a row lock, checked and written at that moment, handed to a channel at
most once, and retried only if the channel has certainly not accepted it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts import quiet_hours
from accounts.mail_server import NoReply, NotAccepted
from accounts.models import User
from game.delivery.emails import EmailChannel
from game.delivery.notice_checks import verdict
from game.delivery.push_channel import PushChannel
from game.outbox import push_subscriptions, status_notices
from game.outbox.models import Topic
from game.outbox.notice_kinds import KINDS
from game.outbox.notices import write_notices
from game.outbox.preferences import preferences_of
from game.store.game import Game
from game.store.log import Channel, LoggedAction, Notice


class DeliveryChannel(Protocol):
    """A channel in use, for one round of sending."""

    kind: Channel
    window: timedelta
    """For how long after a message a person gets no further one, so that news is batched."""
    most_a_day: int | None
    """The most messages to one person in 24 hours; the digest carries the rest. None: no limit."""

    def reaches(self, user: User) -> bool:
        """True if the channel can reach this person."""

    def write(self, notices: Sequence[Notice], *, now: datetime) -> Any:
        """One message about all notices due to one person."""

    def open(self) -> None:
        """Connect. Raises `accounts.mail_server.NotAccepted`."""

    def send(self, message: Any) -> None:
        """Deliver one message. Raises `NotAccepted` or `NoReply` of `accounts.mail_server`."""

    def close(self) -> None:
        """Disconnect after the round."""


SECONDS = 20  # a round ends well before the task's time limit; the next one continues
FIRST_RETRY, LONGEST_RETRY = timedelta(minutes=2), timedelta(hours=1)
BATCH_SIZE = 50
MOST_ATTEMPTS = 40  # more than a day
LONGEST_SENDING = timedelta(minutes=1)  # after this the sending process has died
URGENT = frozenset(kind for kind, row in KINDS.items() if row.is_urgent or row.topic in {Topic.REMINDER, Topic.SEAT})
"""Notices that cannot wait for tomorrow's digest; they do not count for the daily limit."""
log = structlog.get_logger("game.services.notices")


class ChannelDown(Exception):
    """The channel can send nothing now, so the rest of the round is skipped."""


def send_due_notices() -> int:
    """Write requested notices and send those that are due. Returns the number of messages sent."""
    write_notices()
    return _send_round(EmailChannel(), time.monotonic() + SECONDS)


def send_due_pushes() -> int:
    """Send the browser notifications that are due, in a separate process, so that push services delay no email."""
    return _send_round(PushChannel(), time.monotonic() + SECONDS) if push_subscriptions.is_offered() else 0


def _send_round(channel: DeliveryChannel, ends: float) -> int:
    sent_count = 0
    try:
        while time.monotonic() < ends and (due := _claim_for_one_person(channel)) is not None:
            sent_count += _process(due, channel) if due else 0
    except ChannelDown as down:
        log.warning("post_is_down", channel=channel.kind.value, trouble=str(down))
    finally:
        channel.close()
    return sent_count


@transaction.atomic
def _claim_for_one_person(channel: DeliveryChannel) -> list[Notice] | None:
    """All notices due to one person, or None if nobody unlocked has any. The next attempt is committed before this one
    starts, so that no other worker repeats it. The person is locked, more strongly than foreign keys need, so that two
    workers do not split one person's email."""
    waiting = [notice.user_id for notice in _due(channel).order_by("due_at", "pk")[:BATCH_SIZE]]
    person = User.objects.select_for_update(skip_locked=True, no_key=True).filter(pk__in=waiting).first()
    if person is None:
        return None
    due = list(_due(channel).select_for_update(skip_locked=True, of=("self",)).filter(user=person).order_by("pk"))
    for notice in due:
        notice.due_at = notice.now + min(FIRST_RETRY * 2**notice.attempts, LONGEST_RETRY)
        notice.attempts += 1
    Notice.objects.bulk_update(due, ["due_at", "attempts"])
    return due


def _due(channel: DeliveryChannel) -> QuerySet[Any]:
    """Notices that may be sent now: none to people who got a message within the batching window, unless a game with an
    earlier first deadline has started, or everybody waits for them alone. Without a window, none to people with a
    message in transit, so that slow browsers delay only their owner. A missed decision waits for the notice of the
    decision after it, which `write_notices` makes of the same entry."""
    handed = Notice.objects.filter(user=OuterRef("user"), channel=channel.kind)
    recent = handed.filter(handed_at__gt=Now() - channel.window)
    in_transit = handed.filter(handed_at__gt=Now() - LONGEST_SENDING, sent_at=None, cancelled_at=None)
    due = Notice.objects.annotate(now=Now()).filter(
        due_at__lte=Now(), channel=channel.kind, handed_at=None, sent_at=None, cancelled_at=None
    )
    unwritten = LoggedAction.objects.filter(game=OuterRef("game"), is_told=False)
    due = due.exclude(Q(kind=Notice.Kind.MISSED) & Exists(unwritten))
    is_fast = Q(kind=Notice.Kind.STARTED, game__deadline_at__lte=Now() + channel.window)
    return due.filter(~Exists(recent) | is_fast | Q(is_pressing=True) if channel.window else ~Exists(in_transit))


def _process(due: Sequence[Notice], channel: DeliveryChannel) -> int:
    """Check the claimed notices and send one message about those that are still true, without holding row locks."""
    notices = _load_with_games(due)
    if not notices:
        return 0  # their games were deleted meanwhile
    now = max(notice.game.now for notice in notices)
    preferences, is_reached = preferences_of(notices[0].user_id), channel.reaches(notices[0].user)
    verdicts = {notice.pk: is_reached and verdict(notice, preferences, now) for notice in notices}
    _cancel(notice for notice in notices if verdicts[notice.pk] is False)
    for notice in notices:
        if isinstance(moment := verdicts[notice.pk], datetime):
            fields = {"due_at": moment, "attempts": 0, "in_digest": notice.in_digest, "trouble": notice.trouble}
            Notice.objects.filter(pk=notice.pk).update(**fields)
    valid = [notice for notice in notices if verdicts[notice.pk] is True]
    if valid and _is_over_daily_limit(valid, now, channel):
        digest_at = quiet_hours.next_hour(valid[0].user, valid[0].user.digest_hour, now)
        trouble = status_notices.ENOUGH_FOR_TODAY
        _rows_of(valid).update(due_at=digest_at, attempts=0, in_digest=True, trouble=trouble)
        return 0
    return _send(valid, now, channel) if valid else 0


def _is_over_daily_limit(notices: Sequence[Notice], now: datetime, channel: DeliveryChannel) -> bool:
    """True if the person has got a day's maximum. Digests and urgent notices are always sent, with the rest in the same
    message. A decision is held back only by other decisions; otherwise rivals could use up the limit by writing."""
    if channel.most_a_day is None or any(notice.in_digest or _is_urgent(notice, now) for notice in notices):
        return False
    handed = Notice.objects.filter(user=notices[0].user, channel=channel.kind, handed_at__gt=now - timedelta(days=1))
    is_asking = any(notice.kind == Notice.Kind.TURN for notice in notices)
    handed = handed.filter(kind=Notice.Kind.TURN) if is_asking else handed.exclude(kind__in=URGENT)
    return handed.values("handed_at").distinct().order_by().count() >= channel.most_a_day


def _is_urgent(notice: Notice, now: datetime) -> bool:
    """True if the notice cannot wait for the next digest: a decision that would come in the second half of its time, or
    the start of a fast game."""
    if notice.kind == Notice.Kind.TURN and notice.game.deadline_at is not None:
        digest = quiet_hours.next_hour(notice.user, notice.user.digest_hour, now)
        return digest - now > notice.game.deadline_at - digest
    is_pressing = notice.kind == Notice.Kind.STARTED and not notice.game.is_slow
    return is_pressing or notice.kind in URGENT


def _load_with_games(due: Sequence[Notice]) -> list[Notice]:
    """The notices with their games and seats. The seats are read last, so that whoever has lost one by then is written
    to as a stranger."""
    games = Game.objects.on_the_clock().in_bulk([notice.game_id for notice in due])
    notices = list(Notice.objects.filter(pk__in=[notice.pk for notice in due]).select_related("seat__user", "user"))
    for notice in notices:
        notice.game = games[notice.game_id]
    return notices


def _cancel(notices: Iterable[Notice]) -> None:
    for notice in notices:
        Notice.objects.filter(pk=notice.pk).update(cancelled_at=Now(), trouble=notice.trouble)


def _send(notices: Sequence[Notice], now: datetime, channel: DeliveryChannel) -> int:
    """Send one message and record the result. A failed one stays and delays no other; if it is about several games,
    each gets a message of its own. The attempt is committed before delivery: if a process dies or a connection breaks,
    the message may have arrived, so it is not sent again."""
    try:
        message = channel.write(notices, now=now)
        channel.open()
    except Exception as error:
        games = {notice.game_id for notice in notices}
        if isinstance(error, NotAccepted) or len(games) == 1:
            return _record_failure(notices, error)
        return sum(_send([each for each in notices if each.game_id == game], now, channel) for game in games)
    handed_rows = _hand_over(notices)
    if handed_rows is None:
        return 0
    try:
        channel.send(message)
    except NoReply as silence:
        handed_rows.update(trouble=str(silence)[:200])
        log.error("mail_unanswered", user=notices[0].user_id, notices=_keys(notices), trouble=str(silence))
        return 0
    except NotAccepted as refused:
        row_ids = set(handed_rows.values_list("pk", flat=True))
        own_notices = [notice for notice in notices if notice.pk in row_ids]
        handed_rows.update(handed_at=None)
        return _record_failure(own_notices, refused) if own_notices else 0
    handed_rows.update(sent_at=Now(), trouble="")
    log.info("mail_sent", user=notices[0].user_id, notices=_keys(notices))
    return 1


@transaction.atomic
def _hand_over(notices: Sequence[Notice]) -> QuerySet[Notice] | None:
    """Mark the rows as handed over; None if this round must not send them. Meanwhile others may have claimed or
    cancelled them; a deadline that moves now gets a message of its own."""
    unsent = _rows_of(notices).filter(handed_at=None, sent_at=None, cancelled_at=None).annotate(now=Now())
    rows = list(unsent.select_for_update())
    if {row.pk: row.due_at for row in rows} != {notice.pk: notice.due_at for notice in notices}:
        return None
    stamp = rows[0].now
    _rows_of(notices).update(handed_at=stamp)
    return _rows_of(notices).filter(handed_at=stamp)


def _record_failure(notices: Sequence[Notice], error: Exception) -> int:
    """Store the other side's answer; give up if it will never accept the message. Raises `ChannelDown` if nothing can
    be sent."""
    trouble = str(error) if isinstance(error, NotAccepted) else f"{type(error).__name__}: {error}"
    _rows_of(notices).update(trouble=trouble[:200])
    for notice in notices:
        notice.trouble = trouble[:200]
    exhausted = [notice for notice in notices if notice.attempts >= MOST_ATTEMPTS]
    _cancel(notices if isinstance(error, NotAccepted) and error.is_permanent else exhausted)
    if isinstance(error, NotAccepted) and error.is_down:
        raise ChannelDown(trouble) from error
    # Only a bug of ours needs a traceback in the log.
    is_expected = isinstance(error, NotAccepted) and isinstance(error.__cause__, OSError)
    log.error(
        "mail_not_sent",
        user=notices[0].user_id,
        notices=_keys(notices),
        exc_info=None if is_expected else error,
    )
    return 0


def _rows_of(notices: Sequence[Notice]) -> QuerySet[Notice]:
    return Notice.objects.filter(pk__in=_keys(notices))


def _keys(notices: Sequence[Notice]) -> list[int]:
    return [notice.pk for notice in notices]
