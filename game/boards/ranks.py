"""The rank of a player among all, in words; equal scores share a rank."""

from __future__ import annotations

from collections.abc import Sequence

from game.engine.language import kept, say
from game.engine.phrases import ordinal


def rank_of(scores: Sequence[int], own: int) -> int:
    """One more than the number of higher scores."""
    return 1 + sum(score > own for score in scores)


def rank_words(scores: Sequence[int], own: int) -> str:
    """`3rd of 5`, or `1st, tied`."""
    return place_words(rank_of(scores, own), len(scores), scores.count(own) > 1)


@kept(256)
def place_words(place: int, seats: int, is_tied: bool) -> str:
    """`3rd of 5`, or `1st, tied`."""
    if is_tied:
        return say("{place}, tied", place=ordinal(place))
    return say("{place} of {n}", place=ordinal(place), n=seats)


def shared_ordinal(places: Sequence[int], own: int) -> str:
    """`1st`, or `1st (tied)` where others have the same place."""
    place = ordinal(own)
    return say("{place} (tied)", place=place) if places.count(own) > 1 else place
