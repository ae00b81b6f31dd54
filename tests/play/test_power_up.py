"""Power Up on the site: turns sent by forms, what is refused and changes nothing, what a move costs."""

import re
from contextlib import suppress
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game.engine.actions import Refused
from game.store.board_rows import Company, Holding
from game.store.game import Game
from tests.pages.panels import Controls
from tests.store.test_projections import assert_rebuilt_equals_stored
from tests.tables import clock_runs_out, everything, fresh, new_game, person, send, stored_rows

pytestmark = [pytest.mark.django_db]
MOST_STATEMENTS = 6
FRAME = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")  # of a transaction
HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def game() -> Game:
    return new_game("ada", "bob", ruleset="power_up", pace="daily")


def acting(game: Game) -> int:
    return int(fresh(game).waiting_seats[0])


def sits(seat: int) -> Client:
    client = Client()
    client.force_login(person(("ada", "bob")[seat]))
    return client


def hand(game: Game, seat: int) -> list[str]:
    return list(fresh(game).load_position().state.hands[seat])


def page_of(game: Game, client: Client) -> str:
    return str(client.get(f"/games/{game.pk}/").content.decode())


def form_of(game: Game, client: Client) -> dict[str, Any]:
    """What a browser would send of the form, untouched."""
    return {name: values[-1] for name, values in Controls(page_of(game, client)).sent.items()}


def post(client: Client, game: Game, form: dict[str, Any], where: str = "actions", **more: Any) -> Any:
    return client.post(f"/games/{game.pk}/{where}/", form, **more)


def test_a_turn_is_played_by_its_form(game: Game) -> None:
    seat = acting(game)
    client, tile = sits(seat), hand(game, seat)[0]
    answer = post(client, game, form_of(game, client) | {"move": tile, "do": "submit"}, **HTMX)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert tile in fresh(game).load_position().state.board
    assert 'id="map"' in page
    assert 'hx-swap-oob="outerHTML"' in page, "the map on the board follows the form"
    answer = post(client, game, form_of(game, client) | {"do": "undo"}, **HTMX)
    assert answer.status_code == 200
    assert tile in hand(game, seat)


def test_the_end_of_a_turn_is_not_asked_for_twice(game: Game) -> None:
    seat = acting(game)
    client = sits(seat)
    send(game, seat, {"kind": "play_tile", "tile": hand(game, seat)[0]})
    form = form_of(game, client) | {"move": "end_turn", "do": "submit"}
    assert post(client, game, form).status_code == 302
    assert acting(game) != seat


def test_without_scripts_the_page_says_what_would_follow(game: Game) -> None:
    seat = acting(game)
    client, tile, before = sits(seat), hand(game, seat)[0], everything(game)
    answer = post(client, game, form_of(game, client) | {"move": tile}, "drafts")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert f"{tile} touches no other tile" in page or f"If you play {tile}" in page
    assert Controls(page).sent["move"] == [tile], "what was chosen stays chosen"
    assert everything(game) == before


