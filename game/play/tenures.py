"""Tenures: the people who held a seat and when, with counts of decisions made, missed and excused; seats that a
stand-in plays. (P-14) Most of this belongs to a longer act on a locked game, which writes the game at its end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Now

from game.deadlines.due import Span
from game.deadlines.phase_clock import read_clock
from game.deadlines.reliability_model import weight_of
from game.infra.compiled import CompiledQuery
from game.infra.statements import change_rows
from game.live import announce
from game.play import door
from game.play.batch import ClosingBatch
from game.store import availability, eyes
from game.store.availability import known_to
from game.store.game import Game, Seat
from game.store.seat_models import StandIn, Tenure

LEAST_PART = 10  # an outage excuses a miss if it took a tenth of the phase, or of its end
END_PART = 4  # the end is the last quarter, when many decide
# Shorter outages only move deadlines; otherwise a restart each night would excuse everyone.
RESET_VISITS = {"seen_at": None, "away_version": None, "away_at": None}


def seat_stand_in(stand_in: StandIn) -> None:
    """Give the seat to this stand-in; the caretaker leaves it."""
    game = stand_in.game
    until = stand_in.until.isoformat()
    entry: dict[str, object] = {"owner": stand_in.owner_id, "user": stand_in.user_id, "until": until}
    _reseat(game, stand_in.number, stand_in.user_id, {**game.proxies, str(stand_in.number): entry})
    door.write(game)


def return_seat(game: Game, number: int, end: StandIn.End) -> StandIn:
    """Return the seat to its owner; its stand-in no longer sees it."""
    entry, stand_in = game.proxies[str(number)], StandIn.objects.get(game=game, number=number, ended_at=None)
    stand_in.game, stand_in.ended_at, stand_in.end = game, game.now, end
    stand_in.save(update_fields=["ended_at", "end"])
    _reseat(game, number, entry["owner"], {key: each for key, each in game.proxies.items() if key != str(number)})
    return stand_in


def return_all(game: Game) -> None:
    """At the end of the game, return all seats, and with them the results, to their owners."""
    for number in sorted(map(int, game.proxies)):
        return_seat(game, number, StandIn.End.GAME_OVER)


def owner_of(game: Game, seat: Seat) -> int | None:
    """The key of the seat's owner, whoever plays it."""
    entry = game.proxies.get(str(seat.number))
    return entry["owner"] if entry else seat.user_id


def until_of(game: Game, number: int) -> datetime:
    """The end of the stand-in's time on this seat."""
    return datetime.fromisoformat(game.proxies[str(number)]["until"])


def note_misses(game: Game, numbers: Iterable[int]) -> dict[int, int]:
    """Count a missed decision for the proxies of these seats. Returns how many each has now missed in a row."""
    misses = {number: game.proxies[str(number)].get("missed", 0) + 1 for number in numbers}
    _store_misses(game, misses)
    return misses


def note_presence(game: Game, numbers: Iterable[int]) -> None:
    """Reset the misses in a row of the proxies of these seats, if they have one."""
    _store_misses(game, {number: 0 for number in numbers if game.proxies.get(str(number), {}).get("missed")})


def _store_misses(game: Game, misses: Mapping[int, int]) -> None:
    if misses:
        entries = {str(number): game.proxies[str(number)] | {"missed": count} for number, count in misses.items()}
        game.proxies = game.proxies | entries


def _reseat(game: Game, number: int, user_id: int | None, proxies: dict[str, dict[str, object]]) -> None:
    seats = Seat.objects.filter(game=game, number=number)
    seats.update(
        user=user_id, keeper="", left_at=None, version=F("version") + 1, seen_version=game.version, **RESET_VISITS
    )
    game.proxies = proxies
    game.keepers = {key: keeper for key, keeper in game.keepers.items() if key != str(number)}
    eyes.forget_unless_left(game)
    announce.seat_changed(game.pk, number, game.version)


CACHED_DAYS = 2  # around midnight, games of both days are being closed


def start_tenures(*, game: Game) -> None:
    """Create the tenures of a game that starts. What the seats at one device decide counts for nobody."""
    Tenure.objects.bulk_create(
        Tenure(game=game, number=seat.number, user_id=None if seat.device else seat.user_id)
        for seat in game.seats.filter(bot="").exclude(user=None, device="")
    )


def start_tenure(*, game: Game, seat: Seat, end: Tenure.End) -> None:
    """End the tenure of the seat's last player, and create one for its new player, if there is one."""
    Tenure.objects.filter(game=game, number=seat.number, ended_at=None).update(ended_at=Now(), end=end)
    if seat.user_id is not None and not seat.keeper:
        Tenure.objects.create(game=game, number=seat.number, user_id=seat.user_id)
    # Playing times and vacations belong to people, so they change with the player.
    availability.copy_to(game)


