"""Everything one person has submitted in all of their games, sealed or not, and nothing of other people."""

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
"""A game's key and a seat's number."""
SUBMISSION_COLUMNS = ("number", "turn", "phase_name", "seat", "is_undone", "at", "action")


def actions_of(user: User) -> list[dict[str, Any]]:
    """Everything they submitted themselves, by game and in the order of its log, even if they took it back or a
    moderator rewound it.

    What a stand-in, the caretaker or the clock did for them is left out. Seats count from 1."""
    tenures, stand_ins = _spans_by_seat(user), _stand_ins_by_seat(user)
    rows: dict[int, list[Any]] = {}
    submissions = LoggedAction.objects.filter(user=user, kind=Kind.SUBMIT, action__isnull=False)
    for row in submissions.order_by("number").values_list("game_id", *SUBMISSION_COLUMNS, named=True):
        rows.setdefault(row.game_id, []).append(row)
    games = {*rows, *(game for game, _ in (*tenures, *stand_ins))}
    volumes = _volumes_by_game(games)
    descriptions = []
    for game in Game.objects.filter(pk__in=games).only("name", "ruleset", "is_archived").order_by("pk"):
        game.put_away = _unpack_volumes(volumes.get(game.pk, ()))
        quiet = [step for step in game.put_away.quiet if _is_own(step, game.pk, user, tenures, stand_ins)]
        entries = sorted([*rows.get(game.pk, ()), *quiet], key=lambda entry: entry.number)
        descriptions += [_describe_entry(game, entry) for entry in entries]
        del game.put_away
    return descriptions


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


def _spans_by_seat(user: User) -> dict[Chair, list[Span]]:
    """When they had which seat."""
    spans: dict[Chair, list[Span]] = {}
    for each in Sitting.objects.filter(user=user).only("game_id", "number", "began_at", "ended_at"):
        spans.setdefault((each.game_id, each.number), []).append((each.began_at, each.ended_at))
    return spans


def _stand_ins_by_seat(user: User) -> dict[Chair, list[tuple[Span, int | None]]]:
    """When a stand-in played a seat, if this person is the owner or the stand-in."""
    spans: dict[Chair, list[tuple[Span, int | None]]] = {}
    for each in Proxy.objects.filter(Q(owner=user) | Q(user=user)).only(
        "game_id", "number", "began_at", "ended_at", "user_id"
    ):
        spans.setdefault((each.game_id, each.number), []).append(((each.began_at, each.ended_at), each.user_id))
    return spans


def _is_own(
    step: Quiet,
    game_id: int,
    user: User,
    tenures: dict[Chair, list[Span]],
    stand_ins: dict[Chair, list[tuple[Span, int | None]]],
) -> bool:
    """Whether a packed submission is theirs; a stand-in's is not its owner's."""
    if not step.is_own or step.seat is None or step.action is None:
        return False
    chair = (game_id, step.seat)
    for span, player in stand_ins.get(chair, ()):
        if _contains(span, step.at):
            return player == user.pk
    return any(_contains(span, step.at) for span in tenures.get(chair, ()))


def _contains(span: Span, moment: datetime) -> bool:
    return span[0] <= moment and (span[1] is None or moment < span[1])


def _volumes_by_game(games: Iterable[int]) -> dict[int, list[bytes]]:
    """The packed volumes of these games."""
    volumes: dict[int, list[bytes]] = {}
    for game_id, packed in Volume.objects.filter(game__in=games).order_by("number").values_list("game_id", "packed"):
        volumes.setdefault(game_id, []).append(bytes(packed))
    return volumes


def _unpack_volumes(volumes: Iterable[bytes]) -> Steps:
    """The steps of one game, without those in damaged volumes."""
    steps = Steps()
    for packed in volumes:
        with suppress(Damaged):
            steps.add(unpack_steps(packed))
    return steps