BAD: dict[str, dict[str, Any]] = {
    "nothing chosen": {},
    "a tile of nobody": {"move": "Z9"},
    "a tile that is not in hand": {"move": "NOT"},
    "a draw with a full hand": {"move": "draw"},
    "a purchase before a tile": {"move": "buy_rufus"},
    "the end before a tile": {"move": "end_turn"},
    "an unknown company": {"move": "buy_enron"},
    "two moves": {"move": ["draw", "end_turn"]},
    "a field of another form": {"move": "draw", "quantity": "2"},
    "a zero byte": {"move": "A\x00"},
    "markup": {"move": "<script>alert(1)</script>"},
    "an unknown button": {"move": "draw", "do": "drop tables"},
    "a pass": {"do": "pass"},
    "ready": {"do": "ready"},
    "a withdrawal": {"do": "withdraw"},
    "an undo of nothing": {"do": "undo"},
    "a step to come": {"move": "draw", "step": "99"},
    "an old phase": {"move": "draw", "serial": "0"},
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_a_bad_form_is_answered_with_its_reason(game: Game, change: dict[str, Any]) -> None:
    seat = acting(game)
    client = sits(seat)
    if change.get("move") == "NOT":
        change = {"move": next(tile for tile in ("A0", "B1", "C2", "D3", "E4", "F5") if tile not in hand(game, seat))}
    form, before = form_of(game, client) | {"do": "submit"} | change, everything(game)
    answer = post(client, game, form)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "say--no" in page
    assert "<script>alert(1)" not in page
    assert everything(game) == before


def test_a_company_that_no_tile_calls_for_is_refused(game: Game) -> None:
    seat = acting(game)
    client, before = sits(seat), everything(game)
    form = form_of(game, client) | {"move": hand(game, seat)[0], "found": "enron", "survivor": "<b>", "do": "submit"}
    answer = post(client, game, form)
    assert answer.status_code in {302, 422}, "ignored where the tile founds nothing"
    assert everything(game) == before or answer.status_code == 302


def test_a_form_of_an_earlier_step_is_refused_kindly(game: Game) -> None:
    seat = acting(game)
    client = sits(seat)
    form = form_of(game, client) | {"do": "submit"}
    first, second = hand(game, seat)[:2]
    post(client, game, form | {"move": first, "token": "first"})
    before = everything(game)
    answer = post(client, game, form | {"move": second, "token": "second"})
    assert answer.status_code == 422
    assert "say--no" in answer.content.decode()
    assert everything(game) == before


def test_others_cannot_play_somebody_s_turn(game: Game) -> None:
    seat = acting(game)
    form = form_of(game, sits(seat)) | {"move": hand(game, seat)[0], "do": "submit"}
    before = everything(game)
    assert post(sits(1 - seat), game, form).status_code == 422
    stranger = Client()
    stranger.force_login(person("mallory"))
    assert post(stranger, game, form).status_code in {403, 404}
    assert post(Client(), game, form).status_code == 302, "to the sign-in page"
    assert everything(game) == before


def test_hands_are_on_their_owner_s_page_alone(game: Game) -> None:
    own = re.compile(r'pu-own[^"]*" data-cell="(\w\d)"')
    for seat in (0, 1):
        assert sorted(own.findall(page_of(game, sits(seat)))) == sorted(hand(game, seat))
    assert not own.findall(page_of(game, Client()))


def test_companies_and_holdings_are_queryable(game: Game) -> None:
    for _ in range(30):
        clock_runs_out(game)
    assert Company.objects.filter(game=game).count() == 6
    assert Holding.objects.filter(game=game).exists()
    assert stored_rows(game)


def test_an_action_costs_few_statements(game: Game) -> None:
    """The last action of a turn too, which opens the next one."""
    counts = []
    for _ in range(6):
        seat = acting(game)
        state = fresh(game).load_position().state
        kind = {"kind": "end_turn"} if state.tile_played else {"kind": "play_tile", "tile": hand(game, seat)[0]}
        if not state.tile_played and not hand(game, seat):
            kind = {"kind": "draw"}
        if kind["kind"] == "play_tile":
            view = game.rules.view(fresh(game).load_position(), seat)
            ahead = next(one for one in view.ahead if one.tile == kind["tile"])
            kind |= {ahead.choice: ahead.companies[0]} if ahead.choice else {}
        with CaptureQueriesContext(
            connection,
        ) as seen:
            send(game, seat, kind)
        statements = [query["sql"] for query in seen.captured_queries if not query["sql"].startswith(FRAME)]
        counts.append(len(statements))
    assert max(counts[2:]) <= MOST_STATEMENTS, counts


def test_the_course_has_the_start_and_the_end_of_each_turn(game: Game) -> None:
    """What closes a turn is counted for it, and the board's rows written afresh say the same."""
    ends: list[tuple[int, list[int]]] = [(0, [6000, 6000])]
    for act in [lambda game: None, *[play_something, clock_runs_out] * 6]:
        act(game)
        view = game.rules.view(fresh(game).load_position(), None)
        if view.turn - 1 > ends[-1][0]:
            ends.append((view.turn - 1, [player.score for player in view.players]))
        course = [(point["turn"], point["worth"]) for point in fresh(game).course]
        assert course[: len(ends)] == ends
    assert len(ends) > 6
    assert_rebuilt_equals_stored(game)


def play_something(game: Game) -> None:
    """The first tile of whose turn it is that asks for nothing else."""
    seat = acting(game)
    for tile in hand(game, seat):
        with suppress(Refused):
            send(game, seat, {"kind": "play_tile", "tile": tile})
            return
