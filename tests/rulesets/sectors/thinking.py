"""What a bot of a given temper asks at a table of rules tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from game.engine import names, referee
from game.engine.chance import ScriptedChance
from game.rulesets.sectors.bots import house_bot
from game.rulesets.sectors.bots.table import TEMPERS
from game.rulesets.sectors.ruleset import SECTORS

if TYPE_CHECKING:
    from tests.rulesets.sectors.table import Table

Request = dict[str, Any]


def asked(table: Table, name: str, *, temper: str = "steady", mood: int = 5) -> list[Request]:
    """What a house bot in this seat asks now; all of it is legal. A low mood thinks of stops, a high one of
    bargains."""
    seat = table.seat(name)
    chosen = next(known for known in TEMPERS if known.name == temper)
    chance = ScriptedChance("a bot of tests", {"bot_temper": [chosen], "bot_mood": [mood]})
    requests = house_bot(table.view(name), lambda: referee.offers(SECTORS, table.position, seat), chance)
    for request in requests:
        names.check(SECTORS.parse(request, seat), table.state)
    return requests


def wishes(table: Table, name: str, **words: Any) -> list[str]:
    """The company actions for which a house bot in this seat votes now."""
    (ballot,) = asked(table, name, **words)
    return list(ballot["actions"])
