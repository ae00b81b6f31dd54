"""Export of a person's own data: JSON files in one archive."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeVar

import msgspec
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
from game.engine.codec import Damaged, compress
from game.outbox.models import NotificationPreference
from game.reputation import households
from game.reputation.models import RatedResult
from game.store import availability
from game.store.availability import Vacation
from game.store.case_models import Silence
from game.store.game import BEGUN, Game, Seat
from game.store.log import Kind, LoggedAction, Notice, PackedLog, whole_action
from game.store.packing import Quiet, Steps, unpack_steps
from game.store.seat_models import Removal, StandIn, Tenure

Span = tuple[datetime, datetime | None]
Chair = tuple[int, int]
"""A game's key and a seat's number."""
SUBMISSION_COLUMNS = ("number", "turn", "phase_name", "seat", "is_undone", "at", "action")
HEAVY = tuple(f"game__{column}" for column in ("state", "inputs", "course"))
PREFERENCE_COLUMNS = ("game__name", "topic", "channel", "how")
NOTICE_COLUMNS = ("game__name", "kind", "channel", "due_at", "sent_at", "cancelled_at", "trouble")
RESULT_COLUMNS = ("game__name", "rating__ruleset", "rating__ladder", "number", "rank", "has_left", "at", "mu", "sigma")
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
        "actions": _actions(user),
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
    """The account's columns, except the password hash, which is of no use to anyone."""
    addresses = _rows_of(EmailAddress.objects.filter(user=user), "email", "verified", "primary")
    own = {user.email.lower(), *(each["email"].lower() for each in addresses)}
    return {
        "name": user.username,
        "addresses": addresses,
        "mail_that_came_back": _rows_of(Bounce.objects.filter(address__in=own), "address", "why", "words", "at"),
        "sign_in_links": _rows_of(user.sign_in_links.all(), "created_at", "expires_at", "used_at"),
        "signed_in": _rows_of(UserSession.objects.filter(user=user), "ip", "user_agent", "created_at"),
        "second_factors": _rows_of(Authenticator.objects.filter(user=user), "type", "created_at", "last_used_at"),
        "joined": user.date_joined,
        "last_sign_in": user.last_login,
        "is_guest": user.is_guest,
        "preferences": model_to_dict(user, [*PreferencesForm.Meta.fields, *HoursForm.Meta.fields]),
        "notifications": list(
            NotificationPreference.objects.filter(user=user).order_by("pk").values(*PREFERENCE_COLUMNS)
        ),
        "hours": sorted(availability.week_hours(user)),
        "vacations": list(Vacation.objects.filter(user=user).values("begins_at", "ends_at", "declared_at")),
        "lessons": list(user.learnt_lessons.order_by("pk").values("ruleset", "lesson", "at")),
        "notes_for_newcomers_read": user.notes_seen,
        "shared_home": [
            {"with": link.name, "state": link.state, "since": link.since, "until": link.until}
            for link in households.links_of(user)
        ],
        "address_fingerprints": _rows_of(user.fingerprints.all(), "kind", "digest", "day"),
        "browsers": list(user.push_subscriptions.values("endpoint", "made_at")),
        "webhooks": list(user.webhooks.values("url", "types", "state", "made_at")),
        "bots": _rows_of(user.bots.all(), "user__username", "rulesets", "paces", "most_games"),
        "api_tokens": list(
            user.api_tokens.values("name", "scopes", "only_game", "created_at", "expires_at", "used_on")
        ),
    }


def _rows_of(rows: QuerySet[Any], *columns: str) -> Rows:
    return list(rows.order_by("pk").values(*columns))


def _games(user: User) -> Rows:
    """Each time they had a seat: decisions made and missed, and the result if the seat is still theirs."""
    seats = {(seat.game_id, seat.number): seat for seat in Seat.objects.filter(user=user)}
    tenures = _with_game(Tenure.objects.filter(user=user))
    return [_tenure(tenure, seats.get((tenure.game_id, tenure.number))) for tenure in tenures]


def _with_game(rows: QuerySet[M]) -> Iterable[M]:
    return rows.select_related("game").defer(*HEAVY).order_by("pk")


def _tenure(tenure: Tenure, seat: Seat | None) -> dict[str, Any]:
    decisions = model_to_dict(tenure, ["decisions", "missed", "excused", "missed_on"])
    return {
        "game": tenure.game.name,
        "ruleset": tenure.game.ruleset,
        "seat": tenure.number + 1,
        "from": tenure.began_at,
        "until": tenure.ended_at,
        "left_because": tenure.end,
        "place": seat.place if seat else None,
        "score": seat.score if seat else None,
        **decisions,
    }


def _stand_ins(user: User) -> Rows:
    """When they were somebody's stand-in, and when they had one."""
    stand_ins = StandIn.objects.filter(Q(user=user) | Q(owner=user))
    return [
        {
            "game": each.game.name, "seat": each.number + 1, "as": "player" if each.owner_id == user.pk else "proxy",
            "from": each.began_at, "until": each.until, "ended": each.ended_at, "ended_because": each.end,
        }
        for each in _with_game(stand_ins)
    ]  # fmt: skip


