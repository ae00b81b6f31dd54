"""Bots: they choose among offers by what `view` shows their seat, and know nothing more."""

from game.engine.ruleset import Bot
from game.rulesets.sectors.bots.house import house_bot, sharp_bot
from game.rulesets.sectors.bots.random_bot import random_bot

BOTS: dict[str, Bot] = {"house": house_bot, "sharp": sharp_bot, "random": random_bot}

__all__ = ["BOTS", "house_bot", "random_bot", "sharp_bot"]
