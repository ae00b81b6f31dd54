"""Every figure that is explained adds up, all through games of random legal play of every ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from game.engine.breakdown import TABLE, Part
from game.engine.events import Event, read_events
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from tests.rulesets.games import RULES, TABLES, games_of, played

each_table = pytest.mark.parametrize(("key", "seats", "variant"), TABLES)
LEAST = {"sectors": 14, "power_up": 2, "stock_market_tycoon": 1, "toy": 1}  # figures


def subjects_of(rules: Ruleset, view: Any) -> Iterator[tuple[str, Any]]:
    """Companies, players and what else the rules name, by what they are called in the address of an explanation."""
    sectors = {sector.key: sector for sector in getattr(view, "sectors", ())}
    for subject in rules.subjects:
        if shown := view if subject == TABLE else sectors.get(subject):
            yield subject, shown
    for company in getattr(view, "companies", ()):
        yield getattr(company, "key", "") or company.ticker, company
    for player in view.players:
        yield str(player.seat), player


def explained(rules: Ruleset, state: Any, told: list[Event], subject: str) -> Iterator[tuple[str, tuple[Part, ...]]]:
    for figure, breakdown in rules.breakdowns.items():
        yield figure, breakdown(state, subject)
    for figure, trace in rules.traces.items():
        yield figure, trace(state, told, subject)


def wrong(rules: Ruleset, position: AnyPosition, told: list[Event], seen: set[str]) -> list[tuple[str, str, Any, Any]]:
    """Figures whose parts do not add up to what the view shows."""
    found = []
    for subject, shown in subjects_of(rules, rules.view(position, None)):
        for figure, parts in explained(rules, position.state, told, subject):
            if hasattr(shown, figure):
                seen.add(figure)
                if not parts or sum(part.amount for part in parts) != getattr(shown, figure):
                    found.append((subject, figure, getattr(shown, figure), parts))
    return found


@each_table
def test_the_parts_of_every_figure_add_up_at_every_moment(key: str, seats: int, variant: int) -> None:
    game, told, seen = played(key, seats, variant), [], set[str]()
    for number, step in enumerate(game.all()):
        told += read_events(step.events, None)
        if number % 20 == 0 or step.after.is_over:
            assert wrong(game.rules, step.after, told, seen) == []
    assert seen == {*game.rules.breakdowns, *game.rules.traces}
    assert len(seen) >= LEAST.get(key, 1)


@pytest.mark.parametrize("key", RULES)
def test_there_are_no_parts_of_what_there_is_not(key: str) -> None:
    game = next(games_of(key))
    for subject in ("", "NO", "99", "-1", "²", "x" * 50):
        for _, parts in explained(game.rules, game.last.state, [], subject):
            assert parts == ()
