"""Creating, joining and starting games, through the services and the pages."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.limits import most_of
from game.engine.actions import Refused
from game.engine.ledger import MOST_SEATS
from game.lobby import guests, lobby, waiting_games
from game.lobby.lobby_queries import MOST_OPEN
from game.play.authority import assign_seat
from game.store.game import Game, Seat, Status
from game.store.readers import BOT_NAMES, seats_of
from tests.tables import fresh, new_game, person

pytestmark = pytest.mark.django_db


def a_table(**more: Any) -> Game:
    return lobby.create_game(host=person("ada"), name="Tuesday", seats=3, **more)


def test_the_host_sits_first_and_bots_fill_the_rest() -> None:
    game = a_table(bots=1)
    lobby.join_game(game_id=game.pk, user=person("bob"))
    assert [(seat.number, seat.shown_name, seat.bot) for seat in game.seats.all()] == [
        (0, "ada", ""),
        (1, "Abacus", "house"),
        (2, "bob", ""),
    ]
    assert fresh(game).bots == {"1": "house"}


def test_there_are_names_for_the_bots_of_the_largest_table() -> None:
    game = a_table()
    Game.objects.filter(pk=game.pk).update(seats_wanted=MOST_SEATS)
    locked = waiting_games.lock_game(game.pk)
    for _ in range(MOST_SEATS - 1):
        assign_seat(game=locked, bot="house")
    names = [seat.shown_name for seat in seats_of(game)]
    assert len(set(names)) == MOST_SEATS
    assert set(names) == {"ada", *BOT_NAMES[: MOST_SEATS - 1]}


def test_a_bot_does_not_take_the_name_of_somebody_at_the_table() -> None:
    """An account may be older than a bot's name."""
    game = lobby.create_game(host=person(BOT_NAMES[0]), name="Older", seats=3, bots=1)
    assert [seat.shown_name for seat in seats_of(game)] == [*BOT_NAMES[:2]]


def test_joining_twice_takes_one_seat() -> None:
    game = a_table()
    assert lobby.join_game(game_id=game.pk, user=person("bob")) == lobby.join_game(game_id=game.pk, user=person("bob"))
    assert game.seats.count() == 2


def test_a_full_table_takes_nobody() -> None:
    game = a_table(bots=2)
    with pytest.raises(Refused, match="All 3 seats"):
        lobby.join_game(game_id=game.pk, user=person("bob"))


def test_those_behind_a_leaver_move_up() -> None:
    game = a_table(bots=1)
    lobby.join_game(game_id=game.pk, user=person("bob"))
    lobby.remove_seat(game_id=game.pk, user=person("ada"), number=1)
    assert [(seat.number, seat.shown_name) for seat in game.seats.all()] == [(0, "ada"), (1, "bob")]
    assert fresh(game).bots == {}


def test_only_the_host_adds_bots_and_starts() -> None:
    game = a_table()
    lobby.join_game(game_id=game.pk, user=person("bob"))
    for ask in (lobby.add_bot, lobby.start_game, lobby.fill_with_bots):
        with pytest.raises(Refused, match="Only the host"):
            ask(game_id=game.pk, user=person("bob"))


def test_a_name_holds_no_letters_that_cannot_be_seen() -> None:
    game = lobby.create_game(host=person("ada"), name=" Table\u202e\u200b\n of  ada\x00 ", seats=2)
    assert game.name == "Table of ada"


@pytest.mark.parametrize("unseen", ["\u3164", "\u2800", "\u034f", "\u115f \u1160", "\u0335\u0336", "\u17b4\u180b"])
def test_a21_no_game_has_a_name_that_nobody_sees(unseen: str) -> None:
    game = lobby.create_game(host=person("ada"), name=unseen, seats=2)
    assert game.name == lobby.usual_name(person("ada"))
    with pytest.raises(Refused, match="needs a name"):
        lobby.change_game(game_id=game.pk, user=person("ada"), name=unseen)


def test_a21_accents_are_not_piled_up_in_the_name_of_a_game() -> None:
    assert lobby.create_game(host=person("ada"), name="Z" + "\u0335" * 50 + "ürich", seats=2).name == "Z̵̵̵ürich"


