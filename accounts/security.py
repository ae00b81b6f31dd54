"""Passwords, second factors and sessions of an account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.core import context as current
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from allauth.mfa.totp.internal import auth as totp
from allauth.mfa.utils import decrypt, is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from accounts.models import User

other_sessions_ended = Signal()
"""Sent with the `request` and the `user` when the owner has ended the other sessions, directly or by
setting a new password."""
MFA = "mfa"  # allauth's term for every second factor: app code, recovery code, passkey
RECOVERY = Authenticator.Type.RECOVERY_CODES
LAST_PERIOD = "last_period"  # stored with the app's key: period of the last code used
MIN_LENGTH, MIN_LENGTH_WITH_FACTOR = 12, 8


def end_sessions(user: User, *, but: str | None = None) -> None:
    """End all sessions of a user, except `but`, and void their sign-in links. A session names its owner only in
    its packed data, so this reads all open sessions; that is acceptable because it is rare."""
    user.sign_in_links.filter(used_at=None).delete()
    for session in Session.objects.filter(expire_date__gt=timezone.now()).exclude(pk=but).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()


def delete_ended_sessions() -> int:
    """Delete the IP addresses and browsers stored for ended sessions. Returns how many rows."""
    open_keys = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return UserSession.objects.exclude(session_key__in=open_keys).delete()[0]


def has_used_factor(request: HttpRequest) -> bool:
    """True if this session used a second factor. A passkey alone counts: it asks for a finger, a face or a PIN."""
    return any(record.get("method") == MFA for record in get_authentication_records(request, request.user))


def is_sign_in_valid(request: HttpRequest, user: User) -> bool:
    """True if the password and the factors of a session that has just begun are still the account's. Whoever changes
    them holds the account's lock and ends its sessions: we see the change, or they see the session, which is therefore
    stored with its owner."""
    request.session.save()
    with transaction.atomic():
        rows = User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True)
        password = rows.values_list("password", flat=True).first()
    records = [each for each in get_authentication_records(request, user) if each.get("method") == MFA]
    factors = {*Authenticator.objects.filter(user=user).values_list("pk", flat=True)}
    is_factor_valid = all(each.get("id") in factors for each in records) and (bool(records) or not is_mfa_enabled(user))
    return password == user.password and is_factor_valid


def reauthentication_methods(user: User, ways: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The ways to reauthenticate. With a second factor the password is not one of them: someone who finds an open
    session and the password can change neither factors nor address."""
    if not is_mfa_enabled(user):
        return ways
    has_app = is_mfa_enabled(user, [Authenticator.Type.TOTP])
    methods = [way for way in ways if way["url"] != reverse("account_reauthenticate")]
    return methods if has_app else methods[::-1]  # allauth names codes before passkeys


@transaction.atomic
def use_code(authenticator: Authenticator, code: str) -> bool:
    """Use up a correct code. True if it counts: an app's code counts once, and not after a newer one. The last period
    is stored in the database, because the cache may lose it or be down while that code is still valid."""
    if authenticator.type != Authenticator.Type.TOTP:
        return True
    factor = Authenticator.objects.select_for_update().filter(pk=authenticator.pk).first()
    if factor is None:  # it was removed meanwhile
        return False
    secret, last = decrypt(factor.data["secret"]), factor.data.get(LAST_PERIOD, -1)
    periods = [
        period
        for period in totp.yield_hotp_counters_from_time()
        if period > last and totp.format_hotp_value(totp.hotp_value(secret, period)) == normalize_user_code(code)
    ]
    if periods:
        factor.data[LAST_PERIOD] = max(periods)
        factor.save(update_fields=["data"])
    return bool(periods)


def with_codes_locked(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Allauth's page of recovery codes, with their row locked: it stores that they were shown together with which of
    them are used, so a code that is used meanwhile would be valid again."""

    @require_safe
    @transaction.atomic
    def locked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        Authenticator.objects.select_for_update().filter(user=request.user.pk, type=RECOVERY).first()
        return view(request, *args, **kwargs)

    return locked


def restore_authentication_records(request: HttpRequest, user: User, records: list[dict[str, Any]]) -> None:
    """Record the sign-in again: signing in ended the guest's session, and with it these records."""
    if records and not get_authentication_records(request, user):
        for record in records:
            record_authentication(request, user, **{name: value for name, value in record.items() if name != "at"})


def has_ended_others(request: HttpRequest) -> bool:
    """True if this request has ended the account's other sessions."""
    return bool(getattr(request, "ended_others", False))


def connect() -> None:
    """Subscribe to changes of second factors."""
    post_save.connect(_factor_stored, sender=Authenticator, dispatch_uid="factor_stored")
    authenticator_added.connect(_factor_added, dispatch_uid="factor_added")
    for signal in (authenticator_removed, authenticator_reset):
        signal.connect(_factors_changed, dispatch_uid="factor_changed")


def _factor_stored(*, instance: Authenticator, created: bool, **_: Any) -> None:
    """The first factor ends the sessions that were opened with only the password, with the account still locked."""
    request: HttpRequest | None = current.request
    if not created or instance.type == RECOVERY or request is None or request.user != instance.user:
        return
    others = Authenticator.objects.filter(user=instance.user).exclude(pk=instance.pk).exclude(type=RECOVERY)
    if not others.exists():
        _end_others(request, instance.user)


def _factor_added(*, request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
    """Setting up a factor counts as using it: the code was typed, or the passkey was used."""
    if authenticator.type == RECOVERY:  # created with the first factor, not given by the user
        return
    record_authentication(request, user, MFA, id=authenticator.pk, type=authenticator.type)
    use_code(authenticator, request.POST.get("code", ""))


def _factors_changed(*, request: HttpRequest, user: User, **_: Any) -> None:
    if not has_ended_others(request):  # recovery codes are removed with the last factor: one change
        _end_others(request, user)


def _end_others(request: HttpRequest, user: User) -> None:
    end_sessions(user, but=request.session.session_key)
    request.ended_others = True  # type: ignore[attr-defined]
    messages.info(request, gettext("You have been signed out everywhere else."))
    other_sessions_ended.send(Authenticator, request=request, user=user)


class MinimumLength:
    """Twelve characters, or eight with a second factor."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Raises `ValidationError` if the password is too short."""
        least = _min_length(user)
        if len(password) < least:
            raise ValidationError(
                ngettext(
                    "A password needs at least {least} character; this one has {length}.",
                    "A password needs at least {least} characters; this one has {length}.",
                    least,
                ).format(least=least, length=len(password)),
                code="password_too_short",
            )

    def get_help_text(self) -> str:
        return ngettext("At least {least} character.", "At least {least} characters.", MIN_LENGTH).format(
            least=MIN_LENGTH
        )


def password_hint(user: User | None = None) -> str:
    """The hint below the field of a new password."""
    template = gettext("At least {least} characters. Not a common password, your name, or only digits.")
    return template.format(least=_min_length(user))


def missing_characters(password: str, user: User) -> int:
    """How many characters a password lacks once the account's second factor is removed; 0 if it is long enough."""
    return max(0, _min_length(user) - len(password))


def _min_length(user: User | None) -> int:
    has_account = user is not None and user.pk is not None
    return MIN_LENGTH_WITH_FACTOR if has_account and is_mfa_enabled(user) else MIN_LENGTH
