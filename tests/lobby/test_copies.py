"""Analysis copies: made of what one seat sees and nothing else, played by their maker alone, and kept out of everything
that is about games of people."""

from typing import Any

import pytest
from django.test import Client

from game.boards.registry import BOARDS
from game.engine import referee
from game.engine.chance import Chance
from game.lobby import copies
from game.play import moves
from game.rulesets.registry import RULESETS
from game.store.eyes import may_see
from game.store.game import Game, Status
from game.store.log import Draft, Notice
from game.store.pending import PendingDecisions
from tests.scenes import person, play_on, table
from tests.tables import READY, at_phase, fresh, send

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
SECTORS = RULESETS["sectors"]


def browser(name: str) -> Client:
    client = Client()
    client.force_login(person_called(name))
    return client


def person_called(name: str) -> Any:
    return Game.objects.filter(seats__user__username=name)[0].seats.get(user__username=name).user


@pytest.fixture
def game() -> Game:
    return at_phase(table(person("Ada"), person("Ben"), bots=1), "stock_orders")


def copied(game: Game, name: str = "Ada") -> Game:
    answer = browser(name).post(f"/games/{game.pk}/copy/")
    assert answer.status_code == 302
    return Game.objects.on_the_clock().get(pk=int(answer["Location"].split("/")[2]))


def order(game: Game, quantity: int = 1) -> dict[str, Any]:
    company = next(iter(game.load_position().state.companies))
    return {"kind": "market_order", "company": company, "side": "buy", "location": "ipo", "quantity": quantity}


def page_of(game: Game, name: str = "Ada") -> str:
    return browser(name).get(f"/games/{game.pk}/").content.decode()


def own_seat(copy: Game) -> int:
    return copy.seats.get(user=copy.host).number


def test_what_a_seat_cannot_see_has_no_part_in_its_copy(game: Game) -> None:
    """Positions that differ in the deck, the coming spaces and the sealed order of another seat give the same copy."""
    hidden, views = [], []
    for quantity, rotation in ((1, 0), (2, 1)):
        position = game.load_position()
        state, unseen = position.state, position.state.marker + 1
        state.deck = state.deck[rotation:] + state.deck[:rotation]
        state.track[unseen:] = state.track[unseen + rotation :] + state.track[unseen : unseen + rotation]
        sealed = SECTORS.parse(order(game, quantity), 1)
        position = referee.apply_all(SECTORS, position, [sealed], Chance("any")).position
        hidden.append((position.state.deck, position.state.track, position.pending))
        views.append(SECTORS.view(position, 0))
    assert all(one != other for one, other in zip(*hidden, strict=True))
    assert views[0] == views[1]
    assert copies.position_of(SECTORS, views[0], "seed") == copies.position_of(SECTORS, views[1], "seed")


def test_a_copy_is_what_its_maker_sees_and_no_stored_position(game: Game) -> None:
    copy = copied(game)
    source, position = fresh(game).load_position(), copy.load_position()
    assert SECTORS.view(position, None).companies == SECTORS.view(source, None).companies
    assert [player.cash for player in SECTORS.view(position, None).players] == [
        player.cash for player in SECTORS.view(source, None).players
    ]
    assert position.state.deck != source.state.deck
    assert (copy.secret, position.pending) != (game.secret, source.pending)


def test_the_maker_plays_every_seat_in_turn(game: Game) -> None:
    copy = copied(game)
    assert (own_seat(copy), copy.deadline_at, copy.status) == (0, None, Status.RUNNING)
    assert [seat.shown_name for seat in copy.seats.all()] == [seat.shown_name for seat in game.seats.all()]
    client, serial = browser("Ada"), copy.phase_serial
    for number in range(3):
        assert own_seat(copy) == number
        answer = client.post(f"/games/{copy.pk}/actions/", {"do": "ready", "serial": serial, "token": f"t{number}"})
        assert answer.status_code == 302
    assert fresh(copy).phase_serial > serial, "the phase closes when every seat has decided"
    assert fresh(game).phase_serial == game.phase_serial, "the game itself stays where it is"


