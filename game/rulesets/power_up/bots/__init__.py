"""Bots: they choose among offers by what `view` shows their seat, and know nothing more."""

from game.engine.random_bot import random_bot
from game.rulesets.power_up.bots.house import house_bot

BOTS = {"house": house_bot, "random": random_bot}

__all__ = ["BOTS", "house_bot", "random_bot"]
