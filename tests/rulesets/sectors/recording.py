"""A whole game on paper: what was asked, when a clock ran out, and a hash of the position after each phase."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from game.engine import referee
from game.engine.actions import Action
from game.engine.chance import Chance
from game.engine.play import Outcome
from game.engine.position import AnyPosition
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.ruleset import SECTORS

FOLDER = Path(__file__).parent / "games"
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
    options: Options = Options()
    reviews: bool = False
    version: int = 1
    opening: str = ""
    chapters: list[Chapter] = []
    end: str = ""
    standings: list[tuple[int, int, int]] = []


def digest_of(position: AnyPosition) -> str:
    """A short hash of the state's canonical bytes, options left out: a new option alone changes no recording."""
    bare = msgspec.structs.replace(position.state, options=None)
    return blake2b(SECTORS.codec.encode([bare, position.cursor.serial]), digest_size=5).hexdigest()


def start(recording: Recording) -> Outcome[Any]:
    """The recorded game at its first decision."""
    return referee.start(SECTORS, recording.options, recording.seats, Chance(recording.secret), reviews=recording.reviews)


def move_of(action: Action) -> Move:
    """An action as it is written down."""
    request = msgspec.to_builtins(action)
    seat = request.pop("actor")
    return seat, request if len(request) > 1 else request["kind"]


def make_move(recording: Recording, position: AnyPosition, move: Move) -> Outcome[Any]:
    """Carry out one written move. Raises `Refused` where the rules no longer allow it."""
    chance = Chance(recording.secret)
    if isinstance(move, str):
        return referee.close(SECTORS, position, chance)
    seat, asked = move
    request = {"kind": asked} if isinstance(asked, str) else asked
    return referee.apply(SECTORS, position, SECTORS.parse(request, seat), chance)


def replay(recording: Recording) -> Iterator[tuple[Chapter | None, Outcome[Any]]]:
    """The opening, then every chapter, each with what it leads to under today's rules."""
    outcome = start(recording)
    yield None, outcome
    for chapter in recording.chapters:
        told: Outcome[Any] = Outcome(outcome.position)
        for move in chapter.moves:
            outcome = make_move(recording, outcome.position, move)
            told.events += outcome.events
            told.position = outcome.position
        yield chapter, told


def result_of(position: AnyPosition) -> tuple[str, list[tuple[int, int, int]]]:
    """Why the game ended, and the standings as they are written down."""
    return SECTORS.end_reason(position.state), [(s.seat, s.place, s.score) for s in SECTORS.standings(position.state)]


def load(path: Path) -> Recording:
    """A recording from its file."""
    return msgspec.json.decode(path.read_bytes(), type=Recording)


def save(path: Path, recording: Recording) -> None:
    """A line for the head of the game and one for each chapter, so that differences can be read."""
    head = msgspec.to_builtins(recording)
    chapters = head.pop("chapters")
    lines = ",\n".join(msgspec.json.encode(chapter).decode() for chapter in chapters)
    path.write_text(f'{msgspec.json.encode(head).decode()[:-1]},"chapters":[\n{lines}\n]}}\n')
