"""Whole games together meet every line of a ballot."""

from __future__ import annotations

from game.rulesets.sectors.ruleset import SECTORS
from tests.rulesets.games import games_of


def test_every_company_action_stands_on_some_ballot() -> None:
    values = {
        value
        for game in games_of("sectors")
        for step in game.all()
        for offer in step.offers
        if offer.kind == "vote_actions" and not offer.refused
        for field in offer.fields
        if field.name == "actions"
        for value, _ in field.values  # type: ignore[union-attr]
    }
    assert values == set(SECTORS.registries["company_actions"])
