"""What saving a draft costs: the position is unpacked once in a request, and again only where it has moved since."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from django.test import Client

from game.models import Draft, Game, Seat
from game.services import drafts
from tests.pages.panels import Controls
from tests.tables import fresh, new_game, person

pytestmark = pytest.mark.django_db
BID = {"kind": "bid_influence", "points": 20}
HTMX = {"HTTP_HX_REQUEST": "true"}


@contextmanager
def calls() -> Iterator[Counter[str]]:
    """How often each function of this thread was called, by its name."""
    found: Counter[str] = Counter()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            found[frame.f_code.co_qualname] += 1

    sys.setprofile(watch)
    try:
        yield found
    finally:
        sys.setprofile(None)


@pytest.fixture
def game() -> Game:
    return new_game("ada", "bob")


def ada_of(game: Game) -> Seat:
    return Seat.objects.get(game=game, number=0)


def test_a_draft_is_saved_with_one_unpacking_and_one_view(game: Game, client: Client) -> None:
    client.force_login(person("ada"))
    page = Controls(client.get(f"/games/{game.pk}/").content.decode())
    form = {name: values[-1] for name, values in page.sent.items()} | {"points": "20", "touched": "points"}
    with calls() as found:
        answer = client.post(f"/games/{game.pk}/drafts/", form, **HTMX)
    assert answer.status_code == 200
    assert Draft.objects.get(seat=ada_of(game)).content == [BID]
    assert {name: found[name] for name in ("Game.load_position", "Ruleset.view", "Ruleset.parse")} == {
        "Game.load_position": 1,
        "Ruleset.view": 1,
        "Ruleset.parse": 1,
    }


def test_a_position_of_an_earlier_moment_is_not_used(game: Game) -> None:
    """Something was logged since it was read: the draft is checked against what is stored."""
    seen = drafts.Seen(fresh(game).entries - 1, None)  # type: ignore[arg-type]
    with calls() as found:
        drafts.save_draft(seat=ada_of(game), serial=game.phase_serial, requests=[BID], seen=seen)
    assert found["Game.load_position"] == 1
    assert Draft.objects.count() == 1
