"""Who may intervene: staff with the permission, for a reason, and never in a game of their own."""

from __future__ import annotations

from django.db.models import Q

from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark
from game.play import authority
from game.reputation import households
from game.reputation.households import together_with
from game.store.game import Game, Seat
from game.store.log import Intervention
from game.store.seating import one_line
from game.store.tenure_models import Sitting

PLAYS_THERE = mark("You play or played in this game. Ask another moderator.")
LIVES_WITH_A_PLAYER = mark(
    "Somebody with whom you share a home or a connection plays or played in this game. Ask another moderator."
)
LONGEST_REASON = 200


def check(what: Intervention, moderator: User, reason: str, *, on: int | None = None) -> None:
    """Check that a moderator may do this now and gives a reason; `on` is the key of the account acted on, if any.
    Raises `Refused`."""
    check_may(what, moderator, on=on)
    if not clean(reason):
        raise Refused("Enter a reason. It is recorded and shown to the players.", code="reason_missing", field="reason")
    if len(clean(reason)) > LONGEST_REASON:
        raise Refused(
            f"A reason can have up to {LONGEST_REASON} characters; this one has {len(clean(reason))}.",
            code="reason_too_long",
            field="reason",
        )


def check_may(what: Intervention, moderator: User, *, on: int | None = None) -> None:
    """Check that a moderator may do this now; the permission is locked until it is done. Raises `Refused`."""
    authority.hold(moderator, also=on)
    if not may(what, moderator):
        raise Refused(
            f"You are not allowed to {what.label}: it needs the permission {what.permission}.", code="no_permission"
        )


def may(what: Intervention, moderator: User) -> bool:
    """Whether a user is a moderator with this permission, from the objects as loaded: for pages. Acts use
    `check_may`."""
    return moderator.is_staff and not moderator.is_banned and moderator.has_perm(what.permission)


def why_barred(game: Game, moderator: User) -> str:
    """Why a moderator may decide nothing in this game: they, a bot of theirs or somebody they live with plays or played
    there, also as a stand-in. Empty if none does. It binds superusers too."""
    if not _has_played(game, near(moderator)):
        return ""
    return PLAYS_THERE if _has_played(game, own(moderator)) else LIVES_WITH_A_PLAYER


def check_apart(game: Game, moderator: User) -> None:
    """Check that nothing bars a moderator from deciding in a game. Raises `Refused`."""
    if reason := why_barred(game, moderator):
        raise Refused(reason, code="plays_there")


def check_apart_from(person: User, moderator: User) -> None:
    """Check that a moderator neither is this person nor lives with them. Raises `Refused`."""
    if person == moderator:
        raise Refused("This is about you. Ask another moderator.", code="about_you")
    if person.pk in households.linked_to(moderator.pk):
        raise Refused(
            "You share a home or a connection with {name}. Ask another moderator.", code="lives_with", name=str(person)
        )


def _has_played(game: Game, who: Q) -> bool:
    return any(rows.filter(who).exists() for rows in (game.seats, game.sittings, game.stand_ins))


def own(person: User) -> Q:
    """The condition on rows whose `user` is this person or a bot of theirs, whose hand they know."""
    return Q(user=person) | Q(user__bot_account__owner=person)


def near(person: User) -> Q:
    """The same for this person and everyone who shares a home or a connection with them: what one knows, both may
    know."""
    people = together_with(person.pk)
    return Q(user__in=people) | Q(user__bot_account__owner__in=people)


def plays(who: Q) -> Q:
    """The condition on games in which somebody selected by `own` or `near` has a seat now, has a stand-in, or is
    one."""
    seats = Seat.objects.filter(who).values("game")
    return Q(pk__in=seats) | Q(pk__in=Sitting.objects.filter(who, ended_at=None).values("game"))


def clean(reason: str) -> str:
    """The reason on one line."""
    return one_line(reason)
