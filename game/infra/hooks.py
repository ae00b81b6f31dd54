"""Points at which the rooms above are called: what they do there is listed once, in `game/apps.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Hook:
    """Calls everything that was added to it, in that order, in the transaction of whoever reaches it."""

    def __init__(self) -> None:
        self._listeners: list[Callable[..., None]] = []

    def add(self, listener: Callable[..., None]) -> None:
        """Add a listener once, however often the site is set up."""
        if listener not in self._listeners:
            self._listeners.append(listener)

    def __call__(self, **facts: Any) -> None:
        for listener in self._listeners:
            listener(**facts)
