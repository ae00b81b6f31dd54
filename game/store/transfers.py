"""The money that a step of a game moved, as one packed value beside its events."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from game.engine.codec import Damaged, compress, decompress
from game.engine.ledger import Transfer

_decoder = msgspec.msgpack.Decoder(list[tuple[str, str, int, str, int, int]])


def pack_transfers(transfers: Iterable[Transfer]) -> bytes:
    """The movements in order, as rows without names of columns."""
    return compress(msgspec.msgpack.encode([msgspec.structs.astuple(transfer) for transfer in transfers]))


def unpack_transfers(packed: bytes) -> list[Transfer]:
    """What `pack_transfers` made. Raises `Damaged`."""
    try:
        return [Transfer(*row) for row in _decoder.decode(decompress(packed))]
    except msgspec.DecodeError as error:
        raise Damaged(f"Movements of money cannot be read: {error}") from error
