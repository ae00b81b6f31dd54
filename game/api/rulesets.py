"""The games that can be played here."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from game.api import shapes
from game.api.endpoint import Endpoint, Operation
from game.api.problems import Problem
from game.engine.language import say
from game.engine.ruleset import Ruleset
from game.ruleset_facts import RulesetFacts, RulesetSchema, facts_of, list_rulesets, schema_of
from game.rulesets.registry import RULESETS


class Rulesets(Endpoint):
    """All of them."""

    operations = {"GET": Operation("list_rulesets", "The games of this site", shapes.Rulesets, is_open=True)}

    def get(self, request: Request) -> Response:
        return Response(shapes.Rulesets(list_rulesets()))


class OneRuleset(Endpoint):
    """What a host chooses from."""

    operations = {
        "GET": Operation(
            "get_ruleset",
            "One game: paces, phases, presets, bots and options",
            RulesetFacts,
            is_open=True,
            problems=("not-found",),
        )
    }

    def get(self, request: Request, key: str) -> Response:
        return Response(facts_of(find(key)))


class Schema(Endpoint):
    """The shapes of what belongs to one game."""

    operations = {
        "GET": Operation(
            "get_ruleset_schema",
            "JSON Schemas of a game’s actions, view and events",
            RulesetSchema,
            is_open=True,
            problems=("not-found",),
        )
    }

    def get(self, request: Request, key: str) -> Response:
        return Response(schema_of(find(key).key))


def find(key: str) -> Ruleset:
    """The rules of that name. Raises `Problem`."""
    if key not in RULESETS:
        raise Problem("not-found", say("There is no such game; there are {games}.", games=", ".join(RULESETS)))
    return RULESETS[key]