def test_the_maker_takes_any_seat_and_sees_as_it(game: Game) -> None:
    copy = copied(game)
    assert "Analysis copy" in page_of(copy)
    assert browser("Ada").post(f"/games/{copy.pk}/copy/seat/", {"seat": "1"}).status_code == 302
    assert own_seat(copy) == 1
    assert browser("Ada").post(f"/games/{copy.pk}/copy/seat/", {"seat": "7"}).status_code == 409
    assert browser("Ada").post(f"/games/{game.pk}/copy/seat/", {"seat": "1"}).status_code == 409
    assert browser("Ben").post(f"/games/{copy.pk}/copy/seat/", {"seat": "0"}).status_code == 404


def test_a_copy_goes_back_phase_by_phase_to_where_it_began(game: Game) -> None:
    copy = copied(game)
    begun = copy.phase_name
    for _ in range(2):
        while fresh(copy).phase_name == begun and fresh(copy).waiting_seats:
            send(copy, fresh(copy).waiting_seats[0], READY)
        begun = fresh(copy).phase_name
    client = browser("Ada")
    answers = [client.post(f"/games/{copy.pk}/copy/back/").status_code for _ in range(4)]
    assert answers[0] == 302
    assert answers[-1] == 409, "not further back than its beginning"
    assert fresh(copy).phase_name == copy.phase_name
    assert fresh(copy).waiting_seats == copy.waiting_seats


def test_nobody_else_sees_it_but_by_its_link_which_shows_what_everybody_may_see(game: Game) -> None:
    copy = copied(game)
    send(copy, 0, order(copy))
    assert not may_see(game=copy, user_id=person_called("Ben").pk)
    assert browser("Ben").get(f"/games/{copy.pk}/").status_code == 404
    bar = copies.bar_of(copy)
    assert bar is not None
    path = bar.link[bar.link.index("/look/") :]
    page = Client().get(path).content.decode()
    assert "analysis copy" in page
    assert "<form" not in page[page.index('id="main"') :]
    assert Client().get("/look/copy/forged/").status_code == 404


def test_a_copy_is_no_game_of_people(game: Game) -> None:
    Notice.objects.all().delete()
    copy = copied(game)
    ada = person_called("Ada")
    assert PendingDecisions(ada).count == 1, "the game itself alone waits"
    for page in ("/games/", "/games/?show=running", "/games/?show=running&mine=1"):
        assert f"/games/{copy.pk}/" not in browser("Ada").get(page).content.decode()
    assert play_on(copy).is_over
    assert not Notice.objects.filter(game=copy).exists()


def test_a_new_copy_replaces_the_earlier_one_of_the_same_game(game: Game) -> None:
    first = copied(game)
    assert f"/games/{first.pk}/" in browser("Ada").get(f"/games/{game.pk}/copy/").content.decode()
    second = copied(game)
    assert list(Game.objects.filter(copy__source=game)) == [second]
    copied(game, "Ben")
    assert Game.objects.filter(copy__source=game).count() == 2


def test_it_is_offered_to_players_of_running_games_whose_rules_can_make_one(game: Game) -> None:
    assert "Try it out" in page_of(game)
    assert "Try it out" not in Client().get(f"/games/{game.pk}/").content.decode()
    assert "Try it out" not in page_of(copied(game))
    toy = table(person_called("Ada"), bots=2, ruleset="toy")
    assert "Try it out" not in page_of(toy)
    assert browser("Ada").get(f"/games/{toy.pk}/copy/").status_code == 404
    assert Client().get(f"/games/{game.pk}/copy/").status_code == 302


def test_what_is_invented_is_said_for_every_game_that_can_be_copied() -> None:
    assert all(bool(board.invented) == (board.rules.determinise is not None) for board in BOARDS.values())


