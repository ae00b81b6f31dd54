"""What a host may choose: the options of a game with their words, and presets that say what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Preset:
    """A set of options with a name; `means` says what a host gets in evenings or weeks."""

    key: str
    title: str
    options: Mapping[str, Any]
    means: str = ""
    is_recommended: bool = False


@dataclass(frozen=True)
class OptionWords:
    """An option as people read it. `values` words for single values; `hint` and `rule` stand beside the field."""

    label: str
    rule: str = ""
    hint: str = ""
    values: Mapping[Any, str] = field(default_factory=dict)


@dataclass(frozen=True)
class OptionTable:
    """The words of a game's options, by name, and its presets, the usual one first."""

    words: Mapping[str, OptionWords] = field(default_factory=dict)
    presets: tuple[Preset, ...] = ()

    def label(self, name: str) -> str:
        """What an option is called; its name where nobody gave it words."""
        return self.words[name].label if name in self.words else name.replace("_", " ").capitalize()
