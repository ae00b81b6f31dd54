"""A whole game on paper: what was asked, when a clock ran out, and a hash of the position after each phase."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from game.engine import referee
from game.engine.actions import Action, Ready, Refused, Undo
from game.engine.chance import Chance
from game.engine.flow import Mode
from game.engine.play import Outcome
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset

CLOSE = "close"
"""Stands in a recording for the clock that ran out."""

Move = tuple[int, dict[str, Any] | str] | str
"""A seat with its request, or with a bare kind; or the clock."""


class Chapter(msgspec.Struct, array_like=True):
    """One open phase: its name, what was asked in it, and the hash of the position it led to."""

    phase: str
    moves: list[Move]
    digest: str


class Recording(msgspec.Struct, omit_defaults=True):
    """A game from its set-up to its result. `standings` are seat, place and score, best first."""

    seats: int
    secret: str
    bots: list[str]
    options: Any
    reviews: bool = False
    version: int = 1
    opening: str = ""
    chapters: list[Chapter] = []
    end: str = ""
    standings: list[tuple[int, int, int]] = []


def digest_of(rules: Ruleset, position: AnyPosition) -> str:
    """A short hash of the state's canonical bytes, options left out: a new option alone changes no recording."""
    bare = msgspec.structs.replace(position.state, options=None)
    return blake2b(rules.codec.encode([bare, position.cursor.serial]), digest_size=5).hexdigest()


def start(rules: Ruleset, recording: Recording) -> Outcome[Any]:
    """The recorded game at its first decision."""
    return referee.start(rules, recording.options, recording.seats, Chance(recording.secret), reviews=recording.reviews)


def move_of(action: Action) -> Move:
    """An action as it is written down."""
    request = msgspec.to_builtins(action)
    seat = request.pop("actor")
    for entry in request.get("entries", ()):
        del entry["actor"]
    return seat, request if len(request) > 1 else request["kind"]


def make_move(rules: Ruleset, recording: Recording, position: AnyPosition, move: Move) -> Outcome[Any]:
    """Carry out one written move. Raises `Refused` where the rules no longer allow it."""
    chance = Chance(recording.secret)
    if isinstance(move, str):
        return referee.close(rules, position, chance)
    seat, asked = move
    request = {"kind": asked} if isinstance(asked, str) else asked
    return referee.apply(rules, position, rules.parse(request, seat), chance)


def replay(rules: Ruleset, recording: Recording) -> Iterator[tuple[Chapter | None, Outcome[Any]]]:
    """The opening, then every chapter, each with what it leads to under today's rules."""
    outcome = start(rules, recording)
    yield None, outcome
    for chapter in recording.chapters:
        result: Outcome[Any] = Outcome(outcome.position)
        for move in chapter.moves:
            outcome = make_move(rules, recording, outcome.position, move)
            result.events += outcome.events
            result.position = outcome.position
        yield chapter, result


def result_of(rules: Ruleset, position: AnyPosition) -> tuple[str, list[tuple[int, int, int]]]:
    """Why the game ended, and the standings as they are written down."""
    return rules.end_reason(position.state), [(s.seat, s.place, s.score) for s in rules.standings(position.state)]


def load(rules: Ruleset, path: Path) -> Recording:
    """A recording from its file."""
    recording = msgspec.json.decode(path.read_bytes(), type=Recording)
    recording.options = msgspec.convert(recording.options, rules.options_type)
    return recording


def save(path: Path, recording: Recording) -> None:
    """A line for the head of the game and one for each chapter, so that differences can be read."""
    head = msgspec.to_builtins(recording)
    chapters = head.pop("chapters")
    lines = ",\n".join(msgspec.json.encode(chapter).decode() for chapter in chapters)
    path.write_text(f'{msgspec.json.encode(head).decode()[:-1]},"chapters":[\n{lines}\n]}}\n')


def record(rules: Ruleset, recording: Recording) -> None:
    """Play the game among its bots and write it into the recording."""
    position = start(rules, recording).position
    recording.version, recording.opening = rules.version, digest_of(rules, position)
    while not position.is_over:
        chapter, position = play_phase(rules, recording, position)
        recording.chapters.append(chapter)
    recording.end, recording.standings = result_of(rules, position)


