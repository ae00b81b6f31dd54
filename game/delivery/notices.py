"""Telling people what is due: notices are claimed under a row lock, checked and written at that moment, given to a
channel at most once, and tried again only if the channel has certainly not accepted them."""

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

SECONDS = 20  # a round ends well before the task's time limit; the next goes on
FIRST_RETRY, LONGEST_RETRY = timedelta(minutes=2), timedelta(hours=1)
AT_ONCE = 50
MOST_ATTEMPTS = 40  # more than a day
LOOK_AGAIN = timedelta(minutes=5)  # while a game is stopped, its phase is about to close or its reader has it open
LONGEST_SENDING = timedelta(minutes=1)  # after which the process that sent it is gone
JUST_NOW = timedelta(minutes=2)  # a reader who was shown the board this recently is taken to have it open
STANDING = {Status.PAUSED, Status.HELD}
URGENT = {
    Notice.Kind.REMINDER,
    Notice.Kind.MOVED,
    Notice.Kind.AWAY,
    Notice.Kind.KEPT,
    *(kind for kind, topic in TOPICS.items() if topic == Topic.SEAT),
}
"""Notices that the next day's digest would bring too late: they do not wait for it and do not count for the day's
limit."""
NOT_WHILE_BANNED = {*Notice.ASKING, *open_questions.STANDS, Notice.Kind.MENTION, Notice.Kind.INVITED}
"""What asks for something that a banned person cannot do."""
HOLDS_WHILE = {
    Notice.Kind.STARTED: {Status.RUNNING},
    Notice.Kind.FINISHED: {Status.FINISHED, Status.ABANDONED},
    Notice.Kind.VOID: {Status.RUNNING, *STANDING, Status.FINISHED},
    Notice.Kind.AWAY: {Status.RUNNING, *STANDING},
    Notice.Kind.KEPT: {Status.RUNNING, *STANDING},
    Notice.Kind.MISSED: {Status.RUNNING, *STANDING},
    Notice.Kind.REPLACED: {Status.RUNNING, *STANDING, Status.FINISHED},
    Notice.Kind.ENDING: {Status.RUNNING, *STANDING},
    Notice.Kind.VOTE: {Status.RUNNING, Status.PAUSED},
    Notice.Kind.REWIND: {Status.RUNNING, *STANDING},
    Notice.Kind.PAUSED: {Status.PAUSED},
    Notice.Kind.RESUMED: {Status.RUNNING},
    Notice.Kind.PROXIED: {Status.RUNNING, *STANDING},
    Notice.Kind.STANDS_IN: {Status.RUNNING, *STANDING},
    Notice.Kind.RETURNED: {Status.RUNNING, *STANDING},
    Notice.Kind.STOOD_IN: {Status.RUNNING, *STANDING, Status.FINISHED},
    Notice.Kind.HELD: {Status.HELD},
    Notice.Kind.CLOSED: {Status.ABANDONED},
}
STILL_SO: Mapping[Notice.Kind, Callable[[Notice], bool]] = {
    Notice.Kind.MENTION: lambda notice: notice.game.has_position and chat_mail.is_still_news(notice),
    Notice.Kind.BOUNCED: returned_mail.is_still_so,
    Notice.Kind.INVITED: lambda notice: is_invitee(game_id=notice.game_id, user_id=notice.user_id),
    Notice.Kind.CLOSING: lambda notice: notice.game.status == Status.WAITING and notice.game.closes_at is not None,
}
"""Notices that may no longer be true when they are sent, whatever the game does."""
log = structlog.get_logger("game.services.notices")


class WayIsDown(Exception):
    """This channel can send nothing now: the rest of the round would only wait for the same thing."""


def send_due_notices() -> int:
    """Write the notices that moves asked for and send what is due; how many messages went out."""
    recording.write_notices()
    return _send_round(MailWay(), time.monotonic() + SECONDS)


