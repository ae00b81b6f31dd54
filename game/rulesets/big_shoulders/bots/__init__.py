"""The bots of City of the Big Shoulders: one that plays anything legal, and one that plays plainly well. A third one,
which looks ahead, needs whole rules and is added to them."""

from __future__ import annotations

from game.engine.random_bot import random_bot
from game.engine.ruleset import Bot
from game.rulesets.big_shoulders.bots.house import house_bot

BOTS: dict[str, Bot] = {"house": house_bot, "random": random_bot}
