"""What a player may do with a seat, as pages show it: take it back, leave, end the game, fill free seats; and the seats
that stand-ins play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from game.boards.ranks import place_words
from game.deadlines.reliability_model import RESIGNING
from game.engine.events import Names, calling_you, named_to
from game.engine.language import say
from game.engine.phrases import listed
from game.i18n import FULL_DATE, date_words
from game.play import authority
from game.play.proposals import UNDER_WAY, waits_until
from game.seats import takeover
from game.seats.handover import may_be_voted_out
from game.store import eyes, readers
from game.store.badges import SeatBadge
from game.store.case_models import Case
from game.store.eyes import is_invitee
from game.store.game import Game, Keeper, Seat, Status, is_bot_account
from game.store.proposals import SEAT, Proposal, VoteTopic, open_proposal


class CaretakerMessage(NamedTuple):
    """The message to a player whose seat the caretaker plays; `url` takes the seat back, if possible."""

    lead: str
    text: str
    url: str = ""


class SeatActions(NamedTuple):
    """The actions at the foot of a game's page: leave, end the game together, take over a free seat."""

    resign_url: str = ""
    lend_url: str = ""
    end_url: str = ""
    ends_at_once: bool = False
    ending: Ending | None = None
    leavers: tuple[tuple[str, str], ...] = ()  # (player's name, URL to propose voting the seat out)
    free: tuple[tuple[str, str], ...] = ()  # (player's name, URL to take the seat)
    inviting: SubstituteInvitation | None = None
    invited_by: str = ""


class SubstituteInvitation(NamedTuple):
    """Help to fill free seats: their players' names, the link that players of a game by invitation can send, and the
    page on which the host invites people by name."""

    link: str
    names: str
    page_url: str


class Ending(NamedTuple):
    """A proposal to end the game, or to vote `leaver` out: who proposes what, who has agreed, whose answer is missing,
    and until when it is open."""

    lead: str
    agreed: str
    missing: str
    until: datetime
    waits: datetime | None
    leaver: str = ""
    agree_url: str = ""
    revoke_url: str = ""


class StandIn(NamedTuple):
    """A stand-in: who plays a seat for whom, and until when."""

    number: int
    owner_id: int | None
    owner: str
    user_id: int | None
    name: str
    until: datetime

    @property
    def day(self) -> str:
        """The last day, in the reader's language."""
        return day_words(self.until)


class StandInMessage(NamedTuple):
    """The message to a stand-in about the seat that they play; `url` gives it back."""

    text: str
    url: str


def caretaker_message(game: Game, keeper: str) -> CaretakerMessage | None:
    """The message to the player of a seat that the caretaker plays; nobody else sees it."""
    caretaker = game.rules.caretaker
    if not keeper or game.status not in {*UNDER_WAY, Status.HELD}:
        return None
    if keeper == Keeper.RESIGNED:
        text = say("The caretaker plays your seat: {how}.", how=say(caretaker.once_resigned))
        return CaretakerMessage(say("You have resigned."), text)
    text = say(
        "You missed two decisions in a row, so for now {how}. Take it back and you decide again.",
        how=say(caretaker.while_away),
    )
    lead = say("The caretaker plays for you – take your seat back.")
    return CaretakerMessage(lead, text, reverse("take_seat_back", args=[game.pk]))


def seat_actions_of(game: Game, seat: Any, seats: Sequence[Any], *, user: Any) -> SeatActions:
    """The actions of a reader; none before the start, after the end and in a
    copy. `seat` is theirs, if they have one."""
    if game.status not in UNDER_WAY or game.is_copy:
        return SeatActions()
    free = takeover.free_among(game, seats)
    is_host = isinstance(user, User) and authority.is_host(game, user, seats) and not user.is_guest
    inviting = _inviting(game, free, is_host=is_host) if seat is not None or is_host else None
    if seat is None:
        return SeatActions(free=_free(game, free, user), inviting=inviting, invited_by=_inviter(game, free, user))
    is_lent = game.has_stand_in(seat.number)
    ask_url = f"{reverse('report_problem', args=[game.pk])}?kind={Case.Kind.PROXY.value}"
    may_end = open_proposal(game, VoteTopic.ENDING) is None and not seat.keeper and not is_lent
    return SeatActions(
        resign_url="" if is_lent else reverse("resign", args=[game.pk]),
        lend_url="" if is_lent or not game.is_slow or user.is_guest else ask_url,
        end_url=reverse("propose_ending", args=[game.pk]) if may_end else "",
        ends_at_once=_is_alone(game, seat, seats) and Keeper.AWAY not in game.keepers.values(),
        ending=_ending(game, seat, seats),
        leavers=_leavers(game, seats) if may_end else (),
        inviting=inviting,
    )


