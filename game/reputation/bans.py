"""Moderators' decisions in force: until when a person is banned or silenced, whether they may join games, and which
email addresses cannot sign up."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, CharField, Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from accounts import sign_ups
from accounts.models import User
from game.engine.actions import Refused
from game.i18n import zoned_words
from game.outbox import status_notices
from game.reputation.households import together_with
from game.store.account_locks import answerable_person
from game.store.case_models import Sanction, Silence
from game.store.game import Game, Keeper, Seat
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction
from game.store.seat_models import BotAccount, Tenure

Kind = Sanction.Kind
SHUT_OUT = (Kind.BAN, Kind.CLOSED)
"""Decisions that block sign-ups with the account's addresses."""
SIGNING_OUT = (Intervention.CHANGE_IDENTITY, Intervention.TAKE_SECOND_FACTOR)
"""What two moderators do to an account whose sessions and tokens then end."""
TIME_TO_RETURN = timedelta(days=2)
"""Time after the end of a ban by one moderator alone in which nobody can take over the banned player's seats."""
SEAT_AS_TEXT = Cast(OuterRef("number"), CharField())
"""The number of a seat, as the record and requests have it."""


def end(sanction: Sanction, moderator: User | None) -> None:
    """End a decision, and its effect unless another decision has the same. A closed account and its bots are reopened;
    they do not get their seats back."""
    sanction.lifted_at, sanction.lifted_by = timezone.now(), moderator
    sanction.save(update_fields=["lifted_at", "lifted_by"])
    if sanction.kind == Kind.CLOSED:
        User.objects.filter(Q(pk=sanction.user_id) | Q(bot_account__owner=sanction.user_id)).update(is_active=True)
    apply_longest(sanction.user, Kind(sanction.kind))


def accounts_changed_by(sanctions: QuerySet[Sanction]) -> Iterable[int]:
    """The keys of the accounts that the end of these decisions changes: people and their bots."""
    people = sanctions.values("user")
    return User.objects.filter(Q(pk__in=people) | Q(bot_account__owner__in=people)).values_list("pk", flat=True)


def apply_longest(person: User, kind: Sanction.Kind) -> None:
    """Apply the longest decision of a kind: a shorter one changes nothing, and when one ends the others remain."""
    # Serializes concurrent decisions, so that the second sees both.
    User.objects.select_for_update(no_key=True).filter(pk=person.pk).first()
    in_force = Sanction.objects.filter(user=person, kind=kind, lifted_at=None, until__gt=timezone.now())
    longest = in_force.order_by("-until").first()
    until = longest.until if longest else None
    if kind is Kind.BAN:
        User.objects.filter(pk=person.pk).update(banned_until=until)
        status_notices.requeue_held_back(user_id=person.pk, trouble=status_notices.BANNED)
    elif kind is Kind.MUTE and longest is not None and until is not None:
        Silence.objects.update_or_create(user=person, defaults={"until": until, "reason": longest.reason})
    elif kind is Kind.MUTE:
        Silence.objects.filter(user=person).delete()
    if kind in SHUT_OUT:
        update_blocked_addresses(person)


@transaction.atomic
def update_blocked_addresses(person: User) -> None:
    """Block sign-ups with a person's email addresses while they are banned or their account is closed; else unblock."""
    # Serializes with the confirmation of an address: whichever comes second refuses it.
    User.objects.select_for_update(no_key=True).filter(pk=person.pk).first()
    is_open = Q(until=None) | Q(until__gt=timezone.now())
    in_force = Sanction.objects.filter(is_open, user=person, kind__in=SHUT_OUT, lifted_at=None)
    ends = set(in_force.values_list("until", flat=True))
    if ends:
        sign_ups.block_addresses_of(person, None if None in ends else max(filter(None, ends)))
    else:
        sign_ups.unblock_addresses_of(person)


def join_ban_of(user: User) -> Sanction | None:
    """The decision that keeps somebody and their bots from creating or joining games now."""
    sanctions = Sanction.objects.filter(
        user=answerable_person(user), kind=Sanction.Kind.NO_JOIN, lifted_at=None, until__gt=timezone.now()
    )
    return sanctions.order_by("-until").first()


def check_may_join(user: User) -> None:
    """Raises `Refused` while somebody may not create or join games."""
    sanction = join_ban_of(user)
    if sanction is not None and sanction.until is not None:
        raise Refused(
            "A moderator decided that you cannot create or join games until {until}: {reason}",
            code="barred", until=zoned_words(timezone.localtime(sanction.until)), reason=sanction.reason,
        )  # fmt: skip


