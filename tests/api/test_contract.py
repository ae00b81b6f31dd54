"""The contract: the committed file is the one of the code, and every answer has the shape that it promises."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import openapi_spec_validator
import pytest
from django.test import Client
from django.utils.html import escape
from django.utils.translation import override
from drf_spectacular.validation import validate_schema

from game.api import schema
from game.api.schema import document
from game.rulesets.registry import RULESETS
from game.store.game import Pace
from tests import kept_games
from tests.api.clients import Program
from tests.api.operations import check_promised, every_operation, path_of
from tests.servers import ROOT
from tests.tables import new_game, person, shortest

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def test_the_contract_is_valid_and_committed() -> None:
    """`python manage.py openapi` writes it. It only grows: what is in it stays as it is."""
    validate_schema(document())
    openapi_spec_validator.validate(document())
    assert document()["openapi"].startswith("3.1")
    written = json.loads((ROOT / "docs" / "api" / "openapi.json").read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(document()))


def test_each_type_is_described_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks while the document is built waits for it, with a thread of the site's few."""
    kinds, describe = Counter[Any](), msgspec.json.schema_components

    def watch(types: Sequence[Any], **more: Any) -> Any:
        kinds.update(types)
        return describe(types, **more)

    monkeypatch.setattr(msgspec.json, "schema_components", watch)
    contract = document()
    for name in ("_document", "_components_of"):
        getattr(schema, name).cache_clear()
    assert document() == contract
    assert set(kinds.values()) == {1}


def test_an_ordinary_generator_makes_a_whole_client_of_it(tmp_path: Path) -> None:
    """Nothing of the contract is left out for being said in a way that it does not know."""
    contract = ROOT / "docs" / "api" / "openapi.json"
    (tmp_path / "config.yaml").write_text("post_hooks: []\n", encoding="ascii")
    command = [
        "generate",
        "--path",
        contract,
        "--output-path",
        tmp_path / "client",
        "--config",
        tmp_path / "config.yaml",
    ]
    program = Path(sys.executable).with_name("openapi-python-client")
    done = subprocess.run([program, *command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Warning" not in done.stdout
    made = {file.stem for file in (tmp_path / "client").rglob("models/*.py")}
    assert {"offer", "several", "summary", "results", "person_facts"} <= made


def test_many_who_ask_first_at_once_get_one_contract_in_english() -> None:
    schema._document.cache_clear()

    def ask() -> dict[str, Any]:
        with override("de"):
            return document()

    with ThreadPoolExecutor(8) as pool:
        found = [asked.result() for asked in [pool.submit(ask) for _ in range(8)]]
    assert len({id(each) for each in found}) == 1
    assert found[0]["webhooks"]["game.started"]["post"]["summary"] == "One of your games has started"


def test_the_contract_names_every_operation_once() -> None:
    named = [each["operationId"] for methods in document()["paths"].values() for each in methods.values()]
    assert sorted(named) == sorted(place.operation.name for place in every_operation())
    assert len(named) == len(set(named))


def test_the_contract_says_what_moments_and_paces_can_be() -> None:
    shapes = {name: each.get("properties", {}) for name, each in document()["components"]["schemas"].items()}
    fields = {(shape, name): field for shape, each in shapes.items() for name, field in each.items()}
    moments = {place: field for place, field in fields.items() if _is_moment(place[1])}
    assert [place for place, field in moments.items() if "date-time" not in json.dumps(field)] == []
    paces = {place: json.dumps(field) for place, field in fields.items() if place[1] in {"pace", "paces"}}
    games = document()["paths"]["/api/v1/games"]["get"]["parameters"]
    paces["query", "pace"] = next(json.dumps(each) for each in games if each["name"] == "pace")
    assert len(paces) > 4
    assert [place for place, said in paces.items() if any(pace not in said for pace in Pace.values)] == []


def test_the_contract_lists_the_values_of_every_closed_list() -> None:
    """What the words beside a field call a choice of a few values is one in the shape as well."""
    shapes = {name: each.get("properties", {}) for name, each in document()["components"]["schemas"].items()}
    closed = {
        "kind": {"Proposal", "MessageLine"},
        "to": {"Proposal", "PauseLine"},
        "mode": set(shapes),
        "status": {"Summary"},
        "state": set(shapes),
        "keeper": set(shapes),
        "scopes": set(shapes),
    }
    declared = {
        (shape, name): json.dumps(shapes[shape][name])
        for name, owners in closed.items()
        for shape in owners
        if name in shapes[shape]
    }
    assert len(declared) > 12
    assert sorted(place for place, field in declared.items() if "enum" not in field) == []


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@pytest.mark.parametrize("is_over", [False, True])
def test_every_answer_has_the_shape_that_was_promised(ruleset: str, is_over: bool, settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    options = shortest(ruleset)
    game = (
        kept_games.finished(ruleset, **options)
        if is_over
        else new_game("ada", "ben", bots=1, ruleset=ruleset, **options)
    )
    program = Program("ada")
    for place in every_operation():
        if place.method != "GET":
            continue
        number = person("ada").pk
        given = {
            "game_id": game.pk,
            "key": ruleset,
            "name": "refused",
            "number": number,
            "serial": 1,
            "webhook": 99_999,
            "figure": "cash",
            "subject": "0",
            "turn": 1,
            "rule": RULESETS[ruleset].cites.get("over", "none"),
        }
        query = {"find_people": "?name=ada", "get_position": "?include=offers"}.get(place.operation.name, "")
        check_promised(place, program.get(path_of(place.pattern, **given) + query))


def test_the_page_about_it_names_every_operation_and_shape(client: Client) -> None:
    page = client.get("/developers/").content.decode()
    for operation in (each for methods in document()["paths"].values() for each in methods.values()):
        part = page.split(f'id="{operation["operationId"]}"')[1].split("</details>")[0]
        refusals = [answer["description"] for status, answer in operation["responses"].items() if status >= "4"]
        named = [f"<code>{parameter['name']}</code>" for parameter in operation.get("parameters", ())]
        assert [words for words in [*map(escape, refusals), *named] if words not in part] == []
    for name in document()["components"]["schemas"]:
        assert f'id="shape-{name}"' in page


def _is_moment(name: str) -> bool:
    return name.endswith(("_at", "_until", "_since")) or name in {"at", "until", "deadline", "timestamp"}
