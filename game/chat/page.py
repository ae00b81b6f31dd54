"""The chat page for one reader, in a constant number of queries, and the seats of a game with the reader's unread
messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any, NamedTuple

from django.db.models import Case, Count, Exists, F, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from game.chat import rules
from game.chat.models import LONGEST_MESSAGE, LONGEST_NOTES, Chat, Message, Mute, Notebook, ReadMark
from game.chat.reading import notebook_of
from game.chat.rules import Access, Part, Reader, parts_of
from game.chat.writing import FORMER_PLAYER, emails_mentions, moment_words, reads_chat
from game.engine.language import mark, say, say_as
from game.infra.compiled import CompiledQuery
from game.store import eyes
from game.store.badges import SeatBadge, badges_of
from game.store.game import Game, Seat, Status
from game.store.readers import SeatRow, id_of, own_seat, seats_of

PAGE_SIZE = 50
Table = dict[int, SeatBadge]
SWITCH_TEXTS = {Message.Kind.OFF: mark("switched the chat off."), Message.Kind.ON: mark("switched the chat on again.")}
FOR_PLAYERS = mark("Only the players of this game can read it. Each message goes to all of them.")
FOR_ALL = mark("The game is over: everybody on this site can read what is written from now on.")
FOR_READERS = mark("What the players wrote after the end. Only the players can read the chat of the game itself.")


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


class Line(NamedTuple):
    """One message as it is printed. `badge` is its author's seat, if they still play."""

    message: Message
    name: str
    badge: SeatBadge | None
    parts: Sequence[Part]
    is_own: bool
    is_to_you: bool
    is_new: bool
    switched: str


@dataclass(frozen=True)
class Moment:
    """The messages of one phase of the game."""

    title: str
    lines: list[Line]


class Neighbour(NamedTuple):
    """Another person at the table, whom the reader may mute and mention."""

    badge: SeatBadge
    is_muted: bool


def unread_of_seat() -> Coalesce:
    """The number of unread messages of a seat's player, without their own and muted ones."""
    reader = OuterRef(OuterRef("user_id"))  # the seat of the query two levels further out
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
    return [SeatRow(*row) for row in _seats.rows(game_id, id_of(user) or 0)]


def chat_link(game: Game, seat: SeatRow | None) -> ChatLink | None:
    """The chat's link with the unread messages, for those who may read any of it."""
    has_only_notes = game.is_solo and bool(game.device_seats)  # of which there are none at one device
    if has_only_notes or (seat is None and not (game.is_open and game.status == Status.FINISHED)):
        return None
    return ChatLink(game.pk, seat.unread if seat else 0, seat is not None and game.is_solo)


def chat_context(
    *, game: Game, user: Reader, before: int | None = None, text: str = "", refusal: str = ""
) -> dict[str, Any]:
    """The context of the chat page for this reader; `text` is a rejected message."""
    access = rules.access_to(game=game, user=user)
    table = _table(game, access)
    muted, read_number = muted_by(game, access), read_mark(game, access)
    newest = list(messages_for(game, access, muted, before)[: PAGE_SIZE + 1])
    page_messages, older = newest[:PAGE_SIZE][::-1], newest[PAGE_SIZE - 1].number if len(newest) > PAGE_SIZE else None
    new_after = read_number if access.is_player and before is None else None
    return notes_of(game, notebook_of(game_id=game.pk, user=user, is_player=access.is_player)) | {
        "access": access,
        "moments": _moments(game, page_messages, table, access, new_after),
        "older": older,
        "is_older": before is not None,
        "newest": page_messages[-1].number if page_messages else 0,
        "neighbours": [Neighbour(badge, user in muted) for user, badge in table.items() if not badge.is_you],
        "readers": say(_who_can_read(game, access)),
        "may_switch": access.is_player and access.user is not None and game.host_id == access.user.pk,
        "text": text,
        "refusal": refusal,
        "token": token_urlsafe(16),
        "most": LONGEST_MESSAGE,
        "is_mailed": emails_mentions(game),
        "chat": ChatLink(game.pk),
        "version": version_of(access.chat, game),
        "live_url": f"/games/{game.pk}/chat/",
        "socket_url": f"/ws/games/{game.pk}/",
    }


