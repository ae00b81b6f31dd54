"""Reads: what the board page shows one reader, in a number of queries that does not grow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from hashlib import blake2b
from secrets import token_urlsafe
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Case, Count, Exists, F, OuterRef, Subquery, When
from django.db.models.functions import Coalesce

from accounts.models import User
from game.boards.coach import Shown, next_note
from game.boards.drafts import shown_of
from game.boards.fields import Filled
from game.boards.lessons import Progress, progress_of
from game.boards.panel import Material, panel_of
from game.boards.registry import board_of
from game.boards.shapes import Received
from game.chat.models import Message, Mute, ReadMark
from game.clock.clock_keeping import clock_of
from game.engine.actions import Refused
from game.engine.language import say, say_as
from game.engine.position import AnyPosition
from game.history.game_log import Chapter, news_of, tell
from game.history.log_pages import LogRow, read_steps
from game.history.outcomes import Happened, happened_to
from game.infra.reads import Rows, slot
from game.infra.statements import Lookup
from game.moderation.rewinding import rewinding_of
from game.outbox.reach import Reach
from game.play import standstill
from game.play.moves import fingerprint_of
from game.reputation.rating_reads import ratings_of_seats, with_ratings
from game.seats.seat_keeping import leave_of
from game.seats.stand_ins import told_of
from game.store import eyes
from game.store.eyes import Eyes
from game.store.game import Game, Seat, Status, name_of_seat
from game.store.log import Draft, LoggedAction
from game.store.looks import look_at
from game.store.seat_badges import SeatBadge, badges_of

OWN_DRAFT = ("pk", "content", "saved_at")
Reader = User | AnonymousUser | None


@dataclass(frozen=True)
class History:
    """The course of prices and net worths, for the charts; `opening` prices are those at the end of the turn before."""

    labels: list[str] = field(default_factory=list)
    prices: dict[str, list[int]] = field(default_factory=dict)
    worth: dict[int, list[int]] = field(default_factory=dict)
    opening: dict[str, int] = field(default_factory=dict)


class SeatRow(NamedTuple):
    """A seat as far as a page needs it: without the person who sits there."""

    pk: int
    number: int
    user_id: int | None
    bot: str
    name: str
    version: int
    keeper: str
    left_at: datetime | None
    username: str | None
    unread: int = 0
    seen_version: int = 0
    seen_at: datetime | None = None
    away_version: int | None = None
    away_at: datetime | None = None

    @property
    def shown_name(self) -> str:
        """The person's name, or the bot's."""
        return name_of_seat(self.username, self.name, self.number)


class ChatLink(NamedTuple):
    """Where a game's chat is, and how many of its messages the reader has not read. A person who plays alone has only
    notes."""

    game_id: int
    unread: int = 0
    is_solo: bool = False

    @property
    def title(self) -> str:
        """What the way there says."""
        return say("Notes") if self.is_solo else say("Chat")

    @property
    def url(self) -> str:
        """Its address."""
        return f"/games/{self.game_id}/notes/" if self.is_solo else f"/games/{self.game_id}/chat/#say"


def get_game(*, game_id: int) -> Game | None:
    """A game with the database's time."""
    return _games().get(game_id)


def game_for(*, game_id: int, user: Reader) -> Game | None:
    """A game, if this reader, who may have no account, may see it. One statement says so, the same for one that there
    is not: nothing of a hidden game is read, and no time tells that it is there."""
    return _visible_games().get(game_id, id_of(user) or 0)


@cache
def _games() -> Lookup[Game]:
    return Lookup(Game.objects.on_the_clock())


@cache
def _visible_games() -> Lookup[Game]:
    return Lookup(Game.objects.on_the_clock().filter(eyes.visible_to(slot(0))))


@cache
def _seats() -> Rows:
    """The seats of a game, and what the reader, who alone is asked about, has not read of its chat."""
    rows = Seat.objects.filter(game_id=slot(0)).order_by("number")
    unread = Case(When(user_id=slot(1), then=unread_of_seat()), default=0)
    own = ("pk", "number", "user_id", "bot", "name", "version", "keeper", "left_at")
    visits = ("seen_version", "seen_at", "away_version", "away_at")
    return Rows(rows.values_list(*own, F("user__username"), unread, *visits))


