"""What the decisions in force about a person mean: until when they are banned or silenced, and which addresses cannot
be used to sign up."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import blocked_addresses
from accounts.models import User
from game.outbox import deferred
from game.store.case_models import Sanction, Silence

Kind = Sanction.Kind
SHUT_OUT = (Kind.BAN, Kind.CLOSED)
"""While one of these is in force, no one can sign up with an address of the account."""


def end(sanction: Sanction, moderator: User | None) -> None:
    """End its effect, unless another one has the same. A closed account is open again, with its bots; the seats are
    lost."""
    sanction.lifted_at, sanction.lifted_by = timezone.now(), moderator
    sanction.save(update_fields=["lifted_at", "lifted_by"])
    if sanction.kind == Kind.CLOSED:
        User.objects.filter(Q(pk=sanction.user_id) | Q(bot_account__owner=sanction.user_id)).update(is_active=True)
    hold_longest(sanction.user, Kind(sanction.kind))


def hold_longest(person: User, kind: Sanction.Kind) -> None:
    """The longest decision of a kind in force determines until when a person is banned or silenced: a shorter one
    beside it changes nothing, and when one ends the others remain."""
    # Of two decisions at once the second one waits here, and then sees both.
    User.objects.select_for_update(no_key=True).filter(pk=person.pk).first()
    held = Sanction.objects.filter(user=person, kind=kind, lifted_at=None, until__gt=timezone.now())
    longest = held.order_by("-until").first()
    until = longest.until if longest else None
    if kind is Kind.BAN:
        User.objects.filter(pk=person.pk).update(banned_until=until)
        deferred.look_again(user_id=person.pk, trouble=deferred.BANNED)
    elif kind is Kind.MUTE and longest is not None and until is not None:
        Silence.objects.update_or_create(user=person, defaults={"until": until, "reason": longest.reason})
    elif kind is Kind.MUTE:
        Silence.objects.filter(user=person).delete()
    if kind in SHUT_OUT:
        refuse_addresses(person)


@transaction.atomic
def refuse_addresses(person: User) -> None:
    """Let no one sign up with an address of a person while they are banned or their account is closed."""
    # An address that is confirmed while a decision is made is refused by whichever of the two comes second.
    User.objects.select_for_update(no_key=True).filter(pk=person.pk).first()
    is_open = Q(until=None) | Q(until__gt=timezone.now())
    held = Sanction.objects.filter(is_open, user=person, kind__in=SHUT_OUT, lifted_at=None)
    ends = set(held.values_list("until", flat=True))
    if ends:
        blocked_addresses.refuse_addresses_of(person, None if None in ends else max(filter(None, ends)))
    else:
        blocked_addresses.accept_addresses_of(person)
