"""Seats of running games that can be taken over, for the lobby and the API, with what is public about each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from game.boards.ranks import rank_words
from game.boards.registry import board_of
from game.deadlines.paces import is_slow, words_of
from game.engine.language import say
from game.infra.compiled import CompiledQuery
from game.reputation import bans, households
from game.seats.takeover import LONG_AWAY, free_among, is_free
from game.store.badges import KeeperKey, PaceKey
from game.store.board_rows import Company, Holding
from game.store.game import Game, Keeper, Pace, Seat, Status
from game.store.seat_models import Removal, StandIn, Tenure

MAX_SEATS = 20
LARGE_COLUMNS = ("game__state", "game__inputs", "game__earlier")
COMPANY_COLUMNS = ("game", "key", "name")
Place = tuple[int, int]
"""A game and the number of a seat in it."""


@dataclass(frozen=True)
class FreeSeat:
    """A seat as a row of the lobby: why it is free, its score and shares, and where to take it."""

    game: str
    game_url: str
    rules: str
    turn_words: str
    number: int
    name: str
    why: str
    score: int | None
    score_word: str
    rank: str
    holdings: str
    take_url: str


class FreeSeatLine(msgspec.Struct, frozen=True):
    """A seat that you may take over: `keeper` says why it is free, resigned or away; `score`, null before the first
    turn is over, and `holdings`, shares by company, are what everyone may know of it."""

    game: int
    name: str
    ruleset: str
    pace: PaceKey
    turn: int
    seat: int
    seat_name: str
    keeper: KeeperKey
    score: int | None
    holdings: dict[str, int]


def free_seats(*, user: User) -> list[FreeSeat]:
    """The seats that this reader may take over, longest free first. Four queries for any number, one if no seat of an
    open game has a caretaker. None for guests, who play with bots alone."""
    if not _may_find_any(user):
        return []
    seats = _still_free(_with_games(_seats_open_to(user)).order_by("left_at")[:MAX_SEATS])
    holdings, company_names = _holdings(seats), _company_names(seats)
    return [_lobby_row(seat, _holdings_words(seat, holdings, company_names)) for seat in seats]


def free_seats_at(game: Game) -> list[FreeSeat]:
    """The free seats of one game, for people who have its link."""
    seats = free_among(game, game.seats.select_related("user").order_by("number")) if game.is_described else []
    holdings, company_names = _holdings(seats), _company_names(seats)
    return [_lobby_row(seat, _holdings_words(seat, holdings, company_names)) for seat in seats]


def free_seats_after(*, user: User, cursor: int | None, limit: int) -> tuple[list[FreeSeatLine], int | None]:
    """A page of the free seats as facts, oldest seats first, and the cursor of the next page."""
    if not _may_find_any(user):
        return [], None
    rows = list(_with_games(_seats_open_to(user)).filter(pk__gt=cursor or 0).order_by("pk")[: limit + 1])
    page = rows[:limit]
    seats = _still_free(page)
    holdings = _holdings(seats)
    return [_api_line(seat, holdings) for seat in seats], page[-1].pk if len(rows) > limit else None


def _may_find_any(user: User) -> bool:
    return not user.is_guest and bool(_any_caretaker_seat.rows())


def _with_games(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    return seats.defer(*LARGE_COLUMNS).select_related("game", "user")


def _still_free(seats: Iterable[Seat]) -> list[Seat]:
    """The seats that are still free, of games that can be read."""
    return [seat for seat in seats if seat.game.is_described and is_free(seat.game, seat, timezone.now())]


@CompiledQuery
def _any_caretaker_seat() -> QuerySet[Seat, Any]:
    """One seat that the caretaker plays, if any."""
    seats = Seat.objects.filter(game__is_open=True, game__status__in=(Status.RUNNING, Status.PAUSED), bot="")
    return seats.exclude(keeper="").values_list("pk")[:1]


def _seats_open_to(user: User) -> QuerySet[Seat]:
    long_away = Q()
    for pace in Pace.values:
        # The database cannot tell whether a custom pace is slow.
        length = LONG_AWAY[pace != Pace.CUSTOM and is_slow(pace)]
        long_away |= Q(game__pace=pace, left_at__lte=Now() - length)
    is_played = Q(game__status=Status.RUNNING) | Q(game__status=Status.PAUSED, game__deserted_at__isnull=False)
    excluded_games = [
        Tenure.objects.filter(user=user).values("game"),
        Seat.objects.filter(user=user).values("game"),
        Removal.objects.filter(user=user).values("game"),
        households.closed_to(user.pk).values("pk"),
    ]
    stand_ins = StandIn.objects.filter(game=OuterRef("game"), number=OuterRef("number"), ended_at=None)
    seats = Seat.objects.filter(~Exists(stand_ins), is_played, game__is_open=True, bot="")
    seats = seats.filter(Q(keeper=Keeper.RESIGNED, left_at__isnull=False) | Q(long_away, keeper=Keeper.AWAY))
    seats = seats.exclude(bans.seats_freed_by(user)).exclude(bans.seats_kept_for_the_banned())
    for games in excluded_games:
        seats = seats.exclude(game__in=games)
    return seats.filter(game__is_rated=False, game__takes_bots=True) if user.is_bot else seats


def _holdings(seats: Sequence[Seat]) -> Mapping[Place, dict[str, int]]:
    """The shares of each seat by company."""
    games = {seat.game_id for seat in seats}
    shares_by_seat: dict[Place, dict[str, int]] = defaultdict(dict)
    for holding in Holding.objects.filter(game__in=games, shares__gt=0).order_by("company"):
        shares_by_seat[holding.game_id, holding.seat][holding.company] = holding.shares
    return shares_by_seat


def _company_names(seats: Sequence[Seat]) -> dict[tuple[int, str], str]:
    games = {seat.game_id for seat in seats}
    return {
        (game, key): name for game, key, name in Company.objects.filter(game__in=games).values_list(*COMPANY_COLUMNS)
    }


def _holdings_words(
    seat: Seat, holdings: Mapping[Place, Mapping[str, int]], names: Mapping[tuple[int, str], str]
) -> str:
    own = holdings.get((seat.game_id, seat.number), {})
    return ", ".join(f"{names.get((seat.game_id, key), key)} {shares}" for key, shares in own.items())


def _worth(game: Game) -> Sequence[int]:
    return game.course[-1]["worth"] if game.course else ()


def _score(seat: Seat) -> int | None:
    worth = _worth(seat.game)
    return worth[seat.number] if seat.number < len(worth) else None


def _api_line(seat: Seat, holdings: Mapping[Place, dict[str, int]]) -> FreeSeatLine:
    game = seat.game
    return FreeSeatLine(
        game=game.pk,
        name=game.name,
        ruleset=game.ruleset,
        pace=game.pace,
        turn=game.turn,
        seat=seat.number,
        seat_name=seat.shown_name,
        keeper=seat.keeper,
        score=_score(seat),
        holdings=holdings.get((game.pk, seat.number), {}),
    )


def _lobby_row(seat: Seat, holdings: str) -> FreeSeat:
    game, board, score = seat.game, board_of(seat.game.ruleset), _score(seat)
    clock = words_of(game.rules.flow(game.read_options()), game.pace, game.read_timing()).clock
    return FreeSeat(
        game=game.name,
        game_url=game.get_absolute_url(),
        rules=f"{game.rules.title}, {clock}",
        turn_words=game.rules.turn_inside(game.turn),
        number=seat.number,
        name=seat.shown_name,
        why=say("resigned") if seat.keeper == Keeper.RESIGNED else say("away for a while"),
        score=score,
        score_word=say(board.score),
        rank="" if score is None else rank_words(_worth(game), score),
        holdings=holdings,
        take_url=reverse("take_seat", args=[game.pk, seat.number]),
    )
