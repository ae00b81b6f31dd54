"""Reading the sealed orders and hands of a running game: only with a reason and a second person, for an hour, and the
players are told afterwards. The secret of the draws is never included. Bundles for engineers have sealed facts on the
same condition."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from game.engine.actions import Refused
from game.engine.codec import Damaged
from game.moderation import approvals, case_filing, interventions, permissions
from game.moderation.name_erasure import replacement_of
from game.play import door, moves
from game.store.game import Game, Status
from game.store.heartbeats import DryRun
from game.store.log import Kind, LoggedAction
from game.store.log_notes import Sentence
from game.store.moderation_models import ApprovalRequest, Intervention
from game.store.readers import seats_of

OPEN_FOR = timedelta(hours=1)
ANNOUNCED_AFTER = timedelta(days=30)
"""The players are told after this time, or when the game ends."""
READABLE = (Status.RUNNING, Status.PAUSED, Status.HELD)
WHAT = Intervention.READ_SECRETS


@transaction.atomic
def request_reading(*, game_id: int, moderator: User, reason: str) -> ApprovalRequest:
    """Ask to read what is sealed. Raises `Refused`."""
    game = _get_game(game_id, moderator, reason)
    if opened_for(game, moderator) is not None:
        raise Refused("You can read this game already.", code="open_already")
    return approvals.file_request(WHAT, moderator, reason, game=game, arguments={})


@transaction.atomic
def confirm(*, request_id: int, moderator: User | None) -> None:
    """Agree as the second moderator; the hour begins. Raises `Refused`."""
    request = approvals.lock_for_approval(request_id=request_id, moderator=moderator)
    if request.game is None or request.asker is None:
        raise Refused("There is no such game.", code="no_game")
    _get_game(request.game.pk, request.asker, request.reason)
    request.ends_at = timezone.now() + OPEN_FOR
    approvals.settle(request, moderator, approvals.Answer.CONFIRMED, "confirmed")


@transaction.atomic
def read(*, game_id: int, moderator: User) -> list[tuple[str, Any]]:
    """What each seat sees of a game, by the seat's name; each reading is recorded. Raises `Refused` and `Damaged`."""
    permissions.check_may(WHAT, moderator)
    game = Game.objects.on_the_clock().get(pk=game_id)
    request = None if permissions.why_barred(game, moderator) else opened_for(game, moderator)
    if request is None:
        raise Refused("Nothing is open here: ask for it, and let a second moderator confirm.", code="not_open")
    view = game.rules.viewer(game.load_position())
    codec = msgspec.json
    views = [(seat.shown_name, codec.decode(codec.encode(view(seat.number)))) for seat in seats_of(game)]
    interventions.record(game, moderator, WHAT, request.reason, request=request.pk, confirmed_by=approver_name(request))
    return views


def opened_for(game: Game, moderator: User) -> ApprovalRequest | None:
    """The request that lets this moderator read the game now."""
    confirmed = ApprovalRequest.objects.filter(what=WHAT, game=game, asker=moderator, answer="confirmed")
    return confirmed.filter(ends_at__gt=timezone.now()).select_related("answered_by").first()


def approver_name(request: ApprovalRequest) -> str:
    """The name of the second moderator; "the operator" if it was confirmed on the server or the account is deleted."""
    return str(request.answered_by or "the operator")


def unannounced_readings() -> QuerySet[ApprovalRequest]:
    """Readings that the players must be told about now: the game is over, or enough time has passed."""
    is_over = Q(game__status__in=[Status.FINISHED, Status.ABANDONED])
    due = ApprovalRequest.objects.filter(what=WHAT, answer="confirmed", told_at=None, ends_at__lte=timezone.now())
    return due.filter(is_over | Q(ends_at__lte=timezone.now() - ANNOUNCED_AFTER))


def announce_readings() -> int:
    """Write due readings to the logs of their games. Returns how many games were told."""
    request_ids = list(unannounced_readings().values_list("pk", flat=True)[:100])
    return sum(_notify_players(request_id) for request_id in request_ids)


@transaction.atomic
def bundle_of(*, game_id: int, moderator: User, reason: str) -> bytes:
    """A ZIP for engineers: public facts, and sealed ones only while this moderator may read them. The secret of the
    draws is never included. Raises `Refused`."""
    permissions.check(Intervention.EXPORT_BUNDLE, moderator, reason)
    game = Game.objects.on_the_clock().get(pk=game_id)
    permissions.check_ties(moderator, game=game)
    files = {"game": _or_why_not(_facts, game), "public": _or_why_not(case_filing.evidence_of, game)}
    if is_full := opened_for(game, moderator) is not None:
        files["sealed"] = _or_why_not(lambda: dict(read(game_id=game_id, moderator=moderator)))
        files["actions"] = _or_why_not(_describe_log, game)
    interventions.record(game, moderator, Intervention.EXPORT_BUNDLE, reason, with_secrets=is_full)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.json", json.dumps(content, indent=1, default=str, ensure_ascii=False))
    return buffer.getvalue()


def _or_why_not(read_facts: Callable[..., Any], *of: Any) -> Any:
    """Facts, or why they cannot be read, so that an engineer gets at least the others."""
    try:
        return read_facts(*of)
    except Damaged as damaged:
        return {"damaged": str(damaged)}


def _get_game(game_id: int, moderator: User, reason: str) -> Game:
    permissions.check(WHAT, moderator, reason)
    game = Game.objects.filter(pk=game_id).first()
    if game is None or game.status not in READABLE:
        raise Refused("Only a game that has begun and is not over has anything sealed.", code="not_running")
    permissions.check_ties(moderator, game=game)
    return game


@transaction.atomic
def _notify_players(request_id: int) -> bool:
    request = (
        unannounced_readings()
        .select_for_update(of=("self",))
        .select_related("asker", "answered_by")
        .filter(pk=request_id)
        .first()
    )
    game = moves.lock(request.game_id) if request is not None and request.game_id else None
    if request is None or game is None or request.answered_at is None:
        return False
    day = timezone.localtime(request.answered_at).date()
    names = {"moderator": request.asker or replacement_of(None), "second": approver_name(request)}
    note = Sentence.SECRETS_READ(day=day, reason=request.reason, **names)
    door.write_note(game=game, kind=Kind.MODERATION, note=note)
    request.told_at = timezone.now()
    request.save(update_fields=["told_at"])
    return True


def _facts(game: Game) -> dict[str, Any]:
    dry_run = DryRun.objects.filter(game=game).values("serial", "at", "has_failed").first()
    stored = {"rules": game.ruleset_version, "schema": game.schema}
    today = {"rules": game.rules.version, "schema": game.rules.schema}
    return {
        "id": game.pk, "ruleset": game.ruleset, "options": game.options, "pace": game.pace, "status": game.status,
        "stored_by": stored, "today": today, "phase": game.phase_name, "serial": game.phase_serial,
        "branch": game.branch, "version": game.version, "attempts": game.attempts, "held": game.held_reason,
        "deadline": game.deadline_at, "dry_run": dry_run, "damaged": game.is_damaged,
    }  # fmt: skip


def _describe_log(game: Game) -> list[dict[str, Any]]:
    return [_describe_entry(game, entry) for entry in game.log.exclude(action=None).order_by("number")]


def _describe_entry(game: Game, entry: LoggedAction) -> dict[str, Any]:
    entry.game = game
    try:
        action = msgspec.json.decode(msgspec.json.encode(entry.read_action()))
    except Damaged:
        action = "damaged"
    return {"number": entry.number, "serial": entry.serial, "seat": entry.seat, "at": entry.at, "action": action}
