"""The token or the session of a request that changes something. It may be revoked while the request waits for a lock,
so code that has got a lock checks it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

IsValid = Callable[[], bool]
_is_valid: ContextVar[IsValid | None] = ContextVar("credentials", default=None)


class Revoked(Exception):
    """The token was revoked, or the session ended, while the request waited. Nothing was changed."""


@contextmanager
def used(is_valid: IsValid) -> Iterator[None]:
    """Let changes inside this block happen only while `is_valid` returns True."""
    token = _is_valid.set(is_valid)
    try:
        yield
    finally:
        _is_valid.reset(token)


def check() -> None:
    """Raise `Revoked` if the request may no longer change anything."""
    is_valid = _is_valid.get()
    if is_valid is not None and not is_valid():
        raise Revoked