def _actions(user: User) -> list[dict[str, Any]]:
    """Everything they submitted themselves, by game and in the order of its log, even if they took it back or a
    moderator rewound it.

    What a stand-in, the caretaker or the clock did for them is left out. Seats count from 1."""
    tenures, stand_ins = _spans_by_seat(user), _stand_ins_by_seat(user)
    rows: dict[int, list[Any]] = {}
    submissions = LoggedAction.objects.filter(user=user, kind=Kind.SUBMIT, action__isnull=False)
    submissions = submissions.exclude(game__device_seats__gt=0, game__status__in=BEGUN)  # not theirs alone
    for row in submissions.order_by("number").values_list("game_id", *SUBMISSION_COLUMNS, named=True):
        rows.setdefault(row.game_id, []).append(row)
    games = {*rows, *(game for game, _ in (*tenures, *stand_ins))}
    packed_logs = _packed_logs_by_game(games)
    descriptions = []
    for game in Game.objects.filter(pk__in=games).only("name", "ruleset", "is_archived").order_by("pk"):
        game.packed_steps = Steps()
        for packed in packed_logs.get(game.pk, ()):
            with suppress(Damaged):
                game.packed_steps.add(unpack_steps(packed))
        quiet = [step for step in game.packed_steps.quiet if _is_own(step, game.pk, user, tenures, stand_ins)]
        entries = sorted([*rows.get(game.pk, ()), *quiet], key=lambda entry: entry.number)
        descriptions += [_describe_entry(game, entry) for entry in entries]
        del game.packed_steps
    return descriptions


def _packed_logs_by_game(games: Iterable[int]) -> dict[int, list[bytes]]:
    packed_logs: dict[int, list[bytes]] = {}
    for game_id, packed in PackedLog.objects.filter(game__in=games).order_by("number").values_list("game_id", "packed"):
        packed_logs.setdefault(game_id, []).append(bytes(packed))
    return packed_logs


def _spans_by_seat(user: User) -> dict[Chair, list[Span]]:
    spans: dict[Chair, list[Span]] = {}
    for each in Tenure.objects.filter(user=user).only("game_id", "number", "began_at", "ended_at"):
        spans.setdefault((each.game_id, each.number), []).append((each.began_at, each.ended_at))
    return spans


def _stand_ins_by_seat(user: User) -> dict[Chair, list[tuple[Span, int | None]]]:
    """When a stand-in played a seat, if this person is the owner or the stand-in."""
    spans: dict[Chair, list[tuple[Span, int | None]]] = {}
    for each in StandIn.objects.filter(Q(owner=user) | Q(user=user)).only(
        "game_id", "number", "began_at", "ended_at", "user_id"
    ):
        spans.setdefault((each.game_id, each.number), []).append(((each.began_at, each.ended_at), each.user_id))
    return spans


def _describe_entry(game: Game, entry: Any) -> dict[str, Any]:
    return {
        "game": game.name, "seat": entry.seat + 1, "turn": entry.turn, "phase": entry.phase_name, "at": entry.at,
        "taken_back": entry.is_undone, "submitted": _read_action(game, entry),
    }  # fmt: skip


def _read_action(game: Game, entry: Any) -> dict[str, Any] | None:
    """The submitted action; None if it can no longer be read."""
    packed = compress(entry.action or b"") if isinstance(entry, Quiet) else whole_action(game, bytes(entry.action))
    try:
        fields: dict[str, Any] = msgspec.to_builtins(game.rules.codec.unpack_action(packed), str_keys=True)
    except Damaged:
        return None
    fields.pop("actor", None)
    return fields


def _is_own(
    step: Quiet,
    game_id: int,
    user: User,
    tenures: dict[Chair, list[Span]],
    stand_ins: dict[Chair, list[tuple[Span, int | None]]],
) -> bool:
    """True if a packed submission is theirs; a stand-in's is not its owner's."""
    if not step.is_own or step.seat is None or step.action is None:
        return False
    chair = (game_id, step.seat)
    for span, player in stand_ins.get(chair, ()):
        if _contains(span, step.at):
            return player == user.pk
    return any(_contains(span, step.at) for span in tenures.get(chair, ()))


def _contains(span: Span, moment: datetime) -> bool:
    return span[0] <= moment and (span[1] is None or moment < span[1])


def _ratings(user: User) -> dict[str, Rows]:
    """Each current rating, and its history by rated game; places count from 1."""
    results = RatedResult.objects.filter(rating__user=user)
    return {
        "now": _rows_of(user.ratings.all(), "ruleset", "ladder", "mu", "sigma", "sure", "games", "last_at"),
        "results": [{"seat": row.pop("number") + 1} | row for row in _rows_of(results, *RESULT_COLUMNS)],
    }


def _messages(user: User) -> Rows:
    own_messages = Message.objects.filter(author=user, kind=Message.Kind.SAID)
    return [
        {"game": each.game.name, "moment": moment_words(each, each.game), "at": each.at, "text": each.text}
        for each in _with_game(own_messages)
    ]


def _chats(user: User) -> dict[str, Rows]:
    """Facts about chats: how far they have read, whom they muted, and which hosts removed them."""
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
