"""Delete sign-ups whose address was never confirmed: they reserve a name and an address that no one uses."""

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
    """Remove accounts whose address was not confirmed within `UNCONFIRMED_DAYS` of the sign-up and with which nobody
    ever signed in. Returns how many there were."""
    user_ids = list(_unconfirmed().order_by("date_joined").values_list("pk", flat=True)[:AT_ONCE])
    return each_alone(_remove, user_ids)


@transaction.atomic
def _remove(user_id: int) -> bool:
    """Remove one account, unless it was confirmed since."""
    list(EmailAddress.objects.select_for_update().filter(user=user_id))
    user = _unconfirmed().filter(pk=user_id).first()
    if user is None:
        return False
    account_deletion.delete_account(user=user)
    log.info("unconfirmed_removed", user=user_id)
    return True


def _unconfirmed() -> QuerySet[User]:
    latest_sign_up = Now() - timedelta(days=settings.UNCONFIRMED_DAYS)
    return sign_ups.unconfirmed().filter(date_joined__lt=latest_sign_up, seats=None)
