"""The seats of a game as its pages read them, with what their players have not read of its chat."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from django.db.models import Case, Count, Exists, F, OuterRef, Subquery, When
from django.db.models.functions import Coalesce

from game.chat.models import Message, Mute, ReadMark
from game.engine.language import say
from game.infra.reads import Rows, slot
from game.store import eyes
from game.store.game import Game, Seat, Status
from game.store.readers import Reader, SeatRow, id_of


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


def seat_rows_of(*, game_id: int, user: Reader) -> list[SeatRow]:
    """The seats of a game in order; the reader's own says how much of the chat is new."""
    return [SeatRow(*row) for row in _seats()(game_id, id_of(user) or 0)]


def chat_link(game: Game, seat: SeatRow | None) -> ChatLink | None:
    """The way to the chat and how much of it is new, for those who may read any of it."""
    if seat is None and not (game.is_open and game.status == Status.FINISHED):
        return None
    return ChatLink(game.pk, seat.unread if seat else 0, seat is not None and game.is_solo)