def count_decisions(game: Game, seats: Collection[int], batch: ClosingBatch | None) -> None:
    """Count a decision for each of these seats; its player is present again. Those of a stand-in count for nobody."""
    note_presence(game, seats)
    seats, day = _in_person(game, seats), game.now.date()
    if not seats:
        return
    if batch is None:
        _decided_in(day).change(game.pk, seats)
    else:
        change_rows(_decided(day).change, batch.sittings_of(game, seats))


def count_misses(game: Game, silent: frozenset[int], batch: ClosingBatch) -> dict[int, int]:
    """Count a miss for each of these seats. Returns how many its current player has now missed in a row."""
    own = _in_person(game, silent)
    away = own & on_vacation(game)
    for counted, seats in ((_missed(game.now.date()), own - away), (_away, away), (_excused, silent - own)):
        if seats:
            change_rows(counted.change, batch.sittings_of(game, seats))
    in_a_row = {number: batch.missed_in_a_row(game, number) + 1 for number in own}
    return in_a_row | note_misses(game, silent - own)


def excuse_all(game: Game, seats: Collection[int], batch: ClosingBatch) -> None:
    """Excuse what these seats missed."""
    change_rows(_excused.change, batch.sittings_of(game, seats))


def _in_person(game: Game, seats: Collection[int]) -> frozenset[int]:
    """The seats among these that their owners play themselves."""
    return frozenset(seat for seat in seats if not game.has_stand_in(seat))


def _tenures(keys: Collection[int]) -> QuerySet[Tenure]:
    return Tenure.objects.filter(pk__in=keys)


def _decision(day: date) -> dict[str, Any]:
    weight = F("made_weight") + weight_of(day)
    return {"decisions": F("decisions") + 1, "made_weight": weight, "in_a_row": 0}


def _miss(day: date) -> dict[str, Any]:
    weight = F("missed_weight") + weight_of(day)
    counted = {"missed": F("missed") + 1, "in_a_row": F("in_a_row") + 1}
    return {**counted, "missed_weight": weight, "missed_on": day}


# All games of a day share their statements, so they can be written together.
@lru_cache(maxsize=CACHED_DAYS)
def _decided_in(day: date) -> CompiledQuery[Tenure]:
    own = Tenure.objects.filter(ended_at=None)
    return CompiledQuery(lambda game, seats: own.filter(game=game, number__in=seats), **_decision(day))


@lru_cache(maxsize=CACHED_DAYS)
def _decided(day: date) -> CompiledQuery[Tenure]:
    return CompiledQuery(_tenures, **_decision(day))


@lru_cache(maxsize=CACHED_DAYS)
def _missed(day: date) -> CompiledQuery[Tenure]:
    return CompiledQuery(_tenures, **_miss(day))


_excused = CompiledQuery(_tenures, excused=F("excused") + 1)
_away = CompiledQuery(_tenures, excused=F("excused") + 1, in_a_row=F("in_a_row") + 1)


def excuse(tenure: Tenure) -> None:
    """Excuse the last miss of a tenure that has one. If another miss was excused before, the day is unknown, and an
    average weight is subtracted."""
    weight = weight_of(tenure.missed_on) if tenure.missed_on else tenure.missed_weight / tenure.missed
    tenure.missed, tenure.excused, tenure.in_a_row = tenure.missed - 1, tenure.excused + 1, 0
    tenure.missed_weight = max(tenure.missed_weight - weight, 0) if tenure.missed else 0
    tenure.missed_on = None
    tenure.save(update_fields=["missed", "excused", "in_a_row", "missed_weight", "missed_on"])


def is_excused_by(outages: Sequence[Span], game: Game) -> bool:
    """True if these outages took at least a tenth of the phase that closes now, or of its last quarter."""
    began = read_clock(game.clock).start or game.clock_since
    if began is None:
        return False
    last = game.now - (game.now - began) / END_PART
    return any(
        _lost_seconds(outages, since, game.now) * LEAST_PART >= (game.now - since).total_seconds()
        for since in (began, last)
    )


def on_vacation(game: Game) -> frozenset[int]:
    """The seats whose people are on a declared vacation."""
    return frozenset(each.seat for each in known_to(game) if each.begins <= game.now)


def _lost_seconds(outages: Sequence[Span], since: datetime, until: datetime) -> float:
    """How many seconds of this period the outages took."""
    overlaps = (min(ended, until) - max(began, since) for began, ended in outages)
    return sum(max(each.total_seconds(), 0) for each in overlaps)
