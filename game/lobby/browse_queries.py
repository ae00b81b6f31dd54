"""The lists of games that addresses request: which games each holds, and the version that an open page polls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum, Value
from django.urls import reverse

from accounts.models import User
from game.engine.language import mark, say
from game.lobby.lobby_queries import UNDER_WAY
from game.reputation import households, unlocks
from game.reputation.reliability import NOBODY, may_sit_down, reliability_of
from game.rulesets.registry import RULESETS
from game.store.eyes import open_invitations, own_seats
from game.store.game import Game, Pace, Seat, Status
from game.store.readers import Reader
from game.store.seat_models import Removal, StandIn

PAGE = 25
LONGEST_PAGE = 6  # digits
SECTIONS = {"open": mark("Open games"), "running": mark("Running games"), "finished": mark("Finished games")}


class NoSuchList(Exception):
    """The address names no list of games."""


@dataclass(frozen=True)
class ListQuery:
    """The list that an address requests."""

    show: str = "open"
    mine: bool = False
    game: str = ""
    pace: str = ""
    page: int = 1
    may_join: bool = False

    @property
    def url(self) -> str:
        values = {"mine": "1" if self.mine else "", "game": self.game, "pace": self.pace}
        values["may"] = "1" if self.may_join and self.show == "open" else ""
        values["page"] = str(self.page) if self.page > 1 else ""
        parameters = {"show": self.show} | {name: value for name, value in values.items() if value}
        return f"{reverse('lobby')}?{urlencode(parameters)}"


def parse_list_query(parameters: Mapping[str, str]) -> ListQuery:
    """The list that an address requests. Raises `NoSuchList` with the reason."""
    show, game, pace, page = (parameters.get(name, "") for name in ("show", "game", "pace", "page"))
    if (show or "open") not in SECTIONS:
        raise NoSuchList(say("There is no list “{show}”. Choose one of {lists}.", show=show, lists=", ".join(SECTIONS)))
    if game and game not in RULESETS:
        raise NoSuchList(say("There is no such game. Choose one of {games}.", games=", ".join(RULESETS)))
    if pace and pace not in Pace.values:
        raise NoSuchList(say("There is no such pace. Choose one of {paces}.", paces=", ".join(Pace.values)))
    if page and (not page.isdecimal() or len(page) > LONGEST_PAGE or int(page) < 1):
        raise NoSuchList(say("Pages are numbered from 1."))
    is_mine, may_join = (parameters.get(name) == "1" for name in ("mine", "may"))
    return ListQuery(show or "open", is_mine, game, pace, int(page or 1), may_join)


def _visible_games(user: Reader, query: ListQuery) -> QuerySet[Game]:
    """The games of the list that this reader may open. A visitor has none of their own."""
    taking_part = _takes_part(user) if query.mine and isinstance(user, User) else may_open(user)
    games = Game.objects.filter(taking_part, lesson="")
    if query.game:
        games = games.filter(ruleset=query.game)
    return games.filter(pace=query.pace) if query.pace else games


def may_open(reader: Reader) -> Q:
    """The games that a reader may open, as `game.store.eyes.may_see` decides for one; private games that they left are
    not listed."""
    if not isinstance(reader, User):
        return Q(is_open=True)
    return (
        Q(is_open=True) | _takes_part(reader) | Q(Exists(open_invitations().filter(user=reader, game=OuterRef("pk"))))
    )


def _takes_part(user: User) -> Q:
    """The games in which a user has a seat, played by themselves or by a stand-in."""
    seats = own_seats(user.pk).filter(game=OuterRef("pk"))
    stand_ins = StandIn.objects.filter(game=OuterRef("pk"), owner=user, ended_at=None)
    return Q(Exists(seats)) | Q(Exists(stand_ins))


def in_section(show: str, joinable: Q) -> Q:
    """The games of a section. Full open games are not listed as looking for players."""
    if show == "open":
        return Q(status=Status.WAITING, taken__lt=F("seats_wanted")) & joinable
    if show == "running":
        return Q(status__in=(Status.RUNNING, Status.HELD, Status.PAUSED))
    return Q(status=Status.FINISHED) | Q(status=Status.ABANDONED, started_at__isnull=False)


def games_of(user: Reader, query: ListQuery, joinable: Q | None = None) -> QuerySet[Game]:
    """The games of a list, unordered, annotated with their number of taken seats."""
    return _visible_games(user, query).annotate(taken=Count("seats")).filter(in_section(query.show, joinable or Q()))


def joinable_by(user: Reader) -> Q:
    """The open games that a reader may join and from which no host removed them: three or four queries."""
    if not isinstance(user, User) or user.is_guest or not may_sit_down(user):
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
        & ~unlocks.closed_games(user)
    )


def count_sections(user: Reader, query: ListQuery, joinable: Q) -> dict[str, int]:
    games = _visible_games(user, query).annotate(taken=Count("seats"))
    return games.aggregate(**{show: Count("pk", filter=in_section(show, joinable)) for show in SECTIONS})


def version_of_lobby(user: User) -> str:
    """The lobby's version: the reader's games and seats, their invitations, and the games that look for players."""
    seats = own_seats(user.pk).filter(game__status__in=UNDER_WAY, game__lesson="")
    stand_ins = StandIn.objects.filter(owner=user, ended_at=None)
    games = Game.objects.filter(Q(pk__in=seats.values("game")) | Q(pk__in=stand_ins.values("game")))
    open_games = Game.objects.filter(status=Status.WAITING, is_open=True)
    invited = Game.objects.filter(pk__in=open_invitations().filter(user=user).values("game"))
    return _version_of(games, seats, open_games, invited)


def version_of_list(user: Reader, query: ListQuery) -> str:
    """The version of a list of the site's games."""
    return _version_of(games_of(user, query))


def _version_of(*lists: QuerySet[Any]) -> str:
    """The number of rows of each list and the sum of their versions, which never falls: one query."""
    first, *others = [
        rows.model.objects.filter(pk__in=rows.order_by().values("pk"))
        .order_by()
        .values(index=Value(index))
        .annotate(count=Count("pk"), changes=Sum("version"))
        for index, rows in enumerate(lists)
    ]
    totals = first.union(*others, all=True) if others else first
    return "-".join(sorted(f"{row['index']}.{row['count']}.{row['changes']}" for row in totals))
