"""Replay a game's log: verify that it leads from each snapshot to the next, and read the positions of its course."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import structlog
from django.db import transaction

from game.engine import correcting, leaving, referee
from game.engine.actions import Action, Correction
from game.engine.chance import Chance
from game.engine.codec import Damaged
from game.engine.play import Outcome, run_recorded
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from game.engine.stored import Stored, restore
from game.store import board_rows
from game.store.game import Game
from game.store.log import Kind, LoggedAction
from game.store.packed_log import every_entry

Watch = Callable[[LoggedAction, Outcome[Any]], None]
DAMAGED = "damaged"
LEAVING_STEPS = {
    Kind.HANDOVER.value: leaving.handed_over,
    Kind.RESIGN.value: leaving.resigned,
    Kind.VOTED_OUT.value: leaving.voted_out,
}
log = structlog.get_logger("game.services.replay")


@dataclass(frozen=True)
class Check:
    """A snapshot of a game, compared with the result of replaying the log up to it."""

    number: int
    serial: int
    stored: str
    replayed: str

    @property
    def is_equal(self) -> bool:
        """True if the replay matches the snapshot."""
        return self.stored == self.replayed


def hash_of(game: Game, position: AnyPosition) -> str:
    """A hash of a position, the same for equal positions."""
    codec = game.rules.codec
    parts = (codec.encode(position.state), codec.encode(position.cursor), codec.encode(sorted(position.ready)))
    inputs = codec.encode({seat: dict(sorted(held.items())) for seat, held in sorted(position.pending.items()) if held})
    return blake2b(b"/".join((*parts, inputs)), digest_size=8).hexdigest()


def replay_game(*, game: Game, watch: Watch | None = None) -> Iterator[Check]:
    """Replay the log, each part by its version of the rules, and compare it with every snapshot and with the current
    game. Snapshots of rules no longer kept are not compared: the replay restarts at the first later one. `watch`
    gets every replayed entry with its outcome."""
    position: AnyPosition | None = None
    rules: Ruleset | None = None
    for entry in every_entry(game):
        try:
            stored = entry.read_stored()
            if stored is not None and (rules is None or stored.version != rules.version):
                rules = _rules_of(game, stored)
                if rules is None or entry.kind != Kind.START:
                    position = restore(rules, stored) if rules else None
                    continue
            position = _replay_entry(game, rules, position, entry, watch)
        except Damaged:
            yield Check(entry.number, entry.opened_serial or entry.serial, DAMAGED, "")
            position = None
            continue
        if stored is not None:
            snapshot = restore(game.rules, stored)
            if position is not None:
                yield Check(entry.number, entry.opened_serial or 0, hash_of(game, snapshot), hash_of(game, position))
            position = snapshot
    if game.is_damaged:
        yield Check(game.entries, game.phase_serial, DAMAGED, "")
    elif position is not None and rules is game.rules:  # else the inputs may have been stored again under later rules
        yield Check(game.entries, game.phase_serial, hash_of(game, game.load_position()), hash_of(game, position))


def _replay_entry(
    game: Game, rules: Ruleset | None, position: AnyPosition | None, entry: LoggedAction, watch: Watch | None
) -> AnyPosition | None:
    """The position after an entry; None if the replay has not started."""
    if rules is None or (position is None and entry.kind != Kind.START):
        return None
    outcome = play_entry(game, position, entry, rules)
    if watch:
        watch(entry, outcome)
    return outcome.position


def _rules_of(game: Game, stored: Stored) -> Ruleset | None:
    """The version of the rules that stored a position; None if it was discarded."""
    return game.rules.as_of(stored.version) if stored.schema == game.rules.schema else None


def positions_of(game: Game) -> list[AnyPosition]:
    """The positions of a game's course: the start of each phase that was not rewound and is not damaged, and the
    current position."""
    course: list[tuple[int, Any]] = []
    for entry in game.log.exclude(opened_serial=None).order_by("number").iterator(chunk_size=100):
        entry.game = game
        if entry.back_to is not None:
            course = [(number, position) for number, position in course if number < entry.back_to]
        try:
            course.append((entry.number, entry.read_snapshot()))
        except Damaged:
            log.error("snapshot_damaged", game=game.pk, entry=entry.number)
    return [*(position for _, position in course), game.load_position()] if game.has_position else []


@transaction.atomic
def rebuild_projections(*, game_id: int) -> None:
    """Rewrite the board's rows from the snapshots."""
    game = Game.objects.locked().get(pk=game_id)
    board_rows.rebuild(game, positions_of(game))
    game.write_changes()


def play_entry(
    game: Game, position: AnyPosition | None, entry: LoggedAction, rules: Ruleset | None = None
) -> Outcome[Any]:
    """The outcome of one log entry, with its draws, under `rules` or, without any, today's. A rewind or a corrected
    resolution jumps to its snapshot. Raises `Damaged`."""
    if entry.kind in {Kind.REWIND, Kind.RERUN}:
        return Outcome(entry.read_snapshot())
    entry_rules = rules or game.rules
    return run_recorded(
        lambda chance: _run_entry(game, entry_rules, position, entry, chance), game.secret_at(entry.number)
    )


def _run_entry(
    game: Game, rules: Ruleset, position: AnyPosition | None, entry: LoggedAction, chance: Chance
) -> Outcome[Any]:
    if entry.kind == Kind.START:
        return referee.start(rules, game.read_options(), game.seats.count(), chance, reviews=game.reviews)
    assert position is not None
    if entry.kind in LEAVING_STEPS:
        return Outcome(LEAVING_STEPS[entry.kind](position, _seat_of(entry)))
    if entry.action:
        return _apply(rules, position, entry.read_action(), chance)
    if entry.kind == Kind.CLOSE or (entry.kind == Kind.MODERATION and entry.opened_serial):
        return referee.close(rules, position, chance)
    return Outcome(position)


def _apply(rules: Ruleset, position: AnyPosition, action: Action, chance: Chance) -> Outcome[Any]:
    if isinstance(action, Correction):
        return correcting.corrected(rules, position, action, chance)
    return referee.apply(rules, position, action, chance)


def _seat_of(entry: LoggedAction) -> int:
    if entry.seat is None:
        raise Damaged(f"Entry {entry.number} does not say which seat it is about.")
    return entry.seat
