"""From the log's outbox entries to one notice per person: a turn notice at once, a reminder before the deadline."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction

from game.models import Game, LoggedAction, Notice, Pace, Seat, Status
from game.services import clocks

LEAST_LEAD = timedelta(hours=1)
AT_ONCE = 200


@transaction.atomic
def write_notices() -> int:
    """Turn what moves have asked of people into notices; how many entries were dealt with."""
    waiting = (
        LoggedAction.objects.filter(is_told=False)
        .order_by("pk")
        .select_for_update(of=("self",), skip_locked=True)[:AT_ONCE]
    )
    entries = list(waiting.select_related("game").defer("snapshot", "action", "events", "game__state", "game__inputs"))
    people = _people({entry.game_id for entry in entries})
    notices = [notice for entry in entries for notice in _notices(entry, people.get(entry.game_id, {}))]
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    LoggedAction.objects.filter(pk__in=[entry.pk for entry in entries]).update(is_told=True)
    return len(entries)


def ask_newcomer(*, game: Game, seat: Seat) -> None:
    """Notify the new owner of a seat that must decide, whatever its last owner was sent."""
    Notice.objects.filter(seat=seat, serial=game.phase_serial).exclude(kind=Notice.Kind.MENTION).delete()
    if game.is_slow and seat.number in game.waiting_seats:
        entry = LoggedAction(game=game, at=game.now)
        Notice.objects.bulk_create(_asked(game, seat, game.phase_serial, entry))


def remind_at(game: Game) -> datetime | None:
    """When a reminder is due: a quarter of the phase before its deadline, at least an hour; None while no clock
    runs."""
    length = clocks.length_of(game)
    if game.deadline_at is None or length is None:
        return None
    return game.deadline_at - max(length / 4, LEAST_LEAD)


def _people(games: set[int]) -> dict[int, dict[int, Seat]]:
    people: dict[int, dict[int, Seat]] = {}
    for seat in Seat.objects.filter(game_id__in=games, bot="", user__isnull=False):
        people.setdefault(seat.game_id, {})[seat.number] = seat
    return people


def _notices(entry: LoggedAction, people: dict[int, Seat]) -> Iterator[Notice]:
    """Decisions are mailed in games slower than an hour a phase; live games tell of their start and end, quick ones of
    nothing."""
    game, serial = entry.game, entry.opened_serial or 0
    if game.pace == Pace.DEMO:
        return
    for seat in people.values():
        if entry.kind == "start":
            yield _notice(seat, Notice.Kind.STARTED, serial, entry)
        if game.status == Status.FINISHED and serial == game.phase_serial:
            yield _notice(seat, Notice.Kind.FINISHED, serial, entry)
    if game.is_slow:
        for number in entry.asks or ():
            if number in people:
                yield from _asked(game, people[number], serial, entry)


def _asked(game: Game, seat: Seat, serial: int, entry: LoggedAction) -> Iterator[Notice]:
    yield _notice(seat, Notice.Kind.TURN, serial, entry)
    due = remind_at(game) if serial == game.phase_serial else None
    if due is not None and due > entry.at:
        reminder = _notice(seat, Notice.Kind.REMINDER, serial, entry)
        reminder.due_at = due
        yield reminder


def _notice(seat: Seat, kind: Notice.Kind, serial: int, entry: LoggedAction) -> Notice:
    assert seat.user_id is not None
    return Notice(game=entry.game, seat=seat, user_id=seat.user_id, kind=kind, serial=serial, due_at=entry.at)
