"""Every operation of the contract, asked with what it promises to take and with what it does not: all checks of
schemathesis, in this process."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import msgspec
import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as settings_of
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure, FailureGroup

from game.api.facts.games import place_of
from game.api.facts.play import offers_of
from game.api.schema import document
from game.delivery import webhooks
from game.rulesets.registry import RULESETS
from game.store.game import Game
from tests.api.clients import Program, action_of, filled
from tests.api.operations import every_operation
from tests.api.refusals import every_refusal
from tests.scenes import play_on
from tests.tables import at_phase, everybody_ready, fresh, new_game, person

pytestmark = [pytest.mark.django_db]
FEW, MANY = 2, 10  # examples of an operation in each mode
MOVES = 10  # that are made of offers
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
RIGHT, WRONG = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
OPERATIONS = sorted(every_operation(), key=lambda place: place.operation.name)
OF_A_GAME = "games/<int:game_id>"
QUIETLY: dict[str, Any] = {
    "derandomize": True,
    "deadline": None,
    "database": None,
    "phases": [Phase.generate],
    "suppress_health_check": list(HealthCheck),
}


@cache
def codes() -> set[str]:
    return {refusal.code for refusal in every_refusal()}


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


class World(NamedTuple):
    """What there is to be asked about, by the name it has in addresses, who asks, and which operations; the first game
    is played."""

    places: dict[str, list[Any]]
    people: tuple[str, ...]
    names: list[str]


def toy() -> World:
    """Every operation, about games that are over in a moment."""
    open_now, over = (new_game("ada", "ben", ruleset="toy") for _ in range(2))
    play_on(over)
    hook = webhooks.add(user=person("ada"), url="https://hooks.example.org/")
    about = {
        "webhook": [hook.pk, 10**9],
        "delivery": [hook.deliveries.get().public_number, 10**9, 10**12],
        "key": ["toy", "sectors", "chess"],
        "rule": ["S 5.3", "A1", "chess"],
        "name": ["refused", "nothing"],
    }
    names = [place.operation.name for place in OPERATIONS]
    return World({**_about(open_now, over), **about}, ("ada",), names)


def sectors() -> World:
    """The operations on a game, about Sectors in its second turn and at its end, for who plays there and who does
    not."""
    open_now = new_game("ada", "ben", bots=1)
    while fresh(open_now).turn < 2:
        everybody_ready(open_now)
    over = play_on(new_game("ada", bots=2, max_turns=2))
    named = [place.operation.name for place in OPERATIONS if place.pattern.startswith(OF_A_GAME)]
    return World(_about(at_phase(open_now, "stock_orders"), over), ("ada", "mallory"), named)


def _about(open_now: Game, over: Game) -> dict[str, list[Any]]:
    company = next((point["prices"] for point in over.course if point["prices"]), ["ACME"])
    return {
        "game_id": [open_now.pk, over.pk, 10**9],
        "number": [0, 1, person("ben").pk],
        "serial": [0, 1, open_now.phase_serial, 10**9],
        "figure": ["cash", "score", "net_worth", "demand", "nothing"],
        "subject": ["0", next(iter(company)), "nothing"],
        "turn": [0, 1, 10**9],
    }


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.trial)])
@pytest.mark.parametrize("mode", [RIGHT, WRONG], ids=["right", "wrong"])
@pytest.mark.parametrize("made", [toy, sectors])
def test_every_operation_answers_as_it_promises(
    made: Any, mode: Any, examples: int, contract: Any, settings: Any
) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    world = made()
    faults = {}
    for who, name in product(world.people, world.names):
        with transaction.atomic():
            try:
                ask(contract.find_operation_by_id(name), mode, world, Program(who), examples)
            except Unsatisfiable:
                assert mode is WRONG, "nothing can be wrong where nothing is asked for"
            except (FailureGroup, Failure) as found:
                faults[who, name] = str(found)
            transaction.set_rollback(True)
    assert not faults, "\n".join(faults.values())


def ask(operation: Any, mode: Any, world: World, program: Program, examples: int) -> None:
    @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
    @settings_of(max_examples=examples, **QUIETLY)
    def one(case: Any, data: Any) -> None:
        if mode is RIGHT:
            for each in case.path_parameters or {}:
                case.path_parameters[each] = data.draw(st.sampled_from(world.places[each]))
        case.call_and_validate(headers=headers_of(program))

    one()


@pytest.mark.parametrize("made", [toy, sectors])
def test_whatever_is_offered_can_be_sent_in_any_order_with_any_value(made: Any, contract: Any, settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    world, program, statuses = made(), Program("ada"), []
    number, previews = world.places["game_id"][0], []

    @given(case=contract.find_operation_by_id("make_move").as_strategy(generation_mode=RIGHT), data=st.data())
    @settings_of(max_examples=MOVES, **QUIETLY)
    def one(case: Any, data: Any) -> None:
        with transaction.atomic():
            case.path_parameters["game_id"], move = number, data.draw(moves(number, program))
            case.body = move | {"dry_run": True}
            tried = case.call_and_validate(headers=headers_of(program))
            previews.append(tried.json().get("preview") is not None)
            case.body = move
            statuses.append(case.call_and_validate(headers=headers_of(program)).status_code)
            transaction.set_rollback(True)

    one()
    assert {200, 422} == {*statuses}, "some are taken, and some are refused in words"
    assert any(previews), "what would be taken is foreseen"


def headers_of(program: Program) -> dict[str, str]:
    return {"Authorization": program.headers["Authorization"], "Accept-Encoding": "identity"}


def moves(number: int, program: Program) -> st.SearchStrategy[Any]:
    """What the program may send now by its offers, each open field with any value that it takes."""
    rows = msgspec.to_builtins(offers_of(place_of(Game.objects.get(pk=number), program.token.user)))
    offers = [each for each in rows["offers"] if not each["refused"]]
    actions = st.lists(st.sampled_from(offers).flatmap(actions_of), min_size=1, max_size=3)
    now = {name: st.just(rows[name]) for name in ("phase_serial", "step")}
    return st.fixed_dictionaries({**now, "actions": actions})


def actions_of(offer: dict[str, Any]) -> st.SearchStrategy[Any]:
    fixed = {"kind": offer["kind"], **offer["fixed"]}
    fields = {field["name"]: values_of(field) for field in offer["fields"]}
    return st.fixed_dictionaries({**{name: st.just(value) for name, value in fixed.items()}, **fields})


def values_of(field: dict[str, Any]) -> st.SearchStrategy[Any]:
    """A value that an open field takes, or nearly."""
    match field["type"]:
        case "range":
            return st.integers(field["low"] - 1, field["high"] + 1)
        case "choice":
            return st.sampled_from([value for value, _ in field["values"]])
        case "several":
            return st.lists(st.sampled_from([value for value, _ in field["values"]]), max_size=3)
        case "flag":
            return st.booleans()
        case _:
            return st.just(filled(field))


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
            result = program.get(f"games/{number}/offers").json()
            if not result["waiting_for_you"]:
                continue
            for offer in [each for each in result["offers"] if not each["refused"]][:3]:
                tried = program.move(number, action_of(offer, least=bool(turn % 2)), dry_run=True)
                assert tried.status_code in {200, 422}, tried.json()
                if tried.status_code == 422:
                    assert tried.json()["errors"][0]["code"] in codes()
            first = [action_of(each) for each in result["offers"] if not each["refused"]][:1]
            ready = [{"kind": "ready"}] if result["takes_ready"] else []
            sent = program.move(number, *first, *ready)
            if sent.status_code == 422:
                assert program.move(number, *(ready or [{"kind": "pass"}])).status_code in {200, 422}
    assert ada.get(f"games/{number}").json()["phase_serial"] > 3
