"""The log of a game that has ended as it is put away: its steps in one packed value, which is much smaller than
its parts.

Steps that tell something keep their row, so that pages find them as before; what is large in it lies in the volume, and
the row says where. Submissions of which nobody was told lie in the volume as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from game.engine.codec import Damaged, decompress, squeeze

MARK = "~"  # no list of events and no sealed value begins so


class Quiet(msgspec.Struct, array_like=True, frozen=True):
    """A submission that told nothing. Who sat on the seat is the sitting's to say; `is_own` that a person sent it, and
    not their caretaker."""

    number: int
    version: int
    kind: str
    branch: int
    serial: int
    turn: int
    phase_name: str
    seat: int | None
    step: int | None
    is_undone: bool
    action: bytes | None
    at: datetime
    is_own: bool = False
    draws: bytes | None = None


class Told(msgspec.Struct, array_like=True, frozen=True):
    """What is large in an entry of the log; bytes as they were before they were compressed."""

    events: str
    action: bytes | None
    transfers: bytes | None
    draws: bytes | None = None


class Steps(msgspec.Struct, array_like=True):
    """Steps of a log, those told by the number of their entry."""

    quiet: list[Quiet] = []
    told: dict[int, Told] = {}

    def add(self, other: Steps) -> None:
        """Take in those of another volume."""
        self.quiet += other.quiet
        self.told |= other.told


_decoder = msgspec.msgpack.Decoder(Steps)


def pack_steps(steps: Steps) -> bytes:
    """One value for these steps."""
    return squeeze(msgspec.msgpack.encode(steps))


def unpack_steps(packed: bytes) -> Steps:
    """What `pack_steps` made. Raises `Damaged`."""
    try:
        return _decoder.decode(decompress(packed))
    except msgspec.DecodeError as error:
        raise Damaged(f"The steps of a game cannot be read: {error}") from error


def place_of(number: int) -> str:
    """What stands in the row of an entry instead of what was put away."""
    return f"{MARK}{number}"


def plain(packed: Iterable[bytes | memoryview | None]) -> list[bytes | None]:
    """Stored values without their compression. Raises `Damaged`."""
    return [None if value is None else decompress(bytes(value)) for value in packed]
