"""Every refusal has a code that keeps its meaning, and programs get the same facts that the sentence holds."""

import re
from collections import defaultdict
from typing import Any

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


def test_the_page_names_a_field_as_the_api_calls_it() -> None:
    assert {refusal.field for refusal in every_refusal() if refusal.code == "no_such_bot"} == {"", "bot", "level"}
    assert "| `no_such_bot` | bot, level |  |" in TABLE.read_text(encoding="utf-8")


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


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("games", {"ruleset": "sectors"}, ("#", "seats", "wrong_shape", "The field “seats” is missing.")),
        ("games", {"coins": 1}, ("#", "coins", "wrong_shape", "There is no field “coins” here.")),
        ("games", [], ("#", "", "wrong_shape", "The body must be an object.")),
        (
            "games/{game}/moves", {"phase_serial": 1, "actions": [1]},
            (
                "#/actions/0", "actions", "wrong_shape",
                "“actions” must be a list of 1 to 40 items, each of them an object.",
            ),
        ),
        (
            "me/vacations", {"first": "2030-02-30", "last": "2030-03-01"},
            ("#/first", "first", "wrong_shape", "“first” must be a date like 2030-12-31."),
        ),
        (
            "games", {"ruleset": "sectors", "seats": 3, "timing": {}, "name": "x" * 61},
            ("#/name", "name", "wrong_shape", "“name” must be text of 0 to 60 characters."),
        ),
        (
            "games", {"ruleset": "sectors", "seats": 1},
            ("#/seats", "seats", "wrong_seats", "Sectors is for 2 to 8 players, not for 1."),
        ),
        ("games/{waiting}/seats", {"bot": "nobody"}, ("#/bot", "bot", "no_such_bot", None)),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_body_is_said_of_its_field(path: str, body: Any, error: Any) -> None:
    game, ada = new_game("ada", "ben"), Program("ada")
    waiting = ada.post("games", {"ruleset": "sectors", "seats": 3}).json()["id"]
    answer = ada.post(path.format(game=game.pk, waiting=waiting), body)
    (told,) = answer.json()["errors"]
    found = (told["pointer"], told["field"], told["code"], told["detail"])
    assert (answer.status_code, found) == (422, (*error[:3], error[3] or told["detail"]))


@pytest.mark.django_db
def test_the_form_that_is_asked_for_is_told_in_the_reader_s_language() -> None:
    ada = Program("ada", **{"Accept-Language": "de"})
    answer = ada.post("games", {"ruleset": "sectors", "seats": "three"}).json()
    assert answer["detail"] == "„seats“: verlangt ist eine ganze Zahl von 1 bis 100."
    assert ada.post("games", []).json()["detail"] == "Der Inhalt muss ein Objekt sein."
    part = ada.get("games?status=lost").json()["detail"]
    assert part == "„status“: verlangt ist Text der Form ^(waiting|running|finished|held|paused|abandoned)?$."


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "line", "column"),
    [
        (b'{"ruleset": "sectors",\n "seats": thre}', 2, 11),
        (b'{"name": "\xc3\xa4\xc3\xb6", }', 1, 16),
        (b'{"name": "\xc3\xa4\xff"}', 1, 12),
        (b'{"seats": 3', 1, 12),
    ],
)
def test_what_is_no_json_is_told_with_its_place(body: bytes, line: int, column: int) -> None:
    answer = Program("ada").post("games", body)
    (told,) = answer.json()["errors"]
    assert (answer.status_code, answer.json()["detail"]) == (400, told["detail"])
    assert told["detail"] == f"This is not JSON from line {line}, column {column} on."
    assert (told["pointer"], told["code"], told["facts"]) == ("#", "malformed", {"line": line, "column": column})


@pytest.mark.django_db
def test_what_is_wrong_with_a_parameter_is_said_of_its_name() -> None:
    game, ada = new_game("ada", "ben"), Program("ada", **{"Accept-Language": "de"})
    for query, code in (("after=x", "wrong_shape"), ("after=1&after=2", "repeated_parameter")):
        (told,) = ada.get(f"games/{game.pk}/log?{query}").json()["errors"]
        assert (told["parameter"], told["code"]) == ("after", code)
    (told,) = ada.get(f"games/{game.pk}?format=html").json()["errors"]
    assert (told["parameter"], told["code"]) == ("format", "unknown_parameter")
    assert told["detail"].startswith("Diese Adresse")


@pytest.mark.django_db
def test_where_a_game_is_now_is_said_wherever_it_has_moved_on() -> None:
    game, ada = new_game("ada", "ben"), Program("ada")
    now = {"phase_serial": 1, "step": 0, "game_status": "running"}
    draft = {"phase_serial": 7, "actions": [{"kind": "bid_influence", "points": 1}]}
    answers = [
        ada.put(f"games/{game.pk}/draft", draft),
        ada.post(f"games/{game.pk}/extend/7"),
        ada.get(f"games/{game.pk}/draws"),
        ada.post(f"games/{game.pk}/start"),
    ]
    assert [answer.status_code for answer in answers] == [409] * 4
    assert all(now.items() <= answer.json().items() for answer in answers)
    hidden = ada.post("games", {"ruleset": "sectors", "seats": 2, "is_open": False}).json()["id"]
    assert Program("ben").post(f"games/{hidden}/start").status_code == 404
