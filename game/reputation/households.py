"""People who declare that they share a home or an internet connection. They never play together in a rated game, and
what their accounts have in common is not suspicious. One asks by name and the other confirms. Either may end it; in
rated games it applies for `HOLDS` more."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import limits
from accounts.models import User
from accounts.names import sought
from game.engine.actions import Refused
from game.engine.language import mark
from game.i18n import FULL_DATE, date_words
from game.reputation.models import HouseholdLink
from game.store import account_locks
from game.store.game import Game, Seat, Status
from game.store.seat_models import StandIn, Tenure

HOLDS = timedelta(days=30)
TOGETHER = mark(
    "You cannot take a seat in this rated game: somebody with whom you share a home or a connection plays or played in "
    "it. Choose a game that is not rated."
)
NO_SUCH_PLAYER = mark("There is no such player.")
SHARES = mark("You share a home or a connection with a player of this rated game.")
WAITING_TOGETHER = mark(
    "You both have a seat in {game}, which is rated and has not started. One of you must leave it first."
)


class Link(NamedTuple):
    """A link as one of the two sees it. `state` is "asks" if the other one waits for an answer, "asked", "linked",
    "ended" or "declined"; an ended or declined one is deleted at `until`."""

    number: int
    name: str
    state: str
    since: datetime | None
    until: datetime | None
    by_moderator: bool


@transaction.atomic
def request_link(*, user: User, name: str) -> None:
    """Ask somebody to confirm a shared home or connection, or confirm their own request. Idempotent. Raises
    `Refused`."""
    other = _find_other(user, name)
    _lock_both(user, other)
    _check_is_open(other)
    open_link = _between(user.pk, other.pk).filter(kept_until=None).first()
    if open_link is not None:
        if open_link.since is None and open_link.asked_by_id != user.pk:
            _confirm(open_link, user)
        return
    _check_asked_again(user, other)
    _check_room(user)
    one, two = sorted((user, other), key=lambda person: person.pk)
    HouseholdLink.objects.create(one=one, two=two, asked_by=user)


@transaction.atomic
def confirm(*, user: User, number: int) -> None:
    """Confirm the other one's request. Raises `Refused`."""
    link = _find(user, number)
    if link.since is not None:
        return
    if link.asked_by_id == user.pk:
        raise Refused("The other player must confirm it.", code="not_yours")
    _confirm(link, user)


@transaction.atomic
def decline(*, user: User, number: int) -> None:
    """Decline: the same person cannot ask again for `HOLDS`. Raises `Refused`."""
    link = _find(user, number)
    if link.since is not None or link.asked_by_id == user.pk:
        raise _no_such_link()
    link.kept_until = timezone.now() + HOLDS
    link.save(update_fields=["kept_until"])


@transaction.atomic
def withdraw(*, user: User, number: int) -> None:
    """Withdraw one's own request. Raises `Refused`."""
    link = _find(user, number)
    if link.since is not None or link.asked_by_id != user.pk:
        raise _no_such_link()
    link.delete()


@transaction.atomic
def end(*, user: User, number: int) -> None:
    """End a link. In rated games it applies for `HOLDS` more, so that nobody ends it for one evening. Raises
    `Refused`."""
    link = _find(user, number)
    if link.since is None:
        raise _no_such_link()
    if link.by_moderator:
        raise Refused(
            "A moderator recorded this link, so only moderators end it. Report a problem on the other player’s page.",
            code="moderators_only",
        )
    link.kept_until = timezone.now() + HOLDS
    link.save(update_fields=["kept_until"])


def links_of(user: User) -> list[Link]:
    """The links and requests that a person sees: those that need their answer first, without those they declined."""
    rows = [
        _link_for(row, user) for row in unexpired_links().filter(Q(one=user) | Q(two=user)).select_related("one", "two")
    ]
    links = [row for row in rows if row is not None]
    return sorted(links, key=lambda link: (link.state != "asks", link.name.lower()))


def why_not(*, game: Game, user_id: int, plays_for: int | None = None) -> str:
    """Why a person may not take a seat in a game; empty if they may. Earlier players of a seat count too, because they
    know what was sealed; the owner of a seat does not count for their stand-in."""
    if not game.is_rated:
        return ""
    return TOGETHER if closed_to(user_id, plays_for=plays_for).filter(pk=game.pk).exists() else ""


def closed_to(user_id: int, *, plays_for: int | None = None) -> QuerySet[Game]:
    """The rated games closed to somebody. Skips the query if the person has no links."""
    linked = linked_to(user_id) - {plays_for}
    if not linked:
        return Game.objects.none()
    their_games = (model.objects.filter(user__in=linked).values("game") for model in (Seat, Tenure, StandIn))
    return Game.objects.filter(reduce(or_, (Q(pk__in=games) for games in their_games)), is_rated=True)


def closed_among(games: Collection[int], *, user_id: int) -> frozenset[int]:
    """The rated games among these that are closed to somebody."""
    return frozenset(closed_to(user_id).filter(pk__in=games).values_list("pk", flat=True)) if games else frozenset()


def check_seat(*, game: Game, user_id: int) -> None:
    """Check that the new player of a locked rated game shares no home with others there. Raises `Refused`."""
    if not game.is_rated:
        return
    _lock(user_id)  # serializes with a link being confirmed, so that one sees the other
    if reason := why_not(game=game, user_id=user_id):
        raise Refused(reason, code="linked_player")


def check_waiting(link: HouseholdLink) -> None:
    """Check that two people who become linked do not wait in the same rated game; both are locked. Raises `Refused`."""
    waiting = Game.objects.filter(status=Status.WAITING, is_rated=True, seats__user=link.one_id)
    game = waiting.filter(seats__user=link.two_id).order_by("pk").first()
    if game is not None:
        raise Refused(WAITING_TOGETHER, code="sits_there", game=game.name)


