"""The packed log of a finished game: its steps in one value, which is much smaller than its parts.

Steps with something to show keep their row, so that pages find them as before; their large columns are in the volume,
and the row has a mark instead. Submissions with nothing to show are in the volume as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from game.engine.codec import Damaged, decompress, squeeze

MARK = "~"  # no list of events and no sealed value starts with it


class Quiet(msgspec.Struct, array_like=True, frozen=True):
    """A submission with nothing to show. Its player follows from the sitting; `is_own`: a person sent it, not the
    caretaker."""

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
    """The large columns of a log entry; bytes are uncompressed."""

    events: str
    action: bytes | None
    transfers: bytes | None
    draws: bytes | None = None


class Steps(msgspec.Struct, array_like=True):
    """Packed steps of a log; `told` by the number of their entry."""

    quiet: list[Quiet] = []
    told: dict[int, Told] = {}

    def add(self, other: Steps) -> None:
        """Add the steps of another volume."""
        self.quiet += other.quiet
        self.told |= other.told


_decoder = msgspec.msgpack.Decoder(Steps)


def pack_steps(steps: Steps) -> bytes:
    """Pack these steps into one value."""
    return squeeze(msgspec.msgpack.encode(steps))


def unpack_steps(packed: bytes) -> Steps:
    """Unpack the result of `pack_steps`. Raises `Damaged`."""
    try:
        return _decoder.decode(decompress(packed))
    except msgspec.DecodeError as error:
        raise Damaged(f"The steps of a game cannot be read: {error}") from error


def place_of(number: int) -> str:
    """The mark in an entry's row that replaces its packed columns."""
    return f"{MARK}{number}"


def plain(packed: Iterable[bytes | memoryview | None]) -> list[bytes | None]:
    """Decompress stored values. Raises `Damaged`."""
    return [None if value is None else decompress(bytes(value)) for value in packed]
