"""Games as rows of a list, read for all of them at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import User
from game.boards.registry import board_of
from game.engine.language import apart, mark, say
from game.engine.phrases import thousands
from game.lobby.game_words import pace_words, rules_words, terms_of, url_of
from game.lobby.lobby_queries import LobbySeat
from game.lobby.plans import visits_of
from game.reputation import households, unlocks
from game.reputation.rating_reads import RatingPoints, Scale, ratings_in, scale_of
from game.reputation.reliability import reliability_of
from game.store.badges import SeatBadge, badges_of
from game.store.game import Game, Seat, Status
from game.store.readers import Reader, id_of

STATUS_LABELS = {Status.HELD.value: mark("on hold"), Status.PAUSED.value: mark("paused")}
SECTION_OF = {
    Status.WAITING.value: "open",
    Status.FINISHED.value: "finished",
    Status.ABANDONED.value: "finished",
}
ROW_COLUMNS = (
    "name",
    "device_seats",
    "ruleset",
    "options",
    "pace",
    "timing",
    "status",
    "is_rated",
    "least_reliability",
    "welcomes_newcomers",
    "waives_unlocks",
    "lesson",
    "seats_wanted",
    "bots",
    "keepers",
    "proxies",
    "keeps_clock",
    "turn",
)
TIME_COLUMNS = ("deadline_at", "finished_at", "is_open")


@dataclass(frozen=True)
class GameRow:
    """A game as a row. The reader's own seat is marked in `seats`; `winner` names the winners."""

    name: str
    url: str
    host: str
    pace_words: str
    rules_words: str
    seats: tuple[SeatBadge, ...]
    size: int
    is_mine: bool
    is_private: bool
    join_url: str
    is_rated: bool
    status: str
    turn_words: str
    status_words: str
    deadline_at: datetime | None
    ended_at: datetime | None
    winner: str
    score: str
    terms: tuple[str, ...] = ()
    length: str = ""
    rate: str = ""
    host_reliability: str = ""
    ratings: str = ""
    refusal: str = ""

    @property
    def section(self) -> str:
        """The list to which it belongs."""
        return SECTION_OF.get(self.status, "running")

    @property
    def taken(self) -> int:
        return len(self.seats)


def rows_of(user: Reader, games: QuerySet[Game]) -> list[GameRow]:
    """The rows of these games, in their order: at most five queries, for any number of games."""
    page = list(games.select_related("host").only(*ROW_COLUMNS, *TIME_COLUMNS, "host__username"))
    user_id = id_of(user)
    seats = _seats_of([game.pk for game in page])
    rated_players = {(scale_of(game), seat.user_id) for game in page if game.is_rated for seat, *_ in seats[game.pk]}
    ratings = ratings_in({(scale, user_id) for scale, user_id in rated_players if user_id is not None})
    hosts = host_reliability(game.host_id for game in page if game.status == Status.WAITING)
    rows = [_row_of_game(game, seats[game.pk], user_id, ratings, hosts.get(game.host_id, "")) for game in page]
    rated = [game.pk for game in page if game.is_rated and game.status == Status.WAITING]
    closed_games = households.closed_among(rated, user_id=user_id) if user_id else frozenset()
    refusals = dict.fromkeys(closed_games, say(households.SHARES))
    if isinstance(user, User):
        refusals |= unlocks.reasons_for(user, [game for game in page if game.status == Status.WAITING])
    return [
        replace(row, refusal=refusals[game.pk]) if game.pk in refusals else row
        for game, row in zip(page, rows, strict=True)
    ]


def host_reliability(hosts: Iterable[int | None]) -> Mapping[int | None, str]:
    """The reliability of each of these hosts in words; hosts with too few decisions are missing."""
    people = {host for host in hosts if host is not None}
    if not people:
        return {}
    return {
        host: say("{percent}% in time", percent=reliability.percent)
        for host, reliability in reliability_of(people).items()
        if reliability.is_known
    }


def _seats_of(games: Sequence[int]) -> Mapping[int, list[tuple[LobbySeat, int | None, int | None]]]:
    seats_by_game = defaultdict(list)
    columns = ("game_id", "place", "score", "number", "user_id", "bot", "name", "keeper", "device", "user__username")
    for game, place, score, *seat in Seat.objects.filter(game__in=games).order_by("number").values_list(*columns):
        seats_by_game[game].append((LobbySeat(*seat), place, score))
    return seats_by_game


def _ratings_words(
    game: Game,
    seats: Sequence[tuple[LobbySeat, int | None, int | None]],
    ratings: Mapping[tuple[Scale, int], RatingPoints],
) -> str:
    """`Ada 1,512 ± 180, Ben 1,430 ± 190` of a rated game."""
    scale = scale_of(game)
    rated_names = [(seat.shown_name, ratings.get((scale, seat.user_id or 0))) for seat, *_ in seats]
    return ", ".join(f"{apart(name)} {rating.words}" for name, rating in rated_names if rating)


def _row_of_game(
    game: Game,
    seats: list[tuple[LobbySeat, int | None, int | None]],
    user_id: int | None,
    ratings: Mapping[tuple[Scale, int], RatingPoints],
    host_text: str,
) -> GameRow:
    places = badges_of([seat for seat, _, _ in seats], ruleset=game.ruleset, user_id=user_id)
    winners = [(seat.shown_name, score) for seat, place, score in seats if place == 1]
    is_mine = any(place.is_you for place in places) or game.seat_owned_by(user_id) is not None
    is_stopped = game.status == Status.ABANDONED
    scores = [score for _, score in winners if score is not None]
    visits = visits_of(game)
    return GameRow(
        name=game.name,
        url=url_of(game.pk),
        host=game.host.username if game.host else "",
        host_reliability=host_text,
        length=visits.length,
        rate=visits.rate,
        pace_words=pace_words(game),
        rules_words=rules_words(game),
        seats=places,
        size=game.seats_wanted,
        is_mine=is_mine,
        is_private=not game.is_open,
        join_url=f"{url_of(game.pk)}join/",
        is_rated=game.is_rated,
        status=game.status,
        turn_words=game.rules.turn_words(game.turn) if game.turn else "",
        status_words=say(STATUS_LABELS[game.status]) if game.status in STATUS_LABELS else "",
        deadline_at=game.deadline_at,
        ended_at=game.finished_at,
        winner=say("no result") if is_stopped else ", ".join(apart(name) for name, _ in winners),
        score=say("{word}: {score}", word=say(board_of(game.ruleset).score), score=thousands(scores[0]))
        if scores and not is_stopped
        else "",
        terms=terms_of(game),
        ratings=_ratings_words(game, seats, ratings) if game.is_rated else "",
    )