def notes_context(
    *, game: Game, user: Reader, text: str | None = None, refusal: str = "", revision: int | None = None
) -> dict[str, Any]:
    """The reader's own notes; `text` and `revision` are a submission that was not saved."""
    is_player = own_seat(game_id=game.pk, user=user) is not None
    context = notes_of(game, notebook_of(game_id=game.pk, user=user, is_player=is_player))
    context["chat"] = ChatLink(game.pk, is_solo=game.is_solo) if is_player else None
    if text is not None:
        context["notes_text"] = text
    return context | ({"notes_refusal": refusal, "notes_revision": revision} if refusal else {})


def notes_of(game: Game, book: Notebook | None) -> dict[str, Any]:
    """A notebook as the page prints it; empty without one."""
    return {
        "page": "chat",
        "tab": "chat",
        "game": game,
        "notebook": book,
        "notes_text": book.text if book else "",
        "notes_refusal": "",
        "notes_revision": book.revision if book else 0,
        "most_notes": LONGEST_NOTES,
    }


def version_of(chat: Chat, game: Game) -> str:
    """The version of the chat page: the chat's own and the game's."""
    return f"{chat.version}.{game.version}"


def messages_for(game: Game, access: Access, muted: set[int], before: int | None = None) -> QuerySet[Message]:
    """The messages this reader may read, newest first."""
    messages = Message.objects.filter(game=game).select_related("author").order_by("-number")
    if not access.is_player:
        messages = messages.filter(is_after=True) if access.is_reader else messages.none()
    if before is not None:
        messages = messages.filter(number__lt=before)
    return messages.exclude(kind=Message.Kind.SAID, author_id__in=muted) if muted else messages


def muted_by(game: Game, access: Access) -> set[int]:
    """The users whose messages this reader hides in this game."""
    if access.user is None:
        return set()
    return set(Mute.objects.filter(game=game, user=access.user).values_list("muted_id", flat=True))


def read_mark(game: Game, access: Access) -> int:
    """The number of the last message this reader has read."""
    if access.user is None:
        return 0
    return ReadMark.objects.filter(game=game, user=access.user).values_list("number", flat=True).first() or 0


@CompiledQuery
def _seats(game_id: int, user_id: int) -> QuerySet[Seat, Any]:
    """The seats of a game, with unread messages counted for the reader only."""
    seats = Seat.objects.filter(game_id=game_id).order_by("number")
    unread = Case(When(user_id=user_id, then=unread_of_seat()), default=0)
    seat_columns = ("pk", "number", "user_id", "bot", "name", "version", "keeper", "left_at")
    visit_columns = ("seen_version", "seen_at", "away_version", "away_at", "device")
    return seats.values_list(*seat_columns, F("user__username"), unread, *visit_columns)


def _table(game: Game, access: Access) -> Table:
    """The badges of the players by user key. Bots neither write nor are mentioned."""
    seats = seats_of(game)
    badges = badges_of(seats, ruleset=game.ruleset, user_id=access.user.pk if access.user else None)
    return {seat.user_id: badge for seat, badge in zip(seats, badges, strict=True) if seat.user_id and reads_chat(seat)}


def _moments(
    game: Game, messages: Sequence[Message], table: Table, access: Access, new_after: int | None
) -> list[Moment]:
    """The messages, grouped by moment."""
    moments: list[Moment] = []
    for message in messages:
        title = moment_words(message, game)
        if not moments or moments[-1].title != title:
            moments.append(Moment(title, []))
        moments[-1].lines.append(_message_line(message, table, access, new_after))
    return moments


def _message_line(message: Message, table: Table, access: Access, new_after: int | None) -> Line:
    own_number = access.seat.number if access.seat else None
    is_own = access.user is not None and message.author_id == access.user.pk
    parts = parts_of(message.text, [(badge.number, badge.name) for badge in table.values()])
    return Line(
        message=message,
        name=message.author.username if message.author else say_as("seat", FORMER_PLAYER),
        badge=table.get(message.author_id) if message.author_id else None,
        parts=parts,
        is_own=is_own,
        is_to_you=own_number is not None and any(part.seat == own_number for part in parts),
        is_new=new_after is not None and message.number > new_after and not is_own,
        switched=say(SWITCH_TEXTS.get(Message.Kind(message.kind), "")),
    )


def _who_can_read(game: Game, access: Access) -> str:
    """The sentence on who can read a message that is written now."""
    if not access.is_player:
        return FOR_READERS
    return FOR_ALL if game.is_open and game.status == Status.FINISHED else FOR_PLAYERS
