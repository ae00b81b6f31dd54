"""Export of a person's own data: JSON files in one archive."""

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
from django.db.models import Model, Q, QuerySet
from django.forms.models import model_to_dict

from accounts.forms import PreferencesForm
from accounts.models import Bounce, User
from game.chat.models import Message, Mute, Notebook, ReadMark, Report
from game.chat.writing import moment_words
from game.delivery.forms import HoursForm
from game.people.personal_actions import actions_of
from game.reputation import households
from game.reputation.rating_models import RatedResult
from game.store import availability
from game.store.access_models import Removal
from game.store.case_models import Silence
from game.store.game import Seat
from game.store.log import Notice
from game.store.preference_models import Wish
from game.store.stand_in_models import Proxy
from game.store.tenure_models import Sitting
from game.store.time_models import Vacation

HEAVY = tuple(f"game__{column}" for column in ("state", "inputs", "course"))
WISH_COLUMNS = ("game__name", "topic", "channel", "how")
NOTICE_COLUMNS = ("game__name", "kind", "channel", "due_at", "sent_at", "cancelled_at", "trouble")
RESULT_COLUMNS = ("game__name", "rating__ruleset", "number", "rank", "has_left", "at", "mu", "sigma")
Rows = list[dict[str, Any]]
M = TypeVar("M", bound=Model)


def archive_of(user: User) -> bytes:
    """A ZIP with a file for each kind of data. It contains nothing about other people, and nothing about a game that
    the game's own page would hide."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _files(user).items():
            archive.writestr(f"{name}.json", json.dumps(content, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2))
    return buffer.getvalue()


def _files(user: User) -> dict[str, Any]:
    return {
        "account": _account(user),
        "games": _games(user),
        "hosted": _rows_of(user.hosted_games.all(), "name", "ruleset", "created_at", "status"),
        "stand_ins": _stand_ins(user),
        "actions": actions_of(user),
        "ratings": _ratings(user),
        "notices": _rows_of(Notice.objects.filter(user=user), *NOTICE_COLUMNS),
        "messages": _messages(user),
        "chats": _chats(user),
        "invitations": _invitations(user),
        "notebooks": _notebooks(user),
        "reports": _reports(user),
        "cases": _rows_of(user.cases_filed.all(), "kind", "words", "at", "outcome"),
        "decisions": _rows_of(user.sanctions.all(), "kind", "reason", "at", "until", "lifted_at"),
        "silence": _rows_of(Silence.objects.filter(user=user), "until", "reason"),
    }


def _account(user: User) -> dict[str, Any]:
    """Without the password hash, which is of no use to anyone."""
    addresses = _rows_of(EmailAddress.objects.filter(user=user), "email", "verified", "primary")
    return {
        "name": user.username,
        "addresses": addresses,
        "mail_that_came_back": _bounces(user, addresses),
        "sign_in_links": _rows_of(user.sign_in_links.all(), "created_at", "expires_at", "used_at"),
        "signed_in": _rows_of(UserSession.objects.filter(user=user), "ip", "user_agent", "created_at"),
        "second_factors": _rows_of(Authenticator.objects.filter(user=user), "type", "created_at", "last_used_at"),
        "joined": user.date_joined,
        "last_sign_in": user.last_login,
        "is_guest": user.is_guest,
        "preferences": model_to_dict(user, [*PreferencesForm.Meta.fields, *HoursForm.Meta.fields]),
        "notifications": list(Wish.objects.filter(user=user).order_by("pk").values(*WISH_COLUMNS)),
        "hours": sorted(availability.week_hours(user)),
        "vacations": list(Vacation.objects.filter(user=user).values("begins_at", "ends_at", "declared_at")),
        "lessons": list(user.learnt_lessons.order_by("pk").values("ruleset", "lesson", "at")),
        "notes_for_newcomers_read": user.notes_seen,
        "shared_home": _shared_home(user),
        "address_fingerprints": _rows_of(user.traces.all(), "kind", "digest", "day"),
        "browsers": list(user.push_subscriptions.values("endpoint", "made_at")),
        "webhooks": list(user.webhooks.values("url", "types", "state", "made_at")),
        "bots": _rows_of(user.bots.all(), "user__username", "rulesets", "paces", "most_games"),
        "api_tokens": list(
            user.api_tokens.values("name", "scopes", "only_game", "created_at", "expires_at", "used_on")
        ),
    }


def _bounces(user: User, addresses: Rows) -> Rows:
    """Why mail no longer goes to one of their addresses."""
    own = {user.email.lower(), *(each["email"].lower() for each in addresses)}
    return _rows_of(Bounce.objects.filter(address__in=own), "address", "why", "words", "at")


def _shared_home(user: User) -> Rows:
    """The links to other people, as shown on the person's own page."""
    return [
        {"with": link.name, "state": link.state, "since": link.since, "until": link.until}
        for link in households.links_of(user)
    ]


