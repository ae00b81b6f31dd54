"""Drafts from programs: what the open phase takes is kept, and no draft breaks its seat's own pages."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from game.engine.position import AnyPosition
from game.store.game import Game, Seat
from game.store.log import Draft
from tests.api.clients import Program
from tests.attacks.laying import lay
from tests.attacks.secrets import SEALED
from tests.rulesets.games import RULES
from tests.scenes import table
from tests.tables import confirmed, fresh, person

pytestmark = pytest.mark.django_db
COMMON: list[dict[str, Any]] = [
    *({"kind": kind} for kind in ("ready", "pass", "undo")),
    {"kind": "ready", "on": False},
    {"kind": "withdraw", "of": "bid_influence"},
]
ROWS = SEALED["sectors"]
KINDS = list({row.other["kind"]: row.other for row in ROWS.values() if row.other}.values())
STRANGE: list[Any] = [*COMMON, *KINDS, *({"kind": kind} for kind in RULES["sectors"].actions), {"kind": "gone"}, {}, 7]
PAGES = ("", "charts/prices/")
PHASES = ("influence_bid", "start_turn", "stock_orders", "company_vote")


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def phases() -> list[Any]:
    """A position of each of these phases."""
    laid: dict[str, AnyPosition] = {}
    for row in ROWS.values():
        position = row.at()
        phase = RULES["sectors"].flow_of(position).rows[position.cursor.row or 0].phase
        laid.setdefault(phase.name, position)
    return [pytest.param(laid[name], id=name) for name in PHASES]


def at(position: AnyPosition) -> Game:
    return fresh(lay(table(*(person(name) for name in ("ada", "ben", "cid")), bots=0), position))


def pages_of(browser: Client, game: Game) -> list[int]:
    return [browser.get(f"/games/{game.pk}/{page}").status_code for page in PAGES]


@pytest.mark.parametrize("position", phases())
def test_no_draft_that_is_taken_breaks_the_board_of_its_seat(position: AnyPosition) -> None:
    game = at(position)
    ada, browser = Program("ada"), confirmed(person("ada"))
    sound, taken = pages_of(browser, game), []
    assert max(sound) < 500
    for request in [*COMMON, *KINDS]:
        draft = {"phase_serial": game.phase_serial, "actions": [request]}
        answer = ada.put(f"games/{game.pk}/draft", draft)
        if answer.status_code == 200:
            taken.append(request["kind"])
        assert pages_of(browser, game) == sound, request
    assert "pass" in taken
    assert not {"ready", "undo", "withdraw"} & {*taken}


@pytest.mark.parametrize("position", phases())
def test_no_stored_draft_breaks_the_board_of_its_seat(position: AnyPosition) -> None:
    """It may be of another version of the site, or be kept of a submission that came too late."""
    game = at(position)
    seat, browser = Seat.objects.get(game=game, number=0), confirmed(person("ada"))
    sound = pages_of(browser, game)
    for content in [*([request] for request in STRANGE), None, "x", {"kind": "pass"}]:
        Draft.objects.filter(seat=seat).delete()
        stored = "null" if content is None else content
        Draft.objects.create(seat=seat, serial=game.phase_serial, content=stored, saved_at=timezone.now())
        assert pages_of(browser, game) == sound, content


def test_a_draft_of_another_phase_is_refused_in_words() -> None:
    game = at(ROWS["bid_influence"].at())
    ada = Program("ada")
    for request, words in (
        ({"kind": "cover_short", "order": 1}, "is not possible in phase 1"),
        ({"kind": "ready"}, "cannot be saved in it"),
    ):
        answer = ada.put(f"games/{game.pk}/draft", {"phase_serial": game.phase_serial, "actions": [request]})
        assert answer.status_code == 422
        assert words in answer.json()["detail"], answer.content
    assert not Draft.objects.exists()
