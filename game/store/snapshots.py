"""Positions as they are stored: one packed value for the start of a phase, and all starts of a game in one when it has
ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.engine.codec import Damaged, decompress, seal, squeeze, unseal
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from game.engine.stored import Stored

_decoder = msgspec.msgpack.Decoder(Stored)
_bundles = msgspec.msgpack.Decoder(dict[int, Stored])


def pack_snapshot(rules: Ruleset, position: AnyPosition, packed_state: bytes) -> bytes:
    """The bytes of a position whose state has been packed already."""
    ready, inputs = sorted(position.ready), rules.codec.pack(position.pending)
    earlier = rules.codec.pack_earlier(position.earlier)
    stored = Stored(
        packed_state, inputs, position.cursor, ready, position.reviews, rules.schema, rules.version, earlier
    )
    return seal(msgspec.msgpack.encode(stored))


def unpack_snapshot(packed: bytes) -> Stored:
    """What a snapshot was made of. Raises `Damaged`."""
    held: Stored = _read(_decoder, unseal(packed))
    return msgspec.structs.replace(held, state=decompress(held.state), inputs=decompress(held.inputs))


def bundle(snapshots: Mapping[int, bytes]) -> bytes:
    """Several snapshots, by the number of their log entry, in one: neighbours are much alike, and compressed together
    they are small."""
    return squeeze(msgspec.msgpack.encode({number: unpack_snapshot(packed) for number, packed in snapshots.items()}))


def unbundle(packed: bytes) -> dict[int, Stored]:
    """The snapshots of a bundle. Raises `Damaged`."""
    held: dict[int, Stored] = _read(_bundles, decompress(packed))
    return held


def _read(decoder: msgspec.msgpack.Decoder[Any], encoded: bytes) -> Any:
    try:
        return decoder.decode(encoded)
    except msgspec.DecodeError as error:
        raise Damaged(f"A snapshot cannot be read: {error}") from error
