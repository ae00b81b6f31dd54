"""The base of every event about a company."""

from __future__ import annotations

from game.engine.events import Event


class AboutCompany(Event, frozen=True, kw_only=True):
    """A fact about one company."""

    company: str