def send_due_pushes() -> int:
    """The same to browsers, in a process of its own, so that their services delay no email."""
    return _send_round(PushWay(), time.monotonic() + SECONDS) if push_subscriptions.is_offered() else 0


def _send_round(way: Way, ends: float) -> int:
    sent = 0
    try:
        while time.monotonic() < ends and (due := _claim(way)) is not None:
            sent += _deal_with(due, way) if due else 0
    except WayIsDown as down:
        log.warning("post_is_down", channel=way.channel.value, trouble=str(down))
    finally:
        way.close()
    return sent


@transaction.atomic
def _claim(way: Way) -> list[Notice] | None:
    """Everything that is due to one person, or None if nothing is due to a person who is free. The next attempt is
    committed before this one is made, so that no other worker makes it too. Two workers must not split what one person
    should get in one email, so the person is locked more strongly than keys of other rows need."""
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
    """What may be sent now: nothing to people who were sent something within the batching window, except that a game
    has started whose first deadline is sooner. Without a window, nothing to people to whom a message is on its way, so
    that slow browsers delay only their owner."""
    handed = Notice.objects.filter(user=OuterRef("user"), channel=way.channel)
    lately = handed.filter(handed_at__gt=Now() - way.window)
    on_its_way = handed.filter(handed_at__gt=Now() - LONGEST_SENDING, sent_at=None, cancelled_at=None)
    due = Notice.objects.annotate(now=Now()).filter(
        due_at__lte=Now(), channel=way.channel, handed_at=None, sent_at=None, cancelled_at=None
    )
    pressing = Q(kind=Notice.Kind.STARTED, game__deadline_at__lte=Now() + way.window)
    return due.filter(~Exists(lately) | pressing if way.window else ~Exists(on_its_way))


def _deal_with(due: Sequence[Notice], way: Way) -> int:
    """Check the claimed notices and send one message about those that are still true. No row is locked while it is
    sent."""
    notices = _with_all_they_need(due)
    if not notices:
        return 0  # their games were deleted meanwhile
    now = max(notice.game.now for notice in notices)
    wishes, is_reached = wishes_of(notices[0].user_id), way.reaches(notices[0].user)
    verdicts = {notice.pk: is_reached and _verdict(notice, wishes, now) for notice in notices}
    _cancel(notice for notice in notices if verdicts[notice.pk] is False)
    for notice in notices:
        if isinstance(moment := verdicts[notice.pk], datetime):
            later = {"due_at": moment, "attempts": 0, "in_digest": notice.in_digest, "trouble": notice.trouble}
            Notice.objects.filter(pk=notice.pk).update(**later)
    holding = [notice for notice in notices if verdicts[notice.pk] is True]
    if holding and _has_had_enough(holding, now, way):
        _put_into_digest(holding, now)
        return 0
    return _send(holding, now, way) if holding else 0


def _has_had_enough(notices: Sequence[Notice], now: datetime, way: Way) -> bool:
    """Whether the person has been sent a day's maximum. The digest itself is always sent, and so is what is urgent: the
    rest comes in the same message. A notice about a decision is held back only by other decisions; otherwise rivals
    could use up the limit by writing."""
    if way.most_a_day is None or any(notice.in_digest or _is_urgent(notice, now) for notice in notices):
        return False
    handed = Notice.objects.filter(user=notices[0].user, channel=way.channel, handed_at__gt=now - timedelta(days=1))
    is_asking = any(notice.kind == Notice.Kind.TURN for notice in notices)
    handed = handed.filter(kind=Notice.Kind.TURN) if is_asking else handed.exclude(kind__in=URGENT)
    return handed.values("handed_at").distinct().order_by().count() >= way.most_a_day


