"""Obfuscated row numbers for staff: a keyed permutation of primary keys, so that neither a number nor a gap reveals how
many rows are hidden from the reader."""

from __future__ import annotations

from django.db.models import Model
from django.utils.crypto import salted_hmac

HALF, ROUNDS = 16, 4  # bits and rounds of a Feistel network, a permutation of all 32-bit numbers
MOST = (1 << 2 * HALF) - 1


def number_of(model: type[Model] | Model, key: int) -> int:
    """The number shown for a row's key. Raises `ValueError` for an invalid key."""
    left, right = _split(key)
    for turn in range(ROUNDS):
        left, right = right, left ^ _round_function(model, turn, right)
    return left << HALF | right


def key_of(model: type[Model] | Model, number: int) -> int:
    """The key of a shown number. Raises `ValueError` for an invalid number."""
    left, right = _split(number)
    for turn in reversed(range(ROUNDS)):
        left, right = right ^ _round_function(model, turn, left), left
    return left << HALF | right


def _round_function(model: type[Model] | Model, turn: int, half: int) -> int:
    salt = f"game.store.numbers/{model._meta.label}/{turn}"
    return int.from_bytes(salted_hmac(salt, str(half), algorithm="sha256").digest()[: HALF // 8])


def _split(number: int) -> tuple[int, int]:
    if not 0 <= number <= MOST:
        raise ValueError(f"{number} has more than {2 * HALF} bits.")
    return number >> HALF, number & (1 << HALF) - 1
