"""Packed values of a game's log: draws, movements of money, snapshots, and the steps of a finished game in one value,
which is much smaller than its parts.

Steps with something to show keep their row, so that pages find them as before; their large columns are in the packed
log, and the row has a mark instead. Submissions with nothing to show are in the packed log as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from game.engine.codec import Damaged, compress, decompress, seal, squeeze, unseal
from game.engine.draws import Draw
from game.engine.ledger import Transfer
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from game.engine.stored import Stored

_snapshot_decoder = msgspec.msgpack.Decoder(Stored)
_snapshots_decoder = msgspec.msgpack.Decoder(dict[int, Stored])


def pack_snapshot(rules: Ruleset, position: AnyPosition, packed_state: bytes) -> bytes:
    """Pack a position whose state has been packed already."""
    ready, inputs = sorted(position.ready), rules.codec.pack(position.pending)
    earlier = rules.codec.pack_earlier(position.earlier)
    stored = Stored(
        packed_state, inputs, position.cursor, ready, position.reviews, rules.schema, rules.version, earlier
    )
    return seal(msgspec.msgpack.encode(stored))


def unpack_snapshot(packed: bytes) -> Stored:
    """Unpack a snapshot. Raises `Damaged`."""
    stored: Stored = _read(_snapshot_decoder, unseal(packed))
    return msgspec.structs.replace(stored, state=decompress(stored.state), inputs=decompress(stored.inputs))


def pack_snapshots(snapshots: Mapping[int, bytes]) -> bytes:
    """Pack several snapshots, by the number of their log entry. Neighbours are similar, so they compress well
    together."""
    return squeeze(msgspec.msgpack.encode({number: unpack_snapshot(packed) for number, packed in snapshots.items()}))


def unpack_snapshots(packed: bytes) -> dict[int, Stored]:
    """The snapshots in a pack. Raises `Damaged`."""
    snapshots: dict[int, Stored] = _read(_snapshots_decoder, decompress(packed))
    return snapshots


def _read(decoder: msgspec.msgpack.Decoder[Any], encoded: bytes) -> Any:
    try:
        return decoder.decode(encoded)
    except msgspec.DecodeError as error:
        raise Damaged(f"A snapshot cannot be read: {error}") from error


_draw_decoder = msgspec.msgpack.Decoder(list[Draw])


def pack_draws(draws: Sequence[Draw]) -> bytes:
    """Pack the draws in order, as rows without column names; empty if there are none."""
    return compress(msgspec.msgpack.encode(draws)) if draws else b""


def unpack_draws(packed: bytes) -> list[Draw]:
    """Unpack the result of `pack_draws`. Raises `Damaged`."""
    try:
        return _draw_decoder.decode(decompress(packed)) if packed else []
    except msgspec.DecodeError as error:
        raise Damaged(f"Draws cannot be read: {error}") from error


_transfer_decoder = msgspec.msgpack.Decoder(list[tuple[str, str, int, str, int, int]])


def pack_transfers(transfers: Iterable[Transfer]) -> bytes:
    """Pack the movements in order, as rows without column names."""
    return compress(msgspec.msgpack.encode([msgspec.structs.astuple(transfer) for transfer in transfers]))


def unpack_transfers(packed: bytes) -> list[Transfer]:
    """Unpack the result of `pack_transfers`. Raises `Damaged`."""
    try:
        return [Transfer(*row) for row in _transfer_decoder.decode(decompress(packed))]
    except msgspec.DecodeError as error:
        raise Damaged(f"Movements of money cannot be read: {error}") from error


MARK = "~"  # no list of events and no sealed value starts with it


class Quiet(msgspec.Struct, array_like=True, frozen=True):
    """A submission with nothing to show. Its player follows from the tenure; `is_own`: a person sent it, not the
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


class PackedColumns(msgspec.Struct, array_like=True, frozen=True):
    """The large columns of a log entry; bytes are uncompressed."""

    events: str
    action: bytes | None
    transfers: bytes | None
    draws: bytes | None = None


class Steps(msgspec.Struct, array_like=True):
    """Packed steps of a log; `columns` by the number of their entry."""

    quiet: list[Quiet] = []
    columns: dict[int, PackedColumns] = {}

    def add(self, other: Steps) -> None:
        """Add the steps of another packed log."""
        self.quiet += other.quiet
        self.columns |= other.columns


_steps_decoder = msgspec.msgpack.Decoder(Steps)


def pack_steps(steps: Steps) -> bytes:
    """Pack these steps into one value."""
    return squeeze(msgspec.msgpack.encode(steps))


def unpack_steps(packed: bytes) -> Steps:
    """Unpack the result of `pack_steps`. Raises `Damaged`."""
    try:
        return _steps_decoder.decode(decompress(packed))
    except msgspec.DecodeError as error:
        raise Damaged(f"The steps of a game cannot be read: {error}") from error


def place_of(number: int) -> str:
    """The mark in an entry's row that replaces its packed columns."""
    return f"{MARK}{number}"


def plain(packed: Iterable[bytes | memoryview | None]) -> list[bytes | None]:
    """Decompress stored values. Raises `Damaged`."""
    return [None if value is None else decompress(bytes(value)) for value in packed]
