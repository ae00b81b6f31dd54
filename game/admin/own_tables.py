"""Conditions that exclude games in which a moderator has a part. Moderators who play or played there, also through a
bot or people they live with, decide and read nothing about it."""

from __future__ import annotations

from django.db.models import Q

from accounts.models import User
from game.moderation.cases import cases_for
from game.moderation.permissions import household_rows
from game.reputation.households import together_with
from game.store.case_models import Case
from game.store.game import Seat
from game.store.log import ModeratorAction
from game.store.stand_in_models import Proxy
from game.store.tenure_models import Sitting


def not_of(moderator: User, game: str) -> Q:
    """The condition on rows whose game is in the field `game`."""
    own_rows = household_rows(moderator)
    own_games = [model.objects.filter(own_rows).order_by().values("game") for model in (Seat, Sitting, Proxy)]
    seats, sittings, proxies = (~Q(**{f"{game}__in": games}) for games in own_games)
    return seats & sittings & proxies


def acts_apart(moderator: User) -> Q:
    """The condition that an entry of the moderators' record is not about such a game, the moderator or somebody they
    live with, nor about a case in which these have a part: people must not learn of requests or suspicions about them.
    Their own acts stay."""
    names = list(User.objects.filter(pk__in=together_with(moderator.pk)).values_list("username", flat=True))
    visible = cases_for(moderator).order_by().values("pk")
    cases = list(Case.objects.exclude(pk__in=visible).order_by().values_list("pk", flat=True))
    about = Q(details__user__in=names) | Q(details__other__in=names) | Q(details__case__in=cases)
    hidden = ModeratorAction.objects.filter(about).order_by().values("pk")
    return Q(user=moderator) | (Q(game=None) | not_of(moderator, "game")) & ~Q(pk__in=hidden)
