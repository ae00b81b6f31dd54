"""Reading a game's past: the positions of its course, and whether its log leads from each snapshot to the next."""

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
from game.engine.play import Outcome
from game.engine.position import AnyPosition
from game.engine.recording import on_record
from game.engine.ruleset import Ruleset
from game.engine.stored import Stored, restore
from game.store import projections
from game.store.game import Game
from game.store.log import Kind, LoggedAction, every_entry

Watch = Callable[[LoggedAction, Outcome[Any]], None]
DAMAGED = "damaged"
CHANGED = {Kind.HANDOVER.value: leaving.handed_over, Kind.RESIGN.value: leaving.resigned}
log = structlog.get_logger("game.services.replay")


@dataclass(frozen=True)
class Check:
    """One snapshot of a game and what replaying the log up to it gave."""

    number: int
    serial: int
    stored: str
    replayed: str

    @property
    def is_equal(self) -> bool:
        """Whether the log leads to what was stored."""
        return self.stored == self.replayed


def hash_of(game: Game, position: AnyPosition) -> str:
    """The same for equal positions."""
    codec = game.rules.codec
    parts = (codec.encode(position.state), codec.encode(position.cursor), codec.encode(sorted(position.ready)))
    inputs = codec.encode({seat: dict(sorted(held.items())) for seat, held in sorted(position.pending.items()) if held})
    return blake2b(b"/".join((*parts, inputs)), digest_size=8).hexdigest()


def replay_game(*, game: Game, watch: Watch | None = None) -> Iterator[Check]:
    """Replay the log, each part by the rules that it followed, and compare it with every snapshot and with the current
    game. Snapshots of rules that are not kept are not compared: the replay continues from the first one of later rules.
    `watch` gets every entry that was replayed, with its result."""
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
            position = _after(game, rules, position, entry, watch)
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
    elif position is not None and rules is game.rules:  # what was sealed since may have been sealed by later rules
        yield Check(game.entries, game.phase_serial, hash_of(game, game.load_position()), hash_of(game, position))


def _after(
    game: Game, rules: Ruleset | None, position: AnyPosition | None, entry: LoggedAction, watch: Watch | None
) -> AnyPosition | None:
    """The position after an entry; None where the replay has not begun."""
    if rules is None or (position is None and entry.kind != Kind.START):
        return None
    outcome = play_entry(game, position, entry, rules)
    if watch:
        watch(entry, outcome)
    return outcome.position


def _rules_of(game: Game, stored: Stored) -> Ruleset | None:
    """The rules by which a position was stored."""
    return game.rules.as_of(stored.version) if stored.schema == game.rules.schema else None


def positions_of(game: Game) -> list[AnyPosition]:
    """The course of a game: the start of each of its phases that no rewind took back and that is not damaged, and
    now."""
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
    game = Game.objects.select_for_update(no_key=True).get(pk=game_id)
    projections.rebuild(game, positions_of(game))
    game.save(update_fields=["course"])


def play_entry(
    game: Game, position: AnyPosition | None, entry: LoggedAction, rules: Ruleset | None = None
) -> Outcome[Any]:
    """What one log entry leads to by these rules, today's where none are given, with its draws; a rewind and a
    corrected resolution jump to their snapshot. Raises `Damaged`."""
    if entry.kind in {Kind.REWIND, Kind.RERUN}:
        return Outcome(entry.read_snapshot())
    followed = rules or game.rules
    return on_record(lambda chance: _played(game, followed, position, entry, chance), game.secret_at(entry.number))


def _played(
    game: Game, rules: Ruleset, position: AnyPosition | None, entry: LoggedAction, chance: Chance
) -> Outcome[Any]:
    if entry.kind == Kind.START:
        return referee.start(rules, game.read_options(), game.seats.count(), chance, reviews=game.reviews)
    assert position is not None
    if entry.kind in CHANGED:
        return Outcome(CHANGED[entry.kind](position, _seat_of(entry)))
    if entry.action:
        return _applied(rules, position, entry.read_action(), chance)
    if entry.kind == Kind.CLOSE or (entry.kind == Kind.MODERATION and entry.opened_serial):
        return referee.close(rules, position, chance)
    return Outcome(position)


def _applied(rules: Ruleset, position: AnyPosition, action: Action, chance: Chance) -> Outcome[Any]:
    if isinstance(action, Correction):
        return correcting.corrected(rules, position, action, chance)
    return referee.apply(rules, position, action, chance)


def _seat_of(entry: LoggedAction) -> int:
    if entry.seat is None:
        raise Damaged(f"Entry {entry.number} does not say whose seat it is about.")
    return entry.seat
