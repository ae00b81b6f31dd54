"""Decisions in force that keep people from joining games, or from playing at all."""

from __future__ import annotations

from django.utils import timezone

from accounts.models import User
from game.engine.actions import Refused
from game.i18n import zoned_words
from game.reputation.households import together_with
from game.store.approval_models import SecondOpinion
from game.store.bot_models import BotAccount
from game.store.case_models import Sanction
from game.store.game import Game
from game.store.log import Intervention


def answerable(user: User) -> User:
    """The person whom a decision about this account concerns: a bot's owner, who could play on through it."""
    if not user.is_bot:
        return user
    account = BotAccount.objects.select_related("owner").filter(user=user).first()
    return user if account is None else account.owner


def barred_by(user: User) -> Sanction | None:
    """The decision that keeps somebody and their bots from creating or joining games now."""
    sanctions = Sanction.objects.filter(
        user=answerable(user), kind=Sanction.Kind.NO_JOIN, lifted_at=None, until__gt=timezone.now()
    )
    return sanctions.order_by("-until").first()


def check_may_join(user: User) -> None:
    """Raises `Refused` while somebody may not create or join games."""
    sanction = barred_by(user)
    if sanction is not None and sanction.until is not None:
        raise Refused(
            "A moderator decided that you cannot create or join games until {until}: {reason}",
            code="barred", until=zoned_words(timezone.localtime(sanction.until)), reason=sanction.reason,
        )  # fmt: skip


def ban_of(user: User) -> Sanction | None:
    """The ban that keeps somebody and their bots from playing now; no query for people who have none."""
    user = answerable(user)
    if not user.is_banned:
        return None
    bans = Sanction.objects.filter(user=user, kind=Sanction.Kind.BAN, lifted_at=None, until__gt=timezone.now())
    return bans.select_related("user").order_by("-until").first()


def has_read(game: Game, user: User) -> bool:
    """Whether this person, a bot's owner or somebody they live with has read the game's sealed orders as a moderator:
    such people may not join it."""
    owner = BotAccount.objects.filter(user=user).values_list("owner", flat=True).first()
    readers = {user.pk, *together_with(owner or user.pk)}
    confirmed = {"what": Intervention.READ_SECRETS, "answer": SecondOpinion.Answer.CONFIRMED}
    return SecondOpinion.objects.filter(asker__in=readers, game=game, **confirmed).exists()
