"""Every refusal has a code that keeps its meaning, and programs get the same facts that the sentence holds."""

import re
from collections import defaultdict

import pytest

from game.engine.ruleset import REFUSALS
from tests.api.clients import Program
from tests.api.refusals import TABLE, every_refusal
from tests.tables import new_game


def test_a_sentence_has_one_code() -> None:
    codes: dict[str, set[str]] = defaultdict(set)
    for refusal in every_refusal():
        for text in refusal.texts:
            codes[text].add(refusal.code)
    assert not {text: found for text, found in codes.items() if len(found) > 1}
    assert len(set(REFUSALS.values())) == len(REFUSALS)


def test_the_page_about_them_names_every_code_of_the_rules_and_none_disappears() -> None:
    """`python -m tests.api.refusals` writes it; a code that programs may know stays."""
    named = set(re.findall(r"^\| `([a-z_]+)` ", TABLE.read_text(encoding="utf-8"), re.MULTILINE))
    found = list(every_refusal())
    assert named <= {refusal.code for refusal in found}
    assert {refusal.code for refusal in found if refusal.place.startswith(("game/rulesets", "game/engine"))} <= named


@pytest.mark.django_db
def test_a_program_gets_the_code_the_field_and_the_facts_of_the_sentence() -> None:
    game = new_game("ada", "ben")
    answer = Program("ada").move(game, {"kind": "bid_influence", "points": 99})
    (error,) = answer.json()["errors"]
    assert error == {
        "pointer": "#/actions/0/points",
        "code": "not_enough_influence",
        "field": "points",
        "detail": "You have 50 influence points, not 99.",
        "facts": {"most": 50, "points": 99},
        "rule": "S 1.5",
    }
    bad = Program("ada").post("games", {"ruleset": "sectors", "seats": 3, "pace": "hasty"}).json()["errors"][0]
    assert (bad["code"], bad["field"], bad["pointer"]) == ("no_such_pace", "pace", "#/pace")
    bad = Program("ada").post("games", {"ruleset": "sectors", "seats": 3, "options": {"max_turns": 1}}).json()
    assert (bad["errors"][0]["code"], bad["errors"][0]["pointer"]) == ("unknown_option_value", "#/options")
