"""Moderators' decisions about a person: a warning, silence, no joining, a ban; each with a reason that the person
reads, an end, and a way to appeal.

Silence and no joining survive the deletion of an account: until they end they are stored without a name, by a keyed
digest of each address, and apply to the next account that confirms one of these addresses."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts import sign_ups
from accounts.models import User
from game.engine.actions import Refused
from game.moderation import approvals, cases, emails, interventions, permissions
from game.moderation.name_erasure import name_pattern, replacement_of
from game.reputation import bans as reputation_bans
from game.store.case_models import Case, CaseNote, KeptSanction, Sanction
from game.store.moderation_models import ApprovalRequest, Intervention

Kind = Sanction.Kind
POWERS = {
    Kind.WARNING: Intervention.WARN,
    Kind.MUTE: Intervention.SILENCE,
    Kind.NO_JOIN: Intervention.BAR_FROM_JOINING,
    Kind.BAN: Intervention.BAN,
}
MOST_DAYS = {Kind.WARNING: 0, Kind.MUTE: 30, Kind.NO_JOIN: 365, Kind.BAN: 3650}
GRAVE = frozenset({Kind.NO_JOIN, Kind.BAN})
"""Decisions about a person under suspicion that must name a case."""
ALONE_DAYS = 30
"""A longer ban needs approval, counted from its beginning: prolonging it does not start a new one."""
BREAK = timedelta(days=7)
"""A ban that begins within this time of the last one continues it."""
OUTLIVING_KINDS = (Sanction.Kind.MUTE, Sanction.Kind.NO_JOIN)
"""Bans need no entry: nobody can sign up with a banned address."""


@transaction.atomic
def impose(
    *,
    person: User,
    moderator: User,
    kind: str,
    reason: str,
    days: int = 0,
    case: Case | None = None,
    exculpatory: str = "",
) -> ApprovalRequest | None:
    """Decide about a person, or ask a second moderator to confirm a long ban and return that request. `exculpatory` is
    what speaks for those the case is about. Raises `Refused`."""
    sanction_kind = _check(person, moderator, kind, reason, days)
    if case is not None or sanction_kind in GRAVE:
        cases.check_decision(case=case, person=person, moderator=moderator, exculpatory=exculpatory)
    if sanction_kind is Kind.BAN and _days_banned(person) + days > ALONE_DAYS:
        arguments = {"days": days, "case": case.pk if case else None}
        return approvals.file_request(Intervention.BAN, moderator, reason, person=person, arguments=arguments)
    _impose(person, moderator, sanction_kind, reason, days, case)
    return None


@transaction.atomic
def confirm_ban(*, request_id: int, moderator: User | None) -> None:
    """Agree to a long ban as the second moderator. Raises `Refused`."""
    request = approvals.lock_for_approval(request_id=request_id, moderator=moderator)
    if request.person is None or request.asker is None:
        raise Refused("There is no account to ban.", code="no_such_account")
    days = request.asked["days"]
    _check(request.person, request.asker, Kind.BAN, request.reason, days)
    case = cases.case_of_request(request, request.person)
    _impose(request.person, request.asker, Kind.BAN, request.reason, days, case, confirmed_by=moderator)
    approvals.settle(request, moderator, approvals.Answer.CONFIRMED, "confirmed")


@transaction.atomic
def lift(*, person: User, number: int, moderator: User, reason: str) -> None:
    """End a sanction of this person before its time. Raises `Refused`."""
    sanctions = Sanction.objects.filter(pk=number, user=person)
    account_ids = reputation_bans.accounts_changed_by(sanctions)
    permissions.check(Intervention.LIFT_SANCTION, moderator, reason, on=account_ids)
    sanction = sanctions.select_for_update(of=("self",)).select_related("user").first()
    if sanction is None:
        raise Refused("There is no such sanction.", code="no_such_sanction")
    if not sanction.is_in_force:
        raise Refused("This sanction is over.", code="already_over")
    permissions.check_ties(moderator, on=sanction.user)
    reputation_bans.end(sanction, moderator)
    details = {"user": sanction.user.username, "kind": sanction.get_kind_display()}
    interventions.record(None, moderator, Intervention.LIFT_SANCTION, reason, **details)


def note_closing(person: User, second: User | None, request: ApprovalRequest) -> None:
    """Record that a person's account is closed, and tell them that they can appeal without signing in. Raises
    `Refused`."""
    who = {"by": request.asker, "confirmed_by": second}
    case = cases.case_of_request(request, person)
    sanction = Sanction.objects.create(user=person, kind=Kind.CLOSED, reason=request.reason, case=case, **who)
    reputation_bans.update_blocked_addresses(person)
    emails.email_sanction(sanction)


@transaction.atomic
def add_note(*, person: User, moderator: User, text: str) -> None:
    """Leave a note about a person for other moderators. Raises `Refused`."""
    permissions.check_may(Intervention.HANDLE_CASES, moderator)
    permissions.check_ties(moderator, people=[person])
    if not (note_text := text.strip()):
        raise Refused("The note is empty.", code="text_missing")
    CaseNote.objects.create(person=person, author=moderator, text=note_text[:1000])


def outliving_sanctions(user: User) -> QuerySet[Sanction]:
    """The sanctions that would survive the deletion of this account now."""
    return user.sanctions.filter(kind__in=OUTLIVING_KINDS, lifted_at=None, until__gt=timezone.now())


def store_outliving(user: User, names: Iterable[str]) -> None:
    """Store the surviving sanctions of an account that is being deleted, without its names."""
    name = name_pattern(names)
    for sanction in outliving_sanctions(user):
        fields: dict[str, Any] = {"kind": sanction.kind, "by": sanction.by, "at": sanction.at, "until": sanction.until}
        reason = name.sub(replacement_of(None), sanction.reason)
        for digest in sign_ups.digests_of(user):
            KeptSanction.objects.create(digest=digest, reason=reason, **fields)


@transaction.atomic
def apply_stored(*, user: User, address: str) -> None:
    """Apply the stored sanctions of an address to the account that has just confirmed it, and tell its owner."""
    digest = sign_ups.digest_of_address(address)
    for stored in KeptSanction.objects.select_for_update().filter(digest=digest, until__gt=timezone.now()):
        fields: dict[str, Any] = {"kind": stored.kind, "reason": stored.reason, "by": stored.by}
        fields |= {"at": stored.at, "until": stored.until}
        sanction, is_new = Sanction.objects.get_or_create(user=user, **fields)
        stored.delete()
        if is_new:
            reputation_bans.apply_longest(user, Sanction.Kind(stored.kind))
            emails.email_sanction(sanction)


def delete_ended() -> int:
    """Delete stored sanctions that have ended. Returns their number."""
    return KeptSanction.objects.filter(until__lte=timezone.now()).delete()[0]


def _check(person: User, moderator: User, kind: str, reason: str, days: int) -> Sanction.Kind:
    if kind not in POWERS:
        raise Refused("There is no such sanction.", code="no_such_sanction")
    sanction_kind = Kind(kind)
    permissions.check(POWERS[sanction_kind], moderator, reason, on=[person.pk])
    if not person.is_active or person.is_bot or person.is_guest:
        raise Refused("There is no open account to act on.", code="no_such_account")
    permissions.check_ties(moderator, on=person)
    most_days = MOST_DAYS[sanction_kind]
    if most_days and not 1 <= days <= most_days:
        raise Refused(f"{sanction_kind.label}: 1 to {most_days} days, not {days}.", code="wrong_days", field="days")
    return sanction_kind


def _impose(
    person: User,
    moderator: User,
    kind: Sanction.Kind,
    reason: str,
    days: int,
    case: Case | None,
    *,
    confirmed_by: User | None = None,
) -> None:
    until = timezone.now() + timedelta(days=days) if MOST_DAYS[kind] else None
    who = {"by": moderator, "confirmed_by": confirmed_by}
    why = permissions.clean_reason(reason)
    sanction = Sanction.objects.create(user=person, kind=kind, reason=why, until=until, case=case, **who)
    reputation_bans.apply_longest(person, kind)
    emails.email_sanction(sanction)
    details = {"user": person.username, "days": days, "case": case.pk if case else ""}
    interventions.record(None, moderator, POWERS[kind], reason, **details)


def _days_banned(person: User) -> int:
    """The number of whole days for which a person has been banned without a break; 0 if they are not."""
    # Serializes two decisions at once, so that the second counts the first.
    User.objects.select_for_update(no_key=True).filter(pk=person.pk).first()
    now = began = timezone.now()
    bans = Sanction.objects.filter(user=person, kind=Kind.BAN).annotate(ended_at=Coalesce("lifted_at", "until"))
    for at, ended_at in bans.order_by("-ended_at").values_list("at", "ended_at"):
        if ended_at + BREAK < began:
            break
        began = min(began, at)
    return (now - began).days
