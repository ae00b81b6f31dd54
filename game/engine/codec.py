"""Encodes positions and events: msgspec inside, zstandard around stored data, and a checksum in front."""

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
_SQUEEZE_LEVEL = 19  # a hundred times slower to write, as fast to read: for data written once
_MOST_BYTES = 1 << 28  # of one stored value once decompressed: a few kilobytes may hold any number of them
_SEALED_PREFIX = b"\xc11"
"""Prefix of sealed bytes. No zstandard frame (28 B5 2F FD) or msgpack value starts with it, nor does one after a single
flipped bit."""
_CHECKSUM_BYTES = 4  # CRC-32 detects every flipped bit, at a tenth of the cost of a cryptographic hash
_TEXT_CHECKSUM_CHARS = 1 + 2 * _CHECKSUM_BYTES  # a line break and the checksum in hexadecimal


class Damaged(Exception):
    """Stored data differs from what was written."""


class Newer(Exception):
    """The data is intact, but was stored by a later version of the rules, which can read it."""


class _Press(local):
    """Compressors of one thread: zstandard releases the GIL while it works, and two threads would mix their bytes in a
    shared one."""

    def __init__(self) -> None:
        self.compress = zstandard.ZstdCompressor(level=_COMPRESSION_LEVEL).compress
        self.squeeze = zstandard.ZstdCompressor(level=_SQUEEZE_LEVEL).compress
        self.decompress = zstandard.ZstdDecompressor().decompress


_press = _Press()


class Codec:
    """Encodes what one ruleset stores. State and inputs are separate: a submission rewrites only the inputs."""

    def __init__(self, state_type: Any, action_type: Any, event_type: Any) -> None:
        self.copy = copier_of(state_type)
        """Makes a private copy of a state."""
        self._encoder = msgspec.msgpack.Encoder()
        self._state = msgspec.msgpack.Decoder(state_type)
        self._inputs = msgspec.msgpack.Decoder(dict[int, dict[str, action_type]])
        kernel_actions: tuple[Any, ...] = (Correction,)
        self._action = msgspec.msgpack.Decoder(Union[(action_type, *kernel_actions)])
        self._earlier = msgspec.msgpack.Decoder(list[Earlier[state_type]])
        any_event: Any = Union[(event_type, *KERNEL_EVENTS)]
        self._events = msgspec.json.Decoder(list[any_event])
        self.event_type = any_event
        """All kinds of events, including the kernel's."""

    def encode(self, value: Any) -> bytes:
        """Plain bytes, equal for equal values: the input of hashes."""
        return self._encoder.encode(value)

    def pack(self, value: Any, beside: bytes = b"") -> bytes:
        """Compressed and sealed bytes for storage; the checksum also covers `beside`, which is stored separately."""
        return compress(self._encoder.encode(value), beside)

    def decode_state(self, encoded: bytes) -> Any:
        """A state from its plain bytes."""
        return self._state.decode(encoded)

    def decode_inputs(self, encoded: bytes) -> dict[int, dict[str, Any]]:
        """Sealed inputs by seat and slot, from their plain bytes."""
        return self._inputs.decode(encoded)

    def pack_earlier(self, earlier: Iterable[Earlier[Any]]) -> bytes:
        """The actions that can be taken back, compressed; empty if there are none."""
        entries = list(earlier)
        return self.pack(entries) if entries else b""

    def unpack_earlier(self, packed: bytes) -> tuple[Earlier[Any], ...]:
        """The inverse of `pack_earlier`."""
        return tuple(self._earlier.decode(decompress(packed))) if packed else ()

    def decode_plain(self, encoded: bytes) -> Any:
        """Plain bytes of any shape as dictionaries and lists, for upgrades."""
        return msgspec.msgpack.decode(encoded)

    def unpack_action(self, packed: bytes) -> Any:
        """A stored action. Raises `Damaged`."""
        try:
            return self._action.decode(decompress(packed))
        except msgspec.DecodeError as error:
            raise Damaged(f"An action cannot be read: {error}") from error

    def encode_events(self, events: list[Any]) -> str:
        """Events as JSON text, followed by a line with the checksum."""
        encoded = msgspec.json.encode(events)
        return f"{encoded.decode()}\n{_checksum(encoded).hex()}"

    def decode_events(self, text: str) -> list[Any]:
        """Events from JSON text; old texts without a checksum end with the list. Raises `Damaged`."""
        encoded = text.encode()
        if not text.endswith("]"):
            encoded, line = encoded[:-_TEXT_CHECKSUM_CHARS], encoded[-_TEXT_CHECKSUM_CHARS:]
            if line != b"\n" + _checksum(encoded).hex().encode():
                raise Damaged("Events do not agree with their checksum.")
        try:
            return self._events.decode(encoded)
        except msgspec.DecodeError as error:
            raise Damaged(f"Events cannot be read: {error}") from error


def seal(body: bytes, beside: bytes = b"") -> bytes:
    """Put a checksum in front, which also covers `beside`, stored separately."""
    return _SEALED_PREFIX + _checksum(body, beside) + body


def unseal(blob: bytes, beside: bytes = b"") -> bytes:
    """Check and remove the checksum; old data without one is returned as it is. Raises `Damaged`."""
    if not blob.startswith(_SEALED_PREFIX):
        return blob
    start = len(_SEALED_PREFIX) + _CHECKSUM_BYTES
    body = blob[start:]
    if blob[len(_SEALED_PREFIX) : start] != _checksum(body, beside):
        raise Damaged("What is stored does not agree with its checksum.")
    return body


def compress(encoded: bytes, beside: bytes = b"") -> bytes:
    """Compress and seal plain bytes for storage."""
    return seal(_press.compress(encoded), beside)


def squeeze(encoded: bytes) -> bytes:
    """Compress like `compress`, but as small as possible, for data that is never written again."""
    return seal(_press.squeeze(encoded))


def decompress(packed: bytes, beside: bytes = b"") -> bytes:
    """The plain bytes of stored data. Raises `Damaged`."""
    body = unseal(bytes(packed), beside)
    try:
        if zstandard.frame_content_size(body) > _MOST_BYTES:
            raise Damaged("What is stored is larger than anything that is ever stored.")
        return _press.decompress(body)
    except (zstandard.ZstdError, MemoryError) as error:
        raise Damaged(f"What is stored cannot be decompressed: {error}") from error


def _checksum(body: bytes, beside: bytes = b"") -> bytes:
    return crc32(body, crc32(beside)).to_bytes(_CHECKSUM_BYTES)