def test_moves_of_the_site_need_no_person(game: Game) -> None:
    """A copy is replayed like every game."""
    copy = copied(game)
    moves.submit(game_id=copy.pk, seat_number=0, requests=[READY])
    assert fresh(copy).entries == 2


def test_hidden_hands_of_another_game_are_drawn_anew() -> None:
    """Stock Market Tycoon: its maker's own hand stays, the others' are invented, and the copy can be played."""
    game = table(person("Ada"), person("Ben"), bots=1, ruleset="stock_market_tycoon")
    copy = copied(game)
    before, after = game.load_position().state.hands, copy.load_position().state.hands
    assert (after[0], [len(hand) for hand in after]) == (before[0], [len(hand) for hand in before])
    assert after[1:] != before[1:]
    assert "Analysis copy" in page_of(copy)


def test_building_tiles_of_others_are_drawn_anew() -> None:
    """City of the Big Shoulders: its maker's own tiles stay, those of the others are invented, and all can choose."""
    game = table(person("Ada"), person("Ben"), bots=1, ruleset="big_shoulders")
    copy = copied(game)
    before, after = game.load_position().state, copy.load_position().state
    assert after.hands[0] == before.hands[0]
    assert [len(hand) for hand in after.hands] == [len(hand) for hand in before.hands]
    assert copies.follow_turn(game_id=copy.pk, user=copy.host) or copy.waiting_seats == [0]
    assert "Analysis copy" in page_of(copy)
    others = [after.hands[1:], *(copied(game).load_position().state.hands[1:] for _ in range(3))]
    assert any(hands != before.hands[1:] for hands in others), "one draw alone may be the same by chance"


@pytest.mark.parametrize("htmx", [{}, {"HX-Request": "true"}])
def test_a_form_made_for_one_seat_does_not_count_for_another(game: Game, htmx: dict[str, str]) -> None:
    """Two windows on one copy: the first still shows the form of the seat that the second has left."""
    copy, client = copied(game), browser("Ada")
    form = {"serial": str(copy.phase_serial), "token": "first", "for_seat": "0", "do": "ready"}
    assert 'name="for_seat" value="0"' in page_of(copy)
    client.post(f"/games/{copy.pk}/copy/seat/", {"seat": "1"})
    for address, more in (("actions", {}), ("drafts", {"touched": "quantity", "do": "submit"})):
        answer = client.post(f"/games/{copy.pk}/{address}/", form | more, headers=htmx)
        assert answer.status_code == 422
        assert "That form was made for another seat." in answer.content.decode()
    assert 'name="for_seat" value="1"' in client.post(f"/games/{copy.pk}/actions/", form, headers=htmx).content.decode()
    assert fresh(copy).seat_states == copy.seat_states
    assert not Draft.objects.filter(seat__game=copy).exists()
    assert client.post(f"/games/{copy.pk}/actions/", form | {"for_seat": "1"}).status_code == 302
    assert fresh(copy).seat_states[1] == "ready"


def test_copies_are_listed_for_their_maker_who_can_delete_them(game: Game) -> None:
    copy, list_of = copied(game), lambda name: browser(name).get("/games/copies/").content.decode()
    assert f'href="/games/{copy.pk}/"' in list_of("Ada")
    assert f'href="/games/{copy.pk}/"' not in list_of("Ben")
    assert 'href="/games/copies/"' in browser("Ada").get("/games/").content.decode()
    assert f'action="/games/{copy.pk}/copy/delete/"' in page_of(copy)
    delete = f"/games/{copy.pk}/copy/delete/"
    assert browser("Ben").post(delete).status_code == 404
    assert browser("Ada").post(f"/games/{game.pk}/copy/delete/").status_code == 409, "a game of people stays"
    answer = browser("Ada").post(delete)
    assert (answer.status_code, answer["Location"]) == (302, "/games/copies/")
    assert list(Game.objects.filter(host=person_called("Ada"))) == [game]
    assert "You have no copy." in list_of("Ada")
