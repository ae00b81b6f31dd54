"""A position as bytes, with the shape and the rules it was made by: what is stored, and how it is read by later
rules."""

from __future__ import annotations

from typing import Any

import msgspec

from game.engine.codec import Damaged, Newer
from game.engine.position import AnyPosition, Cursor, Position
from game.engine.ruleset import Ruleset


class Stored(msgspec.Struct, frozen=True):
    """A position with its two large parts encoded. `schema` is the shape of these parts, `version` the rules that made
    them.

    `earlier`, packed, is what can be taken back there: nothing in what was stored before anything could be."""

    state: bytes
    inputs: bytes
    cursor: Cursor
    ready: list[int]
    reviews: bool
    schema: int = 1
    version: int = 1
    earlier: bytes = b""


def restore(rules: Ruleset, stored: Stored) -> AnyPosition:
    """The position, converted shape by shape where it was stored by earlier rules. Raises `Damaged`, and `Newer` where
    it was stored by later ones."""
    try:
        if stored.schema != rules.schema:
            stored = _converted(rules, stored)
        earlier = rules.codec.unpack_earlier(stored.earlier)
        state, inputs = rules.codec.decode_state(stored.state), rules.codec.decode_inputs(stored.inputs)
    except msgspec.DecodeError as error:
        raise Damaged(f"A position cannot be read: {error}") from error
    return Position(state, stored.cursor, inputs, frozenset(stored.ready), stored.reviews, earlier)


def _converted(rules: Ruleset, stored: Stored) -> Stored:
    """In today's shape. Actions of before the conversion can no longer be taken back."""
    if stored.schema > rules.schema:
        raise Newer(f"{rules.key}: stored in shape {stored.schema}; these rules know shapes up to {rules.schema}.")
    codec = rules.codec
    plain: dict[str, Any] = {"state": codec.decode_plain(stored.state), "inputs": codec.decode_plain(stored.inputs)}
    plain["cursor"] = msgspec.to_builtins(stored.cursor)
    for schema in range(stored.schema, rules.schema):
        plain = rules.upgrades[schema](plain)
    state, inputs = codec.encode(plain["state"]), codec.encode(plain["inputs"])
    return msgspec.structs.replace(
        stored, state=state, inputs=inputs, cursor=msgspec.convert(plain["cursor"], Cursor), earlier=b""
    )
