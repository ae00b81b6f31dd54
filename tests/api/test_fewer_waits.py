"""The turn sheet through the API: it is taken ahead, and stays while what is for the open phase is replaced."""

from typing import Any

import pytest

from tests.api.clients import Program
from tests.browser.positions import lay
from tests.clock.test_fewer_waits import held, opening
from tests.tables import fresh

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


@pytest.mark.parametrize(
    "order",
    [
        {"kind": "limit_order", "company": "ACME", "side": "buy", "value": 18, "quantity": 2},
        {"kind": "short_order", "company": "ACME", "quantity": 1},
    ],
    ids=["limit", "short"],
)
def test_a_program_sends_the_whole_turn_sheet(order: dict[str, Any]) -> None:
    game, ada = lay(opening()), Program("ada")
    offered = {offer["kind"]: offer for offer in ada.get(f"games/{game.pk}/offers").json()["offers"]}
    for kind in (order["kind"], "vote_tranche", "distribute_tranche"):
        assert "ready" in [field["name"] for field in offered[kind]["fields"]]
    sheet = (
        {"kind": "vote_tranche", "tranche": 1, "ready": True},
        {"kind": "distribute_tranche", "tranche": 1, "cash": {"1": 3}, "ready": True},
        {**order, "ready": True},
    )
    assert ada.move(game, {"kind": "pledge_headline", "headline": 1}, *sheet).status_code == 200
    ahead = {"vote_tranche", "distribute_tranche", "order"}
    assert held(game) == {"pledge_headline", *ahead}
    assert ada.move(game, {"kind": "pass"}, replace=True).status_code == 200
    assert held(game) == {"pass", *ahead}
    part = ada.get(f"games/{game.pk}/position").json()["view"]["mine"]["order"]
    assert part == {**order, "ready": True}  # as it could be sent again
    stored: Any = fresh(game).load_position().pending[0]["order"]
    assert stored.at == 20
