"""What moderators do about links between people who share a home: record and end them, and tell both."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from game.engine.actions import Refused
from game.moderation import case_letters, interventions, permissions
from game.reputation import households
from game.reputation.household_models import HouseholdLink
from game.store.log import Intervention

WHAT = Intervention.LINK_PLAYERS


@transaction.atomic
def record_link(*, person: User, username: str, moderator: User, reason: str) -> None:
    """Record that two people share a home or a connection; then only moderators can end the link. Raises `Refused`."""
    permissions.check(WHAT, moderator, reason)
    other = interventions.find_person(username)
    if person == other:
        raise Refused("These are one account. Enter the name of another player.", code="about_you", field="username")
    _check_people(moderator, person, other)
    link = households.open_between(person, other)
    if link is not None and link.since is not None:
        raise Refused(f"{person} and {other} are linked already.", code="already_linked")
    one, two = sorted((person, other), key=lambda each: each.pk)
    link = link or HouseholdLink(one=one, two=two)
    households.check_waiting(link)
    link.since, link.by_moderator = timezone.now(), True
    link.save()
    _email_both(person, other, reason, is_on=True)
    interventions.record(None, moderator, WHAT, reason, user=person.username, other=other.username, state="linked")


@transaction.atomic
def remove_link(*, person: User, number: int, moderator: User, reason: str) -> None:
    """End a link of this person at once, whoever began it. Raises `Refused`."""
    permissions.check(WHAT, moderator, reason)
    link = households.held_of(person).filter(pk=number).select_related("one", "two").first()
    if link is None:
        raise Refused("There is no such link any more.", code="no_such_link")
    other = link.other(person)
    _check_people(moderator, person, other)
    link.delete()
    _email_both(person, other, reason, is_on=False)
    interventions.record(None, moderator, WHAT, reason, user=person.username, other=other.username, state="ended")


def _check_people(moderator: User, *people: User) -> None:
    for person in people:
        if not person.is_active or person.is_bot or person.is_guest:
            raise Refused("There is no open account to act on.", code="no_such_account")
        interventions.check_person(moderator, person)


def _email_both(person: User, other: User, reason: str, *, is_on: bool) -> None:
    why = permissions.clean(reason)
    case_letters.tell_link(person, other.username, why, is_on=is_on)
    case_letters.tell_link(other, person.username, why, is_on=is_on)
