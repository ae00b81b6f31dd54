"""The bots of Stock Market Tycoon."""

from __future__ import annotations

from game.engine.random_bot import random_bot
from game.engine.ruleset import Bot
from game.rulesets.stock_market_tycoon.bots.house import house_bot

BOTS: dict[str, Bot] = {"house": house_bot, "random": random_bot}
