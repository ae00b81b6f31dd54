"""Sign-ups whose address was never confirmed: they are deleted, because they reserve a name and an address that no one
uses."""

from __future__ import annotations

from datetime import timedelta

import structlog
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts import sign_ups
from accounts.models import User
from game.infra.isolated import each_alone
from game.people import account_deletion

AT_ONCE = 500
log = structlog.get_logger("game.services.unconfirmed")


def remove_unconfirmed() -> int:
    """Remove accounts with an address that was not confirmed within `UNCONFIRMED_DAYS` after the sign-up, and with
    which no one ever signed in; returns how many there were."""
    left = list(_unconfirmed().order_by("date_joined").values_list("pk", flat=True)[:AT_ONCE])
    return each_alone(_remove, left)


@transaction.atomic
def _remove(user_id: int) -> bool:
    """Remove one, unless it was confirmed since."""
    list(EmailAddress.objects.select_for_update().filter(user=user_id))
    user = _unconfirmed().filter(pk=user_id).first()
    if user is None:
        return False
    account_deletion.delete_account(user=user)
    log.info("unconfirmed_removed", user=user_id)
    return True


def _unconfirmed() -> QuerySet[User]:
    long_ago = Now() - timedelta(days=settings.UNCONFIRMED_DAYS)
    return sign_ups.unconfirmed().filter(date_joined__lt=long_ago, seats=None)
