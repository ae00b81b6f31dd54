"""The title of an action inside of a sentence."""

from __future__ import annotations

from game.engine.language import ENGLISH, say, spoken


def inside(title: str) -> str:
    """A title, in small letters where the language writes nouns so."""
    told = say(title)
    return told.lower() if spoken().code == ENGLISH.code else told
