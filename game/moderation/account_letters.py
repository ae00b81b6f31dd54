"""Emails to people whose account a moderator has changed."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.languages import speaking
from accounts.models import User
from game.engine.language import mark, say
from game.moderation import case_letters

FACTORS_TAKEN = mark(
    "A moderator took the second factors of your account away: apps, passkeys and recovery codes. From now on the "
    "password alone signs in, and you were signed out everywhere. Your API tokens are revoked, and your webhooks are "
    "told nothing until you check them again. The reason: {reason}\n\nIf you did not ask for this, set a new password "
    "now and reply to this email."
)
ADDRESS_ASKED = mark(
    "A moderator asks for another email address for your account. Nothing has changed yet: a second moderator decides "
    "within two days, and you get another email here if they agree. The reason: {reason}\n\nIf you did not ask for "
    "this, reply to this email now."
)
MAIL_AGAIN = mark(
    "Emails about your games go to this address again: a moderator has lifted the stop that was set when an email came "
    "back or was marked as spam. The reason: {reason}"
)
POWERS = mark(
    "A superuser changed what your account may do at the moderators’ desk. From now on:\n\n- Opens the desk: {staff}\n"
    "- Superuser: {superuser}\n- Groups: {groups}\n- Permissions besides: {permissions}\n\nThe reason: {reason}"
)
YES_NO = {"yes": mark("yes"), "no": mark("no"), "none": mark("none")}


def tell_factors_taken(person: User, reason: str) -> None:
    """Say that the password alone now signs in."""
    case_letters.tell_act(person, FACTORS_TAKEN, reason=reason)


def tell_address_asked(person: User, reason: str) -> None:
    """Write to the current address that it may be replaced."""
    case_letters.tell_act(person, ADDRESS_ASKED, reason=reason)


def tell_mail_again(person: User, reason: str) -> None:
    """Say that emails about games go to their address again."""
    case_letters.tell_act(person, MAIL_AGAIN, reason=reason)


def tell_powers(person: User, powers: Mapping[str, str], reason: str) -> None:
    """Email them what they may do at the desk from now on: `powers` by name, each in words. Owners of closed accounts
    get it too."""
    with speaking(person.language):
        facts = {name: say(YES_NO[words]) if words in YES_NO else words for name, words in powers.items()}
    case_letters.tell_act(person, POWERS, even_closed=True, reason=reason, **facts)
