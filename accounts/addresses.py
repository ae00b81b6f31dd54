"""Email addresses in one form: however a mailbox is spelled, the site stores, counts and refuses it under one name."""

from __future__ import annotations

from email.errors import MessageError
from email.headerregistry import Address

import idna
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext

MOST = 254  # characters of an address that SMTP carries, and of the columns that hold one


def written(address: str) -> str:
    """The form in which an address is stored and mail is sent to it: in lower case, without quotes that change nothing,
    the domain as it stands in the DNS. Raises `ValidationError` if it cannot be written in ASCII."""
    found = _folded(address)
    if found is None:
        raise ValidationError(
            gettext(
                "We cannot send email to this address. Before the @ use the letters a to z, digits and signs; "
                "after it the name of a domain."
            ),
            code="not_ascii",
        )
    if len(found) > MOST:
        raise ValidationError(
            gettext("An email address has up to %(most)s characters; this one has %(length)s."),
            code="too_long",
            params={"most": MOST, "length": len(found)},
        )
    validate_email(found)
    return found


def folded(address: str) -> str:
    """The same form of whatever was typed, received or stored; of what is no address, only the case is folded."""
    return _folded(address) or address.strip().lower()


def _folded(address: str) -> str | None:
    box, _, domain = address.strip().rpartition("@")
    try:
        plain = idna.encode(domain.rstrip("."), uts46=True, std3_rules=True).decode()
        return Address(addr_spec=f"{box}@{plain}").addr_spec.lower()
    except (ValueError, MessageError):
        return None
