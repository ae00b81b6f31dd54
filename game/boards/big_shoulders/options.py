"""The options of City of the Big Shoulders as a host reads them, and the games that are offered. (B-6)"""

from __future__ import annotations

from game.boards.options import OptionTable, OptionWords, Preset
from game.engine.language import mark
from game.rulesets.big_shoulders.options import LABELS

WORDS = {
    "advanced": OptionWords(
        LABELS["advanced"],
        "BS 5.7",
        mark("A player who holds more of a company than its director takes it over, and companies can raise funds."),
    ),
    "friendly_sales": OptionWords(
        LABELS["friendly_sales"],
        "B-16",
        mark("A sale costs a company one step in all, unless its director sells."),
    ),
    "goals": OptionWords(
        LABELS["goals"],
        "BS 1.13",
        mark("Five public goals bring 200 each at the end."),
    ),
    "price_protection_passive": OptionWords(
        LABELS["price_protection_passive"],
        "B-84",
        mark("Otherwise this asset protects a value once a decade."),
    ),
}

PRESETS = (
    Preset(
        "basic",
        mark("Basic rules"),
        {"advanced": False},
        mark("directors keep their companies; best for a first game"),
        windows={"building": 5},
        fewest={"building": 5},
        live_minutes=260,
        a_seat={"stock": 13, "action": 15, "operation": 5},
    ),
    Preset(
        "advanced",
        mark("Advanced rules"),
        {"advanced": True},
        mark("companies can be taken over and raise funds"),
        windows={"building": 5},
        fewest={"building": 5},
        live_minutes=260,
        a_seat={"stock": 13, "action": 15, "operation": 5},
    ),
)

BIG_SHOULDERS_OPTIONS = OptionTable(WORDS, PRESETS, lengths=mark("5 decades"), choice=mark("variant"))