def has_read(game: Game, user: User) -> bool:
    """True if this person, a bot's owner or somebody they live with has read the game's sealed orders as a moderator:
    such people may not join it."""
    owner = BotAccount.objects.filter(user=user).values_list("owner", flat=True).first()
    readers = {user.pk, *together_with(owner or user.pk)}
    confirmed = {"what": Intervention.READ_SECRETS, "answer": ApprovalRequest.Answer.CONFIRMED}
    return ApprovalRequest.objects.filter(asker__in=readers, game=game, **confirmed).exists()


def has_freed(user: User, seat: Seat) -> bool:
    """True if this person, or somebody in their home, has decided about this seat or its player."""
    return Seat.objects.filter(seats_freed_by(user), pk=seat.pk).exists()


def seats_freed_by(user: User) -> Q:
    """The condition on seats about which this person or somebody in their home has decided, or about whose player, and
    on those of the player's bots. A seat whose account was closed names nobody any more: its last tenure does."""
    home = _home_of(user)
    people = decided_by(home)
    closed = Tenure.objects.filter(game=OuterRef("game"), number=OuterRef("number"), end=Tenure.End.CLOSED)
    of_player = _seats_of(people) | Q(Exists(closed.filter(user__in=people)), user=None)
    return of_player | Q(Exists(_acts_on_seat(home))) | Q(Exists(_approvals_on_seat(home)))


def seats_kept_for_the_banned() -> Q:
    """The condition on seats that the caretaker plays for somebody whom one moderator alone has banned, or for their
    bots: one moderator alone must not be able to show a seat's secrets to another account."""
    ended_at = Coalesce("lifted_at", "until")
    recent = Sanction.objects.filter(kind=Kind.BAN).annotate(ended_at=ended_at)
    recent = recent.filter(ended_at__gt=timezone.now() - TIME_TO_RETURN)
    by_two = ApprovalRequest.objects.filter(what=Intervention.BAN, answer=ApprovalRequest.Answer.CONFIRMED)
    confirmed = by_two.filter(person=OuterRef("user"), answered_at__gte=OuterRef("at"))
    people = recent.exclude(Exists(confirmed)).values("user")
    accounts = User.objects.filter(Q(pk__in=people) | Q(bot_account__owner__in=people))
    return Q(_seats_of(accounts), keeper=Keeper.AWAY)


def _seats_of(accounts: QuerySet[User]) -> Q:
    """The condition on seats of these accounts, and on all at their device if they host it."""
    return Q(user__in=accounts) | (Q(game__host__in=accounts) & ~Q(device=""))


def _acts_on_seat(home: Collection[int]) -> QuerySet[ModeratorAction, Any]:
    """Acts of one of these people on a seat as a moderator, such as giving it back to its player."""
    acts = ModeratorAction.objects.filter(user__in=home, game=OuterRef("game"))
    return acts.annotate(seat=KeyTextTransform("seat", "details")).filter(seat=SEAT_AS_TEXT)


def _approvals_on_seat(home: Collection[int]) -> QuerySet[ApprovalRequest, Any]:
    """Acts on a seat that one of these people confirmed as the second moderator."""
    approvals = ApprovalRequest.objects.filter(answered_by__in=home, answer=ApprovalRequest.Answer.CONFIRMED)
    seat_number = KeyTextTransform("seat_number", "asked")
    return approvals.filter(game=OuterRef("game")).annotate(seat=seat_number).filter(seat=SEAT_AS_TEXT)


def _home_of(user: User) -> set[int]:
    """This person, for a bot its owner, and everybody in their home."""
    return together_with(answerable_person(user).pk)


def decided_by(people: Collection[int]) -> QuerySet[User]:
    """The players whom one of these people has sanctioned, renamed or signed out everywhere, as the moderator who asked
    or who confirmed, and the bots of those players."""
    sanctioned = Sanction.objects.filter(Q(by__in=people) | Q(confirmed_by__in=people)).values("user")
    confirmed = ApprovalRequest.objects.filter(what__in=SIGNING_OUT, answer=ApprovalRequest.Answer.CONFIRMED)
    signed_out = confirmed.filter(Q(asker__in=people) | Q(answered_by__in=people)).values("person")
    acts = ModeratorAction.objects.filter(user__in=people, verb=Intervention.CHANGE_IDENTITY)
    renamed = acts.annotate(account=Cast(KeyTextTransform("account", "details"), BigIntegerField())).values("account")
    decided = Q(pk__in=sanctioned) | Q(pk__in=signed_out) | Q(pk__in=renamed)
    owners = (Q(bot_account__owner__in=accounts) for accounts in (sanctioned, signed_out, renamed))
    return User.objects.filter(reduce(or_, owners, decided))
