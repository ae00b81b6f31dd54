"""Sending due notices: each is claimed under a row lock, checked and written at that moment, handed to a channel at
most once, and retried only if the channel has certainly not accepted it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts import quiet_hours
from accounts.delivery import NotTaken, Unanswered
from accounts.models import User
from game.delivery import chat_mail, returned_mail
from game.delivery.channel import Way
from game.delivery.mail_channel import MailWay
from game.delivery.push_channel import PushWay
from game.outbox import deferred, push_subscriptions, recording, status_notices
from game.outbox.preferences import TOPICS, Wishes, wishes_of
from game.outbox.reminding import remind_at
from game.seats import stand_in_notices
from game.store import open_questions
from game.store.eyes import is_invitee
from game.store.game import Game, Keeper, Status
from game.store.log import Notice
from game.store.preference_models import Channel, How, Topic

SECONDS = 20  # a round ends well before the task's time limit; the next one continues
FIRST_RETRY, LONGEST_RETRY = timedelta(minutes=2), timedelta(hours=1)
AT_ONCE = 50
MOST_ATTEMPTS = 40  # more than a day
LOOK_AGAIN = timedelta(minutes=5)  # if the game is stopped, its phase is about to close or its reader has it open
LONGEST_SENDING = timedelta(minutes=1)  # after this the sending process has died
JUST_NOW = timedelta(minutes=2)  # a reader who saw the board this recently probably has it open
STOPPED_STATUSES = {Status.PAUSED, Status.HELD}
URGENT = {
    Notice.Kind.REMINDER,
    Notice.Kind.MOVED,
    Notice.Kind.AWAY,
    Notice.Kind.KEPT,
    *(kind for kind, topic in TOPICS.items() if topic == Topic.SEAT),
}
"""Notices that cannot wait for tomorrow's digest; they do not count for the daily limit."""
NOT_WHILE_BANNED = {*Notice.ASKING, *open_questions.STANDS, Notice.Kind.MENTION, Notice.Kind.INVITED}
"""Notices that ask for something a banned person cannot do."""
VALID_STATUSES = {
    Notice.Kind.STARTED: {Status.RUNNING},
    Notice.Kind.FINISHED: {Status.FINISHED, Status.ABANDONED},
    Notice.Kind.VOID: {Status.RUNNING, *STOPPED_STATUSES, Status.FINISHED},
    Notice.Kind.AWAY: {Status.RUNNING, *STOPPED_STATUSES},
    Notice.Kind.KEPT: {Status.RUNNING, *STOPPED_STATUSES},
    Notice.Kind.MISSED: {Status.RUNNING, *STOPPED_STATUSES},
    Notice.Kind.REPLACED: {Status.RUNNING, *STOPPED_STATUSES, Status.FINISHED},
    Notice.Kind.ENDING: {Status.RUNNING, *STOPPED_STATUSES},
    Notice.Kind.VOTE: {Status.RUNNING, Status.PAUSED},
    Notice.Kind.REWIND: {Status.RUNNING, *STOPPED_STATUSES},
    Notice.Kind.PAUSED: {Status.PAUSED},
    Notice.Kind.RESUMED: {Status.RUNNING},
    Notice.Kind.PROXIED: {Status.RUNNING, *STOPPED_STATUSES},
    Notice.Kind.STANDS_IN: {Status.RUNNING, *STOPPED_STATUSES},
    Notice.Kind.RETURNED: {Status.RUNNING, *STOPPED_STATUSES},
    Notice.Kind.STOOD_IN: {Status.RUNNING, *STOPPED_STATUSES, Status.FINISHED},
    Notice.Kind.HELD: {Status.HELD},
    Notice.Kind.CLOSED: {Status.ABANDONED},
}
TRUTH_CHECKS: Mapping[Notice.Kind, Callable[[Notice], bool]] = {
    Notice.Kind.MENTION: lambda notice: notice.game.has_position and chat_mail.is_still_news(notice),
    Notice.Kind.BOUNCED: returned_mail.is_still_so,
    Notice.Kind.INVITED: lambda notice: is_invitee(game_id=notice.game_id, user_id=notice.user_id),
    Notice.Kind.CLOSING: lambda notice: notice.game.status == Status.WAITING and notice.game.closes_at is not None,
}
"""Checks of notices whose truth does not depend on the game's status alone."""
log = structlog.get_logger("game.services.notices")


class WayIsDown(Exception):
    """The channel can send nothing now, so the rest of the round is skipped."""


def send_due_notices() -> int:
    """Write requested notices and send those that are due. Returns the number of messages sent."""
    recording.write_notices()
    return _send_round(MailWay(), time.monotonic() + SECONDS)


