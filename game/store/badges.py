"""Badges of seats on pages: a name, a colour, a letter that is unique in the game, and a rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Protocol

import msgspec
from django.urls import reverse

from game.engine.language import kept, say
from game.engine.phrases import ordinal
from game.store.eyes import is_own
from game.store.game import is_bot_account

SPARE_LETTERS = "ABCDEFGH"


class Seated(Protocol):
    """A seat, read whole or in part."""

    @property
    def number(self) -> int: ...
    @property
    def user_id(self) -> int | None: ...
    @property
    def bot(self) -> str: ...
    @property
    def keeper(self) -> str: ...
    @property
    def shown_name(self) -> str: ...


class SeatBadge(msgspec.Struct, frozen=True):
    """One seat on a page. `state` is what the reader may know of it; `css` its colour and pattern; `keeper` why the
    caretaker plays it."""

    number: int
    name: str
    css: str
    letter: str
    is_you: bool
    is_bot: bool
    state: str = "none"
    keeper: str = ""
    url: str = ""  # of the person's page
    rating: str = ""  # in a rated game
    stands_in: str = ""  # for whom and until when somebody plays it


def badges_of(seats: Iterable[Seated], *, user_id: int | None, states: Sequence[str] = ()) -> tuple[SeatBadge, ...]:
    """The seats of a game in order, as this reader sees them."""
    ordered = sorted(seats, key=lambda seat: seat.number)
    letters = letters_of([seat.shown_name for seat in ordered])
    return tuple(_build_badge(seat, letters[i], user_id, states) for i, seat in enumerate(ordered))


def letters_of(names: Sequence[str]) -> list[str]:
    """A unique letter for each name: the initial for the first seat that has it; for the others the first free letter
    of their name, else the next free spare letter."""
    own = [[letter for letter in name.upper() if letter.isalpha()] for name in names]
    initials = {letters[0]: seat for seat, letters in reversed(list(enumerate(own))) if letters}
    letter_of_seat = {seat: letter for letter, seat in initials.items()}
    for seat, letters in enumerate(own):
        if seat not in letter_of_seat:
            letter_of_seat[seat] = next(
                letter for letter in (*letters, *SPARE_LETTERS) if letter not in letter_of_seat.values()
            )
    return [letter_of_seat[seat] for seat in range(len(names))]


def rank_words(worths: Sequence[int], own: int) -> str:
    """`3rd of 5`; equal worth shares the rank."""
    rank = 1 + sum(worth > own for worth in worths)
    return place_words(rank, len(worths))


@kept(256)
def place_words(place: int, seats: int) -> str:
    """`3rd of 5`."""
    return say("{place} of {seats}", place=ordinal(place), seats=seats)


def _build_badge(seat: Seated, letter: str, user_id: int | None, states: Sequence[str]) -> SeatBadge:
    is_you = is_own(seat, user_id)
    is_account = seat.user_id is not None and is_bot_account(seat.shown_name)
    state = states[seat.number] if seat.number < len(states) else "none"
    name, css, is_bot = seat.shown_name, f"p{seat.number + 1}", bool(seat.bot) or is_account
    url = person_url(name.partition(" [")[0]) if seat.user_id is not None and not seat.bot else ""
    return SeatBadge(seat.number, name, css, letter, is_you, is_bot, state, seat.keeper, url)


@lru_cache(maxsize=4096)
def person_url(name: str) -> str:
    """The address of a person's page."""
    return reverse("person", args=[name])