def test_a22_one_account_does_not_fill_the_list_of_open_games(settings: Any, client: Client) -> None:
    ada, most = person("ada"), most_of("open_tables")
    client.force_login(ada)
    sent = {"pace": "daily", "name": "Mine", "seats": "3", "bots": "0", "preset": "standard", "is_open": "on"}
    answers = [client.post("/games/new/", sent) for _ in range(most + 2)]
    assert [answer.status_code for answer in answers] == [302] * most + [422] * 2
    assert f"You already host {most} open games that wait for players, the maximum." in answers[-1].content.decode()
    assert Game.objects.count() == most
    lobby.create_game(host=ada, name="By invitation", seats=3, is_open=False)
    lobby.leave_game(game_id=Game.objects.filter(is_open=True).latest("pk").pk, user=ada)
    lobby.create_game(host=ada, name="Instead", seats=3)
    lobby.create_game(host=person("bob"), name="His", seats=3)


def test_one_account_sits_at_no_more_tables_than_a_person_could_play(settings: Any) -> None:
    settings.LIMITS, bob = {"games": 4}, person("bob")
    for number in range(3):
        lobby.join_game(game_id=lobby.create_game(host=person(f"host{number}"), name="Open", seats=3).pk, user=bob)
    lobby.create_game(host=bob, name="Mine", seats=3)
    more = lobby.create_game(host=person("ada"), name="One more", seats=3)
    with pytest.raises(Refused, match="You already host 4 unfinished games, the maximum"):
        lobby.join_game(game_id=more.pk, user=bob)
    with pytest.raises(Refused, match="4 unfinished games, the maximum"):
        lobby.create_game(host=bob, name="Another", seats=3, is_open=False)
    lobby.join_game(game_id=Game.objects.filter(name="Open").earliest("pk").pk, user=bob)  # a seat that is his already
    lobby.leave_game(game_id=Game.objects.filter(name="Open").latest("pk").pk, user=bob)
    lobby.join_game(game_id=more.pk, user=bob)


@pytest.mark.django_db(transaction=True)
def test_requests_at_once_are_counted_one_after_the_other(settings: Any) -> None:
    host, most = person("ada"), most_of("open_tables")

    def create(_: int) -> bool:
        try:
            return bool(lobby.create_game(host=host, name="Mine", seats=3))
        except Refused:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as clickers:
        assert sum(clickers.map(create, range(12))) == most
    assert Game.objects.count() == most


def test_full_tables_push_none_with_room_out_of_the_list(client: Client) -> None:
    lobby.create_game(host=person("ada"), name="With room", seats=3)
    for number in range(MOST_OPEN + 1):
        lobby.create_game(host=person(f"host{number}"), name="Full", seats=3, bots=2)
    client.force_login(person("bob"))
    assert "With room" in client.get("/games/").content.decode()


def test_an_incomplete_table_does_not_start() -> None:
    game = a_table()
    with pytest.raises(Refused, match="2 of 3 seats"):
        lobby.start_game(game_id=game.pk, user=person("ada"))


def test_a_host_who_leaves_gives_the_table_up() -> None:
    game = fresh(a_table())
    lobby.leave_game(game_id=game.pk, user=person("ada"))
    assert fresh(game).status == Status.ABANDONED
    assert fresh(game).version > game.version, "the guests' pages show it"
    with pytest.raises(Refused, match="cancelled"):
        lobby.join_game(game_id=game.pk, user=person("bob"))


