"""Positions and events as bytes and back: msgspec inside, zstandard around what is stored."""

from __future__ import annotations

from threading import local
from typing import Any

import msgspec
import zstandard

from game.engine.copying import copier_of

_COMPRESSION_LEVEL = 3


class _Press(local):
    """A thread's own: zstandard lets go of the interpreter's lock while it works, and two threads in one compressor mix their bytes."""

    def __init__(self) -> None:
        self.compress = zstandard.ZstdCompressor(level=_COMPRESSION_LEVEL).compress
        self.decompress = zstandard.ZstdDecompressor().decompress


_press = _Press()


class Codec:
    """Encodes what one ruleset stores. The state and the inputs beside it are kept apart: a submission rewrites only the latter."""

    def __init__(self, state_type: Any, action_type: Any, event_type: Any) -> None:
        self.copy = copier_of(state_type)
        """A private copy of a state."""
        self._encoder = msgspec.msgpack.Encoder()
        self._state = msgspec.msgpack.Decoder(state_type)
        self._inputs = msgspec.msgpack.Decoder(dict[int, dict[str, action_type]])
        self._action = msgspec.msgpack.Decoder(action_type)
        self._events = msgspec.json.Decoder(list[event_type])

    def encode(self, value: Any) -> bytes:
        """Plain bytes, the same for equal values: what hashes are made of."""
        return self._encoder.encode(value)

    def pack(self, value: Any) -> bytes:
        """Compressed bytes for storage."""
        return compress(self._encoder.encode(value))

    def decode_state(self, encoded: bytes) -> Any:
        """A state from its plain bytes."""
        return self._state.decode(encoded)

    def decode_inputs(self, encoded: bytes) -> dict[int, dict[str, Any]]:
        """Sealed inputs by seat and slot, from their plain bytes."""
        return self._inputs.decode(encoded)

    def decode_plain(self, encoded: bytes) -> Any:
        """Plain bytes of any shape as dictionaries and lists: what an upgrade works on."""
        return msgspec.msgpack.decode(encoded)

    def unpack_action(self, packed: bytes) -> Any:
        """A stored action."""
        return self._action.decode(decompress(packed))

    def encode_events(self, events: list[Any]) -> str:
        """Events as JSON text."""
        return msgspec.json.encode(events).decode()

    def decode_events(self, text: str | bytes) -> list[Any]:
        """Events from JSON text."""
        return self._events.decode(text)


def compress(encoded: bytes) -> bytes:
    """Plain bytes as they are stored."""
    return _press.compress(encoded)


def decompress(packed: bytes) -> bytes:
    """The plain bytes of what was stored; damage raises `zstandard.ZstdError`."""
    return _press.decompress(bytes(packed))
