"""The page of a list of games: its filters with addresses, its rows and its counts. A reader sees the games that they
may open: open games, and private ones in which they play or to which they were invited by name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import F, Q

from accounts.models import User
from game.boards.registry import board_of
from game.engine.language import apart, mark, mark_as, say, say_as
from game.engine.phrases import thousands
from game.lobby.game_words import PACES, pace_words, rules_words, terms_of, url_of
from game.lobby.listing import PAGE, SECTIONS, ListQuery, NoSuchList, count_sections, games_of, joinable_by
from game.lobby.queries import LobbySeat
from game.reputation import households
from game.reputation.rating_reads import Shown, ratings_in
from game.rulesets.registry import RULESETS
from game.store.badges import SeatBadge, badges_of
from game.store.game import Game, Pace, Seat, Status

TABS = {
    "open": mark_as("games", "Open"),
    "running": mark_as("games", "Running"),
    "finished": mark_as("games", "Finished"),
}
HINTS = {"open": mark("waiting for players"), "running": mark("to watch"), "finished": mark("to read, phase by phase")}
STATUS_LABELS = {Status.HELD.value: mark("on hold"), Status.PAUSED.value: mark("paused")}
ALL_LINKS = {
    "open": mark("Show all open games"),
    "running": mark("Show all running games"),
    "finished": mark("Show all finished games"),
}
ORDERS = {"open": F("created_at"), "running": F("started_at"), "finished": F("finished_at")}
ROW_COLUMNS = (
    "name",
    "ruleset",
    "options",
    "pace",
    "timing",
    "status",
    "is_rated",
    "least_reliability",
    "welcomes_newcomers",
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
    turn: int
    status_words: str
    deadline_at: datetime | None
    ended_at: datetime | None
    winner: str
    score: str
    terms: tuple[str, ...] = ()
    ratings: str = ""
    refusal: str = ""

    @property
    def is_full(self) -> bool:
        return len(self.seats) >= self.size


def browse_context(*, user: User, query: ListQuery) -> dict[str, Any]:
    """A page of a list: four queries for any number of games. Raises `NoSuchList` after its last page."""
    joinable = joinable_by(user) if query.may_join else Q()
    counts = count_sections(user, query, joinable)
    count = counts[query.show]
    last_page = max(1, -(-count // PAGE))
    if query.page > last_page:
        raise NoSuchList(_no_page_text(query.page, last_page))
    first = (query.page - 1) * PAGE
    rows = _rows(user, query, first, joinable) if count else []
    return {
        "page": query.show,
        "query": query,
        "title": say(SECTIONS[query.show]),
        "hint": say(HINTS[query.show]),
        "sections": [
            (say_as("games", TABS[key]), _url_with(query, show=key), counts[key], key == query.show) for key in SECTIONS
        ],
        "filters": _filters(query),
        "rows": rows,
        "count": count,
        "first": first + 1,
        "until": first + len(rows),
        "earlier_url": replace(query, page=query.page - 1).url if query.page > 1 else "",
        "later_url": replace(query, page=query.page + 1).url if query.page < last_page else "",
        "is_filtered": bool(query.mine or query.game or query.pace or query.may_join),
        "all_url": ListQuery(query.show).url,
        "all_words": say(ALL_LINKS[query.show]),
    }


def _no_page_text(page: int, last: int) -> str:
    if last == 1:
        return say("There is no page {page} of this list; there is one.", page=page)
    return say("There is no page {page} of this list; there are {last}.", page=page, last=last)


def _url_with(query: ListQuery, **changes: Any) -> str:
    """The address with another choice, from the first page."""
    return replace(query, page=1, **changes).url


def _filters(query: ListQuery) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """Groups of links, each with a label: title, address, whether it is selected."""
    owner_links = [
        (say("Everybody’s"), _url_with(query, mine=False), not query.mine),
        (say("Mine"), _url_with(query, mine=True), query.mine),
    ]
    game_links = [(say("All games"), _url_with(query, game=""), not query.game)]
    game_links += [(say(rules.title), _url_with(query, game=key), query.game == key) for key, rules in RULESETS.items()]
    pace_links = [(say("Any pace"), _url_with(query, pace=""), not query.pace)]
    pace_links += [(say(str(Pace(pace).label)), _url_with(query, pace=pace), query.pace == pace) for pace in PACES]
    game_group = [(say("Which game"), game_links)] if len(RULESETS) > 1 else []
    join_links = [
        (say("All open games"), _url_with(query, may_join=False), not query.may_join),
        (say("Games I can join"), _url_with(query, may_join=True), query.may_join),
    ]
    join_group = [(say("Who may join"), join_links)] if query.show == "open" else []
    return [(say("Whose games"), owner_links), *game_group, (say("Which pace"), pace_links), *join_group]


def _rows(user: User, query: ListQuery, first: int, joinable: Q) -> list[GameRow]:
    page = list(
        games_of(user, query, joinable)
        .select_related("host")
        .only(*ROW_COLUMNS, *TIME_COLUMNS, "host__username")
        .order_by(ORDERS[query.show].desc(nulls_last=True), "-pk")[first : first + PAGE]
    )
    seats = _seats_of([game.pk for game in page])
    rated_players = {(game.ruleset, seat.user_id) for game in page if game.is_rated for seat, *_ in seats[game.pk]}
    ratings = ratings_in({(ruleset, user_id) for ruleset, user_id in rated_players if user_id is not None})
    rows = [_row_of_game(game, seats[game.pk], user, ratings) for game in page]
    if query.show != "open":
        return rows
    closed_games = households.closed_among([game.pk for game in page if game.is_rated], user_id=user.pk)
    return [
        replace(row, refusal=say(households.SHARES)) if game.pk in closed_games else row
        for game, row in zip(page, rows, strict=True)
    ]


def _seats_of(games: Sequence[int]) -> Mapping[int, list[tuple[LobbySeat, int | None, int | None]]]:
    seats_by_game = defaultdict(list)
    columns = ("game_id", "place", "score", "number", "user_id", "bot", "name", "keeper", "user__username")
    for game, place, score, *seat in Seat.objects.filter(game__in=games).order_by("number").values_list(*columns):
        seats_by_game[game].append((LobbySeat(*seat), place, score))
    return seats_by_game


def _ratings_words(
    game: Game, seats: Sequence[tuple[LobbySeat, int | None, int | None]], ratings: Mapping[tuple[str, int], Shown]
) -> str:
    """`Ada 1,512 ± 180, Ben 1,430 ± 190` of a rated game."""
    rated_names = [(seat.shown_name, ratings.get((game.ruleset, seat.user_id or 0))) for seat, *_ in seats]
    return ", ".join(f"{apart(name)} {rating.words}" for name, rating in rated_names if rating)


def _row_of_game(
    game: Game,
    seats: list[tuple[LobbySeat, int | None, int | None]],
    user: User,
    ratings: Mapping[tuple[str, int], Shown],
) -> GameRow:
    places = badges_of([seat for seat, _, _ in seats], ruleset=game.ruleset, user_id=user.pk)
    winners = [(seat.shown_name, score) for seat, place, score in seats if place == 1]
    is_mine = any(place.is_you for place in places) or game.seat_owned_by(user.pk) is not None
    is_stopped = game.status == Status.ABANDONED
    scores = [score for _, score in winners if score is not None]
    return GameRow(
        name=game.name,
        url=url_of(game.pk),
        host=game.host.username if game.host else "",
        pace_words=pace_words(game),
        rules_words=rules_words(game),
        seats=places,
        size=game.seats_wanted,
        is_mine=is_mine,
        is_private=not game.is_open,
        join_url=f"{url_of(game.pk)}join/",
        is_rated=game.is_rated,
        turn=game.turn,
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
