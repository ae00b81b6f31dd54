"""Attendance: what people decide and miss, the caretaker who steps in, coming back, and games without any player left.
(P-14, P-15)"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from accounts.models import User
from game import remarks
from game.engine import progress
from game.engine.actions import Refused
from game.engine.language import mark
from game.faithfulness import weight_of
from game.models import Game, Keeper, Kind, Notice, Seat, Sitting, Status
from game.models.prepared import Prepared
from game.models.statements import change_rows
from game.services import availability, clocks, doors, excuses, outbox, proxy_seats, push, webhook_events

if TYPE_CHECKING:
    from game.services.around import Around
    from game.services.transactions import GameTransaction

DAYS = 2  # at midnight, games of both are being closed
MISSES = 2  # in a row, until the caretaker steps in
DESERTED = mark(
    "This game is paused because no player is present: every one is away or has resigned. "
    "It goes on when a player comes back or takes a seat over."
)
KEPT = mark("The caretaker plays this seat for you. Take your seat back first; then the next decision is yours.")
GIVEN_UP = mark("You have resigned from this game: the caretaker plays your seat.")
CANNOT_RETURN = mark(
    "You have resigned from this game: the caretaker plays your seat. A seat that was given up cannot be taken back."
)
STOPPED = ("status", "deadline_at", "clock", "paused_left", "deserted_at", "version", "entries")
CLOCK = ("status", "deadline_at", "clock_since", "clock", "paused_left", "deserted_at")
GOING = (*CLOCK, "pause", "pause_ends_at", "attempts", "not_before", "held_reason")


def begin(*, game: Game) -> None:
    """Let the sittings of a game that starts begin."""
    Sitting.objects.bulk_create(
        Sitting(game=game, number=seat.number, user_id=seat.user_id)
        for seat in game.seats.filter(user__isnull=False, bot="")
    )


def sit_down(*, game: Game, seat: Seat, end: Sitting.End) -> None:
    """End the sitting of the person who had the seat, and begin that of the person who has it now, if there is one."""
    Sitting.objects.filter(game=game, number=seat.number, ended_at=None).update(ended_at=Now(), end=end)
    if seat.user_id is not None and not seat.keeper:
        Sitting.objects.create(game=game, number=seat.number, user_id=seat.user_id)
    # When people play and are away is theirs, and goes with them.
    had = game.availability
    availability.copy_to(game)
    if had != game.availability:
        game.save(update_fields=["availability"])


def count_decided(game: Game, seats: Collection[int], around: Around | None) -> None:
    """These have decided: a player who decides is present again. A proxy's decisions count for no one."""
    proxy_seats.note_presence(game, seats)
    seats, day = _in_person(game, seats), game.now.date()
    if not seats:
        return
    if around is None:
        _decided_in(day).change(game.pk, seats)
    else:
        change_rows(_decided(day).change, around.sittings_of(game, seats))


def silent_seats(change: GameTransaction, around: Around, *, drafted: Collection[int]) -> frozenset[int]:
    """The people with a real choice who did nothing in the open phase: they submitted nothing, withdrew nothing, and
    saved no draft as those who `drafted`."""
    states = progress.seat_states(change.position, change.rules.flow_of(change.position))
    silent = {seat for seat in change.asked if states[seat] == "untouched"}.difference(drafted)
    if not silent:
        return frozenset()
    return frozenset(silent - {seat for _, seat in around.told_of(change.game)})


def note_missed(change: GameTransaction, around: Around, *, serial: int) -> None:
    """Count what was missed at the deadline of a phase; from the second miss in a row the caretaker plays the seat.
    Misses because of outages, the player's own vacation or a proxy are excused, but after two in a row of the latter
    kinds the caretaker plays all the same."""
    if not change.silent:
        return
    game, silent = change.game, change.silent
    if around.was_moved(game) and excuses.is_excused_by(around.outages, game):
        change_rows(_excused.change, around.sittings_of(game, silent))
        return
    in_a_row = _count_misses(game, silent, around)
    _tell_of_miss(change, around, serial)
    around.misses += [(game, number, serial) for number in sorted(silent)]
    for number, misses in sorted(in_a_row.items()):
        if misses >= MISSES:
            _step_in(change, number)


