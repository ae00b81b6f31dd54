"""Positions as stored bytes, with their schema and rules version, and how later rules read them."""

from __future__ import annotations

from typing import Any

import msgspec

from game.engine.codec import Damaged, Newer
from game.engine.position import AnyPosition, Cursor, Position
from game.engine.ruleset import Ruleset


class Stored(msgspec.Struct, frozen=True):
    """A position with its two large parts encoded. `schema` is the shape of these parts, `version` the rules that
    produced them.

    `earlier`, packed, holds what can be taken back; old data has none."""

    state: bytes
    inputs: bytes
    cursor: Cursor
    ready: list[int]
    reviews: bool
    schema: int = 1
    version: int = 1
    earlier: bytes = b""


def restore(rules: Ruleset, stored: Stored) -> AnyPosition:
    """The position, upgraded if earlier rules stored it. Raises `Damaged`, and `Newer` if later rules stored it."""
    try:
        if stored.schema != rules.schema:
            stored = _upgraded(rules, stored)
        earlier = rules.codec.unpack_earlier(stored.earlier)
        state, inputs = rules.codec.decode_state(stored.state), rules.codec.decode_inputs(stored.inputs)
    except msgspec.DecodeError as error:
        raise Damaged(f"A position cannot be read: {error}") from error
    return Position(state, stored.cursor, inputs, frozenset(stored.ready), stored.reviews, earlier)


def _upgraded(rules: Ruleset, stored: Stored) -> Stored:
    """Convert to today's schema. Actions before the conversion can no longer be taken back."""
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
