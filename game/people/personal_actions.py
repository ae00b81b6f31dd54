"""What one person has submitted in all of their games, sealed or not, and nothing that other people did."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any

import msgspec
from django.db.models import Q

from accounts.models import User
from game.engine.codec import Damaged, compress
from game.store.game import Game
from game.store.log import Kind, LoggedAction, Volume
from game.store.packed_rows import whole_action
from game.store.stand_in_models import Proxy
from game.store.steps import Quiet, Steps, unpack_steps
from game.store.tenure_models import Sitting

Span = tuple[datetime, datetime | None]
Chair = tuple[int, int]
"""A game's key and the number of a seat."""
KEPT = ("number", "turn", "phase_name", "seat", "is_undone", "at", "action")


def actions_of(user: User) -> list[dict[str, Any]]:
    """Game by game in the order of its log: what they sent themselves, also what they took back or a moderator rewound.

    What a proxy, a caretaker or the clock did for them is left out. Seats count from 1."""
    sat, shared = _sittings(user), _proxies(user)
    rows: dict[int, list[Any]] = {}
    sent = LoggedAction.objects.filter(user=user, kind=Kind.SUBMIT, action__isnull=False)
    for row in sent.order_by("number").values_list("game_id", *KEPT, named=True):
        rows.setdefault(row.game_id, []).append(row)
    games = {*rows, *(game for game, _ in (*sat, *shared))}
    volumes = _volumes(games)
    found = []
    for game in Game.objects.filter(pk__in=games).only("name", "ruleset", "is_archived").order_by("pk"):
        game.put_away = _steps(volumes.get(game.pk, ()))
        quiet = [step for step in game.put_away.quiet if _is_theirs(step, game.pk, user, sat, shared)]
        entries = sorted([*rows.get(game.pk, ()), *quiet], key=lambda entry: entry.number)
        found += [_told(game, entry) for entry in entries]
        del game.put_away
    return found


def _told(game: Game, entry: Any) -> dict[str, Any]:
    return {
        "game": game.name, "seat": entry.seat + 1, "turn": entry.turn, "phase": entry.phase_name, "at": entry.at,
        "taken_back": entry.is_undone, "submitted": _request(game, entry),
    }  # fmt: skip


def _request(game: Game, entry: Any) -> dict[str, Any] | None:
    """None where it can no longer be read."""
    packed = compress(entry.action or b"") if isinstance(entry, Quiet) else whole_action(game, bytes(entry.action))
    try:
        asked: dict[str, Any] = msgspec.to_builtins(game.rules.codec.unpack_action(packed), str_keys=True)
    except Damaged:
        return None
    asked.pop("actor", None)
    return asked


def _sittings(user: User) -> dict[Chair, list[Span]]:
    """When they had which seat."""
    found: dict[Chair, list[Span]] = {}
    for each in Sitting.objects.filter(user=user).only("game_id", "number", "began_at", "ended_at"):
        found.setdefault((each.game_id, each.number), []).append((each.began_at, each.ended_at))
    return found


def _proxies(user: User) -> dict[Chair, list[tuple[Span, int | None]]]:
    """When somebody played a seat for its owner, where either is this person."""
    found: dict[Chair, list[tuple[Span, int | None]]] = {}
    for each in Proxy.objects.filter(Q(owner=user) | Q(user=user)).only(
        "game_id", "number", "began_at", "ended_at", "user_id"
    ):
        found.setdefault((each.game_id, each.number), []).append(((each.began_at, each.ended_at), each.user_id))
    return found


def _is_theirs(
    step: Quiet,
    game_id: int,
    user: User,
    sat: dict[Chair, list[Span]],
    shared: dict[Chair, list[tuple[Span, int | None]]],
) -> bool:
    """Whether a submission that was put away after the end is one of theirs: a proxy's is not its owner's."""
    if not step.is_own or step.seat is None or step.action is None:
        return False
    chair = (game_id, step.seat)
    for span, player in shared.get(chair, ()):
        if _holds(span, step.at):
            return player == user.pk
    return any(_holds(span, step.at) for span in sat.get(chair, ()))


def _holds(span: Span, moment: datetime) -> bool:
    return span[0] <= moment and (span[1] is None or moment < span[1])


def _volumes(games: Iterable[int]) -> dict[int, list[bytes]]:
    """What was put away of these games, packed, by their keys."""
    found: dict[int, list[bytes]] = {}
    for game_id, packed in Volume.objects.filter(game__in=games).order_by("number").values_list("game_id", "packed"):
        found.setdefault(game_id, []).append(bytes(packed))
    return found


def _steps(volumes: Iterable[bytes]) -> Steps:
    """One game's; what lies in a damaged volume is missing."""
    found = Steps()
    for packed in volumes:
        with suppress(Damaged):
            found.add(unpack_steps(packed))
    return found
