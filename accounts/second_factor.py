"""Second factors: whether a session has given one, and which sessions end when those of an account change."""

from __future__ import annotations

from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from allauth.mfa.totp.internal import auth as totp
from allauth.mfa.utils import decrypt, is_mfa_enabled
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext

from accounts.models import User
from accounts.sessions import end_sessions, others_shut_out

MFA = "mfa"  # allauth's word for every second factor: an app's code, a recovery code, a passkey
RECOVERY = Authenticator.Type.RECOVERY_CODES
LAST_PERIOD = "last_period"  # beside an app's key: of the latest code that was given


def gave_factor(request: HttpRequest) -> bool:
    """Whether this session has given a second factor. A passkey alone counts: it asks for a finger, a face or a PIN."""
    return any(record.get("method") == MFA for record in get_authentication_records(request, request.user))


def ways_to_confirm(user: User, ways: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Allauth's ways to confirm one's identity, for an account with a second factor, the usual one first: a person who
    found an open session and the password can change neither factors nor address."""
    if not is_mfa_enabled(user):
        return ways
    has_app = is_mfa_enabled(user, [Authenticator.Type.TOTP])
    own = [way for way in ways if way["url"] != reverse("account_reauthenticate")]
    return own if has_app else own[::-1]  # allauth names codes before passkeys


@transaction.atomic
def use_code(authenticator: Authenticator, code: str) -> bool:
    """Whether a right code counts: an app's counts once, and none that is older than one given before. The database
    remembers it, because the cache forgets a code that is still valid, and may be away."""
    if authenticator.type != Authenticator.Type.TOTP:
        return True
    locked = Authenticator.objects.select_for_update().get(pk=authenticator.pk)
    secret, last = decrypt(locked.data["secret"]), locked.data.get(LAST_PERIOD, -1)
    periods = [
        period
        for period in totp.yield_hotp_counters_from_time()
        if period > last and totp.format_hotp_value(totp.hotp_value(secret, period)) == normalize_user_code(code)
    ]
    if periods:
        locked.data[LAST_PERIOD] = max(periods)
        locked.save(update_fields=["data"])
    return bool(periods)


def keep_records(request: HttpRequest, user: User, records: list[dict[str, Any]]) -> None:
    """Record again how a person signed in, if the session in which they did belonged to a guest and has ended."""
    if records and not get_authentication_records(request, user):
        for record in records:
            record_authentication(request, user, **{name: value for name, value in record.items() if name != "at"})


def ended_others(request: HttpRequest) -> bool:
    """Whether the current change has ended the other sessions of the account."""
    return bool(getattr(request, "ended_others", False))


def connect() -> None:
    """Listen from now on."""
    authenticator_added.connect(_added, dispatch_uid="factor_added")
    for signal in (authenticator_removed, authenticator_reset):
        signal.connect(_changed, dispatch_uid="factor_changed")


def _added(*, request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
    """Setting up a factor means giving it: the code was typed, or the passkey was used. The first one ends the sessions
    that were opened with only the password."""
    if authenticator.type == RECOVERY:  # made along with a first factor, and not given by the person
        return
    record_authentication(request, user, MFA, id=authenticator.pk, type=authenticator.type)
    use_code(authenticator, request.POST.get("code", ""))
    if not Authenticator.objects.filter(user=user).exclude(pk=authenticator.pk).exclude(type=RECOVERY).exists():
        _end_others(request, user)


def _changed(*, request: HttpRequest, user: User, **_: Any) -> None:
    if not ended_others(request):  # recovery codes go with the last factor: that is one change
        _end_others(request, user)


def _end_others(request: HttpRequest, user: User) -> None:
    end_sessions(user, but=request.session.session_key)
    request.ended_others = True  # type: ignore[attr-defined]
    messages.info(request, gettext("Everywhere else you were signed in, you are signed out now."))
    others_shut_out.send(Authenticator, request=request, user=user)