def _rows_of(rows: QuerySet[Any], *columns: str) -> Rows:
    return list(rows.order_by("pk").values(*columns))


def _games(user: User) -> Rows:
    """Each time they had a seat: decisions made and missed, and the result if the seat is still theirs."""
    seats = {(seat.game_id, seat.number): seat for seat in Seat.objects.filter(user=user)}
    sittings = _with_game(Sitting.objects.filter(user=user))
    return [_sitting(sitting, seats.get((sitting.game_id, sitting.number))) for sitting in sittings]


def _sitting(sitting: Sitting, seat: Seat | None) -> dict[str, Any]:
    decisions = model_to_dict(sitting, ["decisions", "missed", "excused", "missed_on"])
    return {
        "game": sitting.game.name,
        "ruleset": sitting.game.ruleset,
        "seat": sitting.number + 1,
        "from": sitting.began_at,
        "until": sitting.ended_at,
        "left_because": sitting.end,
        "place": seat.place if seat else None,
        "score": seat.score if seat else None,
        **decisions,
    }


def _stand_ins(user: User) -> Rows:
    """When they were somebody's stand-in, and when they had one."""
    proxies = Proxy.objects.filter(Q(user=user) | Q(owner=user))
    return [
        {
            "game": each.game.name, "seat": each.number + 1, "as": "player" if each.owner_id == user.pk else "proxy",
            "from": each.began_at, "until": each.until, "ended": each.ended_at, "ended_because": each.end,
        }
        for each in _with_game(proxies)
    ]  # fmt: skip


def _ratings(user: User) -> dict[str, Rows]:
    """Each current rating, and its history by rated game; places count from 1."""
    results = RatedResult.objects.filter(rating__user=user)
    return {
        "now": _rows_of(user.ratings.all(), "ruleset", "mu", "sigma", "sure", "games", "last_at"),
        "results": [{"seat": row.pop("number") + 1} | row for row in _rows_of(results, *RESULT_COLUMNS)],
    }


def _chats(user: User) -> dict[str, Rows]:
    """How far they have read, whom they muted, and which hosts removed them."""
    return {
        "read": _rows_of(ReadMark.objects.filter(user=user), "game__name", "number"),
        "muted": _rows_of(Mute.objects.filter(user=user), "game__name", "muted__username"),
        "sent_away": _rows_of(Removal.objects.filter(user=user), "game__name"),
    }


def _invitations(user: User) -> dict[str, Rows]:
    """Invitations to them by name, and hosts whose invitations they stopped; no name means everybody's."""
    return {
        "received": _rows_of(user.invitations.all(), "game__name", "invited_at", "declined_at"),
        "stopped": _rows_of(user.invitation_stops.all(), "host__username"),
    }


def _messages(user: User) -> Rows:
    own_messages = Message.objects.filter(author=user, kind=Message.Kind.SAID)
    return [
        {"game": each.game.name, "moment": moment_words(each, each.game), "at": each.at, "text": each.text}
        for each in _with_game(own_messages)
    ]


def _notebooks(user: User) -> Rows:
    books = Notebook.objects.filter(user=user)
    return [{"game": book.game.name, "saved": book.saved_at, "text": book.text} for book in _with_game(books)]


def _reports(user: User) -> Rows:
    """Their own reports, without the reported messages, which are somebody else's."""
    reports = Report.objects.filter(reporter=user)
    return [
        {"game": each.game.name, "at": each.at, "reason": each.reason, "closed": each.closed_at}
        for each in _with_game(reports)
    ]


def _with_game(rows: QuerySet[M]) -> Iterable[M]:
    return rows.select_related("game").defer(*HEAVY).order_by("pk")
