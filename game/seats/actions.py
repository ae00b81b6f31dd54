"""What a player may do with a seat, as pages show it: take it back, leave, end the game, fill free seats."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.urls import reverse

from accounts.models import User
from game.deadlines.reliability_model import RESIGNING
from game.engine.language import say
from game.engine.phrases import listed
from game.seats import takeover
from game.seats.voters import PLAYED, present_seats, waits_until
from game.store import access, readers
from game.store.badges import place_words
from game.store.case_models import Case
from game.store.eyes import is_invitee
from game.store.game import Game, Keeper, Seat, Status, is_bot_account


class Kept(NamedTuple):
    """The message to a player whose seat the caretaker plays; `url` takes the seat back, if possible."""

    lead: str
    text: str
    url: str = ""


class Leave(NamedTuple):
    """The actions at the foot of a game's page: leave, end the game together, take over a free seat."""

    resign_url: str = ""
    lend_url: str = ""
    end_url: str = ""
    ends_at_once: bool = False
    ending: Ending | None = None
    free: tuple[tuple[str, str], ...] = ()  # (player's name, URL to take the seat)
    inviting: Inviting | None = None
    invited_by: str = ""


class Inviting(NamedTuple):
    """Help to fill free seats: their players' names, the link that players of a game by invitation can send, and the
    page on which the host invites people by name."""

    link: str
    names: str
    page_url: str


class Ending(NamedTuple):
    """A proposal to end the game: its proposer, who has agreed, whose answer is missing, and until when it is open."""

    by: str
    agreed: str
    missing: str
    until: datetime
    waits: datetime | None
    agree_url: str = ""
    revoke_url: str = ""


def kept_of(game: Game, keeper: str) -> Kept | None:
    """The message to the player of a seat that the caretaker plays; nobody else sees it."""
    caretaker = game.rules.caretaker
    if not keeper or game.status not in {*PLAYED, Status.HELD}:
        return None
    if keeper == Keeper.RESIGNED:
        text = say("The caretaker plays your seat: {how}.", how=say(caretaker.once_resigned))
        return Kept(say("You have resigned."), text)
    text = say(
        "You missed two decisions in a row, so for now {how}. Take it back and you decide again.",
        how=say(caretaker.while_away),
    )
    lead = say("The caretaker plays for you – take your seat back.")
    return Kept(lead, text, reverse("take_seat_back", args=[game.pk]))


def leave_of(game: Game, seat: Any, seats: Sequence[Any], *, user: Any) -> Leave:
    """The actions of a reader; none before the start and after the end. `seat` is theirs, if they have one."""
    if game.status not in PLAYED:
        return Leave()
    free = [each for each in seats if takeover.is_free(game, each, game.now)]
    is_host = isinstance(user, User) and user.pk == game.host_id and not user.is_guest
    inviting = _inviting(game, free, is_host=is_host) if seat is not None or is_host else None
    if seat is None:
        return Leave(free=_free(game, free, user), inviting=inviting, invited_by=_inviter(game, free, user))
    names, is_lent = {each.number: each.shown_name for each in seats}, game.has_proxy(seat.number)
    may_end = game.open_ending is None and not seat.keeper and not is_lent
    return Leave(
        resign_url="" if is_lent else reverse("resign", args=[game.pk]),
        lend_url="" if is_lent or not game.is_slow or user.is_guest else _lend_url(game),
        end_url=reverse("propose_ending", args=[game.pk]) if may_end else "",
        ends_at_once=_is_alone(game, seat, seats) and Keeper.AWAY not in game.keepers.values(),
        ending=_ending(game, seat, names),
        inviting=inviting,
    )


def _is_alone(game: Game, seat: Any, seats: Sequence[Any]) -> bool:
    """True if no other person is present; like `present_seats`, for seats that were already read."""
    others = [each for each in seats if each.number != seat.number and not is_bot_account(each.shown_name)]
    return all(game.is_played_for(each.number) for each in others)


def _inviting(game: Game, free: Sequence[Any], *, is_host: bool) -> Inviting | None:
    """Help to find a substitute; not in open games, whose free seats everybody sees, except for the host."""
    if not free or (game.is_open and not is_host):
        return None
    return Inviting(
        link="" if game.is_open else access.link_to(game.pk),
        names=listed(each.shown_name for each in free),
        page_url=reverse("substitutes", args=[game.pk]) if is_host else "",
    )


def _inviter(game: Game, free: Sequence[Any], user: Any) -> str:
    """The host, if they invited this reader by name to a free seat; otherwise empty."""
    if not free or not isinstance(user, User) or not is_invitee(game_id=game.pk, user_id=user.pk):
        return ""
    return readers.host_of(game)


def _lend_url(game: Game) -> str:
    """The URL of the form that asks the moderators for a stand-in."""
    return f"{reverse('report_problem', args=[game.pk])}?kind={Case.Kind.PROXY.value}"


def _free(game: Game, free: Sequence[Any], user: Any) -> tuple[tuple[str, str], ...]:
    """The free seats that this reader may take over."""
    if not free or not isinstance(user, User) or takeover.why_not(game=game, user=user):
        return ()
    return tuple((each.shown_name, reverse("take_seat", args=[game.pk, each.number])) for each in free)


def _ending(game: Game, seat: Any, names: dict[int, str]) -> Ending | None:
    """The open proposal, with the answers that this seat may give."""
    proposal = game.open_ending
    if proposal is None:
        return None
    missing = [number for number in present_seats(game) if number not in proposal["agreed"]]
    waits = waits_until(game, proposal)
    url_args = [game.pk, proposal["number"]]
    has_agreed = seat.number in proposal["agreed"]
    decides = not seat.keeper and not game.has_proxy(seat.number)
    # Once nobody's answer is missing and the waiting time is over, players agree once more to end the game.
    asks_again = not missing and (waits is None or game.now >= waits)
    return Ending(
        by=names[proposal["by"]],
        agreed=listed(names[number] for number in proposal["agreed"]),
        missing=listed(names[number] for number in missing),
        until=datetime.fromisoformat(proposal["until"]),
        waits=waits if waits is not None and game.now < waits else None,
        agree_url=reverse("agree_to_ending", args=url_args) if decides and (not has_agreed or asks_again) else "",
        revoke_url=reverse("revoke_ending", args=url_args) if decides and has_agreed else "",
    )


def resign_context(*, game: Game, seat: Seat) -> dict[str, Any]:
    """Context of the page that explains resigning: who continues, the final place, and what cannot be undone."""
    seats = {each.number: each for each in game.seats.select_related("user")}
    left = game.load_position().state.left
    place = len(seats) - len(left)
    above = listed(seats[number].shown_name for number in reversed(left))
    present = [number for number in present_seats(game) if number != seat.number]
    return {
        "game": game,
        "caretaker": say(game.rules.caretaker.once_resigned),
        "place": place_words(place, len(seats)),
        "above": above,
        "is_last": not present,
        "is_open": game.is_open,
        "weighs": RESIGNING if game.is_open and present else 0,
        "resign_url": reverse("resign", args=[game.pk]),
    }