def resign_context(*, game: Game, seat: Seat) -> dict[str, Any]:
    """Context of the page that explains resigning: who continues, the final place, and what cannot be undone."""
    seats = {each.number: each for each in game.seats.select_related("user")}
    resigned = game.load_position().state.left
    place = len(seats) - len(resigned)
    above = listed(seats[number].shown_name for number in reversed(resigned))
    present = [number for number in game.present_seats if number != seat.number]
    return {
        "game": game,
        "caretaker": say(game.rules.caretaker.once_resigned),
        "place": place_words(place, len(seats), False),
        "above": above,
        "is_last": not present,
        "is_open": game.is_open,
        "weighs": RESIGNING if game.is_open and present else 0,
        "resign_url": reverse("resign", args=[game.pk]),
    }


def day_words(until: datetime) -> str:
    """The day on which a stand-in's time ends, in the reader's language and zone."""
    return date_words(timezone.localtime(until), FULL_DATE)


def stand_ins_of(game: Game) -> tuple[StandIn, ...]:
    """The stand-ins of a game, by seat; one query, or none if there are no stand-ins."""
    if not game.proxies:
        return ()
    people = {entry[role] for entry in game.proxies.values() for role in ("owner", "user")}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    return tuple(
        StandIn(
            int(number), entry["owner"], names.get(entry["owner"], "?"), entry["user"], names.get(entry["user"], "?"),
            datetime.fromisoformat(entry["until"]),
        )
        for number, entry in sorted(game.proxies.items())
    )  # fmt: skip


def with_stand_ins(places: Sequence[SeatBadge], stand_ins: Sequence[StandIn]) -> tuple[SeatBadge, ...]:
    """The seats, each with its stand-in and the end of that time."""
    texts: Mapping[int, str] = {
        each.number: say("for {owner} until {day}", owner=each.owner, day=each.day) for each in stand_ins
    }
    return tuple(
        msgspec.structs.replace(place, stands_in=texts[place.number]) if place.number in texts else place
        for place in places
    )


def message_to_owner(game: Game, stand_ins: Sequence[StandIn], user_id: int | None) -> CaretakerMessage | None:
    """The message to the owner of a seat about their stand-in."""
    own = next((each for each in stand_ins if user_id is not None and each.owner_id == user_id), None)
    if own is None:
        return None
    text = say("Until {day} only {name} sees it. Take it back and you decide again.", day=own.day, name=own.name)
    lead = say("{name} plays for you.", name=own.name)
    if game.is_played_for(own.number):
        lead = say("The caretaker plays for you.")
        text = say(
            "{name}, who plays it for you, missed two decisions in a row. Take it back and you decide again.",
            name=own.name,
        )
    return CaretakerMessage(lead, text, reverse("take_seat_back", args=[game.pk]))


def message_to_stand_in(game: Game, stand_ins: Sequence[StandIn], user_id: int | None) -> StandInMessage | None:
    own = next((each for each in stand_ins if user_id is not None and each.user_id == user_id), None)
    if own is None or game.status not in UNDER_WAY:
        return None
    text = say("You play for {owner} until {day}, in their name.", owner=own.owner, day=own.day)
    return StandInMessage(text, reverse("give_seat_back", args=[game.pk]))