def _is_urgent(notice: Notice, now: datetime) -> bool:
    """Whether the next digest would tell it too late: of a decision, in the second half of the time left for it; of a
    fast game, its start too."""
    if notice.kind == Notice.Kind.TURN and notice.game.deadline_at is not None:
        digest = quiet_hours.next_hour(notice.user, notice.user.digest_hour, now)
        return digest - now > notice.game.deadline_at - digest
    is_pressing = notice.kind == Notice.Kind.STARTED and not notice.game.is_slow
    return is_pressing or notice.kind in URGENT


def _put_into_digest(notices: Sequence[Notice], now: datetime) -> None:
    user = notices[0].user
    at = quiet_hours.next_hour(user, user.digest_hour, now)
    _rows(notices).update(due_at=at, attempts=0, in_digest=True, trouble=deferred.ENOUGH_FOR_TODAY)


def _with_all_they_need(due: Sequence[Notice]) -> list[Notice]:
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
    verdict = _verdict_on_truth(notice, now)
    if verdict is True and how == How.DIGEST and not notice.in_digest:
        notice.in_digest = True
        return quiet_hours.next_hour(user, user.digest_hour, now)
    if verdict is True and _would_wake(notice, now):
        notice.trouble = deferred.QUIET
        return quiet_hours.next_hour(user, user.quiet_until, now)
    return verdict


def _would_wake(notice: Notice, now: datetime) -> bool:
    """Whether a browser would be told in its reader's quiet hours. In a running fast game it is told at any hour,
    because its reader is playing."""
    is_played_now = notice.game.is_running and not notice.game.is_slow
    return notice.channel == Channel.PUSH and not is_played_now and quiet_hours.is_quiet(notice.user, now)


def _verdict_on_truth(notice: Notice, now: datetime) -> bool | datetime:
    game = notice.game
    if notice.kind in STILL_SO:
        return STILL_SO[Notice.Kind(notice.kind)](notice)
    if notice.kind == Notice.Kind.MISSED and _has_seen_what_followed(notice):
        return False
    if notice.kind == Notice.Kind.STARTED and not game.is_slow and _has_been_shown(notice):
        return False
    if notice.kind in HOLDS_WHILE:
        return game.status in HOLDS_WHILE[Notice.Kind(notice.kind)] and not _is_followed(notice)
    return _verdict_on_asking(notice, now)


def _is_followed(notice: Notice) -> bool:
    """Whether the game has been stopped or resumed since then: a later notice tells the current state."""
    later = Notice.objects.filter(seat=notice.seat_id, kind__in=status_notices.KINDS, serial__gt=notice.serial)
    return notice.kind in status_notices.KINDS and later.exists()


def _has_seen_what_followed(notice: Notice) -> bool:
    """Whether the reader has been on the board since they missed a decision."""
    seen = notice.game.log.filter(opened_serial__gt=notice.serial, version__lte=notice.seat.seen_version)
    return seen.exists()


def _concerns(notice: Notice, keeper: str) -> bool:
    """Whether a notice is for a player whose seat the caretaker plays; they are not asked for decisions. A proposal is
    told while it is open."""
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
    """A decision is emailed while its phase is open and nothing was submitted, and later if its reader has the board
    open; a reminder not before its time, which may have moved."""
    game = notice.game
    if notice.serial != game.phase_serial or notice.seat.number not in game.waiting_seats:
        return False
    if game.seat_states[notice.seat.number] != "untouched" or game.status not in {Status.RUNNING, *STANDING}:
        return False
    is_closing = game.deadline_at is not None and game.deadline_at <= now
    if game.status in STANDING or is_closing:
        return now + LOOK_AGAIN
    if _is_on_screen(notice, now):
        notice.trouble = deferred.ON_SCREEN
        return now + LOOK_AGAIN
    if notice.kind == Notice.Kind.TURN:
        return True
    moment = remind_at(game, notice.user) if notice.kind == Notice.Kind.REMINDER else now
    return _verdict_on_reminding(notice, moment, now)


