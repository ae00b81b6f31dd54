"""A person's page: public facts from games that this reader may open. Never an address, a time zone or a last visit."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet

from accounts.models import User
from game.boards.ranks import place_words
from game.bots.accounts import owner_of
from game.deadlines import reliability_model
from game.engine.phrases import ordinal
from game.lobby.browse_queries import may_open
from game.lobby.game_words import PACES, rules_words, url_of
from game.reputation.rating_reads import standings_of
from game.reputation.reliability import KNOWN_FROM, ledger_of, reliability_of
from game.rulesets.registry import RULESETS
from game.store.game import Game, Keeper, Pace, Seat, Status
from game.store.readers import Reader

PAGE = 20
UNFINISHED = (Status.RUNNING, Status.HELD, Status.PAUSED)
COLUMNS = ("name", "ruleset", "options", "pace", "turn", "deadline_at", "finished_at", "is_open", "seats_wanted")


class GameRow(NamedTuple):
    """A row for one game of the person."""

    name: str
    url: str
    rules: str
    is_private: bool
    turn_words: str
    opponents: str
    place: str
    score: int | None
    ended_at: datetime | None


class Record(NamedTuple):
    """The person's results in the finished games of one ruleset."""

    title: str
    played: int
    won: int
    places: str


def profile_context(*, person: User, reader: Reader, page: int) -> dict[str, Any]:
    """Context of the page for this reader: nine queries for any number of games, ten for one's own page. `page`
    counts from 1."""
    is_you = isinstance(reader, User) and reader.pk == person.pk
    seats = _seats(person, reader)
    finished, tally = seats.filter(game__status=Status.FINISHED), _tally(seats)
    latest = finished.order_by(F("game__finished_at").desc(nulls_last=True), "-game_id")
    finished_count = sum(each["games"] for each in tally if each["game__status"] == Status.FINISHED)
    last_page = max(1, -(-finished_count // PAGE))
    page = min(page, last_page)
    return {
        "page": "profile" if is_you else "",
        "person_shown": person,
        "owner": owner_of(person) or "",
        "is_you": is_you,
        "running": _rows(seats.filter(game__status__in=UNFINISHED).order_by("-game__started_at")[: 2 * PAGE]),
        "finished": _rows(latest[(page - 1) * PAGE : page * PAGE]),
        "finished_count": finished_count,
        "records": _records(tally),
        "paces": _paces(tally),
        "attendance": reliability_of([person.pk]).get(person.pk),
        "known_from": KNOWN_FROM,
        "ledger": ledger_of(person) if is_you else (),
        "counting": reliability_model,
        "ratings": standings_of(person),
        "page_number": page,
        "last_page": last_page,
    }


def games_to_leave(person: User) -> int:
    """How many unfinished games the person plays in."""
    return (
        Seat.objects.filter(user=person, game__status__in=UNFINISHED, game__lesson="")
        .exclude(keeper=Keeper.RESIGNED)
        .count()
    )


def _seats(person: User, reader: Reader) -> QuerySet[Seat]:
    """The person's seats in games that the reader may open."""
    games = Game.objects.filter(may_open(reader), lesson="")
    seats = Seat.objects.filter(Exists(games.filter(pk=OuterRef("game_id"))), user=person)
    return seats.filter(Q(game__status=Status.FINISHED) | ~Q(keeper=Keeper.RESIGNED))


def _tally(seats: QuerySet[Seat]) -> list[dict[str, Any]]:
    """Numbers of games by ruleset, pace, status and place."""
    begun_seats = seats.filter(game__status__in=(*UNFINISHED, Status.FINISHED)).order_by()
    others = Seat.objects.filter(game=OuterRef("game"), user__isnull=False, user__is_bot=False)
    others = others.exclude(pk=OuterRef("pk")).exclude(keeper=Keeper.RESIGNED)
    is_untimed = Q(game__keeps_clock=False) & ~Exists(others)  # as `Game.is_untimed` says
    begun_seats = begun_seats.annotate(is_untimed=ExpressionWrapper(is_untimed, BooleanField()))
    kinds = ("game__ruleset", "game__pace", "is_untimed", "game__status", "place")
    return list(begun_seats.values(*kinds).annotate(games=Count("pk")))


def _records(tally: Iterable[dict[str, Any]]) -> list[Record]:
    places: dict[str, Counter[int]] = defaultdict(Counter)
    for each in tally:
        if each["game__status"] == Status.FINISHED and each["place"] is not None:
            places[each["game__ruleset"]][each["place"]] += each["games"]
    return [
        Record(
            rules.title, counts.total(), counts[1],
            ", ".join(f"{count} × {ordinal(place)}" for place, count in sorted(counts.items())),
        )
        for key, rules in RULESETS.items()
        if (counts := places[key])
    ]  # fmt: skip


def _paces(tally: Iterable[dict[str, Any]]) -> list[tuple[Pace, int]]:
    games_by_pace: Counter[str] = Counter()
    for each in tally:
        games_by_pace[Pace.NO_CLOCK if each["is_untimed"] else each["game__pace"]] += each["games"]
    return [(pace, games_by_pace[pace]) for pace in PACES if games_by_pace[pace]]


def _rows(seats: QuerySet[Seat]) -> Sequence[GameRow]:
    columns = ["number", "place", "score", *(f"game__{name}" for name in COLUMNS)]
    own_seats = list(seats.select_related("game").only("game_id", *columns))
    names_by_game: dict[int, dict[int, str]] = defaultdict(dict)
    places_by_game: dict[int, list[int | None]] = defaultdict(list)
    of_games = Seat.objects.filter(game__in=[seat.game_id for seat in own_seats]).select_related("user")
    for seat in of_games.only("game_id", "number", "name", "place", "user__username"):
        names_by_game[seat.game_id][seat.number] = seat.shown_name
        places_by_game[seat.game_id].append(seat.place)
    return [_game_row(seat, names_by_game[seat.game_id], places_by_game[seat.game_id]) for seat in own_seats]


def _game_row(seat: Seat, names: dict[int, str], places: list[int | None]) -> GameRow:
    game = seat.game
    place = "" if seat.place is None else place_words(seat.place, game.seats_wanted, places.count(seat.place) > 1)
    return GameRow(
        name=game.name,
        url=url_of(game.pk),
        rules=rules_words(game),
        is_private=not game.is_open,
        turn_words=game.rules.turn_words(game.turn),
        opponents=", ".join(name for number, name in names.items() if number != seat.number),
        place=place,
        score=seat.score,
        ended_at=game.finished_at,
    )