def unread_of_seat() -> Coalesce:
    """How many messages of the chat the person of a seat has not read: neither own nor muted ones count."""
    reader = OuterRef(OuterRef("user_id"))  # of the seat, two queries further out
    here: dict[str, Any] = {"game_id": OuterRef("game_id"), "user_id": reader}
    read = Coalesce(Subquery(ReadMark.objects.filter(**here).values("number")), 0)
    muted = Mute.objects.filter(**here, muted_id=OuterRef("author_id"))
    fresh = Message.objects.filter(game_id=OuterRef("game_id"), number__gt=read, kind=Message.Kind.SAID)
    others = fresh.exclude(author_id=OuterRef("user_id")).exclude(Exists(muted)).order_by()
    return Coalesce(Subquery(others.values("game_id").annotate(count=Count("pk")).values("count")), 0)


def unread_for(*, game_id: int, user: Reader) -> int:
    """How many messages of a game's chat this reader has not read; strangers have none."""
    user_id = id_of(user)
    if user_id is None:
        return 0
    mine = eyes.own_seats(user_id).filter(game_id=game_id).annotate(unread=unread_of_seat())
    return mine.values_list("unread", flat=True).first() or 0


@cache
def _drafts() -> Rows:
    saved = Draft.objects.in_time().filter(seat_id=slot(0), serial=slot(1)).order_by(*Draft.NEWEST)
    return Rows(saved.values_list(*OWN_DRAFT)[:1])


@cache
def _drafts_and_receipts() -> Rows:
    """What a seat has saved and what it has last sent in a phase, in one statement; to be ready alone is no receipt."""
    saved = Draft.objects.in_time().filter(seat_id=OuterRef("pk"), serial=slot(1)).order_by(*Draft.NEWEST)
    sent = LoggedAction.objects.filter(game_id=OuterRef("game_id"), seat=OuterRef("number"), serial=slot(1)).order_by(
        "-number"
    )
    sent = sent.exclude(token="").exclude(
        fingerprint__in=[fingerprint_of([{"kind": "ready", "on": on}]) for on in (True, False)]
    )
    columns = [
        rows.values(name)[:1] for rows, names in ((saved, OWN_DRAFT), (sent, ("at", "fingerprint"))) for name in names
    ]
    return Rows(Seat.objects.filter(pk=slot(0)).values_list(*(Subquery(column) for column in columns)))


def id_of(user: Reader) -> int | None:
    """The reader's account; visitors have none."""
    return user.pk if user is not None and user.is_authenticated else None


def own_seat(*, game_id: int, user: Reader) -> Seat | None:
    """The reader's own seat with its game, for forms and drafts."""
    user_id = id_of(user)
    return None if user_id is None else eyes.own_seats(user_id).filter(game_id=game_id).first()


def seat_rows_of(*, game_id: int, user: Reader) -> list[SeatRow]:
    """The seats of a game in order; the reader's own says how much of the chat is new."""
    return [SeatRow(*row) for row in _seats()(game_id, id_of(user) or 0)]


def version_of(game: Game, seat: Seat | SeatRow | None) -> str:
    """What a page compares: the public version and the seat's own."""
    return f"{game.version}.{seat.version if seat else 0}"


def board_context(
    *, game: Game, user: Reader, log_before: int | None = None, position: AnyPosition | None = None
) -> dict[str, Any]:
    """Everything the board page shows this reader but the decision panel; `position` is the game's where it is at
    hand."""
    user_id, seats = id_of(user), seat_rows_of(game_id=game.pk, user=user)
    seat, number = eyes.own_among(seats, user_id), eyes.eyes_among(seats, user_id)
    look = look_at(game, number, position)
    draft, received = own_of(game=game, seat=seat, has_sent=look.has_sent)
    badges = badges_of(seats, user_id=user_id, states=_states(game, number, draft))
    places, said = told_of(game, badges, _keeper_of(seats, user_id), user_id)
    return {
        "game": game,
        "board": board_of(game.ruleset),
        **_seats_told(game, seats, places),
        "own_seat": seat,
        "eyes": number,
        "you": places[number] if number is not None else None,
        "look": look,
        "view": look.view,
        "offers": [] if seat and seat.keeper else look.offers,
        **said,
        **_together(game, seat, seats, user),
        "phase_serial": game.phase_serial,
        "deadline": game.deadline_at,
        "is_timed": not game.is_running or game.deadline_at is not None,
        "draft": draft,
        "received": received,
        **_asked(game, seat, user),
        "standstill": "" if game.status == Status.FINISHED else say(standstill.reason_of(game)),
        "version": version_of(game, seat),
        "chat": chat_link(game, seat),
        **_addresses(game),
        "history": history_of(game),
        **_told(game, places, number, look.view, log_before),
    }


