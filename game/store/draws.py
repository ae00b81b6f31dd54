"""The draws of a step of a game, as one packed value beside its events."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from game.engine.codec import Damaged, compress, decompress
from game.engine.draws import Draw

_decoder = msgspec.msgpack.Decoder(list[Draw])


def pack_draws(draws: Sequence[Draw]) -> bytes:
    """Pack the draws in order, as rows without column names; empty if there are none."""
    return compress(msgspec.msgpack.encode(draws)) if draws else b""


def unpack_draws(packed: bytes) -> list[Draw]:
    """Unpack the result of `pack_draws`. Raises `Damaged`."""
    try:
        return _decoder.decode(decompress(packed)) if packed else []
    except msgspec.DecodeError as error:
        raise Damaged(f"Draws cannot be read: {error}") from error
