"""Notes beside the first decisions of a first game: in order, once each, remembered of the person, gone when not
wanted."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from game.boards.lessons import ALL, next_note
from game.boards.registry import BOARDS, board_of
from game.store.game import Game
from tests.tables import at_phase, fresh, new_game, person, without_chance

NOTE = re.compile(r'<aside class="coach".*?</span> (.*?)</p>\s*(?:<details.*?<p>(.*?)(?: <a|</p>))?', re.DOTALL)
pytestmark = pytest.mark.django_db


def shown(client: Client, game: Game) -> str:
    """The text of the note on the page, if there is one: its first sentence, and what is folded."""
    found = NOTE.findall(client.get(game.get_absolute_url()).content.decode())
    return " ".join(filter(None, found[0])) if found else ""


def sit(*, ruleset: str = "sectors") -> tuple[Client, Game]:
    game, client = new_game("ada", bots=2, ruleset=ruleset), Client()
    client.force_login(person("ada"))
    return client, game


def decide(client: Client, game: Game, **form: Any) -> Any:
    now = fresh(game)
    about = {"serial": now.phase_serial, "step": now.phase_step, "phase": now.phase_name, "token": "t1"}
    return client.post(f"{game.get_absolute_url()}actions/", {"do": "submit", **about, **form})


def note(ruleset: str, at: int) -> str:
    return board_of(ruleset).notes[at].text


def test_a_decision_made_is_a_note_read() -> None:
    client, game = sit()
    assert shown(client, game) == note("sectors", 0)
    assert decide(client, game, points="10").status_code == 302
    assert User.objects.get(username="ada").notes_seen == ["sectors.bid"]
    game = at_phase(game, "stock_orders")
    assert shown(client, game) == note("sectors", 3)
    another = new_game("ada", bots=1)
    assert shown(client, another) == "", "the bid has been explained in another game"


def test_a_refused_decision_leaves_the_note() -> None:
    client, game = sit()
    assert decide(client, game, points="1000").status_code == 422
    assert shown(client, game) == note("sectors", 0)


def test_the_notes_about_one_phase_come_one_after_another() -> None:
    client, game = sit(ruleset="power_up")
    game = at_phase_of(game)
    for at in range(3):
        assert shown(client, game) == note("power_up", at)
        mark = f"power_up.{board_of('power_up').notes[at].key}"
        answer = client.post("/notes/read/", {"note": mark, "next": game.get_absolute_url()})
        assert answer["Location"] == game.get_absolute_url()
    assert shown(client, game) == ""


def at_phase_of(game: Game) -> Game:
    """Until it is ada's turn."""
    from game.bots import playing

    for _ in range(10):
        if fresh(game).waiting_seats == [0]:
            break
        playing.play_bots(game_id=game.pk)
    return fresh(game)


def test_whoever_wants_no_notes_gets_none() -> None:
    client, game = sit()
    assert client.post("/notes/read/", {"note": ALL})["Location"] == "/games/"
    assert shown(client, game) == ""
    assert shown(client, at_phase(game, "stock_orders")) == ""


def test_a_script_gets_the_empty_place_and_other_notes_are_refused() -> None:
    client, _ = sit()
    answer = client.post("/notes/read/", {"note": "sectors.bid"}, headers={"HX-Request": "true"})
    assert answer.content.decode().startswith('<div id="coach" data-region hidden>')
    assert client.post("/notes/read/", {"note": "sectors.nonsense"}).status_code == 422
    assert client.post("/notes/read/", {"note": ALL, "next": "https://example.org/"})["Location"] == "/games/"
    assert User.objects.get(username="ada").notes_seen == ["sectors.bid", ALL]
    assert Client().post("/notes/read/", {"note": ALL}).status_code == 302


def test_a_stranger_and_a_game_without_notes_have_none() -> None:
    client, game = sit(ruleset="toy")
    assert shown(client, game) == ""
    public = new_game("ada", "bob")
    assert shown(Client(), public) == ""


def test_reading_a_page_writes_nothing_down() -> None:
    client, game = sit()
    pages = [without_chance(client.get(game.get_absolute_url()).content.decode()) for _ in range(2)]
    assert pages[0] == pages[1]
    assert User.objects.get(username="ada").notes_seen == []


def test_notes_are_about_phases_that_there_are_and_places_that_are_on_the_board() -> None:
    for key, board in BOARDS.items():
        flow = board.rules.flow(board.rules.parse_options({}))
        assert {each.phase for each in board.notes} <= {row.phase.name for row in flow.rows}
        assert len({each.key for each in board.notes}) == len(board.notes)
        page = ""
        if board.notes:
            client, game = sit(ruleset=key)
            page = client.get(game.get_absolute_url()).content.decode()
        assert all(f'id="{each.see}"' in page for each in board.notes if each.see)


def test_what_a_guest_has_read_an_account_has_read(settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    client = Client()
    client.post("/play/")
    client.post("/notes/read/", {"note": "sectors.bid"})
    form = {"username": "Grace", "email": "grace@example.org", "password1": "correct horse battery"}
    client.post("/accounts/signup/", form)
    assert User.objects.get(username="Grace").notes_seen == ["sectors.bid"]


def test_the_sequence_says_how_long_it_is() -> None:
    found = next_note(board_of("sectors").notes, "stock_orders", [], "sectors")
    assert found
    assert (found.number, found.count) == (4, 6)
