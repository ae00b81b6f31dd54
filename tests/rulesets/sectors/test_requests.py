"""A request that is not well formed is refused in a sentence that names the field and what it takes."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from game.engine.actions import Action, Refused
from game.rulesets.registry import RULESETS
from game.rulesets.sectors.actions import ACTIONS

SECTORS = RULESETS["sectors"]
RAW = (
    "$.",
    "`",
    "Expected",
    "Invalid",
    "object",
    "Traceback",
    "msgspec",
    "{",
    "<",
)  # what a decoder says, not a rulebook
GOOD: dict[str, Any] = {
    "bid_influence": {"points": 5},
    "pledge_headline": {"headline": 1},
    "vote_tranche": {"tranche": 1},
    "market_order": {"company": "ACME", "side": "buy", "location": "ipo", "quantity": 2},
    "limit_order": {"company": "ACME", "side": "buy", "value": 40, "quantity": 2},
    "short_order": {"company": "ACME", "quantity": 2},
    "option_order": {"contract": 1},
    "standing_order": {"company": "ACME", "side": "buy", "limit": 40, "quantity": 2},
    "cover_short": {"order": 1},
    "exercise_option": {"contract": 1},
    "vote_revenue": {"company": "ACME", "choice": "full"},
    "vote_actions": {"company": "ACME", "actions": ["loan"]},
}
ODD: list[Any] = [
    None, True, -1, 0, 10**9, 10**40, 1.5, float("nan"), "", "1", "x" * 5000, "`$.a`", "\ud800", [], [1], ["a"] * 99,
    {}, {"0": -1},
    {"0": "1"}, {1: 1}, {"a": {"b": []}}, b"1", object(), {1, 2},
]  # fmt: skip

TAKES = "ready, company, side, location, quantity, bid"


def refusal(raw: Any) -> str:
    with pytest.raises(Refused) as refused:
        SECTORS.parse(raw, 0)
    return refused.value.text


def order(**changes: Any) -> dict[str, Any]:
    values = {"kind": "market_order", **GOOD["market_order"], **changes}
    return {name: value for name, value in values.items() if value is not ...}


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (order(quantity="3"), "Quantity must be a whole number from 1 to 999,999,999."),
        (order(quantity=0), "Quantity must be a whole number from 1 to 999,999,999."),
        (order(quantity=10**9), "Quantity must be a whole number from 1 to 999,999,999."),
        (order(quantity=...), "Quantity is missing: it must be a whole number from 1 to 999,999,999."),
        (order(bid="x"), "Bid must be a whole number from 1 to 999,999,999, or left out."),
        (order(side="steal"), "Side must be buy or sell."),
        (order(company="LONGTICKER"), "Company must be text of 1 to 8 characters."),
        (
            order(speed=3),
            f"Market order has no field “speed”: it takes {TAKES}.",
        ),
        (
            order(**{"`$.x`": 3}),
            f"Market order has no such field: it takes {TAKES}.",
        ),
        ({"kind": "pass", "company": "ACME"}, "Pass has no field “company”: it takes none."),
        ({"kind": "ready", "on": 1}, "On must be true or false."),
        (
            {"kind": "vote_actions", "company": "ACME", "actions": ["loan"] * 4},
            "Actions must be a list of 0 to 3 items, each of them text.",
        ),
        (
            {"kind": "distribute_tranche", "cash": {"0": -1}},
            "Cash must be a table whose values are each a whole number from 0 to 999,999,999.",
        ),
        ({"kind": "vote_tranche", "tranche": 7}, "Tranche must be a whole number from 1 to 6."),
    ],
)
def test_a_malformed_request_is_refused_in_a_sentence(raw: dict[str, Any], sentence: str) -> None:
    assert refusal(raw) == sentence


@pytest.mark.parametrize(
    "raw", [None, [], "pass", {}, {"kind": None}, {"kind": 3}, {"kind": "`gift`"}, {"kind": ["pass"]}]
)
def test_a_request_without_a_known_kind_is_refused_in_a_sentence(raw: Any) -> None:
    assert not any(word in refusal(raw) for word in RAW)


@pytest.mark.parametrize("kind", ACTIONS)
def test_no_refusal_of_any_action_shows_what_the_decoder_said(kind: str) -> None:
    """Every field of every action with odd values, left out, and beside unknown ones; what is taken is typed."""
    fields = [field.encode_name for field in msgspec.structs.fields(ACTIONS[kind]) if field.name != "actor"]
    good, chance = {"kind": kind, **GOOD.get(kind, {})}, Random(kind)
    requests = [good | {name: value} for name in [*fields, "odd", "`odd`", "$.odd"] for value in ODD]
    requests += [{name: value for name, value in good.items() if name != left} for left in fields]
    requests += [good | {name: chance.choice(ODD) for name in fields} for _ in range(100)]
    assert isinstance(SECTORS.parse(good, 0), Action)
    answers = [answer for raw in requests if (answer := answer_to(raw))]
    assert len(answers) > len(ODD)
    for answer in set(answers):
        assert answer.endswith(".")
        assert len(answer) < 200
        assert not any(word in answer for word in RAW), answer


def answer_to(raw: dict[str, Any]) -> str:
    """Why a request is refused; nothing where it becomes an action."""
    try:
        assert isinstance(SECTORS.parse(raw, 0), Action)
    except Refused as error:
        return error.text
    return ""