def _count_misses(game: Game, silent: frozenset[int], around: Around) -> dict[int, int]:
    """Count one more miss for each of these seats; returns how many in a row its current player has missed now."""
    own = _in_person(game, silent)
    away = own & excuses.on_vacation(game)
    for counted, seats in ((_missed(game.now.date()), own - away), (_away, away), (_excused, silent - own)):
        if seats:
            change_rows(counted.change, around.sittings_of(game, seats))
    in_a_row = {number: around.missed_in_a_row(game, number) + 1 for number in own}
    return in_a_row | proxy_seats.note_misses(game, silent - own)


def _in_person(game: Game, seats: Collection[int]) -> frozenset[int]:
    """Those of these seats that their own people play."""
    return frozenset(seat for seat in seats if not game.has_proxy(seat))


def _sittings(keys: Collection[int]) -> QuerySet[Sitting]:
    return Sitting.objects.filter(pk__in=keys)


def _decision(day: date) -> dict[str, Any]:
    weight = F("made_weight") + weight_of(day)
    return {"decisions": F("decisions") + 1, "made_weight": weight, "in_a_row": 0}


def _miss(day: date) -> dict[str, Any]:
    weight = F("missed_weight") + weight_of(day)
    counted = {"missed": F("missed") + 1, "in_a_row": F("in_a_row") + 1}
    return {**counted, "missed_weight": weight, "missed_on": day}


# A day's statements are the same for all its games, which are written together.
@lru_cache(maxsize=DAYS)
def _decided_in(day: date) -> Prepared:
    own = Sitting.objects.filter(ended_at=None)
    return Prepared(lambda game, seats: (own.filter(game=game, number__in=seats), _decision(day)))


@lru_cache(maxsize=DAYS)
def _decided(day: date) -> Prepared:
    return Prepared(lambda keys: (_sittings(keys), _decision(day)))


@lru_cache(maxsize=DAYS)
def _missed(day: date) -> Prepared:
    return Prepared(lambda keys: (_sittings(keys), _miss(day)))


_excused = Prepared(lambda keys: (_sittings(keys), {"excused": F("excused") + 1}))
_away = Prepared(lambda keys: (_sittings(keys), {"excused": F("excused") + 1, "in_a_row": F("in_a_row") + 1}))


def excuse(sitting: Sitting) -> None:
    """Excuse the last miss of a sitting that has one. If another miss was excused before it, its day is not known, and
    an average one is taken off."""
    weight = weight_of(sitting.missed_on) if sitting.missed_on else sitting.missed_weight / sitting.missed
    sitting.missed, sitting.excused, sitting.in_a_row = sitting.missed - 1, sitting.excused + 1, 0
    sitting.missed_weight = max(sitting.missed_weight - weight, 0) if sitting.missed else 0
    sitting.missed_on = None
    sitting.save(update_fields=["missed", "excused", "in_a_row", "missed_weight", "missed_on"])


def pause_if_deserted(*, game: Game) -> None:
    """Pause a locked game in which no person is left to play, so that no one loses a game that is not being played.
    (P-15)"""
    if not (game.is_running and game.is_deserted):
        return
    clocks.stop_clock(game=game, status=Status.PAUSED)
    game.deserted_at = game.now
    clocks.note_on_log(game=game, kind=Kind.KEEPER, note=_gone(game))
    game.save(update_fields=STOPPED)


def go_on(*, game: Game) -> None:
    """Resume a locked game that was paused because no player was present, now that one is."""
    if game.deserted_at is None or game.is_deserted:
        return
    game.deserted_at = None
    if game.status == Status.PAUSED:
        clocks.start_clock(game=game)
    game.save(update_fields=GOING)


