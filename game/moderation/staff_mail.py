"""Email to the staff when a game needs them. Email is not confidential, so it says where to find the reason, not the
reason itself."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse

from accounts import email_queue
from accounts.languages import speaking
from accounts.mail import is_confirmed
from accounts.models import User
from game.store.game import Game
from game.store.log import Intervention

TOLD_WITHIN = timedelta(days=7)  # also where no mail goes out for long


def tell_of_hold(*, game: Game) -> None:
    """After the commit: email everyone who may restart a game on hold; if no one may, the whole staff."""
    _tell(game, "On hold", "mail/held.txt")


def tell_of_risk(*, game: Game) -> None:
    """The same people, before a deadline whose resolution has failed in a rehearsal."""
    _tell(game, "At risk", "mail/at_risk.txt")


def _tell(game: Game, what: str, template: str) -> None:
    staff = [user for user in User.objects.filter(is_active=True, is_staff=True).order_by("pk") if is_confirmed(user)]
    able = [user for user in staff if user.has_perm(Intervention.RETRY.permission)] or staff
    if not able:
        return
    where = settings.SITE_URL + reverse("admin:game_game_change", args=[game.pk])
    text = render_to_string(template, {"game": game, "url": where})
    subject = " ".join(f"{what}: {game.name}".split())
    with speaking("en"):  # as the desk speaks
        email_queue.keep(EmailMessage(subject, text, to=[user.email for user in able]), valid_for=TOLD_WITHIN)
