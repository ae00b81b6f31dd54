"""Reports from the mail service: addresses that do not exist, and recipients who mark our mail as spam."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import structlog
from anymail.signals import EventType, RejectReason, tracking

from accounts.mail import note_bounce
from accounts.models import Bounce

# Bounce reasons that concern the address; full mailboxes, blocked servers and refused content do not.
ADDRESS_REASONS = {None, RejectReason.INVALID, RejectReason.BOUNCED, RejectReason.OTHER}
SUPPRESSION_REASONS = {RejectReason.INVALID, RejectReason.BOUNCED}
# Temporary, or not about the mailbox: SMTP codes, and the terms of two services.
TEMPORARY = re.compile(r"\b4\d\d[ -]|\b4\.\d+\.\d+\b|\b5\.(?:2\.[23]|3\.\d+|7\.\d+)\b|\bTransient:|\bSoftBounce\b")
log = structlog.get_logger("accounts.bounces")


def connect() -> None:
    """Subscribe to the reports."""
    tracking.connect(_record_bounce, dispatch_uid="accounts.bounces")


def why_of(event: Any) -> Bounce.Why | None:
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
    why = why_of(event)
    if why is None or not event.recipient:
        return
    note_bounce(event.recipient, why, event.mta_response or event.description or "")
    log.info("mail_came_back", service=esp_name, why=why.value)  # not the address: a log should not be a list of people
