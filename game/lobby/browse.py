"""Browsing the games of the site: sections, filters with addresses, pages of rows, and counts. A reader sees the games
that they may open: open games, and private ones in which they play or to which they were invited by name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse

from accounts.models import User
from game.boards.registry import board_of
from game.engine.language import apart, mark, mark_as, say, say_as
from game.engine.phrases import thousands
from game.lobby.entry_conditions import terms_of
from game.lobby.lists import PACES, pace_words, rules_words, url_of
from game.lobby.queries import LobbySeat
from game.reputation import households
from game.reputation.rating_reads import Shown, ratings_in
from game.reputation.reliability import NOBODY, may_sit_down, reliability_of
from game.rulesets.registry import RULESETS
from game.store.access_models import Removal
from game.store.badges import SeatBadge, badges_of
from game.store.eyes import open_invitations, own_seats
from game.store.game import Game, Pace, Seat, Status
from game.store.readers import Reader
from game.store.stand_in_models import Proxy

PAGE = 25
LONGEST_PAGE = 6  # digits
SECTIONS = {"open": mark("Open games"), "running": mark("Running games"), "finished": mark("Finished games")}
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


class NoSuchList(Exception):
    """The address names no list of games."""


@dataclass(frozen=True)
class Asked:
    """The list that an address requests."""

    show: str = "open"
    mine: bool = False
    game: str = ""
    pace: str = ""
    page: int = 1
    may_join: bool = False

    @property
    def url(self) -> str:
        """The address of this list."""
        values = {"mine": "1" if self.mine else "", "game": self.game, "pace": self.pace}
        values["may"] = "1" if self.may_join and self.show == "open" else ""
        values["page"] = str(self.page) if self.page > 1 else ""
        parameters = {"show": self.show} | {name: value for name, value in values.items() if value}
        return f"{reverse('lobby')}?{urlencode(parameters)}"


@dataclass(frozen=True)
class Listed:
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
    stands: str
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


def asked_of(query: Mapping[str, str]) -> Asked:
    """The list that an address requests. Raises `NoSuchList` with the reason."""
    show, game, pace, page = (query.get(name, "") for name in ("show", "game", "pace", "page"))
    if (show or "open") not in SECTIONS:
        raise NoSuchList(say("There is no list “{show}”; there are {lists}.", show=show, lists=", ".join(SECTIONS)))
    if game and game not in RULESETS:
        raise NoSuchList(say("There is no such game; there are {games}.", games=", ".join(RULESETS)))
    if pace and pace not in Pace.values:
        raise NoSuchList(say("There is no such pace; there are {paces}.", paces=", ".join(Pace.values)))
    if page and (not page.isdecimal() or len(page) > LONGEST_PAGE or int(page) < 1):
        raise NoSuchList(say("Pages are numbered from 1."))
    return Asked(show or "open", query.get("mine", "") == "1", game, pace, int(page or 1), query.get("may", "") == "1")


def browse_context(*, user: User, asked: Asked) -> dict[str, Any]:
    """A page of a list: four queries for any number of games. Raises `NoSuchList` after its last page."""
    joinable = joinable_by(user) if asked.may_join else Q()
    counts = _counts(user, asked, joinable)
    count = counts[asked.show]
    last_page = max(1, -(-count // PAGE))
    if asked.page > last_page:
        raise NoSuchList(_no_page_text(asked.page, last_page))
    first = (asked.page - 1) * PAGE
    rows = _rows(user, asked, first, joinable) if count else []
    return {
        "page": asked.show,
        "asked": asked,
        "title": say(SECTIONS[asked.show]),
        "hint": say(HINTS[asked.show]),
        "sections": [
            (say_as("games", TABS[key]), _url_with(asked, show=key), counts[key], key == asked.show) for key in SECTIONS
        ],
        "filters": _filters(asked),
        "rows": rows,
        "count": count,
        "first": first + 1,
        "until": first + len(rows),
        "earlier_url": replace(asked, page=asked.page - 1).url if asked.page > 1 else "",
        "later_url": replace(asked, page=asked.page + 1).url if asked.page < last_page else "",
        "is_filtered": bool(asked.mine or asked.game or asked.pace or asked.may_join),
        "all_url": Asked(asked.show).url,
        "all_words": say(ALL_LINKS[asked.show]),
    }


def _no_page_text(page: int, last: int) -> str:
    if last == 1:
        return say("There is no page {page} of this list; there is one.", page=page)
    return say("There is no page {page} of this list; there are {last}.", page=page, last=last)


def _url_with(asked: Asked, **changes: Any) -> str:
    """The address with another choice, from the first page."""
    return replace(asked, page=1, **changes).url


def _filters(asked: Asked) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """Groups of links, each with a label: title, address, whether it is selected."""
    owner_links = [
        (say("Everybody’s"), _url_with(asked, mine=False), not asked.mine),
        (say("Mine"), _url_with(asked, mine=True), asked.mine),
    ]
    game_links = [(say("All games"), _url_with(asked, game=""), not asked.game)]
    game_links += [(say(rules.title), _url_with(asked, game=key), asked.game == key) for key, rules in RULESETS.items()]
    pace_links = [(say("Any pace"), _url_with(asked, pace=""), not asked.pace)]
    pace_links += [(say(str(Pace(pace).label)), _url_with(asked, pace=pace), asked.pace == pace) for pace in PACES]
    game_group = [(say("Which game"), game_links)] if len(RULESETS) > 1 else []
    join_links = [
        (say("All open games"), _url_with(asked, may_join=False), not asked.may_join),
        (say("Games I can join"), _url_with(asked, may_join=True), asked.may_join),
    ]
    join_group = [(say("Who may join"), join_links)] if asked.show == "open" else []
    return [(say("Whose games"), owner_links), *game_group, (say("Which pace"), pace_links), *join_group]


def _visible(user: User, asked: Asked) -> QuerySet[Game]:
    """The games of the list that this reader may open."""
    games = Game.objects.filter(_takes_part(user) if asked.mine else may_open(user), lesson="")
    if asked.game:
        games = games.filter(ruleset=asked.game)
    return games.filter(pace=asked.pace) if asked.pace else games


def may_open(reader: Reader) -> Q:
    """The games that a reader may open, as `game.store.eyes.may_see` decides for one; private games that they left are
    not listed."""
    if not isinstance(reader, User):
        return Q(is_open=True)
    return (
        Q(is_open=True) | _takes_part(reader) | Q(Exists(open_invitations().filter(user=reader, game=OuterRef("pk"))))
    )


def _score_words(game: Game, score: int) -> str:
    return say("{word}: {score}", word=say(board_of(game.ruleset).score), score=thousands(score))


def _takes_part(user: User) -> Q:
    """The games in which a user has a seat, played by themselves or by a stand-in."""
    seats = own_seats(user.pk).filter(game=OuterRef("pk"))
    stand_ins = Proxy.objects.filter(game=OuterRef("pk"), owner=user, ended_at=None)
    return Q(Exists(seats)) | Q(Exists(stand_ins))


def _in_section(show: str, joinable: Q) -> Q:
    """The games of a section. Full open games are not listed as looking for players."""
    if show == "open":
        return Q(status=Status.WAITING, taken__lt=F("seats_wanted")) & joinable
    if show == "running":
        return Q(status__in=(Status.RUNNING, Status.HELD, Status.PAUSED))
    return Q(status=Status.FINISHED) | Q(status=Status.ABANDONED, started_at__isnull=False)


def _counts(user: User, asked: Asked, joinable: Q) -> dict[str, int]:
    games = _visible(user, asked).annotate(taken=Count("seats"))
    return games.aggregate(**{show: Count("pk", filter=_in_section(show, joinable)) for show in SECTIONS})


def games_of(user: User, asked: Asked, joinable: Q | None = None) -> QuerySet[Game]:
    """The games of a list, unordered, annotated with their number of taken seats."""
    return _visible(user, asked).annotate(taken=Count("seats")).filter(_in_section(asked.show, joinable or Q()))


def _rows(user: User, asked: Asked, first: int, joinable: Q) -> list[Listed]:
    page = list(
        games_of(user, asked, joinable)
        .select_related("host")
        .only(*ROW_COLUMNS, *TIME_COLUMNS, "host__username")
        .order_by(ORDERS[asked.show].desc(nulls_last=True), "-pk")[first : first + PAGE]
    )
    seats = _seats_of([game.pk for game in page])
    rated_players = {(game.ruleset, seat.user_id) for game in page if game.is_rated for seat, *_ in seats[game.pk]}
    ratings = ratings_in({(ruleset, user_id) for ruleset, user_id in rated_players if user_id is not None})
    rows = [_row_of_game(game, seats[game.pk], user, ratings) for game in page]
    if asked.show != "open":
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


def joinable_by(user: User) -> Q:
    """The open games that a user may join and from which no host removed them: three or four queries."""
    if user.is_guest or not may_sit_down(user):
        return Q(pk__in=[])
    reliability = reliability_of([user.pk]).get(user.pk, NOBODY)
    meets_terms = Q(least_reliability__lte=reliability.percent) if reliability.is_known else Q(welcomes_newcomers=True)
    # `IN` instead of `Exists`: a filtered count moves the games into a subquery.
    removed = Q(pk__in=Removal.objects.filter(user=user).values("game_id"))
    seated = Q(pk__in=Seat.objects.filter(user=user).values("game_id"))
    shares_home = Q(pk__in=households.closed_to(user.pk).values("pk"))
    people_only = Q(is_rated=False) if user.is_bot else Q()
    return (
        (Q(least_reliability=0) | meets_terms)
        & ~removed
        & ~seated
        & ~shares_home
        & ~Q(pace=Pace.NO_CLOCK)
        & people_only
    )


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
) -> Listed:
    places = badges_of([seat for seat, _, _ in seats], user_id=user.pk)
    winners = [(seat.shown_name, score) for seat, place, score in seats if place == 1]
    is_mine = any(place.is_you for place in places) or game.seat_owned_by(user.pk) is not None
    is_stopped = game.status == Status.ABANDONED
    scores = [score for _, score in winners if score is not None]
    return Listed(
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
        stands=say(STATUS_LABELS[game.status]) if game.status in STATUS_LABELS else "",
        deadline_at=game.deadline_at,
        ended_at=game.finished_at,
        winner=say("no result") if is_stopped else ", ".join(apart(name) for name, _ in winners),
        score=_score_words(game, scores[0]) if scores and not is_stopped else "",
        terms=terms_of(game),
        ratings=_ratings_words(game, seats, ratings) if game.is_rated else "",
    )