def _keeper_of(seats: Sequence[SeatRow], user_id: int | None) -> str:
    """Why the caretaker plays the seat that bears the reader's name, if it does; theirs also when they gave it up."""
    return next((seat.keeper for seat in seats if user_id is not None and seat.user_id == user_id), "")


def _asked(game: Game, seat: SeatRow | None, user: Reader) -> dict[str, Any]:
    """Whether the reader must decide, and whether anything has told them so."""
    is_asked = seat is not None and seat.number in game.waiting_seats and game.is_running and not seat.keeper
    return {"is_asked": is_asked, "reach": Reach(user, game if is_asked else None)}


def _together(game: Game, seat: SeatRow | None, seats: list[SeatRow], user: Reader) -> dict[str, Any]:
    """What players settle between them, beside their decisions."""
    return {
        "leave": leave_of(game, seat, seats, user=user),
        "keeping": clock_of(game, seat, seats),
        "rewinding": rewinding_of(game, seat, seats),
    }


def _addresses(game: Game) -> dict[str, str]:
    """Where the page fetches and hears what is new."""
    return {"live_url": f"/games/{game.pk}/", "socket_url": f"/ws/games/{game.pk}/"}


def _seats_told(game: Game, seats: list[SeatRow], places: tuple[SeatBadge, ...]) -> dict[str, Any]:
    """The seats, in a rated game with ratings."""
    ratings = ratings_of_seats(game, seats)
    return {"seats": with_ratings(places, ratings), "ratings": ratings}


def _told(
    game: Game, places: tuple[SeatBadge, ...], seat: Eyes | None, view: Any, before: int | None
) -> dict[str, Any]:
    """The log, and on its newest page what happened last and to the reader since their last decision."""
    steps, older = read_steps(game=game, before=before)
    log, is_newest = _chapters(steps, game, places, seat), before is None
    return {
        "log": log,
        "older": older,
        "push": news_of(log) if is_newest else None,
        "latest": log[0] if log and is_newest else None,
        "happened": _happened(steps, game, places, seat, view) if is_newest and seat is not None else None,
    }


def _happened(steps: list[LogRow], game: Game, places: tuple[SeatBadge, ...], seat: Eyes, view: Any) -> Happened | None:
    names, board = [place.name for place in places], board_of(game.ruleset)
    return happened_to(steps, game=game, board=board, seat=seat, names=names.__getitem__, view=view)


def chat_link(game: Game, seat: SeatRow | None) -> ChatLink | None:
    """The way to the chat and how much of it is new, for those who may read any of it."""
    if seat is None and not (game.is_open and game.status == Status.FINISHED):
        return None
    return ChatLink(game.pk, seat.unread if seat else 0, seat is not None and game.is_solo)


def panel_context(
    context: Mapping[str, Any],
    *,
    user: Reader,
    filled: Filled | None = None,
    refused: Refused | None = None,
    message: str = "",
) -> dict[str, Any]:
    """The decision panel of the reader, from what `board_context` found; `filled` is a form that was sent back."""
    draft = context["draft"]
    material = Material(
        board=context["board"],
        view=context["view"],
        seats=context["seats"],
        offers=context["offers"],
        draft=draft.content if draft else None,
        saved_at=draft.saved_at if draft else None,
        received=context["received"],
        deadline=context["deadline"],
        is_timed=context["is_timed"],
        filled=filled,
        refusal=refused,
        message=message,
        token=token_urlsafe(16),
        stays_ready=bool(filled.get("ready")) if filled else bool(getattr(user, "stays_ready", False)),
    )
    return {"panel": panel_of(material), "note": note_for(context, user), "lesson": lesson_for(context)}