@pytest.mark.parametrize(
    "options", [{"max_turns": 2}, {"bank": 1}, {"starting_cash": True}, {"unknown": 1}, {"distribution": "luck"}]
)
def test_options_come_from_their_menus(options: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        a_table(options=options)


def test_tests_may_ask_for_short_games(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    assert a_table(options={"max_turns": 2}).read_options().max_turns == 2


@pytest.mark.parametrize(("pace", "passes"), [("live", 5), ("demo", 2), ("daily", 3)])
def test_the_pace_sets_the_order_passes(pace: str, passes: int) -> None:
    assert a_table(pace=pace).read_options().max_sub_rounds == passes


@pytest.mark.parametrize("seats", [1, 9])
def test_two_to_eight_play(seats: int) -> None:
    with pytest.raises(Refused, match="2 to 8"):
        lobby.create_game(host=person("ada"), name="", seats=seats)


def test_a25_a_started_game_publishes_the_hash_of_its_secret_and_nothing_else() -> None:
    game = new_game("ada", "bob")
    first = game.log.get(number=1)
    assert game.secret_hash in first.note
    assert len(game.secret) == 64
    assert game.secret not in repr(game) + str(game) + first.note + first.events


def test_the_demo_is_made_once() -> None:
    player = guests.ensure_demo()
    assert guests.ensure_demo() == player
    game = Game.objects.get()
    assert (game.status, game.pace, Seat.objects.exclude(bot="").count()) == (Status.WAITING, "demo", 4)


def test_each_game_has_a_demo_of_its_own() -> None:
    guests.ensure_demo()
    player = guests.ensure_demo("toy")
    assert guests.ensure_demo("toy") == player
    assert list(Game.objects.order_by("pk").values_list("ruleset", "seats_wanted")) == [("sectors", 5), ("toy", 4)]
    guests.begin_demo(player=player)
    assert {game.status for game in Game.objects.all()} == {Status.RUNNING}


def test_a_person_creates_fills_and_starts_a_game_by_its_pages(client: Client) -> None:
    client.force_login(person("ada"))
    assert client.get("/games/new/").status_code == 200
    values = {
        "pace": "demo",
        "name": "Mine",
        "seats": "3",
        "bots": "1",
        "preset": "short",
        "concealed": "on",
        "limit_orders": "on",
    }
    address = client.post("/games/new/", values)["Location"]
    assert "2 of 3 taken" in client.get(address).content.decode()
    client.post(f"{address}bots/")
    client.post(f"{address}start/")
    game = Game.objects.get()
    assert (game.status, game.options["max_turns"], game.options["short_orders"]) == (Status.RUNNING, 8, False)
    assert client.get(address).status_code == 200


def test_a_form_with_nonsense_is_shown_again(client: Client) -> None:
    client.force_login(person("ada"))
    answer = client.post("/games/new/", {"pace": "yearly", "name": "Mine", "seats": "99"})
    assert answer.status_code == 422
    assert not Game.objects.exists()


def test_a_refusal_in_the_waiting_room_is_a_sentence(client: Client) -> None:
    game = a_table()
    client.force_login(person("ada"))
    answer = client.post(f"/games/{game.pk}/start/")
    assert answer.status_code == 409
    assert "2 of 3 seats of this table" not in answer.content.decode()
    assert "2 of 3 seats are free" in answer.content.decode()


def test_the_host_reads_what_they_can_do_and_others_what_the_host_can(client: Client) -> None:
    game = a_table(bots=1)
    pages = {}
    for name in ("ada", "bob"):
        client.force_login(person(name))
        pages[name] = client.get(f"/games/{game.pk}/").content.decode()
    assert "1 seat is free. You can start when all are taken." in pages["ada"]
    assert "1 seat is free. The host can start when all are taken." in pages["bob"]
    lobby.join_game(game_id=game.pk, user=person("bob"))
    client.force_login(person("ada"))
    assert "All seats are taken. You can start the game." in client.get(f"/games/{game.pk}/").content.decode()


@pytest.mark.parametrize("games", [1, 6])
def test_the_lobby_asks_a_constant_number_of_questions(
    client: Client, django_assert_max_num_queries: Any, games: int
) -> None:
    for number in range(games):
        new_game("ada", "bob", bots=2)
        lobby.create_game(host=person(f"host{number}"), name="Open", seats=4, bots=1)
        lobby.create_game(host=person("ada"), name="Tuesday", seats=3, is_open=False)
    client.force_login(person("ada"))
    with django_assert_max_num_queries(10):  # eight of ours, session and user
        page = client.get("/games/").content.decode()
    assert page.count("Bid influence points for player priority.") == games


def test_strangers_see_the_front_page_and_read_the_open_games(client: Client) -> None:
    assert client.get("/").status_code == 200
    assert "<h1>Open games</h1>" in client.get("/games/").content.decode()


def test_a_host_chooses_how_well_the_bots_play(client: Client) -> None:
    host = person("ada")
    game = lobby.create_game(host=host, name="Hard", seats=4, bots=1, level="sharp")
    client.force_login(host)
    assert b"sharp bot" in client.get(f"/games/{game.pk}/").content
    client.post(f"/games/{game.pk}/bots/", {"level": "house"})
    client.post(f"/games/{game.pk}/bots/fill/", {"level": "sharp"})
    assert fresh(game).bots == {"1": "sharp", "2": "house", "3": "sharp"}


@pytest.mark.parametrize("level", ["random", "oracle", ""])
def test_a_level_that_no_host_can_choose_is_refused(client: Client, level: str) -> None:
    game = a_table()
    client.force_login(game.host)
    answer = client.post(f"/games/{game.pk}/bots/", {"level": level})
    assert answer.status_code == 409
    assert "There is no such bot. Choose one of house, " in answer.content.decode()
    assert fresh(game).bots == {}


def test_the_level_is_asked_where_a_game_has_several(client: Client) -> None:
    client.force_login(person("ada"))
    assert b'name="level"' in client.get("/games/new/?game=sectors").content
    assert b'name="level"' not in client.get("/games/new/?game=power_up").content
