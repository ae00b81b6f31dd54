"""The contract only grows: what it promised is neither taken away nor narrowed, unless the CHANGELOG says so."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from game.api.schema import document
from tests.api.promises import breaks, promised, read, unannounced

Changed = Callable[[dict[str, Any]], object]
GAMES, GAME = "/api/v1/games", "/api/v1/games/{game_id}"


def test_the_contract_keeps_what_was_promised() -> None:
    assert unannounced(promised(document())) == []


def test_every_operation_is_promised() -> None:
    """`python -m tests.api.promises` adds what is new."""
    assert set(read()["operations"]) == set(promised(document())["operations"])


def after(change: Changed) -> list[str]:
    """What a contract that is changed like this no longer keeps."""
    contract = copy.deepcopy(document())
    change(contract)
    return breaks(promised(document()), promised(contract))


def shape(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda contract: contract["components"]["schemas"][name]


NEW_GAME, SUMMARY, SEAT, OFFER = shape("NewGame"), shape("Summary"), shape("SeatLine"), shape("Offer")
TAKEN: list[tuple[Changed, str]] = [
    (lambda told: told["paths"][GAME].pop("delete"), f"DELETE {GAME}: gone"),
    (lambda told: told["paths"][GAMES]["get"]["parameters"].pop(0), "gone"),
    (lambda told: told["paths"][GAMES]["post"].update(operationId="new_game"), "create_game is new_game"),
    (lambda told: told["paths"][GAME]["get"].update(description="Needs any token."), "is Needs any token."),
    (lambda told: told["paths"][GAMES]["post"]["responses"].pop("201"), f"POST {GAMES} 201: gone"),
    (lambda told: told["webhooks"].pop("game.started"), "game.started: gone"),
    (lambda told: SUMMARY(told)["properties"].pop("turn"), "Summary.turn: gone"),
    (lambda told: SUMMARY(told)["required"].remove("turn"), "Summary.turn: may be missing"),
    (lambda told: SUMMARY(told)["properties"].update(turn={"type": "string"}), "Summary.turn: integer is string"),
    (lambda told: SUMMARY(told)["properties"].update(turn={"anyOf": [{"type": "integer"}, {"type": "null"}]}),
     "Summary.turn: may be null"),
    (lambda told: SEAT(told)["properties"].update(name={"type": "integer"}), "SeatLine.name: string is integer"),
    (lambda told: OFFER(told)["properties"]["fields"]["items"]["anyOf"].pop(0), "no longer Range"),
    (lambda told: NEW_GAME(told)["required"].append("name"), "NewGame.name: is required"),
    (lambda told: NEW_GAME(told)["properties"].pop("name"), "NewGame.name: gone"),
    (lambda told: NEW_GAME(told)["properties"]["name"].update(maxLength=6), "NewGame.name: maxLength is 6"),
    (lambda told: NEW_GAME(told)["properties"]["seats"].update(minimum=3), "NewGame.seats: minimum is 3"),
    (lambda told: NEW_GAME(told)["properties"]["pace"].update(enum=["daily"]), "NewGame.pace: is one of a few"),
    (lambda told: NEW_GAME(told)["properties"]["pace"].update(pattern="^daily$"), "NewGame.pace: pattern is ^daily$"),
]  # fmt: skip
ADDED: list[Changed] = [
    lambda told: told["paths"].update({"/api/v1/news": {"get": copy.deepcopy(told["paths"][GAMES]["get"])}}),
    lambda told: told["paths"][GAMES]["get"]["parameters"].append(
        {"name": "host", "in": "query", "schema": {"type": "integer"}}
    ),
    lambda told: SUMMARY(told)["properties"].update(colour={"type": "string"}),
    lambda told: NEW_GAME(told)["properties"].update(colour={"type": "string"}),
    lambda told: NEW_GAME(told)["properties"]["name"].update(maxLength=600),
    lambda told: NEW_GAME(told)["required"].remove("seats"),
    lambda told: OFFER(told)["properties"]["fields"]["items"]["anyOf"].append({"$ref": "#/components/schemas/Me"}),
    lambda told: SUMMARY(told).update(description="Other words."),
]


@pytest.mark.parametrize(("change", "words"), TAKEN, ids=[words for _, words in TAKEN])
def test_what_is_taken_away_or_narrowed_is_noticed(change: Changed, words: str) -> None:
    assert words in "\n".join(after(change))


@pytest.mark.parametrize("change", ADDED)
def test_what_is_added_or_widened_breaks_nothing(change: Changed) -> None:
    assert after(change) == []
