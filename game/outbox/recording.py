"""From the log's outbox entries to one notice per person, occasion and channel: what can wait for more of its kind
after the batching window, a reminder before the deadline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from game.infra.statements import insert
from game.outbox import push_subscriptions, webhook_events
from game.outbox.reminding import look_at
from game.store.game import Game, Pace, Seat, Status
from game.store.log import LoggedAction, Notice
from game.store.preference_models import Channel

AT_ONCE = 200
UNTIL_SHOWN = timedelta(seconds=10)  # an open page shows within a second that its game has begun
Kind = Notice.Kind
OF_A_PHASE = frozenset(
    {
        Kind.TURN,
        Kind.REMINDER,
        Kind.MOVED,
        Kind.MISSED,
        Kind.STARTED,
        Kind.FINISHED,
        Kind.AWAY,
        Kind.KEPT,
        Kind.VOID,
        Kind.REPLACED,
    }
)
"""Kinds whose `serial` is that of a phase; of all others it numbers what they are about."""
TOLD = ("game_id", "seat_id", "user_id", "kind", "serial", "channel", "due_at")
UNSENT = tuple(
    field.attname for field in Notice._meta.local_concrete_fields if not field.primary_key and field.attname not in TOLD
)
AS_IT_BEGINS = [getattr(Notice(), name) for name in UNSENT]


@transaction.atomic
def write_notices() -> int:
    """Turn what moves have asked of people into notices; returns how many entries were processed."""
    waiting = (
        LoggedAction.objects.filter(is_told=False)
        .order_by("pk")
        .select_for_update(of=("self",), skip_locked=True)[:AT_ONCE]
    )
    entries = list(
        waiting.select_related("game").defer("snapshot", "action", "draws", "events", "game__state", "game__inputs")
    )
    people = _people({entry.game_id for entry in entries})
    pushed = push_subscriptions.reached({seat.user_id or 0 for seats in people.values() for seat in seats.values()})
    notices = [notice for entry in entries for notice in _notices(entry, people.get(entry.game_id, {}), pushed)]
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    webhook_events.tell_of_entries(entries, people)
    LoggedAction.objects.filter(pk__in=[entry.pk for entry in entries]).update(is_told=True)
    return len(entries)


def ask_newcomer(*, game: Game, seat: Seat) -> None:
    """Ask the new owner of a seat for its open decision, whatever its last owner was sent."""
    Notice.objects.filter(seat=seat, serial=game.phase_serial, kind__in=OF_A_PHASE).delete()
    ask(game=game, seat=seat)


def ask(*, game: Game, seat: Seat) -> None:
    """Ask the person who now decides for a seat for its open decision, if it has one."""
    if seat.number not in game.waiting_seats or seat.user is None:
        return
    webhook_events.tell_of_decision(game=game, seat=seat)
    if game.is_slow:
        entry = LoggedAction(game=game, at=game.now)
        asked = _asked(game, seat, game.phase_serial, entry, push_subscriptions.reached({seat.user.pk}))
        Notice.objects.bulk_create(asked, ignore_conflicts=True)


def _people(games: set[int]) -> dict[int, dict[int, Seat]]:
    people: dict[int, dict[int, Seat]] = {}
    for seat in Seat.objects.filter(game_id__in=games, bot="", user__isnull=False).select_related("user"):
        people.setdefault(seat.game_id, {})[seat.number] = seat
    return people


def _notices(entry: LoggedAction, people: dict[int, Seat], pushed: frozenset[int]) -> Iterator[Notice]:
    """Decisions are emailed in games slower than an hour per phase. In faster ones, people are told of the start if
    they play with others and do not have the game open, and of the end, except in quick ones."""
    game, serial = entry.game, entry.opened_serial or 0
    for seat in people.values():
        if entry.kind == "start" and (game.is_slow or not game.is_solo):
            yield from _begun(seat, serial, entry, pushed)
        if game.status == Status.FINISHED and serial == game.phase_serial and game.pace != Pace.DEMO:
            yield from _notices_of(seat, Notice.Kind.FINISHED, serial, entry, pushed)
    if game.is_slow:
        for number in entry.asks or ():
            if number in people:
                yield from _asked(game, people[number], serial, entry, pushed)


def _begun(seat: Seat, serial: int, entry: LoggedAction, pushed: frozenset[int]) -> Iterator[Notice]:
    """In a fast game, a player who has its page open sees the board first and is not told besides."""
    for notice in _notices_of(seat, Notice.Kind.STARTED, serial, entry, pushed):
        notice.due_at += timedelta(0) if entry.game.is_slow else UNTIL_SHOWN
        yield notice


def _asked(game: Game, seat: Seat, serial: int, entry: LoggedAction, pushed: frozenset[int]) -> Iterator[Notice]:
    yield from _notices_of(seat, Notice.Kind.TURN, serial, entry, pushed)
    assert seat.user is not None
    due = look_at(game, seat.user, entry.at) if serial == game.phase_serial else None
    if due is not None:
        for reminder in _notices_of(seat, Notice.Kind.REMINDER, serial, entry, pushed):
            reminder.due_at = due
            yield reminder


def _notices_of(
    seat: Seat, kind: Notice.Kind, serial: int, entry: LoggedAction, pushed: frozenset[int]
) -> Iterator[Notice]:
    """One notice for each channel that reaches its owner. In a live game nothing waits, because it would be over. A
    browser is told at once, because a later notification replaces an earlier one."""
    assert seat.user_id is not None
    waits = settings.MAIL_WINDOW if entry.game.is_slow else timedelta(0)
    facts = {"seat": seat, "user_id": seat.user_id, "kind": kind, "serial": serial}
    yield Notice(game=entry.game, channel=Channel.MAIL, due_at=entry.at + waits, **facts)
    if seat.user_id in pushed:
        yield Notice(game=entry.game, channel=Channel.PUSH, due_at=entry.at, **facts)


def notify(
    *,
    game: Game,
    people: Iterable[tuple[Seat, int]],
    kind: Notice.Kind,
    serial: int,
    due_at: datetime,
    is_mailed: bool = True,
    but: Seat | None = None,
) -> None:
    """Tell these, each a seat with the person concerned, in the same transaction. Their programs are always told. They
    themselves are told by email and browser if the game is slow enough for it to be `is_mailed`, except the person who
    did it."""
    people, is_of_a_phase = list(people), kind in OF_A_PHASE
    phase, number = (serial, 0) if is_of_a_phase else (game.phase_serial, serial)
    webhook_events.tell_of_notices(game=game, people=people, kind=kind, serial=phase, number=number)
    if is_mailed:
        others = [(seat, user_id) for seat, user_id in people if but is None or seat.pk != but.pk]
        write(game=game, people=others, kind=kind, serial=serial, due_at=due_at)


def write(*, game: Game, people: Iterable[tuple[Seat, int]], kind: Notice.Kind, serial: int, due_at: datetime) -> None:
    """Notices alone, for the channels that reach these people."""
    people = list(people)
    pushed = push_subscriptions.reached({user_id for _, user_id in people})
    rows = [
        (game.pk, seat.pk, user_id, kind, serial, channel, due_at, *AS_IT_BEGINS)
        for seat, user_id in people
        for channel in (Channel.MAIL, Channel.PUSH)
        if (kind != Kind.BOUNCED if channel == Channel.MAIL else user_id in pushed)
    ]
    if rows:
        insert(Notice, TOLD + UNSENT, rows)
