"""How emails are encoded, and who may receive them."""

from __future__ import annotations

from collections.abc import Collection
from email.header import Header
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from accounts.addresses import folded
from accounts.models import Bounce, User

GOOGLE_DOMAINS = ("gmail.com", "googlemail.com")  # one server, which ignores dots
PRINTED = "django.core.mail.backends.console.EmailBackend"
MAX_WORD_LENGTH = 60  # letters; a longer word does not fit on the line of the field name


class Letter(EmailMultiAlternatives):
    """An email whose subject starts on the line of its field name: mail programs show a subject that starts with an
    empty line as none."""

    def message(self, **options: Any) -> Any:
        subject = self.subject
        self.subject = encoded_subject(str(subject))
        try:
            return super().message(**options)
        finally:
            self.subject = subject


def encoded_subject(subject: str) -> str:
    """The subject in words that fit on a line, the first one on the line of the field name."""
    if subject.isascii() and all(len(word) <= MAX_WORD_LENGTH for word in subject.split()):
        return subject
    return Header(subject, "utf-8", header_name="Subject").encode(linesep="")


def is_confirmed(user: User) -> bool:
    """True if the user has shown that the address belongs to them: strangers must not get email about games they never
    joined. Email that a private copy only prints to its terminal needs no proof."""
    return user.pk in confirmed_among([user])


def confirmed_among(people: Collection[User]) -> frozenset[int]:
    """The ids of the users with a confirmed address, in one query."""
    addresses = {user.pk: user.email.lower() for user in people if user.email}
    if not addresses or settings.EMAIL_BACKEND == PRINTED:
        return frozenset(addresses)
    rows = EmailAddress.objects.filter(user__in=addresses, verified=True).values_list("user_id", "email")
    return frozenset(user_id for user_id, address in rows if addresses[user_id] == address.lower())


def mailbox_of(address: str) -> tuple[str, str]:
    """The mailbox and domain that an address leads to, however it is spelled: without a plus suffix, which most mail
    servers ignore, and for Google without dots."""
    local_part, _, domain = folded(address).rpartition("@")
    local_part = local_part.partition("+")[0]
    return (local_part.replace(".", ""), GOOGLE_DOMAINS[0]) if domain in GOOGLE_DOMAINS else (local_part, domain)


def bounce_of(user: User) -> Bounce | None:
    """Why game emails are no longer sent to the user's address, if they are not."""
    return Bounce.objects.filter(address=user.email.lower()).first() if user.email else None


def is_reachable(user: User) -> bool:
    """True if game emails are sent to the user."""
    return is_confirmed(user) and bounce_of(user) is None


def note_bounce(address: str, why: Bounce.Why, words: str) -> None:
    """Send no more game emails to an address. Keeps the first reason; stores nothing for addresses without an
    account."""
    address = folded(address)
    if User.objects.filter(email__iexact=address).exists():
        Bounce.objects.get_or_create(address=address, defaults={"why": why, "words": words[:200]})


def forget_bounces(user: User) -> None:
    """Delete the bounces of an account that is being deleted."""
    own = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    Bounce.objects.filter(address__in={address.lower() for address in (user.email, *own) if address}).delete()
