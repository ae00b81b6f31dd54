"""Numbers of rows as staff see them: each stands for the key of its row, and the keys that follow each other have
numbers far apart. So neither a number nor a gap counts rows that are hidden from the reader."""

from __future__ import annotations

from django.db.models import Model
from django.utils.crypto import salted_hmac

HALF, ROUNDS = 16, 4  # bits; of a Feistel network, which pairs all numbers of 32 bits with each other
MOST = (1 << 2 * HALF) - 1


def number_of(model: type[Model] | Model, key: int) -> int:
    """What is shown in place of a row's key. Raises `ValueError` for what is none."""
    left, right = _halves(key)
    for turn in range(ROUNDS):
        left, right = right, left ^ _mixed(model, turn, right)
    return left << HALF | right


def key_of(model: type[Model] | Model, number: int) -> int:
    """The key that is shown as this number. Raises `ValueError` for what is none."""
    left, right = _halves(number)
    for turn in reversed(range(ROUNDS)):
        left, right = right ^ _mixed(model, turn, left), left
    return left << HALF | right


def _mixed(model: type[Model] | Model, turn: int, half: int) -> int:
    salt = f"game.store.numbers/{model._meta.label}/{turn}"
    return int.from_bytes(salted_hmac(salt, str(half), algorithm="sha256").digest()[: HALF // 8])


def _halves(number: int) -> tuple[int, int]:
    if not 0 <= number <= MOST:
        raise ValueError(f"{number} has more than {2 * HALF} bits.")
    return number >> HALF, number & (1 << HALF) - 1
