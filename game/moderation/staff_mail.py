"""Email to the staff when a game needs them. Email is not confidential: it links to the reason instead of naming it."""

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

VALID_FOR = timedelta(days=7)  # also if mail is delayed for long


def tell_of_hold(*, game: Game) -> None:
    """After the commit: email everyone who may restart a game on hold, or the whole staff if no one may."""
    _email_staff(game, "On hold", "mail/held.txt")


def tell_of_risk(*, game: Game) -> None:
    """Email the same people before a deadline whose resolution has failed in a dry run."""
    _email_staff(game, "At risk", "mail/at_risk.txt")


def _email_staff(game: Game, topic: str, template: str) -> None:
    staff = [user for user in User.objects.filter(is_active=True, is_staff=True).order_by("pk") if is_confirmed(user)]
    able = [user for user in staff if user.has_perm(Intervention.RETRY.permission)] or staff
    if not able:
        return
    url = settings.SITE_URL + reverse("admin:game_game_change", args=[game.pk])
    text = render_to_string(template, {"game": game, "url": url})
    subject = " ".join(f"{topic}: {game.name}".split())
    with speaking("en"):  # as the desk speaks
        email_queue.keep(EmailMessage(subject, text, to=[user.email for user in able]), valid_for=VALID_FOR)
