"""The desk of a game whose stored data is damaged: each of its pages answers, and the bundle for engineers is made."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.urls import reverse

from accounts.models import User
from game.store.game import Game
from game.store.log import LoggedAction
from tests.moderation.test_desk_games import open_glass, signed_in
from tests.scenes import moderator
from tests.tables import everybody_ready, new_game

pytestmark = pytest.mark.django_db
WHY = "an engineer has to look at it"
DAMAGES: dict[str, dict[str, Any]] = {
    "state": {"state": b"junk"},
    "inputs": {"inputs": b"junk"},
    "options": {"options": {"nonsense": 1}},
    "no options": {"options": []},
    "timing": {"timing": {"lengths": "x"}},
    "ruleset": {"ruleset": "nonsense"},
    "secret": {"secret": "0"},
    "phase": {"phase_row": 30_000},
    "trail": {"trail": [["x"]]},
    "course": {"course": [{}, {}]},
    "states": {"seat_states": []},
}
LOGGED = ("action", "events", "snapshot", "draws")
PAGES = ("game_game_change", "secrets", "rerun", "bundle", "pairs", "game_game_history")


@pytest.fixture
def game() -> Game:
    return everybody_ready(new_game("ada", "ben", ruleset="toy"))


def damage(game: Game, what: str) -> None:
    if what in LOGGED:
        LoggedAction.objects.filter(game=game).update(**{what: b"junk"})
    else:
        Game.objects.filter(pk=game.pk).update(**DAMAGES[what])


def bundle(game: Game, name: str) -> set[str]:
    """The files of the bundle that this moderator is given."""
    answer = signed_in(User.objects.get(username=name)).post(reverse("admin:bundle", args=[game.pk]), {"reason": WHY})
    assert answer.status_code == 200, answer.content
    return {*ZipFile(BytesIO(answer.content)).namelist()}


@pytest.mark.parametrize("what", [*DAMAGES, *LOGGED])
def test_every_page_of_the_desk_of_a_damaged_game_answers(game: Game, what: str) -> None:
    damage(game, what)
    client = signed_in(moderator("Lena"))
    for name in PAGES:
        assert client.get(reverse(f"admin:{name}", args=[game.pk])).status_code in {200, 409}, name
    assert client.get(reverse("admin:pairs", args=[game.pk]), {"a": "0", "b": "1"}).status_code in {200, 409}
    assert bundle(game, "Lena") == {"game.json", "public.json"}


@pytest.mark.parametrize("what", [*DAMAGES, *LOGGED])
def test_a_bundle_with_what_is_sealed_is_made_of_a_damaged_game(game: Game, what: str) -> None:
    open_glass(game, moderator("Lena"), moderator("Max"))
    damage(game, what)
    assert bundle(game, "Lena") == {"game.json", "public.json", "sealed.json", "actions.json"}
