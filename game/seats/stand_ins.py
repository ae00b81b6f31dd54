"""Stand-ins: by a moderator's decision, a person temporarily plays a seat for its owner. They see what the seat sees,
get its emails and decide; results and rating stay with the owner, and misses in that time are excused. Both get notices
when it begins and ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import User
from accounts.quiet_hours import zone_of
from game.engine.actions import Refused
from game.i18n import LONG_DAY, date_words
from game.live import announce
from game.outbox import notices
from game.play import attendance, door, moves, proposals, tenures
from game.seats import handover
from game.store import account_locks, availability
from game.store.game import BEGUN, Game, Seat, Status
from game.store.log import Kind, Notice
from game.store.log_notes import Sentence
from game.store.proposals import TOPICS_OF_TIME
from game.store.readers import find_seat, note_bots
from game.store.seat_models import StandIn, Tenure

NoticeKind = Notice.Kind
BEGINS = {NoticeKind.PROXIED: "owner", NoticeKind.STANDS_IN: "user"}
ENDS = {NoticeKind.RETURNED: "owner", NoticeKind.STOOD_IN: "user"}
"""Kinds of notices, and which of the two gets each."""
NOTICES_TO_ENDER = {StandIn.End.OWNER: NoticeKind.RETURNED, StandIn.End.GIVEN_BACK: NoticeKind.STOOD_IN}
"""Notices that are not sent, because their reader ended it and knows."""
SEATS_A_ROUND = 50
NOTES_BY_ENDER = {StandIn.End.OWNER: Sentence.PROXY_OWNER_BACK, StandIn.End.GIVEN_BACK: Sentence.PROXY_GAVE_BACK}
"""The log note if one of the two ended it."""


class StandInFacts(NamedTuple):
    """Facts of a stand-in: who plays, for whom, and until when, in the reader's zone; after the end only the owner's
    name is set."""

    name: str
    owner: str
    until: str


def notify_begin(stand_in: StandIn) -> None:
    """Notify both, at every pace of the game."""
    _notify(stand_in, list(BEGINS))


def notify_end(stand_in: StandIn, end: StandIn.End) -> None:
    """Notify both, except the person who ended it. At the end of the game nobody is notified."""
    if end != StandIn.End.GAME_OVER:
        _notify(stand_in, [kind for kind in ENDS if kind != NOTICES_TO_ENDER.get(end)])


def facts_of(notice: Notice, seats: Sequence[Seat]) -> StandInFacts | None:
    """The facts for an email about a stand-in; None for other notices."""
    if notice.kind not in {*BEGINS, *ENDS, NoticeKind.KEPT}:
        return None
    name = next(seat.shown_name for seat in seats if seat.number == notice.seat.number)
    if notice.kind in ENDS:
        return StandInFacts("", name, "")
    game, number = notice.game, notice.seat.number
    until = date_words(tenures.until_of(game, number).astimezone(zone_of(notice.user)), LONG_DAY)
    owner = User.objects.filter(pk=game.proxies[str(number)]["owner"]).first()
    return StandInFacts(name, owner.username if owner else "", until)


@transaction.atomic
def reclaim_seat(*, game_id: int, user: User) -> Seat:
    """Take one's seat back from the caretaker or a stand-in; a second call changes nothing. Raises `Refused`."""
    game = moves.lock(game_id)
    number = game.seat_owned_by(user.pk) if game else None
    if game is None or number is None:
        return attendance.reclaim_seat(game_id=game_id, user=user)
    account_locks.lock_free_account(user)
    return _end(game, number, StandIn.End.OWNER)


@transaction.atomic
def give_back(*, game_id: int, user: User) -> None:
    """Stop playing another player's seat. Raises `Refused`."""
    game = moves.lock(game_id)
    number = game.seat_stood_in_by(user.pk) if game else None
    if game is None or number is None:
        raise Refused("You do not play for another player in this game.", code="not_seated")
    _end(game, number, StandIn.End.GIVEN_BACK)


def due_seats() -> list[tuple[int, int]]:
    """Game and number of the seats whose stand-in's time is over, or whose game has ended."""
    is_over = Q(until__lte=Now()) | Q(game__status__in=(Status.FINISHED, Status.ABANDONED))
    rows = StandIn.objects.filter(is_over, ended_at=None).order_by("until").values_list("game_id", "number")
    return list(rows[:SEATS_A_ROUND])


@transaction.atomic
def end_all_of(user: User) -> list[int]:
    """End all stand-ins by or for an account that is closing. Returns all games in which there ever was one, in
    order."""
    own_stand_ins = StandIn.objects.filter(Q(owner=user) | Q(user=user)).order_by("game_id")
    open_seats = list(own_stand_ins.filter(ended_at=None).values_list("game_id", "number"))
    for game_id, number in open_seats:
        game = moves.lock(game_id)
        if game is not None and game.has_stand_in(number):
            _end(game, number, StandIn.End.CLOSED)
    return sorted(set(own_stand_ins.values_list("game_id", flat=True)))


@transaction.atomic
def end_due(*, game_id: int, number: int) -> None:
    """End one stand-in that is due, unless that has been done. A game that another process has locked is skipped."""
    game = moves.lock(game_id, waits=False)
    if game is None or not game.has_stand_in(number):
        return
    if game.status not in BEGUN or tenures.until_of(game, number) <= game.now:
        _end(game, number, StandIn.End.EXPIRED if game.status in BEGUN else StandIn.End.GAME_OVER)


def settle(game: Game, number: int) -> None:
    """Update clock, votes on pauses and notices for the person who now plays the seat: their hours apply, misses in a
    row are reset, and they are notified of open decisions."""
    proposals.forget_votes(game, number, TOPICS_OF_TIME)
    old_availability = game.availability
    Tenure.objects.filter(game=game, number=number, ended_at=None).update(in_a_row=0)
    note_bots(game)
    availability.copy_to(game)
    handover.fit_clock(game, has_availability=bool(old_availability or game.availability), is_left=False)
    door.write(game)
    attendance.resume_if_attended(game=game)
    if game.status in BEGUN:
        notices.notify_new_owner(game=game, seat=find_seat(game, number))
    announce.game_changed(game)


def _notify(stand_in: StandIn, kinds: Sequence[Notice.Kind]) -> None:
    game, role_of_kind = stand_in.game, BEGINS | ENDS
    seat = Seat.objects.select_related("user").get(game=game, number=stand_in.number)
    for kind in kinds:
        reader = getattr(stand_in, f"{role_of_kind[kind]}_id")
        if reader is not None:
            notices.notify(game=game, people=[(seat, reader)], kind=kind, serial=stand_in.pk)


def _end(game: Game, number: int, end: StandIn.End) -> Seat:
    name = find_seat(game, number).shown_name
    stand_in = tenures.return_seat(game, number, end)
    seat = find_seat(game, number)
    note = NOTES_BY_ENDER.get(end, Sentence.PROXY_OVER)(name=name, was=seat.shown_name)
    door.write_note(game=game, kind=Kind.KEEPER, seat=number, note=note)
    settle(game, number)
    notify_end(stand_in, end)
    return seat
