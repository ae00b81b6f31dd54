"""Hooks by which lower rooms call higher ones; `game/apps.py` lists all listeners."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Hook:
    """Calls its listeners in the order they were added, in the caller's transaction."""

    def __init__(self) -> None:
        self._listeners: list[Callable[..., None]] = []

    def add(self, listener: Callable[..., None]) -> None:
        """Add a listener once, however often the site is set up."""
        if listener not in self._listeners:
            self._listeners.append(listener)

    def __call__(self, **facts: Any) -> None:
        for listener in self._listeners:
            listener(**facts)
