"""How mail is written down, and whom it may go to."""

from __future__ import annotations

from collections.abc import Collection
from email.header import Header
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from accounts.addresses import folded
from accounts.models import Bounce, User

GOOGLE = ("gmail.com", "googlemail.com")  # two names of one server, which leaves out dots
PRINTED = "django.core.mail.backends.console.EmailBackend"
LONGEST_WORD = 60  # letters of a subject: what is longer would not fit beside the name of the field


class Letter(EmailMultiAlternatives):
    """An email whose subject begins on the line of its name: mail programs show a subject that begins with an empty
    line as none."""

    def message(self, **options: Any) -> Any:
        subject = self.subject
        self.subject = encoded_subject(str(subject))
        try:
            return super().message(**options)
        finally:
            self.subject = subject


def encoded_subject(subject: str) -> str:
    """The subject in words that fit on a line, the first one beside the name of the field."""
    if subject.isascii() and all(len(word) <= LONGEST_WORD for word in subject.split()):
        return subject
    return Header(subject, "utf-8", header_name="Subject").encode(linesep="")


def is_confirmed(user: User) -> bool:
    """Whether the person has shown that the address on the account is theirs: strangers must not get email about games
    they never joined. Email that is only printed to the terminal of a private copy reaches no one else, so it needs no
    proof."""
    return user.pk in confirmed_among([user])


def confirmed_among(people: Collection[User]) -> frozenset[int]:
    """Those of these people who have: one query."""
    named = {user.pk: user.email.lower() for user in people if user.email}
    if not named or settings.EMAIL_BACKEND == PRINTED:
        return frozenset(named)
    rows = EmailAddress.objects.filter(user__in=named, verified=True).values_list("user_id", "email")
    return frozenset(number for number, address in rows if named[number] == address.lower())


def mailbox_of(address: str) -> tuple[str, str]:
    """The mailbox that an address leads to, and its domain, in whatever spelling: without what follows a plus, which
    most mail servers ignore, and of Google's without dots."""
    box, _, domain = folded(address).rpartition("@")
    box = box.partition("+")[0]
    return (box.replace(".", ""), GOOGLE[0]) if domain in GOOGLE else (box, domain)


def bounce_of(user: User) -> Bounce | None:
    """Why mail about games no longer goes to the person's address, where it does not."""
    return Bounce.objects.filter(address=user.email.lower()).first() if user.email else None


def is_reachable(user: User) -> bool:
    """Whether mail about games goes to the person."""
    return is_confirmed(user) and bounce_of(user) is None


def note_bounce(address: str, why: Bounce.Why, words: str) -> None:
    """Send no more email about games to an address. The first reason noted is kept; for addresses that no account has,
    nothing is stored."""
    address = folded(address)
    if User.objects.filter(email__iexact=address).exists():
        Bounce.objects.get_or_create(address=address, defaults={"why": why, "words": words[:200]})


def forget_bounces(user: User) -> None:
    """The account goes, and with it what is known of its addresses."""
    own = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    Bounce.objects.filter(address__in={address.lower() for address in (user.email, *own) if address}).delete()
