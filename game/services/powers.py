"""Who may intervene at all: staff with the permission, for a reason, and never at a table of their own."""

from __future__ import annotations

from django.db.models import Q

from accounts.models import User
from game.engine.actions import Refused
from game.models import BotAccount, Game, Intervention, Seat, SecondOpinion, Sitting
from game.services.seating import one_line

LONGEST_REASON = 200


def check(what: Intervention, moderator: User, reason: str) -> None:
    """Check that a moderator may do this and gives a reason. Raises `Refused`."""
    if not may(what, moderator):
        raise Refused(
            f"You are not allowed to {what.label}: it needs the permission {what.permission}.", code="no_permission"
        )
    if not clean(reason):
        raise Refused("Enter a reason. It is recorded and shown to the players.", code="reason_missing", field="reason")
    if len(clean(reason)) > LONGEST_REASON:
        raise Refused(
            f"A reason can have up to {LONGEST_REASON} characters; this one has {len(clean(reason))}.",
            code="reason_too_long",
            field="reason",
        )


def may(what: Intervention, moderator: User) -> bool:
    """Whether a user is a moderator with this permission."""
    return moderator.is_staff and moderator.has_perm(what.permission)


def sits_at(game: Game, moderator: User) -> bool:
    """Whether a moderator or a bot of theirs plays or ever played in this game, for themselves or for somebody: then
    nothing in it is theirs to decide, superuser or not."""
    return any(rows.filter(own(moderator)).exists() for rows in (game.seats, game.sittings, game.stand_ins))


def own(person: User) -> Q:
    """The condition on rows with a `user`, who is this person or a bot of theirs: they know its hand."""
    return Q(user=person) | Q(user__bot_account__owner=person)


def plays(person: User) -> Q:
    """The condition on games in which somebody or a bot of theirs has a seat now, lends theirs to somebody, or plays
    one for its player."""
    seats = Seat.objects.filter(own(person)).values("game")
    return Q(pk__in=seats) | Q(pk__in=Sitting.objects.filter(own(person), ended_at=None).values("game"))


def has_read(game: Game, user: User) -> bool:
    """Whether somebody, or the owner of this bot, was let in on what is sealed in this game: nobody plays against what
    they saw."""
    reader = Q(asker=user) | Q(asker__in=BotAccount.objects.filter(user=user).values("owner"))
    confirmed = {"what": Intervention.READ_SECRETS, "answer": SecondOpinion.Answer.CONFIRMED}
    return SecondOpinion.objects.filter(reader, game=game, **confirmed).exists()


def clean(reason: str) -> str:
    """The reason on one line."""
    return one_line(reason)
