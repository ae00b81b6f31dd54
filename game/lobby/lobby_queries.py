"""The queries of the lobby: five for any number of games, compiled once, without positions and logs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from game.infra.compiled import CompiledQuery
from game.store.eyes import open_invitations
from game.store.game import Game, Seat, Status, name_of_seat
from game.store.log import Draft
from game.store.seat_models import StandIn

MOST_OPEN, MOST_FINISHED = 10, 8
UNDER_WAY = (Status.WAITING, Status.RUNNING, Status.HELD, Status.PAUSED)
GAME_COLUMNS = (
    "id",
    "device_seats",
    "ruleset",
    "options",
    "timing",
    "name",
    "pace",
    "status",
    "is_rated",
    "least_reliability",
    "waives_unlocks",
    "lesson",
    "keeps_clock",
    "seats_wanted",
    "bots",
    "keepers",
    "proxies",
)
STATE_COLUMNS = ("phase_row", "turn", "seat_states", "deadline_at")  # both in model order, for `from_db`
FINISHED_COLUMNS = ("game__name", "game__ruleset", "game__status", "game__finished_at")


class LobbySeat(NamedTuple):
    """What the lobby shows of a seat."""

    number: int
    user_id: int | None
    bot: str
    name: str
    keeper: str
    device: str
    username: str | None

    @property
    def shown_name(self) -> str:
        """The name of the person or the bot."""
        return name_of_seat(self.username, self.name, self.number)


class OwnGame(NamedTuple):
    """An unfinished game of the reader; `worth` is everybody's score at the end of the last turn."""

    game: Game
    seats: Sequence[LobbySeat]
    worth: Sequence[int]
    has_draft: bool
    host: str


class OpenGame(NamedTuple):
    """A game that looks for players."""

    game: Game
    host: str
    host_id: int | None
    taken: int


class FinishedGame(NamedTuple):
    """A finished game of the reader: the winners, and the reader's own result."""

    game_id: int
    name: str
    ruleset: str
    status: str
    finished_at: datetime | None
    winners: Sequence[str]
    place: int | None
    score: int | None
    size: int
    is_tied: bool


def games_under_way(user_id: int) -> list[OwnGame]:
    """The reader's unfinished games, newest first."""
    seats = defaultdict(list)
    for game_id, *seat in _seats_of_own_games.rows(user_id):
        seats[game_id].append(LobbySeat(*seat))
    games = []
    for *columns, course, host, has_draft in _own_games_under_way.rows(user_id):
        game = _game_from_row((*GAME_COLUMNS, *STATE_COLUMNS), columns)
        games.append(OwnGame(game, seats[game.pk], course[-1]["worth"] if course else (), bool(has_draft), host or ""))
    return games


def games_with_room(user_id: int) -> list[OpenGame]:
    """Games that the reader may join, newest first, at most one more than are shown."""
    return [
        OpenGame(_game_from_row(GAME_COLUMNS, columns), host or "", host_id, taken)
        for *columns, host, host_id, taken in _open_games.rows(user_id)
    ]


def games_invited_to(user_id: int) -> list[OpenGame]:
    """Games to which hosts invited the reader by name, newest first. In running games only seats with a present player
    count as taken."""
    return [
        OpenGame(_game_from_row(GAME_COLUMNS, columns), host or "", host_id, taken)
        for *columns, host, host_id, taken in _games_with_invitation.rows(user_id)
    ]


def finished_games(user_id: int) -> list[FinishedGame]:
    """The reader's finished games, latest first, at most one more than are shown."""
    seats: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for game_id, *row in _seats_of_finished_games.rows(user_id):
        seats[game_id].append(tuple(row))
    return [_finished_of(game_id, rows, user_id) for game_id, rows in seats.items()]


def _finished_of(game_id: int, rows: list[tuple[Any, ...]], user_id: int) -> FinishedGame:
    name, ruleset, status, finished_at, *_ = rows[0]
    winners = [username or bot for *_, place, _, bot, username in rows if place == 1]
    own = next((place, score) for *_, owner, place, score, _, _ in rows if owner == user_id)
    is_tied = sum(place == own[0] for *_, place, _, _, _ in rows) > 1
    return FinishedGame(game_id, name, ruleset, status, finished_at, winners, *own, len(rows), is_tied)


def _game_from_row(fields: Sequence[str], columns: Sequence[Any]) -> Game:
    return Game.from_db(connection.alias, fields, columns)


def _own_seats(user_id: int) -> QuerySet[Seat]:
    return Seat.objects.filter(game=OuterRef("pk"), user_id=user_id)


def _own_games(user_id: int) -> Any:
    """The games of the reader's seats, including those that a stand-in plays."""
    stand_in_games = StandIn.objects.filter(owner_id=user_id, ended_at=None).order_by().values("game_id")
    return Seat.objects.filter(user_id=user_id).order_by().values("game_id").union(stand_in_games)


@CompiledQuery
def _own_games_under_way(user_id: int) -> QuerySet[Game, Any]:
    drafts = Draft.objects.in_time().filter(seat__user_id=user_id, seat__game=OuterRef("pk"))
    drafts = drafts.filter(serial=OuterRef("phase_serial"))
    games = Game.objects.filter(pk__in=_own_games(user_id), status__in=UNDER_WAY, lesson="").order_by("-created_at")
    return games.values_list(*GAME_COLUMNS, *STATE_COLUMNS, "course", F("host__username"), Exists(drafts))


@CompiledQuery
def _seats_of_own_games(user_id: int) -> QuerySet[Seat, Any]:
    seats = Seat.objects.filter(game__in=_own_games(user_id), game__status__in=UNDER_WAY, game__lesson="")
    seats = seats.order_by("game", "number")
    columns = ("game_id", "number", "user_id", "bot", "name", "keeper", "device")
    return seats.values_list(*columns, F("user__username"))


@CompiledQuery
def _open_games(user_id: int) -> QuerySet[Game, Any]:
    games = Game.objects.filter(~Exists(_own_seats(user_id)), status=Status.WAITING, is_open=True).annotate(
        taken=Count("seats")
    )
    games = games.filter(taken__lt=F("seats_wanted")).order_by("-created_at")
    return games.values_list(*GAME_COLUMNS, F("host__username"), F("host_id"), "taken")[: MOST_OPEN + 1]


@CompiledQuery
def _games_with_invitation(user_id: int) -> QuerySet[Game, Any]:
    invited_games = open_invitations().filter(user_id=user_id).order_by().values("game_id")
    games = Game.objects.filter(pk__in=invited_games).annotate(taken=Count("seats", filter=Q(seats__keeper="")))
    return games.order_by("-created_at").values_list(*GAME_COLUMNS, F("host__username"), F("host_id"), "taken")


@CompiledQuery
def _seats_of_finished_games(user_id: int) -> QuerySet[Seat, Any]:
    """The last games in a subquery, their seats in the outer query."""
    stopped = Q(status=Status.ABANDONED, started_at__isnull=False)
    games = Game.objects.filter(Q(status=Status.FINISHED) | stopped, Exists(_own_seats(user_id)), lesson="")
    games = games.order_by(F("finished_at").desc(nulls_last=True), "-pk")
    seats = Seat.objects.filter(game_id__in=games.values("pk")[: MOST_FINISHED + 1]).order_by(
        F("game__finished_at").desc(nulls_last=True), "-game_id", "number"
    )
    return seats.values_list("game_id", *FINISHED_COLUMNS, "user_id", "place", "score", "name", F("user__username"))