def since_among(people: Collection[int]) -> Mapping[frozenset[int], datetime]:
    """The linked pairs among these people, each with the time of the link: one query."""
    rows = links_in_force().filter(one__in=people, two__in=people).values_list("one", "two", "since")
    return {frozenset((one, two)): since for one, two, since in rows if since is not None}


def forget_ended() -> int:
    """Delete expired links and requests. Returns how many there were."""
    return HouseholdLink.objects.filter(kept_until__lte=timezone.now()).delete()[0]


def unexpired_links() -> QuerySet[HouseholdLink]:
    """Links and requests that have not expired."""
    return HouseholdLink.objects.filter(Q(kept_until=None) | Q(kept_until__gt=timezone.now()))


def links_in_force() -> QuerySet[HouseholdLink]:
    """Links in force: confirmed, and not expired."""
    return unexpired_links().filter(since__isnull=False)


def linked_to(user_id: int) -> set[int]:
    """The people with a link in force to somebody."""
    rows = links_in_force().filter(Q(one=user_id) | Q(two=user_id)).values_list("one", "two")
    return {number for pair in rows for number in pair} - {user_id}


def links_in_force_of(user: User) -> QuerySet[HouseholdLink]:
    """One person's links in force."""
    return links_in_force().filter(Q(one=user) | Q(two=user))


def others_of(user: User) -> list[tuple[HouseholdLink, User]]:
    """One person's links in force, each with the other person, newest first."""
    rows = links_in_force_of(user).select_related("one", "two").order_by("-since")
    return [(row, row.other(user)) for row in rows]


def open_between(one: User, two: User) -> HouseholdLink | None:
    """The open link or request between two people, after locking both; None if there is none."""
    _lock(one.pk, two.pk)
    return _between(one.pk, two.pk).filter(kept_until=None).first()


def _between(one: int, two: int) -> QuerySet[HouseholdLink]:
    return HouseholdLink.objects.filter(one=min(one, two), two=max(one, two))


def _lock(*people: int) -> None:
    """Serialise changes of these people's links and seats in rated games."""
    list(User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk").values_list("pk"))


def _lock_both(user: User, other: User) -> None:
    """Lock the accounts of a link, and check that this person may act. Raises `Refused`."""
    account_locks.lock_accounts(user, other)
    account_locks.check_is_free(user)


def _check_is_open(other: User) -> None:
    """Nobody is linked to a closed account. Raises `Refused`."""
    if not other.is_active:
        raise Refused(NO_SUCH_PLAYER, code="no_such_account", field="name")


def _find_other(user: User, name: str) -> User:
    """The other account of this name. Raises `Refused`."""
    if user.is_guest or user.is_bot:
        raise Refused("Only people with an account can declare a shared home.", code="guest_may_not")
    people = User.objects.filter(is_active=True, is_bot=False, is_guest=False)
    name = sought(name.strip())
    other = people.filter(username=name).first() or people.filter(username__iexact=name).first()
    if other is None:
        raise Refused(NO_SUCH_PLAYER, code="no_such_account", field="name")
    if other == user:
        raise Refused("This is your own name. Enter that of the other player.", code="about_you", field="name")
    return other


def _find(user: User, number: int) -> HouseholdLink:
    """A link of one's own, with both people locked. Raises `Refused`."""
    matches = HouseholdLink.objects.filter(Q(one=user) | Q(two=user), pk=number, kept_until=None)
    link = matches.first()
    if link is None:
        raise _no_such_link()
    _lock_both(user, link.other(user))
    link = matches.first()
    if link is None:
        raise _no_such_link()
    return link


def _no_such_link() -> Refused:
    return Refused("There is no such link or request any more.", code="no_such_link")


def _confirm(link: HouseholdLink, user: User) -> None:
    _check_is_open(link.other(user))
    _check_room(user)
    check_waiting(link)
    link.since = timezone.now()
    link.save(update_fields=["since"])


def _check_room(user: User) -> None:
    """Limit a person's number of links and requests. Raises `Refused`."""
    most_links = limits.most_of("households")
    own_links = unexpired_links().filter(Q(one=user) | Q(two=user)).filter(Q(since__isnull=False) | Q(asked_by=user))
    if own_links.count() >= most_links:
        raise Refused(
            "You have {most} links and requests, the maximum. End or withdraw one first.",
            most=most_links,
            code="too_many_links",
        )


def _check_asked_again(user: User, other: User) -> None:
    """Check that the other person has not declined recently. Raises `Refused`."""
    declined = _between(user.pk, other.pk).filter(since=None, asked_by=user, kept_until__gt=timezone.now()).first()
    if declined is not None and declined.kept_until is not None:
        raise Refused(
            "{name} declined. You can ask again from {when}.",
            name=other.username,
            when=date_words(timezone.localtime(declined.kept_until), FULL_DATE),
            code="was_declined",
        )


def _link_for(row: HouseholdLink, user: User) -> Link | None:
    other, is_asker = row.other(user), row.asked_by_id == user.pk
    if row.since is not None:
        state = "linked" if row.kept_until is None else "ended"
    elif row.kept_until is None:
        state = "asked" if is_asker else "asks"
    elif is_asker:
        state = "declined"
    else:
        return None
    return Link(row.pk, other.username, state, row.since, row.kept_until, row.by_moderator)


def together_with(user_id: int) -> set[int]:
    """A person and everyone who shares a home or a connection with them."""
    return {user_id, *linked_to(user_id)}
