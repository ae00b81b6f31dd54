"""How well bots play, as people choose among them."""

from __future__ import annotations

import msgspec

from game.engine.language import mark


class BotLevel(msgspec.Struct, frozen=True):
    """A strength of bots: `key` is the ruleset's name for the bot, `about` its temper in a sentence."""

    key: str
    title: str
    about: str


STEADY = BotLevel("house", mark("Steady"), mark("Plays sensibly and plainly."))
