"""What a host can choose: the options of a game with their texts, presets, and the strengths of bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from game.engine.language import grouped, mark, say

USUAL_SEATS = 5
USUAL_PEOPLE = 3  # so that a new game soon has its players; bots take the other seats


@dataclass(frozen=True)
class Preset:
    """A named set of options for a whole game. `windows` counts, by class of clock, how often a game waits for its
    players if they fill in the sheets they are shown; `fewest` if they also answer ahead wherever they can; `a_seat` is
    added for every seat, or `fewest_a_seat` where all answer ahead. `live_minutes` is the length of a live game. A
    preset without these figures promises nothing."""

    key: str
    title: str
    options: Mapping[str, Any]
    means: str = ""  # its effect on the game, in half a line
    windows: Mapping[str, int] = field(default_factory=dict)
    fewest: Mapping[str, int] = field(default_factory=dict)
    live_minutes: int = 0
    a_seat: Mapping[str, int] = field(default_factory=dict)
    fewest_a_seat: Mapping[str, int] | None = None

    def waits(self, seats: int) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """`windows` and `fewest` for a number of seats."""
        fewest_a_seat = self.a_seat if self.fewest_a_seat is None else self.fewest_a_seat
        return _at_table(self.windows, self.a_seat, seats), _at_table(self.fewest, fewest_a_seat, seats)


def _at_table(counted: Mapping[str, int], a_seat: Mapping[str, int], seats: int) -> Mapping[str, int]:
    return {clock: counted.get(clock, 0) + seats * a_seat.get(clock, 0) for clock in {**counted, **a_seat}}


@dataclass(frozen=True)
class OptionWords:
    """The texts of an option. `values` names single values; `hint` and `rule` are printed next to the field; `by_pace`
    is its default at each pace."""

    label: str
    rule: str = ""
    hint: str = ""
    values: Mapping[Any, str] = field(default_factory=dict)
    by_pace: Mapping[str, Any] = field(default_factory=dict)


def no_length(options: Mapping[str, Any]) -> str:
    """Default for a game whose options say nothing about its length."""
    return ""


def all_matter(options: Mapping[str, Any]) -> Mapping[str, str]:
    """Default for a game in which every option always matters."""
    return {}


@dataclass(frozen=True)
class OptionTable:
    """The texts of a game's options, by name, and its presets, the recommended one first. `note` is about all presets.
    `choice` heads them: what the host chooses by choosing one, as a noun after “a”."""

    words: Mapping[str, OptionWords] = field(default_factory=dict)
    presets: tuple[Preset, ...] = ()
    first: str = ""  # the preset of a first game against bots; the first preset if empty
    note: str = ""
    length_words: Callable[[Mapping[str, Any]], str] = no_length  # options -> "8 turns"
    lengths: str = ""  # of all presets, "3 to 10 years"; where empty, those of the shortest and the longest preset
    choice: str = mark("length")
    without_effect: Callable[[Mapping[str, Any]], Mapping[str, str]] = (
        all_matter  # options -> those without effect given the others, with the reason; no reason: not in play
    )

    def words_of(self, name: str) -> OptionWords:
        """The texts of an option; made from its name if there are none."""
        return self.words.get(name) or OptionWords(name.replace("_", " ").capitalize())

    def label(self, name: str) -> str:
        """The title of an option."""
        return say(self.words_of(name).label)

    def in_words(self, name: str, value: Any) -> str:
        """The text of an option's value."""
        if isinstance(value, bool):
            return say("yes") if value else say("no")
        words = self.words_of(name).values.get(value)
        return say(words) if words else grouped(value) if isinstance(value, int) else str(value)

    def idle_words(self, options: Mapping[str, Any]) -> str:
        """Sentences on the options without effect, and why they have none."""
        idle = self.without_effect(options)
        words = mark("“{option}” makes no difference here: {why}.")
        return " ".join(say(words, option=self.label(name), why=say(why)) for name, why in idle.items() if why)

    def in_play(self, options: Mapping[str, Any]) -> list[str]:
        """The names of these options, except those that are not in play given the others."""
        idle = self.without_effect(options)
        return [name for name in options if idle.get(name) != ""]

    def at_pace(self, pace: str) -> dict[str, Any]:
        """The options set by a pace unless the host chooses them."""
        return {name: words.by_pace[pace] for name, words in self.words.items() if pace in words.by_pace}

    def preset(self, key: str) -> Preset | None:
        return next((preset for preset in self.presets if preset.key == key), None)

    @property
    def first_preset(self) -> Preset | None:
        """The preset of a first game against bots; none where there are no presets."""
        return self.preset(self.first) or next(iter(self.presets), None)

    @property
    def first_options(self) -> Mapping[str, Any]:
        """The options of a first game against bots."""
        preset = self.first_preset
        return preset.options if preset else {}

    def set_by(self, name: str) -> str:
        """The word for what sets an option if the host does not: the preset, the pace, or neither."""
        if any(name in preset.options for preset in self.presets):
            return "preset"
        return "pace" if self.words_of(name).by_pace else ""


def is_switch(menu: tuple[Any, ...]) -> bool:
    """True if the menu is yes or no."""
    return all(isinstance(value, bool) for value in menu)


class BotLevel(msgspec.Struct, frozen=True):
    """A strength of bots: `key` is the ruleset's name for the bot, `about` describes it in a sentence."""

    key: str
    title: str
    about: str


STEADY = BotLevel("house", mark("Steady"), mark("Plays sensibly and simply."))
