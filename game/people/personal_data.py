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
CHOICE = ("game__name", "topic", "channel", "how")
TOLD = ("game__name", "kind", "channel", "due_at", "sent_at", "cancelled_at", "trouble")
RATED = ("game__name", "rating__ruleset", "number", "rank", "has_left", "at", "mu", "sigma")
Rows = list[dict[str, Any]]
M = TypeVar("M", bound=Model)


def archive_of(user: User) -> bytes:
    """A ZIP with a file for each kind of data. It contains nothing about other people, and nothing about a game that
    its own page would not show."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _files(user).items():
            archive.writestr(f"{name}.json", json.dumps(content, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2))
    return packed.getvalue()


def _files(user: User) -> dict[str, Any]:
    return {
        "account": _account(user),
        "games": _games(user),
        "hosted": _values(user.hosted_games.all(), "name", "ruleset", "created_at", "status"),
        "stand_ins": _stand_ins(user),
        "actions": actions_of(user),
        "ratings": _ratings(user),
        "notices": _values(Notice.objects.filter(user=user), *TOLD),
        "messages": _messages(user),
        "chats": _chats(user),
        "invitations": _invitations(user),
        "notebooks": _notebooks(user),
        "reports": _reports(user),
        "cases": _values(user.cases_filed.all(), "kind", "words", "at", "outcome"),
        "decisions": _values(user.sanctions.all(), "kind", "reason", "at", "until", "lifted_at"),
        "silence": _values(Silence.objects.filter(user=user), "until", "reason"),
    }


def _account(user: User) -> dict[str, Any]:
    """Only a hash of the password is stored, which is of no use to anyone."""
    addresses = _values(EmailAddress.objects.filter(user=user), "email", "verified", "primary")
    return {
        "name": user.username,
        "addresses": addresses,
        "mail_that_came_back": _bounces(user, addresses),
        "sign_in_links": _values(user.sign_in_links.all(), "created_at", "expires_at", "used_at"),
        "signed_in": _values(UserSession.objects.filter(user=user), "ip", "user_agent", "created_at"),
        "second_factors": _values(Authenticator.objects.filter(user=user), "type", "created_at", "last_used_at"),
        "joined": user.date_joined,
        "last_sign_in": user.last_login,
        "is_guest": user.is_guest,
        "preferences": model_to_dict(user, [*PreferencesForm.Meta.fields, *HoursForm.Meta.fields]),
        "notifications": list(Wish.objects.filter(user=user).order_by("pk").values(*CHOICE)),
        "hours": sorted(availability.week_hours(user)),
        "vacations": list(Vacation.objects.filter(user=user).values("begins_at", "ends_at", "declared_at")),
        "lessons": list(user.learnt_lessons.order_by("pk").values("ruleset", "lesson", "at")),
        "notes_for_newcomers_read": user.notes_seen,
        "shared_home": _shared_home(user),
        "address_fingerprints": _values(user.traces.all(), "kind", "digest", "day"),
        "browsers": list(user.push_subscriptions.values("endpoint", "made_at")),
        "webhooks": list(user.webhooks.values("url", "types", "state", "made_at")),
        "bots": _values(user.bots.all(), "user__username", "rulesets", "paces", "most_games"),
        "api_tokens": list(
            user.api_tokens.values("name", "scopes", "only_game", "created_at", "expires_at", "used_on")
        ),
    }


def _bounces(user: User, addresses: Rows) -> Rows:
    """Why mail no longer goes to an address of theirs."""
    own = {user.email.lower(), *(each["email"].lower() for each in addresses)}
    return _values(Bounce.objects.filter(address__in=own), "address", "why", "words", "at")


def _shared_home(user: User) -> Rows:
    """With whom, as their own page shows it."""
    return [
        {"with": link.name, "state": link.state, "since": link.since, "until": link.until}
        for link in households.links_of(user)
    ]


def _values(rows: QuerySet[Any], *columns: str) -> Rows:
    return list(rows.order_by("pk").values(*columns))


def _games(user: User) -> Rows:
    """Each time they sat down: what they decided and missed there, and how it ended if the seat is theirs."""
    seats = {(seat.game_id, seat.number): seat for seat in Seat.objects.filter(user=user)}
    sittings = _of_games(Sitting.objects.filter(user=user))
    return [_sitting(sitting, seats.get((sitting.game_id, sitting.number))) for sitting in sittings]


def _sitting(sitting: Sitting, seat: Seat | None) -> dict[str, Any]:
    counted = model_to_dict(sitting, ["decisions", "missed", "excused", "missed_on"])
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


def _stand_ins(user: User) -> Rows:
    """When they played a seat for somebody, and when somebody did for them."""
    mine = Proxy.objects.filter(Q(user=user) | Q(owner=user))
    return [
        {
            "game": each.game.name, "seat": each.number + 1, "as": "player" if each.owner_id == user.pk else "proxy",
            "from": each.began_at, "until": each.until, "ended": each.ended_at, "ended_because": each.end,
        }
        for each in _of_games(mine)
    ]  # fmt: skip


def _ratings(user: User) -> dict[str, Rows]:
    """What each rating is now, and what it was after each rated game; places count from 1."""
    results = RatedResult.objects.filter(rating__user=user)
    return {
        "now": _values(user.ratings.all(), "ruleset", "mu", "sigma", "sure", "games", "last_at"),
        "results": [{"seat": row.pop("number") + 1} | row for row in _values(results, *RATED)],
    }


def _chats(user: User) -> dict[str, Rows]:
    """How far they have read, whom they do not read, and from which games a host sent them away."""
    return {
        "read": _values(ReadMark.objects.filter(user=user), "game__name", "number"),
        "muted": _values(Mute.objects.filter(user=user), "game__name", "muted__username"),
        "sent_away": _values(Removal.objects.filter(user=user), "game__name"),
    }


def _invitations(user: User) -> dict[str, Rows]:
    """What they are invited to by name, and whose invitations they do not want; no name: nobody's."""
    return {
        "received": _values(user.invitations.all(), "game__name", "invited_at", "declined_at"),
        "stopped": _values(user.invitation_stops.all(), "host__username"),
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