def seats_and_messages(
    game: Game, places: Sequence[SeatBadge], keeper: str, user_id: int | None
) -> tuple[tuple[SeatBadge, ...], dict[str, Any]]:
    """The seats with their stand-ins, and the reader's messages: that somebody, or the caretaker for the reason
    `keeper`, plays for them, or that they play for somebody."""
    stand_ins = stand_ins_of(game)
    messages = {
        "kept": message_to_owner(game, stand_ins, user_id) or caretaker_message(game, keeper),
        "stands_in": message_to_stand_in(game, stand_ins, user_id),
    }
    return with_stand_ins(places, stand_ins), messages


def _inviting(game: Game, free: Sequence[Any], *, is_host: bool) -> SubstituteInvitation | None:
    """Help to find a substitute; not in open games, whose free seats everybody sees, except for the host."""
    if not free or (game.is_open and not is_host):
        return None
    return SubstituteInvitation(
        link="" if game.is_open else eyes.link_to(game.pk),
        names=listed(each.shown_name for each in free),
        page_url=reverse("substitutes", args=[game.pk]) if is_host else "",
    )


def _ending(game: Game, seat: Any, seats: Sequence[Any]) -> Ending | None:
    """The open proposal, with the answers that this seat may give."""
    proposal = open_proposal(game, VoteTopic.ENDING)
    if proposal is None:
        return None
    missing = [number for number in game.present_seats if number not in proposal.agreed]
    waits = waits_until(game, proposal)
    names = {each.number: each.shown_name for each in seats}.__getitem__
    url_args = [game.pk, proposal.number]
    has_agreed = seat.number in proposal.agreed
    decides = not seat.keeper and not game.has_stand_in(seat.number)
    # Once nobody's answer is missing and the waiting time is over, players must agree again to end the game.
    asks_again = not missing and (waits is None or game.now >= waits)
    return Ending(
        lead=_ending_words(proposal, seat.number, names),
        agreed=named_to(seat.number, proposal.agreed, names),
        missing=listed(map(calling_you(seat.number, names), missing)),
        until=proposal.until,
        waits=waits if waits is not None and game.now < waits else None,
        leaver=names(proposal.facts[SEAT]) if SEAT in proposal.facts else "",
        agree_url=reverse("agree_to_ending", args=url_args) if decides and (not has_agreed or asks_again) else "",
        revoke_url=reverse("revoke_ending", args=url_args) if decides and has_agreed else "",
    )


def _ending_words(proposal: Proposal, own: int, names: Names) -> str:
    """The sentence that tells the reader at a seat who proposes what."""
    assert proposal.by is not None, "Players propose endings."
    by, leaver = names(proposal.by), proposal.facts.get(SEAT)
    if leaver is None:
        if proposal.by == own:
            return say("You propose to end the game without a result.")
        return say("{by} proposes to end the game without a result.", by=by)
    if proposal.by == own:
        return say("You propose to vote {leaver} out of the game.", leaver=names(leaver))
    if leaver == own:
        return say("{by} proposes to vote you out of the game.", by=by)
    return say("{by} proposes to vote {leaver} out of the game.", by=by, leaver=names(leaver))


def _free(game: Game, free: Sequence[Any], user: Any) -> tuple[tuple[str, str], ...]:
    """The free seats that this reader may take over."""
    if not free or not isinstance(user, User) or takeover.why_not(game=game, user=user):
        return ()
    return tuple((each.shown_name, reverse("take_seat", args=[game.pk, each.number])) for each in free)


def _inviter(game: Game, free: Sequence[Any], user: Any) -> str:
    """The host, if they invited this reader by name to a free seat; otherwise empty."""
    if not free or not isinstance(user, User) or not is_invitee(game_id=game.pk, user_id=user.pk):
        return ""
    return readers.host_of(game)


def _leavers(game: Game, seats: Sequence[Any]) -> tuple[tuple[str, str], ...]:
    """The seats that the players may vote out."""
    return tuple(
        (each.shown_name, reverse("propose_voting_out", args=[game.pk, each.number]))
        for each in seats
        if may_be_voted_out(game, each)
    )


def _is_alone(game: Game, seat: Any, seats: Sequence[Any]) -> bool:
    """True if no other person is present; like `present_seats`, for seats that were already read."""
    others = [each for each in seats if each.number != seat.number and not is_bot_account(each.shown_name)]
    return all(game.is_played_for(each.number) for each in others)
