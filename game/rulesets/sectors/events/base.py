"""What every event about a company shares."""

from __future__ import annotations

from game.engine.events import Event


def listed(words: list[str]) -> str:
    """Words as a list in a sentence."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def counted(number: int, thing: str) -> str:
    """A number of things in a sentence."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


class AboutCompany(Event, frozen=True, kw_only=True):
    """A fact about one company."""

    company: str