def play_phase(rules: Ruleset, recording: Recording, position: AnyPosition) -> tuple[Chapter, AnyPosition]:
    """One phase to its end: decisions of all who are waited for, or a turn action by action."""
    phase = referee.phase_of(rules, position)
    assert phase is not None
    chapter = Chapter(phase.name, [], "")
    play = _play_turn if phase.mode is Mode.TURNS else _play_together
    position = play(rules, recording, chapter, position)
    chapter.digest = digest_of(rules, position)
    return chapter, position


def _play_together(rules: Ruleset, recording: Recording, chapter: Chapter, position: AnyPosition) -> AnyPosition:
    """Everybody who is waited for asks; then all are ready or, one time in two, the clock runs out."""
    serial = position.cursor.serial
    is_timed_out = Chance(recording.secret).at(branch=8, serial=serial).below("clock", 2) == 0
    for seat in sorted(referee.waiting_on(rules, position)):
        result = _asked(rules, recording, position, seat)
        for action in [*result, *([] if is_timed_out else [Ready(actor=seat)])]:
            if position.cursor.serial == serial:
                position = _move(rules, recording, chapter, position, action)
    return position if position.cursor.serial > serial else _close(rules, recording, chapter, position)


def _play_turn(rules: Ruleset, recording: Recording, chapter: Chapter, position: AnyPosition) -> AnyPosition:
    """Action by action; now and then one is taken back, or the clock runs out."""
    serial = position.cursor.serial
    while position.cursor.serial == serial:
        seat, step = min(referee.waiting_on(rules, position)), position.cursor.step
        mood = Chance(recording.secret).at(branch=8, serial=serial, step=step).below("mood", 40)
        takes_back = position.earlier and mood < 4
        asked = [Undo(actor=seat)] if takes_back else _asked(rules, recording, position, seat)
        before = position
        for action in asked if mood < 39 else ():
            position = _move(rules, recording, chapter, position, action)
        if position.cursor == before.cursor:
            position = _close(rules, recording, chapter, position)
    return position


def _close(rules: Ruleset, recording: Recording, chapter: Chapter, position: AnyPosition) -> AnyPosition:
    chapter.moves.append(CLOSE)
    return make_move(rules, recording, position, CLOSE).position


def _asked(rules: Ruleset, recording: Recording, position: AnyPosition, seat: int) -> list[Action]:
    """What the seat's bot asks."""
    offers = referee.offers(rules, position, seat)
    cursor = position.cursor
    own = Chance(recording.secret).at(branch=7, serial=cursor.serial * 10 + seat, step=cursor.step or None)
    requests = rules.bots[recording.bots[seat]](rules.view(position, seat), lambda: offers, own)
    return [rules.parse(request, seat) for request in requests]


def _move(rules: Ruleset, recording: Recording, chapter: Chapter, position: AnyPosition, action: Action) -> AnyPosition:
    move = move_of(action)
    try:
        after = make_move(rules, recording, position, move).position
    except Refused:
        return position
    chapter.moves.append(move)
    return after


def record_all(rules: Ruleset, plans: dict[str, Recording], folder: Path, names: list[str]) -> None:
    """Record the named games, or all of them."""
    folder.mkdir(exist_ok=True)
    for name in names or plans:
        recording = plans[name]
        record(rules, recording)
        path = folder / f"{name}.json"
        save(path, recording)
        phases = f"{len(recording.chapters)} phases, {path.stat().st_size} bytes"
        print(f"{name}: {phases}, ended by {recording.end}")  # noqa: T201


def check(rules: Ruleset, recording: Recording) -> None:
    """The game comes out the same, phase by phase, so that a difference shows where it begins."""
    chapters = replay(rules, recording)
    _, outcome = next(chapters)
    assert digest_of(rules, outcome.position) == recording.opening
    for at, (chapter, outcome) in enumerate(chapters):
        assert chapter is not None
        assert (at, chapter.phase, digest_of(rules, outcome.position)) == (at, chapter.phase, chapter.digest)
    assert outcome.position.is_over
    assert result_of(rules, outcome.position) == (recording.end, recording.standings)


def check_plan(rules: Ruleset, plan: Recording, recorded: Recording) -> None:
    """The recorded game is that of the plan, under the rules of today."""
    for name in ("seats", "secret", "bots", "options", "reviews"):
        assert getattr(recorded, name) == getattr(plan, name)
    assert recorded.version == rules.version
