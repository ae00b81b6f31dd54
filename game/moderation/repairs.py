"""Examine a resolution: repeat it and show the differences for each player, or export a bundle for engineers."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from django.db import transaction

from accounts.models import User
from game.engine.codec import Damaged
from game.history.game_log import moment_words
from game.moderation import break_glass, case_filing, interventions, permissions, re_resolve
from game.store.dry_run_models import Rehearsal
from game.store.game import Game
from game.store.log import Intervention, LoggedAction

MOST_DIFFERENCES = 200


class Difference(NamedTuple):
    """A public fact that today's rules would change."""

    path: str
    stored: str
    now: str


class Rerun(NamedTuple):
    """A phase that was resolved again, and the differences."""

    phase: str
    differences: list[Difference]


def rerun_last(game: Game) -> Rerun:
    """Resolve the last phase again with today's rules and the same draws; nothing is stored. Raises `Refused`."""
    rerun = re_resolve.again_of(game)
    before, now = (_to_plain(game.rules.view(each, None)) for each in (rerun.stored, rerun.outcome.position))
    differences = list(_differences("", before, now))
    phase = moment_words(game.rules.flow(game.read_options()), rerun.last.turn, rerun.last.phase_name)
    return Rerun(phase, differences[:MOST_DIFFERENCES])


@transaction.atomic
def bundle_of(*, game_id: int, moderator: User, reason: str) -> bytes:
    """A ZIP for engineers: public facts, and sealed ones only while this moderator may read them. The secret of the
    draws is never included. Raises `Refused`."""
    permissions.check(Intervention.EXPORT_BUNDLE, moderator, reason)
    game = Game.objects.on_the_clock().get(pk=game_id)
    permissions.check_apart(game, moderator)
    files: dict[str, Any] = {"game": _facts(game), "public": case_filing.evidence_of(game)}
    if is_full := break_glass.opened_for(game, moderator) is not None:
        files["sealed"] = dict(break_glass.read(game_id=game_id, moderator=moderator))
        files["actions"] = [_describe_entry(game, entry) for entry in game.log.exclude(action=None).order_by("number")]
    interventions.record(game, moderator, Intervention.EXPORT_BUNDLE, reason, with_secrets=is_full)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.json", json.dumps(content, indent=1, default=str, ensure_ascii=False))
    return buffer.getvalue()


def _facts(game: Game) -> dict[str, Any]:
    rehearsal = Rehearsal.objects.filter(game=game).values("serial", "at", "has_failed").first()
    stored = {"rules": game.ruleset_version, "schema": game.schema}
    today = {"rules": game.rules.version, "schema": game.rules.schema}
    return {
        "id": game.pk, "ruleset": game.ruleset, "options": game.options, "pace": game.pace, "status": game.status,
        "stored_by": stored, "today": today, "phase": game.phase_name, "serial": game.phase_serial,
        "branch": game.branch, "version": game.version, "attempts": game.attempts, "held": game.held_reason,
        "deadline": game.deadline_at, "rehearsal": rehearsal, "damaged": game.is_damaged,
    }  # fmt: skip


def _describe_entry(game: Game, entry: LoggedAction) -> dict[str, Any]:
    entry.game = game
    try:
        action = _to_plain(entry.read_action())
    except Damaged:
        action = "damaged"
    return {"number": entry.number, "serial": entry.serial, "seat": entry.seat, "at": entry.at, "action": action}


def _to_plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _differences(path: str, stored: Any, now: Any) -> Iterator[Difference]:
    """Where two trees of plain values differ."""
    if isinstance(stored, dict) and isinstance(now, dict):
        for key in sorted({*stored, *now}):
            yield from _differences(f"{path}.{key}".lstrip("."), stored.get(key), now.get(key))
    elif isinstance(stored, list) and isinstance(now, list) and len(stored) == len(now):
        for place, pair in enumerate(zip(stored, now, strict=True)):
            yield from _differences(f"{path}[{place}]", *pair)
    elif stored != now:
        yield Difference(path, json.dumps(stored)[:200], json.dumps(now)[:200])
