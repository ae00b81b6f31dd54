"""Whether a claimed notice is sent now, later or never."""

from __future__ import annotations

from datetime import datetime, timedelta

from accounts import quiet_hours
from game.outbox import status_notices
from game.outbox.models import NoticeTiming
from game.outbox.notice_kinds import row_of
from game.outbox.occasions import Occasion, has_seen_phase
from game.outbox.preferences import Preferences
from game.outbox.reminders import remind_at
from game.play import tenures
from game.store.game import Keeper, Status
from game.store.log import Channel, Notice
from game.store.proposals import TOPICS_OF_TIME

LOOK_AGAIN = timedelta(minutes=5)  # if the game is stopped, its phase is about to close or its reader has it open
JUST_NOW = timedelta(minutes=2)  # a reader who saw the board this recently probably has it open
STOPPED_STATUSES = {Status.PAUSED, Status.HELD}


def verdict(notice: Notice, preferences: Preferences, now: datetime) -> bool | datetime:
    """True if the notice is to be sent now; False if it is outdated or not wanted; an instant if it must wait until
    then."""
    user, seat = notice.user, notice.seat
    if not user.is_active or user.is_bot or not _has_its_reader(notice):
        return False
    if user.is_banned and row_of(notice).asks_to_play:
        notice.trouble = status_notices.BANNED
        return user.banned_until or False
    how = preferences.how(row_of(notice).topic, Channel(notice.channel), notice.game_id)
    if how == NoticeTiming.OFF or not _concerns(notice, seat.keeper):
        return False
    verdict = _verdict_on_state(notice, now)
    if verdict is True and how == NoticeTiming.DIGEST and not notice.in_digest:
        notice.in_digest = True
        return quiet_hours.next_hour(user, user.digest_hour, now)
    if verdict is True and _would_wake(notice, now):
        notice.trouble = status_notices.QUIET
        return quiet_hours.next_hour(user, user.quiet_until, now)
    return verdict


def _would_wake(notice: Notice, now: datetime) -> bool:
    """True if a browser notification would come in its reader's quiet hours. In a running fast game it is sent at any
    hour, because its reader is playing."""
    is_played_now = notice.game.is_running and not notice.game.is_slow
    return notice.channel == Channel.PUSH and not is_played_now and quiet_hours.is_quiet(notice.user, now)


def _verdict_on_state(notice: Notice, now: datetime) -> bool | datetime:
    if not row_of(notice).is_true(_occasion(notice)):
        return False
    return _verdict_on_asking(notice, now) if notice.kind in Notice.ASKING else not _is_superseded(notice)


def _occasion(notice: Notice) -> Occasion:
    return Occasion(notice.game, notice.user, notice.seat.number, notice.serial)


def _is_superseded(notice: Notice) -> bool:
    """True if the game has been stopped or resumed since then: a later notice has the current state."""
    later = Notice.objects.filter(seat=notice.seat_id, kind__in=status_notices.KINDS, serial__gt=notice.serial)
    return notice.kind in status_notices.KINDS and later.exists()


def _has_its_reader(notice: Notice) -> bool:
    """True if the reader has the seat, or no longer has it if the notice is for such people. Unless they are about
    time, votes are the owner's, even while a stand-in plays."""
    row, seat = row_of(notice), notice.seat
    if row.asks_about is not None and row.asks_about not in TOPICS_OF_TIME:
        return tenures.owner_of(notice.game, seat) == notice.user_id and not seat.bot
    has_seat = seat.user_id == notice.user_id and not seat.bot
    return has_seat != row.is_for_seatless


def _concerns(notice: Notice, keeper: str) -> bool:
    """True if a notice is for a player whose seat the caretaker plays: they are asked for no decision and no vote about
    time."""
    row = row_of(notice)
    if row.asks_about is not None:
        return not keeper or row.asks_about not in TOPICS_OF_TIME
    if row.is_for_seatless or not keeper:
        return True
    if keeper == Keeper.RESIGNED:
        return notice.kind == Notice.Kind.FINISHED
    return notice.kind not in {*Notice.ASKING, Notice.Kind.MISSED}


def _verdict_on_asking(notice: Notice, now: datetime) -> bool | datetime:
    """The verdict on a notice about a decision: sent while the phase is open and nothing was submitted, later if the
    reader has the board open. A reminder waits for its time, which may have moved."""
    game = notice.game
    if notice.seat.number not in game.waiting_seats:
        return False
    if game.seat_states[notice.seat.number] != "untouched" or game.status not in {Status.RUNNING, *STOPPED_STATUSES}:
        return False
    is_closing = game.deadline_at is not None and game.deadline_at <= now
    if game.status in STOPPED_STATUSES or is_closing:
        return now + LOOK_AGAIN
    if _is_on_screen(notice, now):
        notice.trouble = status_notices.ON_SCREEN
        return now + LOOK_AGAIN
    if notice.kind == Notice.Kind.TURN:
        return True
    moment = remind_at(game, notice.user) if notice.kind == Notice.Kind.REMINDER else now
    return _verdict_on_reminding(notice, moment, now)


def _is_on_screen(notice: Notice, now: datetime) -> bool:
    """True if the reader has just seen the decision on the board. Reminders are sent anyway."""
    seen_at = notice.seat.seen_at
    if notice.kind != Notice.Kind.TURN or seen_at is None or now - seen_at > JUST_NOW:
        return False
    return has_seen_phase(_occasion(notice))


def _verdict_on_reminding(notice: Notice, moment: datetime | None, now: datetime) -> bool | datetime:
    """Late reminders respect the reader's quiet hours, too."""
    game, user = notice.game, notice.user
    if moment is None or game.deadline_at is None:
        return False
    if moment > now or not quiet_hours.is_quiet(user, now):
        return moment if moment > now else True
    morning = quiet_hours.next_hour(user, user.quiet_until, now)
    return morning if morning < game.deadline_at else False
