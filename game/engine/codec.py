"""Positions and events as bytes and back: msgspec inside, zstandard around what is stored, a checksum in front of
that."""

from __future__ import annotations

from collections.abc import Iterable
from threading import local
from typing import Any, Union
from zlib import crc32

import msgspec
import zstandard

from game.engine.actions import Correction
from game.engine.copying import copier_of
from game.engine.events import KERNEL_EVENTS
from game.engine.position import Earlier

_COMPRESSION_LEVEL = 3
_SQUEEZING_LEVEL = 19  # a hundred times slower to write, as fast to read: for what is written once
_MARK = b"\xc11"
"""What sealed bytes begin with. No zstandard frame (28 B5 2F FD) and no msgpack value does, nor becomes so by one
flipped bit."""
_SUM = 4  # bytes of a checksum: CRC-32 misses no flipped bit, and costs a tenth of what a cryptographic hash would
_TEXT_SUM = 1 + 2 * _SUM  # a line break and the checksum in hexadecimal


class Damaged(Exception):
    """What is stored is not what was written."""


class Newer(Exception):
    """What is stored was written by a later version of the rules: nothing is wrong with it, and that version reads
    it."""


class _Press(local):
    """A thread's own: zstandard lets go of the interpreter's lock while it works, and two threads in one compressor mix
    their bytes."""

    def __init__(self) -> None:
        self.compress = zstandard.ZstdCompressor(level=_COMPRESSION_LEVEL).compress
        self.squeeze = zstandard.ZstdCompressor(level=_SQUEEZING_LEVEL).compress
        self.decompress = zstandard.ZstdDecompressor().decompress


_press = _Press()


class Codec:
    """Encodes what one ruleset stores. The state and the inputs beside it are kept apart: a submission rewrites only
    the latter."""

    def __init__(self, state_type: Any, action_type: Any, event_type: Any) -> None:
        self.copy = copier_of(state_type)
        """A private copy of a state."""
        self._encoder = msgspec.msgpack.Encoder()
        self._state = msgspec.msgpack.Decoder(state_type)
        self._inputs = msgspec.msgpack.Decoder(dict[int, dict[str, action_type]])
        kernels: tuple[Any, ...] = (Correction,)
        self._action = msgspec.msgpack.Decoder(Union[(action_type, *kernels)])
        self._earlier = msgspec.msgpack.Decoder(list[Earlier[state_type]])
        any_event: Any = Union[(event_type, *KERNEL_EVENTS)]
        self._events = msgspec.json.Decoder(list[any_event])
        self.event_type = any_event
        """All kinds of events, those of the kernel included."""

    def encode(self, value: Any) -> bytes:
        """Plain bytes, the same for equal values: what hashes are made of."""
        return self._encoder.encode(value)

    def pack(self, value: Any, beside: bytes = b"") -> bytes:
        """Sealed compressed bytes for storage; the checksum covers what is stored `beside` them as well."""
        return compress(self._encoder.encode(value), beside)

    def decode_state(self, encoded: bytes) -> Any:
        """A state from its plain bytes."""
        return self._state.decode(encoded)

    def decode_inputs(self, encoded: bytes) -> dict[int, dict[str, Any]]:
        """Sealed inputs by seat and slot, from their plain bytes."""
        return self._inputs.decode(encoded)

    def pack_earlier(self, earlier: Iterable[Earlier[Any]]) -> bytes:
        """The actions that can be taken back, compressed; nothing where there are none."""
        listed = list(earlier)
        return self.pack(listed) if listed else b""

    def unpack_earlier(self, packed: bytes) -> tuple[Earlier[Any], ...]:
        """What `pack_earlier` made."""
        return tuple(self._earlier.decode(decompress(packed))) if packed else ()

    def decode_plain(self, encoded: bytes) -> Any:
        """Plain bytes of any shape as dictionaries and lists: what an upgrade works on."""
        return msgspec.msgpack.decode(encoded)

    def unpack_action(self, packed: bytes) -> Any:
        """A stored action. Raises `Damaged`."""
        try:
            return self._action.decode(decompress(packed))
        except msgspec.DecodeError as error:
            raise Damaged(f"An action cannot be read: {error}") from error

    def encode_events(self, events: list[Any]) -> str:
        """Events as JSON text, with a checksum on a line of its own."""
        encoded = msgspec.json.encode(events)
        return f"{encoded.decode()}\n{_sum_of(encoded).hex()}"

    def decode_events(self, text: str) -> list[Any]:
        """Events from JSON text; what was stored before there were checksums ends with its list. Raises `Damaged`."""
        encoded = text.encode()
        if not text.endswith("]"):
            encoded, line = encoded[:-_TEXT_SUM], encoded[-_TEXT_SUM:]
            if line != b"\n" + _sum_of(encoded).hex().encode():
                raise Damaged("Events do not agree with their checksum.")
        try:
            return self._events.decode(encoded)
        except msgspec.DecodeError as error:
            raise Damaged(f"Events cannot be read: {error}") from error


def seal(body: bytes, beside: bytes = b"") -> bytes:
    """Bytes with a checksum in front, which covers what is stored `beside` them as well."""
    return _MARK + _sum_of(body, beside) + body


def unseal(sealed: bytes, beside: bytes = b"") -> bytes:
    """The bytes that were sealed; what was stored before there were checksums is returned as it is. Raises
    `Damaged`."""
    if not sealed.startswith(_MARK):
        return sealed
    start = len(_MARK) + _SUM
    body = sealed[start:]
    if sealed[len(_MARK) : start] != _sum_of(body, beside):
        raise Damaged("What is stored does not agree with its checksum.")
    return body


def compress(encoded: bytes, beside: bytes = b"") -> bytes:
    """Plain bytes as they are stored: compressed and sealed."""
    return seal(_press.compress(encoded), beside)


def squeeze(encoded: bytes) -> bytes:
    """As `compress`, as small as can be: for what is never written again."""
    return seal(_press.squeeze(encoded))


def decompress(packed: bytes, beside: bytes = b"") -> bytes:
    """The plain bytes of what was stored. Raises `Damaged`."""
    try:
        return _press.decompress(unseal(bytes(packed), beside))
    except (zstandard.ZstdError, MemoryError) as error:  # a damaged header may ask for any amount of memory
        raise Damaged(f"What is stored cannot be decompressed: {error}") from error


def _sum_of(body: bytes, beside: bytes = b"") -> bytes:
    return crc32(body, crc32(beside)).to_bytes(_SUM)