def send_due_pushes() -> int:
    """The same for browsers, in a process of its own, so that push services delay no email."""
    return _send_round(PushWay(), time.monotonic() + SECONDS) if push_subscriptions.is_offered() else 0


def _send_round(way: Way, ends: float) -> int:
    sent_count = 0
    try:
        while time.monotonic() < ends and (due := _claim(way)) is not None:
            sent_count += _deal_with(due, way) if due else 0
    except WayIsDown as down:
        log.warning("post_is_down", channel=way.channel.value, trouble=str(down))
    finally:
        way.close()
    return sent_count


@transaction.atomic
def _claim(way: Way) -> list[Notice] | None:
    """All notices due to one person, or None if nobody unlocked has any. The next attempt is committed before this one
    starts, so that no other worker repeats it. The person is locked, more strongly than foreign keys need, so that two
    workers do not split one person's email."""
    waiting = [notice.user_id for notice in _due(way).order_by("due_at", "pk")[:AT_ONCE]]
    person = User.objects.select_for_update(skip_locked=True, no_key=True).filter(pk__in=waiting).first()
    if person is None:
        return None
    due = list(_due(way).select_for_update(skip_locked=True, of=("self",)).filter(user=person).order_by("pk"))
    for notice in due:
        notice.due_at = notice.now + min(FIRST_RETRY * 2**notice.attempts, LONGEST_RETRY)
        notice.attempts += 1
    Notice.objects.bulk_update(due, ["due_at", "attempts"])
    return due


def _due(way: Way) -> QuerySet[Any]:
    """Notices that may be sent now: none to people who got a message within the batching window, unless a game with an
    earlier first deadline has started. Without a window, none to people with a message in transit, so that slow
    browsers delay only their owner."""
    handed = Notice.objects.filter(user=OuterRef("user"), channel=way.channel)
    recent = handed.filter(handed_at__gt=Now() - way.window)
    in_transit = handed.filter(handed_at__gt=Now() - LONGEST_SENDING, sent_at=None, cancelled_at=None)
    due = Notice.objects.annotate(now=Now()).filter(
        due_at__lte=Now(), channel=way.channel, handed_at=None, sent_at=None, cancelled_at=None
    )
    pressing = Q(kind=Notice.Kind.STARTED, game__deadline_at__lte=Now() + way.window)
    return due.filter(~Exists(recent) | pressing if way.window else ~Exists(in_transit))


def _deal_with(due: Sequence[Notice], way: Way) -> int:
    """Check the claimed notices and send one message about those that are still true, without holding row locks."""
    notices = _load_with_games(due)
    if not notices:
        return 0  # their games were deleted meanwhile
    now = max(notice.game.now for notice in notices)
    wishes, is_reached = wishes_of(notices[0].user_id), way.reaches(notices[0].user)
    verdicts = {notice.pk: is_reached and _verdict(notice, wishes, now) for notice in notices}
    _cancel(notice for notice in notices if verdicts[notice.pk] is False)
    for notice in notices:
        if isinstance(moment := verdicts[notice.pk], datetime):
            fields = {"due_at": moment, "attempts": 0, "in_digest": notice.in_digest, "trouble": notice.trouble}
            Notice.objects.filter(pk=notice.pk).update(**fields)
    valid = [notice for notice in notices if verdicts[notice.pk] is True]
    if valid and _is_over_daily_limit(valid, now, way):
        _put_into_digest(valid, now)
        return 0
    return _send(valid, now, way) if valid else 0


def _is_over_daily_limit(notices: Sequence[Notice], now: datetime, way: Way) -> bool:
    """Whether the person has got a day's maximum. Digests and urgent notices are always sent, with the rest in the same
    message. A decision is held back only by other decisions; otherwise rivals could use up the limit by writing."""
    if way.most_a_day is None or any(notice.in_digest or _is_urgent(notice, now) for notice in notices):
        return False
    handed = Notice.objects.filter(user=notices[0].user, channel=way.channel, handed_at__gt=now - timedelta(days=1))
    is_asking = any(notice.kind == Notice.Kind.TURN for notice in notices)
    handed = handed.filter(kind=Notice.Kind.TURN) if is_asking else handed.exclude(kind__in=URGENT)
    return handed.values("handed_at").distinct().order_by().count() >= way.most_a_day


def _is_urgent(notice: Notice, now: datetime) -> bool:
    """Whether the notice cannot wait for the next digest: a decision that would come in the second half of its time, or
    the start of a fast game."""
    if notice.kind == Notice.Kind.TURN and notice.game.deadline_at is not None:
        digest = quiet_hours.next_hour(notice.user, notice.user.digest_hour, now)
        return digest - now > notice.game.deadline_at - digest
    is_pressing = notice.kind == Notice.Kind.STARTED and not notice.game.is_slow
    return is_pressing or notice.kind in URGENT


