"""Movements of money of one step of a game, packed into one value."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from game.engine.codec import Damaged, compress, decompress
from game.engine.ledger import Transfer

_decoder = msgspec.msgpack.Decoder(list[tuple[str, str, int, str, int, int]])


def pack_transfers(transfers: Iterable[Transfer]) -> bytes:
    """Pack the movements in order, as rows without column names."""
    return compress(msgspec.msgpack.encode([msgspec.structs.astuple(transfer) for transfer in transfers]))


def unpack_transfers(packed: bytes) -> list[Transfer]:
    """Unpack the result of `pack_transfers`. Raises `Damaged`."""
    try:
        return [Transfer(*row) for row in _decoder.decode(decompress(packed))]
    except msgspec.DecodeError as error:
        raise Damaged(f"Movements of money cannot be read: {error}") from error
