"""Bounced addresses: notify the owner through other channels, and resume mail when a moderator decides so."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import F

from accounts.models import Bounce, User
from game.engine.actions import Refused
from game.moderation import emails, interventions, permissions
from game.outbox import notices, status_notices
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import Notice
from game.store.moderation_models import Intervention

ACTION = Intervention.LIFT_BOUNCE


@transaction.atomic
def lift_bounces(*, numbers: Collection[int], moderator: User, reason: str) -> int:
    """Try these addresses again, all or none. Returns how many there were. Raises `Refused`."""
    permissions.check(ACTION, moderator, reason)
    bounces = list(Bounce.objects.select_for_update().filter(pk__in=numbers).order_by("pk"))
    if not bounces:
        raise Refused("Mail goes to these addresses again already.", code="nothing_changes")
    for bounce in bounces:
        _lift(bounce, moderator, reason)
    return len(bounces)


def _lift(bounce: Bounce, moderator: User, reason: str) -> None:
    """Resume mail to one address. The record names its owner, not the address."""
    person = User.objects.filter(email__iexact=bounce.address).first()
    if person == moderator:
        raise Refused("This is your own address. Ask another moderator.", code="about_you")
    if person is not None:
        permissions.check_ties(moderator, on=person)
    bounce.delete()
    if person is not None:
        status_notices.requeue_open_questions(user_id=person.pk, came_back=bounce.why == Bounce.Why.UNKNOWN)
        emails.email_act(person, emails.MAIL_RESUMED, reason=permissions.clean_reason(reason))
    details = {"user": person.username if person else "", "because": bounce.get_why_display()}
    interventions.record(None, moderator, ACTION, reason, **details)


OVER = (Status.FINISHED, Status.ABANDONED)


def notify_owner(bounce: Bounce) -> None:
    """Notify once, in the game with the earliest deadline. People without games miss nothing, and read about it on
    their pages."""
    for user in User.objects.filter(email__iexact=bounce.address, is_active=True):
        seats = Seat.objects.filter(user=user, bot="", game__lesson="").exclude(game__status__in=OVER)
        seats = seats.exclude(keeper=Keeper.RESIGNED).order_by(F("game__deadline_at").asc(nulls_last=True), "pk")
        if (seat := seats.first()) is not None:
            game = Game.objects.on_the_clock().get(pk=seat.game_id)
            people = [(seat, user.pk)]
            notices.notify(game=game, people=people, kind=Notice.Kind.BOUNCED, serial=bounce.pk)
