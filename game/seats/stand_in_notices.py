"""Notices to a seat's player and their proxy that the proxy's time starts, until when, and that it is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from accounts.models import User
from accounts.quiet_hours import zone_of
from game.i18n import LONG_DAY, date_words
from game.outbox import recording
from game.play import stand_in_seats
from game.store.game import Game, Seat
from game.store.log import Notice
from game.store.stand_in_models import Proxy

Kind = Notice.Kind
BEGINS = {Kind.PROXIED: "owner", Kind.STANDS_IN: "user"}
ENDS = {Kind.RETURNED: "owner", Kind.STOOD_IN: "user"}
"""Kinds of notices, and which of the two gets each."""
BY_THEMSELVES = {Proxy.End.OWNER: Kind.RETURNED, Proxy.End.GIVEN_BACK: Kind.STOOD_IN}
"""Notices that are not sent, because their reader ended it and knows."""
AS_STRANGER = frozenset({Kind.REPLACED, Kind.PROXIED, Kind.KEPT, Kind.STOOD_IN, Kind.INVITED})
"""Kinds for people whose seat it is not at present."""


class Standing(NamedTuple):
    """Who plays, for whom, and until when, in the reader's zone; after the end only the owner's name is set."""

    name: str
    owner: str
    until: str


def tell_of_begin(proxy: Proxy) -> None:
    """Notify both, at every pace of the game."""
    _notify(proxy, list(BEGINS))


def tell_of_end(proxy: Proxy, end: Proxy.End) -> None:
    """Notify both, except the person who ended it. At the end of the game nobody is notified."""
    if end != Proxy.End.GAME_OVER:
        _notify(proxy, [kind for kind in ENDS if kind != BY_THEMSELVES.get(end)])


def is_meant(notice: Notice) -> bool:
    """True if a notice still concerns its reader, by the current state of the seat."""
    kind, game, seat, reader = Kind(notice.kind), notice.game, notice.seat, notice.user_id
    if kind in {Kind.ENDING, Kind.REWIND}:
        return stand_in_seats.owner_of(game, seat) == reader and not seat.bot
    if is_strange(notice) == (kind not in AS_STRANGER):
        return False
    if kind in {Kind.PROXIED, Kind.KEPT}:
        return game.seat_owned_by(reader) == seat.number
    return kind != Kind.STANDS_IN or game.seat_stood_in_by(reader) == seat.number


def is_strange(notice: Notice) -> bool:
    """True if the seat belongs to somebody else now, so that only notices for strangers apply."""
    return notice.seat.user_id != notice.user_id or bool(notice.seat.bot)


def standing_of(notice: Notice, seats: Sequence[Seat]) -> Standing | None:
    """The facts for an email about a proxy; None for other notices."""
    if notice.kind not in {*BEGINS, *ENDS, Kind.KEPT}:
        return None
    name = next(seat.shown_name for seat in seats if seat.number == notice.seat.number)
    if notice.kind in ENDS:
        return Standing("", name, "")
    game, number = notice.game, notice.seat.number
    until = date_words(stand_in_seats.until_of(game, number).astimezone(zone_of(notice.user)), LONG_DAY)
    return Standing(name, _owner_name(game, number), until)


def _owner_name(game: Game, number: int) -> str:
    owner = User.objects.filter(pk=game.proxies[str(number)]["owner"]).first()
    return owner.username if owner else ""


def _notify(proxy: Proxy, kinds: Sequence[Notice.Kind]) -> None:
    game, role_of_kind = proxy.game, BEGINS | ENDS
    seat = Seat.objects.select_related("user").get(game=game, number=proxy.number)
    for kind in kinds:
        reader = getattr(proxy, f"{role_of_kind[kind]}_id")
        if reader is not None:
            recording.notify(game=game, people=[(seat, reader)], kind=kind, serial=proxy.pk, due_at=game.now)
