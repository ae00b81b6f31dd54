"""Who held a seat from when to when, with counts of decisions made, missed and excused. (P-14)"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from functools import lru_cache
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Now

from game.deadlines.reliability_model import weight_of
from game.infra.prepared import Prepared
from game.infra.statements import change_rows
from game.play import excused_misses, stand_in_seats
from game.play.batch import Around
from game.store import availability
from game.store.game import Game, Seat
from game.store.tenure_models import Sitting

CACHED_DAYS = 2  # around midnight, games of both days are being closed


def begin(*, game: Game) -> None:
    """Create the sittings of a game that starts."""
    Sitting.objects.bulk_create(
        Sitting(game=game, number=seat.number, user_id=seat.user_id)
        for seat in game.seats.filter(user__isnull=False, bot="")
    )


def sit_down(*, game: Game, seat: Seat, end: Sitting.End) -> None:
    """End the sitting of the seat's last player, and create one for its new player, if there is one."""
    Sitting.objects.filter(game=game, number=seat.number, ended_at=None).update(ended_at=Now(), end=end)
    if seat.user_id is not None and not seat.keeper:
        Sitting.objects.create(game=game, number=seat.number, user_id=seat.user_id)
    # Playing times and vacations belong to people, so they change with the player.
    old_availability = game.availability
    availability.copy_to(game)
    if old_availability != game.availability:
        game.save(update_fields=["availability"])


def count_decided(game: Game, seats: Collection[int], around: Around | None) -> None:
    """Count a decision for each of these seats; its player is present again. A proxy's decisions count for nobody."""
    stand_in_seats.note_presence(game, seats)
    seats, day = _in_person(game, seats), game.now.date()
    if not seats:
        return
    if around is None:
        _decided_in(day).change(game.pk, seats)
    else:
        change_rows(_decided(day).change, around.sittings_of(game, seats))


def count_misses(game: Game, silent: frozenset[int], around: Around) -> dict[int, int]:
    """Count a miss for each of these seats. Returns how many its current player has now missed in a row."""
    own = _in_person(game, silent)
    away = own & excused_misses.on_vacation(game)
    for counted, seats in ((_missed(game.now.date()), own - away), (_away, away), (_excused, silent - own)):
        if seats:
            change_rows(counted.change, around.sittings_of(game, seats))
    in_a_row = {number: around.missed_in_a_row(game, number) + 1 for number in own}
    return in_a_row | stand_in_seats.note_misses(game, silent - own)


def excuse_all(game: Game, seats: Collection[int], around: Around) -> None:
    """Excuse what these seats missed."""
    change_rows(_excused.change, around.sittings_of(game, seats))


def _in_person(game: Game, seats: Collection[int]) -> frozenset[int]:
    """Those of these seats that their owners play themselves."""
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


# All games of a day share their statements, so they can be written together.
@lru_cache(maxsize=CACHED_DAYS)
def _decided_in(day: date) -> Prepared:
    own = Sitting.objects.filter(ended_at=None)
    return Prepared(lambda game, seats: (own.filter(game=game, number__in=seats), _decision(day)))


@lru_cache(maxsize=CACHED_DAYS)
def _decided(day: date) -> Prepared:
    return Prepared(lambda keys: (_sittings(keys), _decision(day)))


@lru_cache(maxsize=CACHED_DAYS)
def _missed(day: date) -> Prepared:
    return Prepared(lambda keys: (_sittings(keys), _miss(day)))


_excused = Prepared(lambda keys: (_sittings(keys), {"excused": F("excused") + 1}))
_away = Prepared(lambda keys: (_sittings(keys), {"excused": F("excused") + 1, "in_a_row": F("in_a_row") + 1}))


def excuse(sitting: Sitting) -> None:
    """Excuse the last miss of a sitting that has one. If another miss was excused before, the day is unknown, and an
    average weight is subtracted."""
    weight = weight_of(sitting.missed_on) if sitting.missed_on else sitting.missed_weight / sitting.missed
    sitting.missed, sitting.excused, sitting.in_a_row = sitting.missed - 1, sitting.excused + 1, 0
    sitting.missed_weight = max(sitting.missed_weight - weight, 0) if sitting.missed else 0
    sitting.missed_on = None
    sitting.save(update_fields=["missed", "excused", "in_a_row", "missed_weight", "missed_on"])
