"""Every operation of the contract, asked with what it promises to take and with what it does not: all checks of
schemathesis, in this process."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure, FailureGroup

from game.api.schema import document
from game.rulesets.registry import RULESETS
from game.services import webhooks
from tests.api.clients import Program, action_of
from tests.api.operations import every_operation
from tests.api.refusals import every_refusal
from tests.site.tables import play_on
from tests.tables import new_game, person

pytestmark = [pytest.mark.django_db]
EXAMPLES = 6  # of an operation in each mode
REFUSES = [200, 201, 202, 204, 304, 401, 403, 404, 409, 412, 422]
"""What a request of the right shape may be answered with: the rules and the table may say no."""
REJECTS = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429]
"""What a request of another shape may be answered with; a text may be so long that nobody reads it (413)."""
CONFIG = {
    "checks": {
        "positive_data_acceptance": {"expected-statuses": REFUSES},
        "negative_data_rejection": {"expected-statuses": REJECTS},
    }
}
CODES = {refusal.code for refusal in every_refusal()}
RIGHT, WRONG = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
NAMES = sorted(place.operation.name for place in every_operation())


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


@pytest.fixture
def contract() -> Iterator[Any]:
    """The contract, asked of the site in this process; the test's transaction stays open between requests."""
    schema = schemathesis.openapi.from_dict(document(), config=SchemathesisConfig.from_dict(CONFIG))
    schema.app = get_wsgi_application()
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield schema
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def places() -> dict[str, list[Any]]:
    """What there is to be asked about, by the name it has in addresses."""
    open_now, over = (new_game("ada", "ben", ruleset="toy") for _ in range(2))
    play_on(over)
    hook = webhooks.add(user=person("ada"), url="https://hooks.example.org/")
    return {
        "webhook": [hook.pk, 10**9],
        "delivery": [hook.deliveries.get().pk, 10**9],
        "game_id": [open_now.pk, over.pk, 10**9],
        "key": ["toy", "sectors", "chess"],
        "number": [0, 1, person("ben").pk],
        "serial": [0, 1, 10**9],
        "rule": ["S 5.3", "A1", "chess"],
        "name": ["refused", "nothing"],
        "figure": ["cash", "score", "nothing"],
        "subject": ["0", "ACME", "nothing"],
        "turn": [0, 1, 10**9],
    }


@pytest.mark.parametrize("mode", [RIGHT, WRONG], ids=["right", "wrong"])
def test_every_operation_answers_as_it_promises(mode: Any, contract: Any, places: Any) -> None:
    faults = {}
    for name in NAMES:
        with transaction.atomic():
            try:
                ask(contract.find_operation_by_id(name), mode, places)
            except Unsatisfiable:
                assert mode is WRONG, "nothing can be wrong where nothing is asked for"
            except (FailureGroup, Failure) as found:
                faults[name] = str(found)
            transaction.set_rollback(True)
    assert not faults, "\n".join(faults.values())


def ask(operation: Any, mode: Any, places: Any) -> None:
    headers = {"Authorization": Program("ada").headers["Authorization"], "Accept-Encoding": "identity"}

    @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def one(case: Any, data: Any) -> None:
        if mode is RIGHT:
            for each in case.path_parameters or {}:
                case.path_parameters[each] = data.draw(st.sampled_from(places[each]))
        case.call_and_validate(headers=headers)

    one()


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_what_one_operation_answers_the_next_one_takes(ruleset: str) -> None:
    """Create, join, start, and then offers and moves: both ends of every open field, sent or refused with a reason."""
    ada, ben, rules = Program("ada"), Program("ben"), RULESETS[ruleset]
    made = ada.post("games", {"ruleset": ruleset, "seats": max(2, min(rules.seats)), "pace": "demo"})
    number = made.json()["id"]
    assert ben.post(f"games/{number}/seats").status_code == 200
    for _ in range(made.json()["seats_wanted"] - 2):
        assert ada.post(f"games/{number}/seats", {"bot": "house"}).status_code == 200
    assert ada.post(f"games/{number}/start").json()["status"] == "running"
    for turn in range(12):
        for program in (ada, ben):
            asked = program.get(f"games/{number}/offers").json()
            if not asked["waiting_for_you"]:
                continue
            for offer in [each for each in asked["offers"] if not each["refused"]][:3]:
                tried = program.move(number, action_of(offer, least=bool(turn % 2)), dry_run=True)
                assert tried.status_code in {200, 422}, tried.json()
                if tried.status_code == 422:
                    assert tried.json()["errors"][0]["code"] in CODES
            first = [action_of(each) for each in asked["offers"] if not each["refused"]][:1]
            ready = [{"kind": "ready"}] if asked["takes_ready"] else []
            sent = program.move(number, *first, *ready)
            if sent.status_code == 422:
                assert program.move(number, *(ready or [{"kind": "pass"}])).status_code in {200, 422}
    assert ada.get(f"games/{number}").json()["phase_serial"] > 3
