"""The seats of a game as its pages read them, with the reader's unread messages."""

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
    """The link to a game's chat, and the number of unread messages. A person who plays alone has only notes."""

    game_id: int
    unread: int = 0
    is_solo: bool = False

    @property
    def title(self) -> str:
        """The text of the link."""
        return say("Notes") if self.is_solo else say("Chat")

    @property
    def url(self) -> str:
        return f"/games/{self.game_id}/notes/" if self.is_solo else f"/games/{self.game_id}/chat/#say"


@cache
def _seat_rows() -> Rows:
    """The seats of a game, with unread messages counted for the reader only."""
    seats = Seat.objects.filter(game_id=slot(0)).order_by("number")
    unread = Case(When(user_id=slot(1), then=unread_of_seat()), default=0)
    seat_columns = ("pk", "number", "user_id", "bot", "name", "version", "keeper", "left_at")
    visit_columns = ("seen_version", "seen_at", "away_version", "away_at")
    return Rows(seats.values_list(*seat_columns, F("user__username"), unread, *visit_columns))


def unread_of_seat() -> Coalesce:
    """The number of unread messages of a seat's player, without their own and muted ones."""
    reader = OuterRef(OuterRef("user_id"))  # of the seat, two queries further out
    of_reader: dict[str, Any] = {"game_id": OuterRef("game_id"), "user_id": reader}
    read_number = Coalesce(Subquery(ReadMark.objects.filter(**of_reader).values("number")), 0)
    muted = Mute.objects.filter(**of_reader, muted_id=OuterRef("author_id"))
    new_messages = Message.objects.filter(game_id=OuterRef("game_id"), number__gt=read_number, kind=Message.Kind.SAID)
    countable = new_messages.exclude(author_id=OuterRef("user_id")).exclude(Exists(muted)).order_by()
    return Coalesce(Subquery(countable.values("game_id").annotate(count=Count("pk")).values("count")), 0)


def unread_for(*, game_id: int, user: Reader) -> int:
    """The number of unread messages of this reader in a game's chat; 0 for strangers."""
    user_id = id_of(user)
    if user_id is None:
        return 0
    own_seat_rows = eyes.own_seats(user_id).filter(game_id=game_id).annotate(unread=unread_of_seat())
    return own_seat_rows.values_list("unread", flat=True).first() or 0


def seat_rows_of(*, game_id: int, user: Reader) -> list[SeatRow]:
    """The seats of a game in order; the reader's own has the number of unread messages."""
    return [SeatRow(*row) for row in _seat_rows()(game_id, id_of(user) or 0)]


def chat_link(game: Game, seat: SeatRow | None) -> ChatLink | None:
    """The chat's link with the unread messages, for those who may read any of it."""
    if seat is None and not (game.is_open and game.status == Status.FINISHED):
        return None
    return ChatLink(game.pk, seat.unread if seat else 0, seat is not None and game.is_solo)