def _put_into_digest(notices: Sequence[Notice], now: datetime) -> None:
    user = notices[0].user
    at = quiet_hours.next_hour(user, user.digest_hour, now)
    _rows_of(notices).update(due_at=at, attempts=0, in_digest=True, trouble=deferred.ENOUGH_FOR_TODAY)


def _load_with_games(due: Sequence[Notice]) -> list[Notice]:
    notices = list(Notice.objects.filter(pk__in=[notice.pk for notice in due]).select_related("seat__user", "user"))
    games = Game.objects.on_the_clock().in_bulk([notice.game_id for notice in notices])
    for notice in notices:
        notice.game = games[notice.game_id]
    return notices


def _verdict(notice: Notice, wishes: Wishes, now: datetime) -> bool | datetime:
    """True: send it. False: it is no longer true, or not wanted. A moment: not before then."""
    user, seat = notice.user, notice.seat
    if not user.is_active or user.is_bot or not stand_in_notices.is_meant(notice):
        return False
    if user.is_banned and notice.kind in NOT_WHILE_BANNED:
        notice.trouble = deferred.BANNED
        return user.banned_until or False
    how = wishes.how(TOPICS[Notice.Kind(notice.kind)], Channel(notice.channel), notice.game_id)
    if how == How.OFF or not _concerns(notice, seat.keeper):
        return False
    verdict = _verdict_on_state(notice, now)
    if verdict is True and how == How.DIGEST and not notice.in_digest:
        notice.in_digest = True
        return quiet_hours.next_hour(user, user.digest_hour, now)
    if verdict is True and _would_wake(notice, now):
        notice.trouble = deferred.QUIET
        return quiet_hours.next_hour(user, user.quiet_until, now)
    return verdict


def _would_wake(notice: Notice, now: datetime) -> bool:
    """Whether a browser notification would come in its reader's quiet hours. In a running fast game it is sent at any
    hour, because its reader is playing."""
    is_played_now = notice.game.is_running and not notice.game.is_slow
    return notice.channel == Channel.PUSH and not is_played_now and quiet_hours.is_quiet(notice.user, now)


def _verdict_on_state(notice: Notice, now: datetime) -> bool | datetime:
    game = notice.game
    if notice.kind in TRUTH_CHECKS:
        return TRUTH_CHECKS[Notice.Kind(notice.kind)](notice)
    if notice.kind == Notice.Kind.MISSED and _has_seen_what_followed(notice):
        return False
    if notice.kind == Notice.Kind.STARTED and not game.is_slow and _has_been_shown(notice):
        return False
    if notice.kind in VALID_STATUSES:
        return game.status in VALID_STATUSES[Notice.Kind(notice.kind)] and not _is_superseded(notice)
    return _verdict_on_asking(notice, now)


def _is_superseded(notice: Notice) -> bool:
    """Whether the game has been stopped or resumed since then: a later notice has the current state."""
    later = Notice.objects.filter(seat=notice.seat_id, kind__in=status_notices.KINDS, serial__gt=notice.serial)
    return notice.kind in status_notices.KINDS and later.exists()


def _has_seen_what_followed(notice: Notice) -> bool:
    """Whether the reader has seen the board since they missed a decision."""
    seen_entries = notice.game.log.filter(opened_serial__gt=notice.serial, version__lte=notice.seat.seen_version)
    return seen_entries.exists()


def _concerns(notice: Notice, keeper: str) -> bool:
    """Whether a notice is for a player whose seat the caretaker plays; they are not asked for decisions. Proposals are
    sent while open."""
    kind = notice.kind
    if kind in open_questions.STANDS:
        is_asked = open_questions.waits_for(
            game=notice.game, kind=Notice.Kind(kind), number=notice.serial, seat=notice.seat.number
        )
        return is_asked and not (keeper and kind == Notice.Kind.VOTE)
    if kind in stand_in_notices.AS_STRANGER:
        return kind != Notice.Kind.KEPT or bool(keeper)
    if keeper == Keeper.RESIGNED:
        return kind == Notice.Kind.FINISHED
    return kind not in {*Notice.ASKING, Notice.Kind.MISSED} if keeper else kind != Notice.Kind.AWAY


