"""Snapshots: packed positions at the start of phases, and bundles of them for finished games."""

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
    """Pack a position whose state has been packed already."""
    ready, inputs = sorted(position.ready), rules.codec.pack(position.pending)
    earlier = rules.codec.pack_earlier(position.earlier)
    stored = Stored(
        packed_state, inputs, position.cursor, ready, position.reviews, rules.schema, rules.version, earlier
    )
    return seal(msgspec.msgpack.encode(stored))


def unpack_snapshot(packed: bytes) -> Stored:
    """Unpack a snapshot. Raises `Damaged`."""
    stored: Stored = _read(_decoder, unseal(packed))
    return msgspec.structs.replace(stored, state=decompress(stored.state), inputs=decompress(stored.inputs))


def bundle(snapshots: Mapping[int, bytes]) -> bytes:
    """Pack several snapshots, by the number of their log entry. Neighbours are similar, so they compress well
    together."""
    return squeeze(msgspec.msgpack.encode({number: unpack_snapshot(packed) for number, packed in snapshots.items()}))


def unbundle(packed: bytes) -> dict[int, Stored]:
    """The snapshots of a bundle. Raises `Damaged`."""
    snapshots: dict[int, Stored] = _read(_bundles, decompress(packed))
    return snapshots


def _read(decoder: msgspec.msgpack.Decoder[Any], encoded: bytes) -> Any:
    try:
        return decoder.decode(encoded)
    except msgspec.DecodeError as error:
        raise Damaged(f"A snapshot cannot be read: {error}") from error
