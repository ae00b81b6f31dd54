"""What the site keeps about one person, for themselves: files of JSON in one archive."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable
from typing import Any, TypeVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet
from django.forms.models import model_to_dict

from accounts.forms import PreferencesForm
from accounts.models import User
from game.models import Message, Notebook, Report, Seat, Sitting, Vacation, Wish
from game.notice_forms import HoursForm
from game.services import play_times
from game.services.chat import moment_words

HEAVY = tuple(f"game__{column}" for column in ("state", "inputs", "course"))
CHOICE = ("game__name", "topic", "channel", "how")
Rows = list[dict[str, Any]]
M = TypeVar("M", bound=Model)


def archive_of(user: User) -> bytes:
    """A ZIP with a file for each kind of data. Nothing in it is about anybody else, and nothing of a game that its own
    page would not show."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _files(user).items():
            archive.writestr(f"{name}.json", json.dumps(content, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2))
    return packed.getvalue()


def _files(user: User) -> dict[str, Any]:
    return {
        "account": _account(user),
        "games": _games(user),
        "messages": _messages(user),
        "notebooks": _notebooks(user),
        "reports": _reports(user),
        "cases": _values(user.cases_filed.all(), "kind", "words", "at", "outcome"),
        "decisions": _values(user.sanctions.all(), "kind", "reason", "at", "until", "lifted_at"),
    }


def _account(user: User) -> dict[str, Any]:
    """The password is kept as a fingerprint only, and is of no use to anybody."""
    addresses = EmailAddress.objects.filter(user=user).order_by("pk").values("email", "verified", "primary")
    return {
        "name": user.username,
        "addresses": list(addresses),
        "signed_in": _values(UserSession.objects.filter(user=user), "ip", "user_agent", "created_at"),
        "second_factors": _values(Authenticator.objects.filter(user=user), "type", "created_at", "last_used_at"),
        "joined": user.date_joined,
        "last_sign_in": user.last_login,
        "is_guest": user.is_guest,
        "preferences": model_to_dict(user, [*PreferencesForm.Meta.fields, *HoursForm.Meta.fields]),
        "notifications": list(Wish.objects.filter(user=user).order_by("pk").values(*CHOICE)),
        "hours": sorted(play_times.week_hours(user)),
        "vacations": list(Vacation.objects.filter(user=user).values("begins_at", "ends_at", "declared_at")),
        "lessons": list(user.learnt_lessons.order_by("pk").values("ruleset", "lesson", "at")),
        "notes_for_newcomers_read": user.notes_seen,
        "address_fingerprints": _values(user.traces.all(), "kind", "digest", "day"),
        "browsers": list(user.push_subscriptions.values("endpoint", "made_at")),
        "webhooks": list(user.webhooks.values("url", "types", "state", "made_at")),
        "bots": _values(user.bots.all(), "user__username", "rulesets", "paces", "most_games"),
        "api_tokens": list(user.api_tokens.values("name", "scopes", "created_at", "expires_at", "used_on")),
    }


def _values(rows: QuerySet[Any], *columns: str) -> Rows:
    return list(rows.order_by("pk").values(*columns))


def _games(user: User) -> Rows:
    """Each time they sat down: what they decided and missed there, and how it ended if the seat is theirs."""
    seats = {(seat.game_id, seat.number): seat for seat in Seat.objects.filter(user=user)}
    sittings = _of_games(Sitting.objects.filter(user=user))
    return [_sitting(sitting, seats.get((sitting.game_id, sitting.number))) for sitting in sittings]


def _sitting(sitting: Sitting, seat: Seat | None) -> dict[str, Any]:
    counted = model_to_dict(sitting, ["decisions", "missed", "excused"])
    return {
        "game": sitting.game.name,
        "ruleset": sitting.game.ruleset,
        "seat": sitting.number + 1,
        "from": sitting.began_at,
        "until": sitting.ended_at,
        "left_because": sitting.end,
        "place": seat.place if seat else None,
        "score": seat.score if seat else None,
        **counted,
    }


def _messages(user: User) -> Rows:
    said = Message.objects.filter(author=user, kind=Message.Kind.SAID)
    return [
        {"game": each.game.name, "moment": moment_words(each, each.game), "at": each.at, "text": each.text}
        for each in _of_games(said)
    ]


def _notebooks(user: User) -> Rows:
    books = Notebook.objects.filter(user=user)
    return [{"game": book.game.name, "saved": book.saved_at, "text": book.text} for book in _of_games(books)]


def _reports(user: User) -> Rows:
    """Those they made; the message that was reported is somebody else's."""
    made = Report.objects.filter(reporter=user)
    return [
        {"game": each.game.name, "at": each.at, "reason": each.reason, "closed": each.closed_at}
        for each in _of_games(made)
    ]


def _of_games(rows: QuerySet[M]) -> Iterable[M]:
    return rows.select_related("game").defer(*HEAVY).order_by("pk")
