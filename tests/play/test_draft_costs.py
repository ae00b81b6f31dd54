"""What saving a draft costs: the position is unpacked once in a request, and again only where it has moved since."""

from collections import Counter
from functools import wraps
from typing import Any

import pytest
from django.test import Client

from game.engine.ruleset import Ruleset
from game.play import drafts
from game.store.game import Game, Seat
from game.store.log import Draft
from tests.pages.panels import Controls
from tests.tables import fresh, new_game, person

pytestmark = pytest.mark.django_db
BID = {"kind": "bid_influence", "points": 20}
HTMX: dict[str, Any] = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each of the three that cost most was called since it was last cleared."""
    counted: Counter[str] = Counter()

    def count(owner: type, name: str) -> None:
        method = getattr(owner, name)

        @wraps(method)
        def counting(*args: Any, **named: Any) -> Any:
            counted[f"{owner.__name__}.{name}"] += 1
            return method(*args, **named)

        monkeypatch.setattr(owner, name, counting)

    for owner, name in ((Game, "load_position"), (Ruleset, "view"), (Ruleset, "parse")):
        count(owner, name)
    return counted


@pytest.fixture
def game() -> Game:
    return new_game("ada", "bob")


def ada_of(game: Game) -> Seat:
    return Seat.objects.get(game=game, number=0)


def test_a_draft_is_saved_with_one_unpacking_and_one_view(game: Game, client: Client, found: Counter[str]) -> None:
    client.force_login(person("ada"))
    page = Controls(client.get(f"/games/{game.pk}/").content.decode())
    form = {name: values[-1] for name, values in page.sent.items()} | {"points": "20", "touched": "points"}
    found.clear()
    answer = client.post(f"/games/{game.pk}/drafts/", form, **HTMX)
    assert answer.status_code == 200
    assert found == {"Game.load_position": 1, "Ruleset.view": 1, "Ruleset.parse": 1}
    assert Draft.objects.get(seat=ada_of(game)).content == [BID]


def test_a_position_of_an_earlier_moment_is_not_used(game: Game, found: Counter[str]) -> None:
    """Something was logged since it was read: the draft is checked against what is stored."""
    seen = drafts.Seen(fresh(game).entries - 1, None)  # type: ignore[arg-type]
    seat = ada_of(game)
    found.clear()
    drafts.save_draft(seat=seat, serial=game.phase_serial, requests=[BID], seen=seen)
    assert found["Game.load_position"] == 1
    assert Draft.objects.count() == 1
