"""A position as one packed value: what a log entry keeps of the start of a phase."""

from __future__ import annotations

import msgspec

from game.engine.codec import Codec
from game.engine.position import AnyPosition, Cursor, Position


class Snapshot(msgspec.Struct, frozen=True):
    """A position with its two large parts packed as the game row packs them."""

    state: bytes
    inputs: bytes
    cursor: Cursor
    ready: list[int]
    reviews: bool


_decoder = msgspec.msgpack.Decoder(Snapshot)


def pack_snapshot(codec: Codec, position: AnyPosition, packed_state: bytes) -> bytes:
    """The bytes of a position whose state has been packed already."""
    inputs = codec.pack(position.pending)
    return msgspec.msgpack.encode(Snapshot(packed_state, inputs, position.cursor, sorted(position.ready), position.reviews))


def unpack_snapshot(codec: Codec, packed: bytes) -> AnyPosition:
    """The position a snapshot was made of."""
    held = _decoder.decode(bytes(packed))
    state, inputs = codec.unpack_state(held.state), codec.unpack_inputs(held.inputs)
    return Position(state, held.cursor, inputs, frozenset(held.ready), held.reviews)
