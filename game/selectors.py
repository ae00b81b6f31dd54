"""Reads: what the board page shows one reader, in a number of queries that does not grow."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from game.dock import ballots_of
from game.engine import referee
from game.models import Draft, Game, LoggedAction, Seat, Status
from game.models.statements import Lookup
from game.places import Place, places_of
from game.services.moves import STANDING_STILL
from game.stories import Chapter, tell

LOG_ENTRIES = 12  # steps: about a turn; a page with more takes longer for its log than for everything else
Reader = User | AnonymousUser | None


@dataclass(frozen=True)
class History:
    """The course of prices and net worths, for the charts; `opening` prices are those at the end of the turn before."""

    labels: list[str] = field(default_factory=list)
    prices: dict[str, list[int]] = field(default_factory=dict)
    worth: dict[int, list[int]] = field(default_factory=dict)
    opening: dict[str, int] = field(default_factory=dict)


def get_game(*, game_id: int) -> Game | None:
    """A game with the database's time."""
    return _games().get(game_id)


@cache
def _games() -> Lookup[Game]:
    return Lookup(Game.objects.on_the_clock())


def seat_number_of(*, game_id: int, user: Reader) -> int | None:
    """Where somebody sits; None for strangers."""
    if user is None or not user.is_authenticated:
        return None
    return Seat.objects.filter(game_id=game_id, user_id=user.pk).values_list("number", flat=True).first()


def own_seat(*, game_id: int, user: Reader) -> Seat | None:
    """The reader's own seat with its game, for forms and drafts."""
    if user is None or not user.is_authenticated:
        return None
    return Seat.objects.filter(game_id=game_id, user_id=user.pk).first()


def version_of(game: Game, seat: Seat | None) -> str:
    """What a page compares: the public version and the seat's own."""
    return f"{game.version}.{seat.version if seat else 0}"


def board_context(*, game: Game, user: Reader, refusal: str = "", log_before: int | None = None) -> dict[str, Any]:
    """Everything the board page shows this reader."""
    user_id = user.pk if user is not None and user.is_authenticated else None
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("number"))
    seat = next((seat for seat in seats if user_id is not None and seat.user_id == user_id), None)
    number = seat.number if seat else None
    position = game.load_position()
    draft = draft_of(game=game, seat=seat)
    places = places_of(seats, user_id=user_id, states=_states(game, number, draft))
    log, older = read_log(game=game, places=places, seat=number, before=log_before)
    offers = referee.offers(game.rules, position, number) if number is not None and game.is_running else []
    is_asked = number in game.waiting_seats and game.is_running
    return {
        "game": game,
        "seats": places,
        "you": places[number] if number is not None else None,
        "view": game.rules.view(position, number),
        "offers": offers,
        "ballots": ballots_of(position.state, offers),
        "phase_serial": game.phase_serial,
        "deadline": game.deadline_at,
        "draft": draft,
        "refusal": refusal,
        "is_asked": is_asked,
        "standstill": "" if game.status in {Status.RUNNING, Status.FINISHED} else STANDING_STILL[Status(game.status)],
        "version": version_of(game, seat),
        "live_url": f"/games/{game.pk}/",
        "socket_url": f"/ws/games/{game.pk}/",
        "history": history_of(game),
        "log": log,
        "older": older,
        "push": next((line for chapter in log[:1] for line in chapter.entries[-1:]), None),
    }


def read_log(*, game: Game, places: tuple[Place, ...], seat: int | None, before: int | None = None) -> tuple[list[Chapter], int | None]:
    """A page of the log as this seat may read it, newest first, and where the next older page begins."""
    rows = LoggedAction.objects.filter(game=game).exclude(events="", note="").order_by("-number")
    if before is not None:
        rows = rows.filter(number__lt=before)
    page = list(rows.defer("snapshot", "action")[: LOG_ENTRIES + 1])
    older = page[LOG_ENTRIES - 1].number if len(page) > LOG_ENTRIES else None
    entries = page[:LOG_ENTRIES]
    for entry in entries:
        entry.game = game
    flow = game.rules.flow(game.read_options())
    return tell(reversed(entries), flow=flow, names=lambda number: places[number].name, seat=seat), older


def history_of(game: Game) -> History:
    """The stored course as lines; a line that starts late is shorter, one that ended is left out."""
    course = game.course
    if not course:
        return History()
    tickers = course[-1]["prices"]
    return History(
        labels=["Start" if point["turn"] == 0 else str(point["turn"]) for point in course],
        prices={ticker: [point["prices"][ticker] for point in course if ticker in point["prices"]] for ticker in tickers},
        worth={seat: [point["worth"][seat] for point in course] for seat in range(len(course[-1]["worth"]))},
        opening=course[-2]["prices"] if len(course) > 1 else {},
    )


def draft_of(*, game: Game, seat: Seat | None) -> Draft | None:
    """What the seat has saved for the open phase."""
    if seat is None or not game.is_running:
        return None
    return Draft.objects.filter(seat=seat, serial=game.phase_serial).first()


def _states(game: Game, number: int | None, draft: Draft | None) -> list[str]:
    """The seats' states; that one has a draft only its owner knows."""
    states = list(game.seat_states)
    if draft is not None and number is not None and states[number] == "untouched":
        states[number] = "draft"
    return states