@transaction.atomic
def take_back(*, game_id: int, user: User) -> Seat:
    """Take one's own seat back, from its next decision on, or at once if the game waits for it; doing so twice changes
    nothing. Raises `Refused`. (P-14)"""
    game = Game.objects.on_the_clock().select_for_update(no_key=True).filter(pk=game_id).first()
    seat = game.seats.filter(user=user).first() if game else None
    if game is None or seat is None:
        raise Refused("You have no seat in this game.", code="not_seated")
    if seat.keeper == Keeper.RESIGNED:
        raise Refused(CANNOT_RETURN, code="cannot_return")
    if not seat.keeper or game.status not in {Status.RUNNING, Status.PAUSED, Status.HELD}:
        return seat
    seat.keeper, seat.left_at, seat.version = "", None, seat.version + 1
    seat.save(update_fields=["keeper", "left_at", "version"])
    Sitting.objects.filter(game=game, number=seat.number, ended_at=None).update(in_a_row=0)
    proxy_seats.note_presence(game, [seat.number])
    game.keepers = {number: keeper for number, keeper in game.keepers.items() if number != str(seat.number)}
    game.bots_due = game.calls_bots
    back = remarks.IS_BACK_AND_ON if game.deserted_at else remarks.IS_BACK
    clocks.note_on_log(game=game, kind=Kind.KEEPER, seat=seat.number, note=back.format(name=user))
    game.save(update_fields=["keepers", "bots_due", "version", "entries"])
    doors.forget_unless_left(game)
    push.tell_seat(game.pk, seat.number, game.version)
    told: dict[str, Any] = {"kind": Notice.Kind.RETURNED, "serial": game.phase_serial, "number": game.entries}
    webhook_events.tell_of_notices(game=game, people=[(seat, user.pk)], **told)
    go_on(game=game)
    outbox.ask(game=game, seat=seat)
    return seat


def _tell_of_miss(change: GameTransaction, around: Around, serial: int) -> None:
    """Tell players who missed a decision what counted instead, in the email about the next one if that is theirs."""
    game = change.game
    if not game.is_slow:
        return
    people = around.people_of(game, change.silent)
    due = game.now + settings.MAIL_WINDOW
    outbox.write(game=game, people=people, kind=Notice.Kind.MISSED, serial=serial, due_at=due)


def _step_in(change: GameTransaction, number: int) -> None:
    """The caretaker plays a seat from its next decision on; its person is told, and so is its proxy."""
    game = change.game
    seat = Seat.objects.select_related("user").get(game=game, number=number)
    seat.keeper, seat.left_at = Keeper.AWAY, game.now
    seat.save(update_fields=["keeper", "left_at"])
    game.keepers = {**game.keepers, str(number): Keeper.AWAY.value}
    change.remark(_why_kept(game, seat), kind=Kind.KEEPER, seat=number)
    if seat.user_id is not None and game.is_slow:
        told = [(seat, seat.user_id)]
        outbox.write(game=game, people=told, kind=Notice.Kind.AWAY, serial=change.serial, due_at=game.now)
    if game.has_proxy(number):
        owner = [(seat, game.proxies[str(number)]["owner"])]
        asked: dict[str, Any] = {"serial": change.serial, "due_at": game.now, "is_mailed": game.is_slow}
        outbox.notify(game=game, people=owner, kind=Notice.Kind.KEPT, **asked)


def _why_kept(game: Game, seat: Seat) -> str:
    """Why the caretaker plays a seat and until when, as the log says it."""
    if not game.has_proxy(seat.number):
        return remarks.MISSED_TWICE.format(name=seat.shown_name)
    owner = User.objects.get(pk=game.proxies[str(seat.number)]["owner"])
    return remarks.PROXY_MISSED_TWICE.format(name=seat.shown_name, was=owner)


def _gone(game: Game) -> str:
    """Who is not there, as the log says it."""
    people = {str(seat.number): seat.shown_name for seat in game.seats.select_related("user")}
    away, resigned = (
        ", ".join(people[number] for number, why in sorted(game.keepers.items()) if why == keeper)
        for keeper in (Keeper.AWAY, Keeper.RESIGNED)
    )
    both = remarks.ALL_AWAY if away else remarks.ALL_RESIGNED
    return (remarks.AWAY_OR_RESIGNED if away and resigned else both).format(away=away, resigned=resigned)
