"""What the service that sends our mail reports about it: addresses that do not exist, and readers who call it spam."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import structlog
from anymail.signals import EventType, RejectReason, tracking

from accounts.mail import note_bounce
from accounts.models import Bounce

# Reasons of returned email: full mailboxes, servers that block ours and refused content say nothing about the address.
OF_THE_ADDRESS = {None, RejectReason.INVALID, RejectReason.BOUNCED, RejectReason.OTHER}
REFUSED_BEFORE = {RejectReason.INVALID, RejectReason.BOUNCED}
# What may be better tomorrow, or is not about the mailbox: SMTP's codes, and two services' own words for it.
PASSING = re.compile(r"\b4\d\d[ -]|\b4\.\d+\.\d+\b|\b5\.(?:2\.[23]|3\.\d+|7\.\d+)\b|\bTransient:|\bSoftBounce\b")
log = structlog.get_logger("accounts.bounces")


def connect() -> None:
    """Listen to the reports."""
    tracking.connect(_note, dispatch_uid="accounts.bounces")


def why_of(event: Any) -> Bounce.Why | None:
    """What an event says against its address; None if it says nothing, or only something temporary."""
    if event.event_type == EventType.COMPLAINED:
        return Bounce.Why.SPAM
    is_passing = PASSING.search(_words_of(event))
    is_bounce = event.event_type == EventType.BOUNCED and event.reject_reason in OF_THE_ADDRESS and not is_passing
    is_refusal = event.event_type == EventType.REJECTED and event.reject_reason in REFUSED_BEFORE
    return Bounce.Why.UNKNOWN if is_bounce or is_refusal else None


def _words_of(event: Any) -> str:
    """All that the service and the reader's server say about it."""
    kind = event.esp_event.get("Type") if isinstance(event.esp_event, Mapping) else None
    return " ".join(str(each) for each in (kind, event.description, event.mta_response) if each)


def _note(event: Any, esp_name: str, **_: Any) -> None:
    why = why_of(event)
    if why is None or not event.recipient:
        return
    note_bounce(event.recipient, why, event.mta_response or event.description or "")
    log.info("mail_came_back", service=esp_name, why=why.value)  # not the address: a log should not be a list of people
