"""Email addresses: the normal form in which the site stores, counts and blocks them, who has confirmed theirs, and
which ones bounce."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from email.errors import MessageError
from email.headerregistry import Address
from typing import Any

import idna
import structlog
from allauth.account.models import EmailAddress
from anymail.signals import EventType, RejectReason, tracking
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext

from accounts.models import Bounce, User

MAX_LENGTH = 254  # characters: the limit of SMTP and of our columns
GOOGLE_DOMAINS = ("gmail.com", "googlemail.com")  # one server, which ignores dots
CONSOLE_BACKEND = "django.core.mail.backends.console.EmailBackend"
# Bounce reasons that concern the address; full mailboxes, blocked servers and refused content do not.
ADDRESS_REASONS = {None, RejectReason.INVALID, RejectReason.BOUNCED, RejectReason.OTHER}
SUPPRESSION_REASONS = {RejectReason.INVALID, RejectReason.BOUNCED}
# Temporary, or not about the mailbox: SMTP codes, and the terms of two services.
TEMPORARY = re.compile(r"\b4\d\d[ -]|\b4\.\d+\.\d+\b|\b5\.(?:2\.[23]|3\.\d+|7\.\d+)\b|\bTransient:|\bSoftBounce\b")
ESCAPED = re.compile(r"\\(.)")  # in a quoted local part
log = structlog.get_logger("accounts.bounces")


def clean_address(address: str) -> str:
    """The address as it is stored and mailed to: lower case, no needless quotes, the domain as in the DNS. Raises
    `ValidationError` if it cannot be written in ASCII."""
    normalized = _to_ascii(address)
    if normalized is None:
        raise ValidationError(
            gettext(
                "We cannot send email to this address. Before the @ use the letters a to z, digits and signs; "
                "after it the name of a domain."
            ),
            code="not_ascii",
        )
    if len(normalized) > MAX_LENGTH:
        raise ValidationError(
            gettext("An email address has up to %(most)s characters; this one has %(length)s."),
            code="too_long",
            params={"most": MAX_LENGTH, "length": len(normalized)},
        )
    validate_email(normalized)
    return normalized


def normalize(address: str) -> str:
    """The normalized address; text that is no address is only lower-cased."""
    return _to_ascii(address) or address.strip().lower()


def _to_ascii(address: str) -> str | None:
    local_part, _, domain = address.strip().rpartition("@")
    try:
        ascii_domain = idna.encode(domain.rstrip("."), uts46=True, std3_rules=True).decode()
        return Address(addr_spec=f"{local_part}@{ascii_domain}").addr_spec.lower()
    except (ValueError, MessageError):
        return None


def is_confirmed(user: User) -> bool:
    """True if the user has shown that the address belongs to them: strangers must not get email about games they never
    joined. Email that a private copy only prints to its terminal needs no proof."""
    return user.pk in confirmed_user_ids([user])


def confirmed_user_ids(people: Collection[User]) -> frozenset[int]:
    """The ids of the users with a confirmed address, in one query."""
    addresses = {user.pk: user.email.lower() for user in people if user.email}
    if not addresses or settings.EMAIL_BACKEND == CONSOLE_BACKEND:
        return frozenset(addresses)
    rows = EmailAddress.objects.filter(user__in=addresses, verified=True).values_list("user_id", "email")
    return frozenset(user_id for user_id, address in rows if addresses[user_id] == address.lower())


def mailbox_of(address: str) -> tuple[str, str]:
    """The mailbox and domain that an address leads to, however it is spelled: without quotes and a plus suffix, which
    most mail servers ignore, and for Google without dots."""
    local_part, _, domain = normalize(address).rpartition("@")
    if local_part.startswith('"'):  # the suffix contains what must be quoted
        local_part = ESCAPED.sub(r"\1", local_part[1:-1])
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
    address = normalize(address)
    if User.objects.filter(email__iexact=address).exists():
        Bounce.objects.get_or_create(address=address, defaults={"why": why, "words": words[:200]})


def forget_bounces(user: User) -> None:
    """Delete the bounces of an account that is being deleted."""
    own = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    Bounce.objects.filter(address__in={address.lower() for address in (user.email, *own) if address}).delete()


def connect() -> None:
    """Subscribe to the reports."""
    tracking.connect(_record_bounce, dispatch_uid="accounts.addresses")


def bounce_reason(event: Any) -> Bounce.Why | None:
    """What an event says against its address; None if nothing, or only something temporary."""
    if event.event_type == EventType.COMPLAINED:
        return Bounce.Why.SPAM
    is_temporary = TEMPORARY.search(_report_text(event))
    is_bounce = event.event_type == EventType.BOUNCED and event.reject_reason in ADDRESS_REASONS and not is_temporary
    is_refusal = event.event_type == EventType.REJECTED and event.reject_reason in SUPPRESSION_REASONS
    return Bounce.Why.UNKNOWN if is_bounce or is_refusal else None


def _report_text(event: Any) -> str:
    """The texts of the service and of the recipient's server."""
    kind = event.esp_event.get("Type") if isinstance(event.esp_event, Mapping) else None
    return " ".join(str(each) for each in (kind, event.description, event.mta_response) if each)


def _record_bounce(event: Any, esp_name: str, **_: Any) -> None:
    why = bounce_reason(event)
    if why is None or not event.recipient:
        return
    note_bounce(event.recipient, why, event.mta_response or event.description or "")
    log.info("mail_came_back", service=esp_name, why=why.value)  # not the address: a log should not be a list of people
