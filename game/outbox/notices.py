"""Turn the log's outbox entries into one notice per person, occasion and channel. Emails are due after the batching
window, reminders before the deadline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from game.infra.statements import insert
from game.outbox import push_subscriptions, webhook_events
from game.outbox.notice_kinds import KINDS
from game.outbox.reminders import check_at
from game.store.game import Game, Keeper, Pace, Seat, Status
from game.store.log import Channel, LoggedAction, Notice

ENTRIES_PER_RUN = 200
PAGE_DELAY = timedelta(seconds=10)  # an open page shows the start of its game within a second
Kind = Notice.Kind
PHASE_KINDS = [kind for kind, row in KINDS.items() if row.is_of_phase]
COLUMNS = ("game_id", "seat_id", "user_id", "kind", "serial", "channel", "due_at")
DEFAULT_COLUMNS = tuple(
    field.attname
    for field in Notice._meta.local_concrete_fields
    if not field.primary_key and field.attname not in COLUMNS
)
DEFAULT_VALUES = [getattr(Notice(), name) for name in DEFAULT_COLUMNS]


@transaction.atomic
def write_notices() -> int:
    """Turn the outbox entries of moves into notices. Returns how many entries were processed."""
    waiting = (
        LoggedAction.objects.filter(is_told=False)
        .order_by("pk")
        .select_for_update(of=("self",), skip_locked=True)[:ENTRIES_PER_RUN]
    )
    entries = list(
        waiting.select_related("game").defer("snapshot", "action", "draws", "events", "game__state", "game__inputs")
    )
    people = _people({entry.game_id for entry in entries})
    pushed = push_subscriptions.reached({seat.user_id or 0 for seats in people.values() for seat in seats.values()})
    notices = [notice for entry in entries for notice in _notices(entry, people.get(entry.game_id, {}), pushed)]
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    for game in {entry.game_id: entry.game for entry in entries}.values():
        hurry(game)
    webhook_events.queue_log_entries(entries, people)
    LoggedAction.objects.filter(pk__in=[entry.pk for entry in entries]).update(is_told=True)
    return len(entries)


def hurry(game: Game) -> None:
    """If everybody else waits for one person, send that person's email at once, unless it has been sent, with what it
    says about a missed decision. Not in phases that hide who is asked: there the email would reveal that the others are
    done."""
    awaited = [number for number in game.waiting_seats if not game.is_played_for(number)]
    is_secret = game.phase is not None and game.phase.asks_in_secret
    if len(awaited) != 1 or is_secret or not game.is_slow or game.status != Status.RUNNING:
        return
    is_asking = Q(kind=Kind.TURN, serial=game.phase_serial)
    unsent = Notice.objects.filter(is_asking | Q(kind=Kind.MISSED), game=game, seat__number=awaited[0])
    unsent = unsent.filter(channel=Channel.MAIL, handed_at=None, sent_at=None, cancelled_at=None)
    unsent.filter(is_pressing=False, in_digest=False).update(is_pressing=True, due_at=Now())


def notify_new_owner(*, game: Game, seat: Seat) -> None:
    """Tell the new owner of a seat about its open decision, whatever the last owner was told."""
    Notice.objects.filter(seat=seat, serial=game.phase_serial, kind__in=PHASE_KINDS).delete()
    notify_decision(game=game, seat=seat)


def notify_decision(*, game: Game, seat: Seat) -> None:
    """Tell the person who now decides for a seat about its open decision, if it has one."""
    if seat.number not in game.waiting_seats or seat.user is None:
        return
    webhook_events.queue_decision(game=game, seat=seat)
    if game.is_slow:
        entry = LoggedAction(game=game, at=game.now)
        notices = _decision_notices(game, seat, game.phase_serial, entry, push_subscriptions.reached({seat.user.pk}))
        Notice.objects.bulk_create(notices, ignore_conflicts=True)


def _people(games: set[int]) -> dict[int, dict[int, Seat]]:
    people: dict[int, dict[int, Seat]] = {}
    for seat in Seat.objects.filter(game_id__in=games, bot="", user__isnull=False).select_related("user"):
        people.setdefault(seat.game_id, {})[seat.number] = seat
    return people


def _notices(entry: LoggedAction, people: dict[int, Seat], pushed: frozenset[int]) -> Iterator[Notice]:
    """The notices of one entry. Every game notifies of its end, except at the pace “Quick”, and of its start, except a
    fast game of one person with bots. Only slow games (an hour per phase or more) notify of decisions."""
    game, serial = entry.game, entry.opened_serial or 0
    for seat in people.values():
        if entry.kind == "start" and (game.is_slow or not game.is_solo):
            yield from _start_notices(seat, serial, entry, pushed)
        if game.status == Status.FINISHED and serial == game.phase_serial and game.pace != Pace.DEMO:
            yield from _notices_of(seat, Notice.Kind.FINISHED, serial, entry, pushed)
    if game.is_slow:
        for number in entry.asks or ():
            if number in people:
                yield from _decision_notices(game, people[number], serial, entry, pushed)


def _start_notices(seat: Seat, serial: int, entry: LoggedAction, pushed: frozenset[int]) -> Iterator[Notice]:
    """Notices of the start; in a fast game they are delayed, so that players with an open page see the board
    instead."""
    for notice in _notices_of(seat, Notice.Kind.STARTED, serial, entry, pushed):
        notice.due_at += timedelta(0) if entry.game.is_slow else PAGE_DELAY
        yield notice


def _decision_notices(
    game: Game, seat: Seat, serial: int, entry: LoggedAction, pushed: frozenset[int]
) -> Iterator[Notice]:
    yield from _notices_of(seat, Notice.Kind.TURN, serial, entry, pushed)
    assert seat.user is not None
    due = check_at(game, seat.user, entry.at) if serial == game.phase_serial else None
    if due is not None:
        for reminder in _notices_of(seat, Notice.Kind.REMINDER, serial, entry, pushed):
            reminder.due_at = due
            yield reminder


def _notices_of(
    seat: Seat, kind: Notice.Kind, serial: int, entry: LoggedAction, pushed: frozenset[int]
) -> Iterator[Notice]:
    """One notice for each channel that reaches the seat's owner. In fast games emails are not
    delayed either, because they would be outdated. Push is sent immediately: a later push replaces an earlier one."""
    assert seat.user_id is not None
    delay = settings.MAIL_WINDOW if entry.game.is_slow else timedelta(0)
    fields = {"seat": seat, "user_id": seat.user_id, "kind": kind, "serial": serial}
    yield Notice(game=entry.game, channel=Channel.MAIL, due_at=entry.at + delay, **fields)
    if seat.user_id in pushed:
        yield Notice(game=entry.game, channel=Channel.PUSH, due_at=entry.at, **fields)


def players_of(game: Game) -> list[tuple[Seat, int]]:
    """The people who play a game, each with their seat: nobody who has resigned, no bot."""
    seats = game.seats.filter(user__isnull=False, bot="").exclude(keeper=Keeper.RESIGNED)
    return [(seat, seat.user_id or 0) for seat in seats]


def notify(
    *,
    game: Game,
    people: Iterable[tuple[Seat, int]],
    kind: Notice.Kind,
    serial: int,
    delay: timedelta = timedelta(0),
    is_mailed: bool = True,
    but: Seat | None = None,
) -> None:
    """Notify these people, each with their seat, in the same transaction. Webhooks are always notified; email and push
    only if `is_mailed`, which fast games are not, and never to the player of seat `but`, who caused it."""
    people, is_of_a_phase = list(people), KINDS[kind].is_of_phase
    phase, number = (serial, 0) if is_of_a_phase else (game.phase_serial, serial)
    webhook_events.queue_notices(game=game, people=people, kind=kind, serial=phase, number=number)
    if is_mailed:
        others = [(seat, user_id) for seat, user_id in people if but is None or seat.pk != but.pk]
        write(game=game, people=others, kind=kind, serial=serial, due_at=game.now + delay)


def write(*, game: Game, people: Iterable[tuple[Seat, int]], kind: Notice.Kind, serial: int, due_at: datetime) -> None:
    """Write the notices alone, without webhooks, for each channel that reaches the person."""
    people = list(people)
    pushed = push_subscriptions.reached({user_id for _, user_id in people})
    rows = [
        (game.pk, seat.pk, user_id, kind, serial, channel, due_at, *DEFAULT_VALUES)
        for seat, user_id in people
        for channel in (Channel.MAIL, Channel.PUSH)
        if (KINDS[kind].mail if channel == Channel.MAIL else user_id in pushed)
    ]
    if rows:
        insert(Notice, COLUMNS + DEFAULT_COLUMNS, rows)