def lesson_for(context: Mapping[str, Any]) -> Progress | None:
    """How far the lesson on the page has come."""
    game = context["game"]
    lessons, view = context["board"].lessons, context["view"]
    return progress_of(lessons, game.lesson, view, is_learnt=game.is_learnt) if game.lesson else None


def note_for(context: Mapping[str, Any], user: Reader) -> Shown | None:
    """What a newcomer is told beside the decision that is open."""
    phase = context["view"].phase
    if not context["is_asked"] or context["game"].lesson or phase is None or not isinstance(user, User):
        return None
    return next_note(context["board"].notes, phase.name, user.notes_seen, context["game"].ruleset)


def read_log(
    *, game: Game, places: tuple[SeatBadge, ...], seat: Eyes | None, before: int | None = None
) -> tuple[list[Chapter], int | None]:
    """A page of the log as this seat may read it, newest first, and the public version before which the next older page
    begins."""
    steps, older = read_steps(game=game, before=before)
    return _chapters(steps, game, places, seat), older


def _chapters(steps: list[LogRow], game: Game, places: tuple[SeatBadge, ...], seat: Eyes | None) -> list[Chapter]:
    flow = game.rules.flow(game.read_options())
    return tell(reversed(steps), flow=flow, names=[place.name for place in places], seat=seat)


def history_of(game: Game) -> History:
    """The stored course as lines."""
    return history_of_course(game.course)


def history_of_course(course: Sequence[Mapping[str, Any]]) -> History:
    """A course as lines; a line that starts late is shorter, one that ended is left out."""
    if not course:
        return History()
    tickers = course[-1]["prices"]
    return History(
        labels=[str(point["turn"]) if point["turn"] else say_as("moment", "Start") for point in course],
        prices={
            ticker: [point["prices"][ticker] for point in course if ticker in point["prices"]] for ticker in tickers
        },
        worth={seat: [point["worth"][seat] for point in course] for seat in range(len(course[-1]["worth"]))},
        opening=course[-2]["prices"] if len(course) > 1 else {},
    )


def draft_of(*, game: Game, seat: Seat | SeatRow | None) -> Draft | None:
    """What the seat has saved for the open phase."""
    if seat is None or not game.is_running:
        return None
    found = _drafts()(seat.pk, game.phase_serial)
    return _shown(game, *found[0]) if found else None


def own_of(*, game: Game, seat: SeatRow | None, has_sent: bool) -> tuple[Draft | None, Received | None]:
    """The seat's draft and the receipt of what it has sent, both of the open phase."""
    if seat is None or not game.is_running or not has_sent:
        return draft_of(game=game, seat=seat), None
    pk, content, saved_at, at, fingerprint = _drafts_and_receipts()(seat.pk, game.phase_serial)[0]
    draft = _shown(game, pk, content, saved_at) if pk else None
    return draft, Received(at, receipt_number(seat.pk, at, fingerprint)) if at else None


def _shown(game: Game, pk: int, content: Any, saved_at: datetime) -> Draft | None:
    """A draft with what the open phase's form shows of it; none where the phase does not take it."""
    shown = shown_of(game.rules, game.phase, content)
    if shown is None:
        return None
    return Draft.from_db(connection.alias, ("id", "content", "saved_at"), (pk, shown, saved_at))


def receipt_number(seat: int, at: datetime, fingerprint: str) -> str:
    """Four digits made from what is stored: who submitted, when, and what. They say nothing about the others'
    submissions."""
    return blake2b(f"{seat}/{at.timestamp()}/{fingerprint}".encode(), digest_size=2).hexdigest().upper()


def _states(game: Game, number: int | None, draft: Draft | None) -> list[str]:
    """The seats' states; that one has a draft only its owner knows."""
    states = list(game.seat_states)
    if draft is not None and number is not None and states[number] == "untouched":
        states[number] = "draft"
    return states
