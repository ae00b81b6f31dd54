"""Normalized email addresses: however a mailbox is spelled, the site stores, counts and blocks it under one name."""

from __future__ import annotations

from email.errors import MessageError
from email.headerregistry import Address

import idna
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext

MAX_LENGTH = 254  # characters: the limit of SMTP and of our columns


def written(address: str) -> str:
    """The address as it is stored and mailed to: lower case, no needless quotes, the domain as in the DNS. Raises
    `ValidationError` if it cannot be written in ASCII."""
    normalized = _normalize(address)
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


def folded(address: str) -> str:
    """The normalized address; text that is no address is only lower-cased."""
    return _normalize(address) or address.strip().lower()


def _normalize(address: str) -> str | None:
    local_part, _, domain = address.strip().rpartition("@")
    try:
        ascii_domain = idna.encode(domain.rstrip("."), uts46=True, std3_rules=True).decode()
        return Address(addr_spec=f"{local_part}@{ascii_domain}").addr_spec.lower()
    except (ValueError, MessageError):
        return None
