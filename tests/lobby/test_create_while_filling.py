"""The page that creates a game: a recommended default, and refusals of numbers while the host still fills it in."""

import pytest
from django.test import Client
from django.urls import reverse

from game.boards.registry import board_of
from game.lobby import lobby
from game.lobby.forms import CreateGameForm
from game.rulesets.registry import RULESETS
from game.store.game import Game
from tests.scenes import client_of
from tests.tables import person
from tests.toy_scenes import words_of

pytestmark = [pytest.mark.django_db]
GAMES = ["sectors", "power_up", "stock_market_tycoon", "big_shoulders"]


def seats_and_bots(client: Client, **chosen: str) -> str:
    """What stands under the number of seats."""
    values = {"filled": "1", "game": "sectors", "pace": "daily", "seats": "5", "bots": "2", "preset": "tuned_standard"}
    html = client.get("/games/new/", values | chosen).content.decode()
    return words_of(html.split('id="seat-choice"')[1].split("</fieldset>")[0])


@pytest.mark.parametrize("key", GAMES)
def test_three_people_and_bots_are_the_default(key: str) -> None:
    form = CreateGameForm(key)
    seats, bots, _ = form.current_numbers() or (0, 0, 0)
    assert (seats - bots, bots > 0) == (3, True)
    assert form["preset"].value() == board_of(key).options.presets[0].key


@pytest.mark.parametrize(
    ("chosen", "numbers"),
    [
        ({}, "3 people and 2 bots"),
        ({"seats": "2"}, "2 people"),
        ({"pace": "none"}, "1 person and 4 bots"),
        ({"is_rated": "on"}, "5 people"),
        ({"companions": "Ben, Cleo, Dora"}, "4 people and 1 bot"),
        ({"bots": "1"}, "4 people and 1 bot"),
    ],
)
def test_the_recommended_bots_follow_the_other_choices(chosen: dict[str, str], numbers: str) -> None:
    said = seats_and_bots(client_of("ada"), **{"bots": "", **chosen})
    assert f" {numbers} " in f" {said} "
    assert "you chose" not in said


def test_a_game_gets_the_bots_that_the_page_announced() -> None:
    sent = {"game": "sectors", "pace": "daily", "name": "Mine", "seats": "5", "bots": "", "preset": "tuned_standard"}
    answer = client_of("ada").post("/games/new/", sent)
    assert answer.status_code == 302
    assert Game.objects.get().seats.exclude(bot="").count() == 2


@pytest.mark.parametrize(
    ("chosen", "refusal"),
    [
        ({"seats": "2"}, "With 2 seats you can add up to 1 bot; you chose 2."),
        ({"pace": "none"}, "A game without a clock is for one person and bots."),
        ({"companions": "Ben, Cleo, Dora"}, "You named 3 other players at your device, and there is room for 2."),
        ({"is_rated": "on"}, "A rated game is for people only."),
    ],
)
def test_numbers_are_refused_while_the_form_is_filled_in(chosen: dict[str, str], refusal: str) -> None:
    client = client_of("ada")
    result = seats_and_bots(client, **chosen)
    assert refusal in result
    assert "-1" not in result
    assert refusal not in seats_and_bots(client)


def test_options_that_do_not_go_together_are_told_beside_their_effect_and_forbid_no_seats() -> None:
    client = client_of("ada")
    values = {"filled": "1", "game": "sectors", "pace": "daily", "seats": "5", "bots": "2", "preset": "tuned_standard"}
    boxes = dict.fromkeys(("limit_orders", "short_orders", "option_orders"), "on")
    html = client.get("/games/new/", values | boxes | {"edition": "1"}).content.decode()
    assert "is always off in the first edition" in html.split('id="effect"')[1]
    assert "disabled" not in html.split('id="seat-choice"')[1].split("</fieldset>")[0]


@pytest.mark.parametrize("key", GAMES)
def test_each_option_and_preset_says_in_words_what_it_changes(key: str) -> None:
    options = board_of(key).options
    assert not [name for name in RULESETS[key].menus if not options.words_of(name).hint]
    means = [preset.means for preset in options.presets]
    assert all(means)
    names = [(preset.title, preset.means) for preset in options.presets]
    assert len(names) == len(set(names))


def test_an_invitation_says_what_each_option_changes() -> None:
    game = lobby.create_game(host=person("ada"), name="Friday", seats=3)
    page = words_of(Client().get(reverse("invitation", args=[game.pk, game.invitation.token])).content.decode())
    for name in RULESETS["sectors"].menus:
        assert board_of("sectors").options.words_of(name).hint in page