def _is_on_screen(notice: Notice, now: datetime) -> bool:
    """Whether the reader has just been shown the decision on the board. A reminder comes all the same."""
    seen_at = notice.seat.seen_at
    if notice.kind != Notice.Kind.TURN or seen_at is None or now - seen_at > JUST_NOW:
        return False
    return _has_been_shown(notice)


def _has_been_shown(notice: Notice) -> bool:
    """Whether the reader has been shown the phase on the board since it opened."""
    return notice.game.log.filter(opened_serial=notice.serial, version__lte=notice.seat.seen_version).exists()


def _verdict_on_reminding(notice: Notice, moment: datetime | None, now: datetime) -> bool | datetime:
    """One that is late is not sent in the reader's quiet hours either."""
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
    """Send one message and note it. One that cannot be written or delivered stays and delays no other; if it is about
    several games, each of them gets one of its own. The attempt is committed before the message is handed over: if a
    process dies or a connection breaks in between, the message may have arrived, and it is not sent again."""
    try:
        message = way.write(notices, now=now)
        way.open()
    except Exception as error:
        games = {notice.game_id for notice in notices}
        if isinstance(error, NotTaken) or len(games) == 1:
            return _failed(notices, error)
        return sum(_send([each for each in notices if each.game_id == game], now, way) for game in games)
    handed = _hand_over(notices)
    if handed is None:
        return 0
    try:
        way.send(message)
    except Unanswered as silence:
        handed.update(trouble=str(silence)[:200])
        log.error("mail_unanswered", user=notices[0].user_id, notices=_keys(notices), trouble=str(silence))
        return 0
    except NotTaken as refused:
        ours = _still_among(notices, handed)
        handed.update(handed_at=None)
        return _failed(ours, refused) if ours else 0
    handed.update(sent_at=Now(), trouble="")
    log.info("mail_sent", user=notices[0].user_id, notices=_keys(notices))
    return 1


@transaction.atomic
def _hand_over(notices: Sequence[Notice]) -> QuerySet[Notice] | None:
    """The rows as they are handed over now; none if this round must not send them any more. A worker that was held up
    may find that others have claimed or cancelled them; a deadline that moves in between is told in a message of its
    own."""
    free = _rows(notices).filter(handed_at=None, sent_at=None, cancelled_at=None).annotate(now=Now())
    rows = list(free.select_for_update())
    if {row.pk: row.due_at for row in rows} != {notice.pk: notice.due_at for notice in notices}:
        return None
    stamp = rows[0].now
    _rows(notices).update(handed_at=stamp)
    return _rows(notices).filter(handed_at=stamp)


def _still_among(notices: Sequence[Notice], rows: QuerySet[Notice]) -> list[Notice]:
    left = set(rows.values_list("pk", flat=True))
    return [notice for notice in notices if notice.pk in left]


def _failed(notices: Sequence[Notice], error: Exception) -> int:
    """Keep what the other side said; give up where it will never take the message. Raises `WayIsDown` where nothing
    can be sent."""
    words = str(error) if isinstance(error, NotTaken) else f"{type(error).__name__}: {error}"
    _rows(notices).update(trouble=words[:200])
    for notice in notices:
        notice.trouble = words[:200]
    spent = [notice for notice in notices if notice.attempts >= MOST_ATTEMPTS]
    _cancel(notices if isinstance(error, NotTaken) and error.for_good else spent)
    if isinstance(error, NotTaken) and error.is_down:
        raise WayIsDown(words) from error
    log.error("mail_not_sent", user=notices[0].user_id, notices=_keys(notices), exc_info=_unexpected(error))
    return 0


def _rows(notices: Sequence[Notice]) -> QuerySet[Notice]:
    return Notice.objects.filter(pk__in=_keys(notices))


def _keys(notices: Sequence[Notice]) -> list[int]:
    return [notice.pk for notice in notices]


def _unexpected(error: Exception) -> Exception | None:
    """Only our own bugs need a traceback in the log."""
    return None if isinstance(error, NotTaken) and isinstance(error.__cause__, OSError) else error
