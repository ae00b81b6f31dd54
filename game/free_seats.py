"""The seats of running games that anybody may take over, as the lobby lists them, with what everybody may know of
each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from game.boards.registry import board_of
from game.engine.language import say
from game.models import Company, Game, Holding, Keeper, Pace, Removal, Seat, Sitting, Status
from game.models.reads import Rows
from game.paces import is_slow, words_of
from game.seat_badges import rank_words
from game.services import households
from game.services.takeover import LONG_AWAY, is_free

MOST = 20
LARGE = ("game__state", "game__inputs", "game__earlier")
NAMED = ("game", "key", "name")


@dataclass(frozen=True)
class FreeSeat:
    """A seat as a row of the lobby: why it is free, how it stands, and where to take it."""

    game: str
    game_url: str
    rules: str
    turn: int
    name: str
    why: str
    score: int | None
    score_word: str
    rank: str
    holdings: str
    take_url: str


def free_seats(*, user: User) -> list[FreeSeat]:
    """The seats that this reader may take over, those that have waited longest first; four queries for any number,
    one where the caretaker plays no seat of an open game. Guests play with bots alone."""
    if user.is_guest or not _kept()():
        return []
    found = _free(user).defer(*LARGE).select_related("game", "user").order_by("left_at")[:MOST]
    seats = [seat for seat in found if is_free(seat.game, seat, timezone.now())]
    held = _holdings(seats)
    return [_row(seat, ", ".join(held[seat.game_id, seat.number])) for seat in seats]


@cache
def _kept() -> Rows:
    """One seat that the caretaker plays, if there is any."""
    kept = Seat.objects.filter(game__is_open=True, game__status__in=(Status.RUNNING, Status.PAUSED), bot="")
    return Rows(kept.exclude(keeper="").values_list("pk")[:1])


def _free(user: User) -> QuerySet[Seat]:
    long_away = Q()
    for pace in Pace.values:
        # Whether a custom pace is slow is not asked of the database.
        length = LONG_AWAY[pace != Pace.CUSTOM and is_slow(pace)]
        long_away |= Q(game__pace=pace, left_at__lte=Now() - length)
    is_played = Q(game__status=Status.RUNNING) | Q(game__status=Status.PAUSED, game__deserted_at__isnull=False)
    known = [
        Sitting.objects.filter(user=user).values("game"),
        Seat.objects.filter(user=user).values("game"),
        Removal.objects.filter(user=user).values("game"),
        households.closed_to(user.pk).values("pk"),
    ]
    free = Seat.objects.filter(is_played, game__is_open=True, bot="")
    free = free.filter(Q(keeper=Keeper.RESIGNED) | Q(long_away, keeper=Keeper.AWAY))
    for games in known:
        free = free.exclude(game__in=games)
    return free


def _holdings(seats: Sequence[Seat]) -> dict[tuple[int, int], list[str]]:
    """The shares of each seat, in words."""
    games = {seat.game_id for seat in seats}
    names = {(game, key): name for game, key, name in Company.objects.filter(game__in=games).values_list(*NAMED)}
    told: dict[tuple[int, int], list[str]] = defaultdict(list)
    for held in Holding.objects.filter(game__in=games, shares__gt=0).order_by("company"):
        told[held.game_id, held.seat].append(f"{names.get((held.game_id, held.company), held.company)} {held.shares}")
    return told


def _clock_of(game: Game) -> str:
    return words_of(game.rules.flow(game.read_options()), game.pace, game.read_timing()).clock


def _row(seat: Seat, holdings: str) -> FreeSeat:
    game, board = seat.game, board_of(seat.game.ruleset)
    worth = game.course[-1]["worth"] if game.course else []
    score = worth[seat.number] if seat.number < len(worth) else None
    return FreeSeat(
        game=game.name,
        game_url=game.get_absolute_url(),
        rules=f"{game.rules.title}, {_clock_of(game)}",
        turn=game.turn,
        name=seat.shown_name,
        why=say("resigned") if seat.keeper == Keeper.RESIGNED else say("away for long"),
        score=score,
        score_word=say(board.score),
        rank="" if score is None else rank_words(worth, score),
        holdings=holdings,
        take_url=reverse("take_seat", args=[game.pk, seat.number]),
    )
