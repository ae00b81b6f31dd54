"""Whom mail may go to, and unsubscribing from one kind of it with one click, as RFC 8058 wants it."""

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.translation import gettext_lazy

from accounts.models import User

PRINTED = "django.core.mail.backends.console.EmailBackend"
SALT = "accounts.unsubscribe"
SWITCHES = {"turns": "mail_turns", "reminders": "mail_reminders", "mentions": "mail_mentions"}
LABELS = {
    "turns": gettext_lazy("emails about your decisions"),
    "reminders": gettext_lazy("deadline reminders"),
    "mentions": gettext_lazy("emails about mentions"),
}


def is_confirmed(user: User) -> bool:
    """Whether the person has shown that the address on the account is theirs: strangers get no mail about games they
    never joined.

    Mail that is only printed to the terminal of a private copy reaches nobody else, and wants no proof."""
    if not user.email or settings.EMAIL_BACKEND == PRINTED:
        return bool(user.email)
    return EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()


def unsubscribe_url(user: User, kind: str) -> str:
    """The absolute address that switches off this kind of mail for this person, without signing in."""
    if kind not in SWITCHES:
        raise ValueError(f"No kind of mail is called {kind!r}.")
    token = signing.dumps([user.pk, kind], salt=SALT)
    return settings.SITE_URL + reverse("unsubscribe", args=[token])


def unsubscribe_headers(user: User, kind: str) -> dict[str, str]:
    return {
        "List-Unsubscribe": f"<{unsubscribe_url(user, kind)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def read_token(token: str) -> tuple[int, str] | None:
    """Whose mail of which kind the token names, or None where it was not made here."""
    try:
        user_id, kind = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError):
        return None
    return (user_id, kind) if kind in SWITCHES else None


def unsubscribe(user_id: int, kind: str) -> None:
    User.objects.filter(pk=user_id).update(**{SWITCHES[kind]: False})