def _verdict_on_asking(notice: Notice, now: datetime) -> bool | datetime:
    """A decision is sent while its phase is open and nothing was submitted, later if its reader has the board open; a
    reminder not before its time, which may have moved."""
    game = notice.game
    if notice.serial != game.phase_serial or notice.seat.number not in game.waiting_seats:
        return False
    if game.seat_states[notice.seat.number] != "untouched" or game.status not in {Status.RUNNING, *STOPPED_STATUSES}:
        return False
    is_closing = game.deadline_at is not None and game.deadline_at <= now
    if game.status in STOPPED_STATUSES or is_closing:
        return now + LOOK_AGAIN
    if _is_on_screen(notice, now):
        notice.trouble = deferred.ON_SCREEN
        return now + LOOK_AGAIN
    if notice.kind == Notice.Kind.TURN:
        return True
    moment = remind_at(game, notice.user) if notice.kind == Notice.Kind.REMINDER else now
    return _verdict_on_reminding(notice, moment, now)


def _is_on_screen(notice: Notice, now: datetime) -> bool:
    """Whether the reader has just seen the decision on the board. Reminders are sent anyway."""
    seen_at = notice.seat.seen_at
    if notice.kind != Notice.Kind.TURN or seen_at is None or now - seen_at > JUST_NOW:
        return False
    return _has_been_shown(notice)


def _has_been_shown(notice: Notice) -> bool:
    """Whether the reader has seen the board since the phase opened."""
    return notice.game.log.filter(opened_serial=notice.serial, version__lte=notice.seat.seen_version).exists()


def _verdict_on_reminding(notice: Notice, moment: datetime | None, now: datetime) -> bool | datetime:
    """Late reminders respect the reader's quiet hours, too."""
    game, user = notice.game, notice.user
    if moment is None or game.deadline_at is None:
        return False
    if moment > now or not quiet_hours.is_quiet(user, now):
        return moment if moment > now else True
    morning = quiet_hours.next_hour(user, user.quiet_until, now)
    return morning if morning < game.deadline_at else False


def _cancel(notices: Iterable[Notice]) -> None:
    for notice in notices:
        Notice.objects.filter(pk=notice.pk).update(cancelled_at=Now(), trouble=notice.trouble)


def _send(notices: Sequence[Notice], now: datetime, way: Way) -> int:
    """Send one message and record the result. A failed one stays and delays no other; if it is about several games,
    each gets a message of its own. The attempt is committed before delivery: if a process dies or a connection breaks,
    the message may have arrived, so it is not sent again."""
    try:
        message = way.write(notices, now=now)
        way.open()
    except Exception as error:
        games = {notice.game_id for notice in notices}
        if isinstance(error, NotTaken) or len(games) == 1:
            return _record_failure(notices, error)
        return sum(_send([each for each in notices if each.game_id == game], now, way) for game in games)
    handed_rows = _hand_over(notices)
    if handed_rows is None:
        return 0
    try:
        way.send(message)
    except Unanswered as silence:
        handed_rows.update(trouble=str(silence)[:200])
        log.error("mail_unanswered", user=notices[0].user_id, notices=_keys(notices), trouble=str(silence))
        return 0
    except NotTaken as refused:
        own_notices = _notices_among(notices, handed_rows)
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


def _notices_among(notices: Sequence[Notice], rows: QuerySet[Notice]) -> list[Notice]:
    row_ids = set(rows.values_list("pk", flat=True))
    return [notice for notice in notices if notice.pk in row_ids]


def _record_failure(notices: Sequence[Notice], error: Exception) -> int:
    """Store the other side's answer; give up if it will never accept the message. Raises `WayIsDown` if nothing can be
    sent."""
    trouble = str(error) if isinstance(error, NotTaken) else f"{type(error).__name__}: {error}"
    _rows_of(notices).update(trouble=trouble[:200])
    for notice in notices:
        notice.trouble = trouble[:200]
    exhausted = [notice for notice in notices if notice.attempts >= MOST_ATTEMPTS]
    _cancel(notices if isinstance(error, NotTaken) and error.for_good else exhausted)
    if isinstance(error, NotTaken) and error.is_down:
        raise WayIsDown(trouble) from error
    log.error("mail_not_sent", user=notices[0].user_id, notices=_keys(notices), exc_info=_unexpected(error))
    return 0


def _rows_of(notices: Sequence[Notice]) -> QuerySet[Notice]:
    return Notice.objects.filter(pk__in=_keys(notices))


def _keys(notices: Sequence[Notice]) -> list[int]:
    return [notice.pk for notice in notices]


def _unexpected(error: Exception) -> Exception | None:
    """The error, if it is a bug of ours: only those need a traceback in the log."""
    return None if isinstance(error, NotTaken) and isinstance(error.__cause__, OSError) else error
