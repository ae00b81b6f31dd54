"""Taking over a seat that nobody decides for, and ending a game by agreement."""

import re
from datetime import timedelta
from typing import Any

import pytest

from accounts import guests
from accounts.models import User
from game.bots import accounts, playing
from game.delivery.notice_sending import send_due_notices
from game.engine.actions import Refused
from game.lobby import free_seats
from game.moderation import sanctions
from game.play import attendance
from game.reputation import households
from game.seats import takeover
from game.store import replay
from game.store.game import Game, Seat, Status
from game.store.log import LoggedAction, Notice
from game.store.proposals import VoteTopic, open_proposal
from game.store.readers import own_seat
from game.store.seat_models import Removal, Tenure
from game.table.board import board_context
from game.votes import voting
from tests.scenes import client_of, close_by_two, moderator, person, play_on, run_out, table, who
from tests.servers import Mailbox
from tests.tables import READY, change_proposal, fresh, send
from tests.toy_scenes import page_of, words_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("judged")]
BID = {"kind": "bid_influence", "points": 7}


@pytest.fixture
def game(settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    return table(person("Ada"), person("Ben"), person("Carla"), bots=1, max_turns=2)


def resign(game: Game, name: str) -> None:
    takeover.resign(game_id=game.pk, user=who(name))


def go_away(game: Game, number: int, since: timedelta) -> None:
    """As the second miss leaves a seat, so long ago."""
    at = fresh(game).now - since
    Seat.objects.filter(game=game, number=number).update(keeper="away", left_at=at)
    Game.objects.filter(pk=game.pk).update(keepers={**fresh(game).keepers, str(number): "away"})


def take(game: Game, number: int, name: str) -> Any:
    return client_of(name).post(f"/games/{game.pk}/seats/{number}/take/")


def ban_by_two(name: str) -> User:
    """Lena asks, another moderator confirms. Returns Lena."""
    lena, second = (User.objects.filter(username=staff).first() or moderator(staff) for staff in ("Lena", "Second"))
    request = sanctions.impose(person=who(name), moderator=lena, kind="ban", reason="insults", days=40)
    assert request is not None
    sanctions.confirm_ban(request_id=request.pk, moderator=second)
    return lena


def notes(game: Game) -> list[str]:
    rows = LoggedAction.objects.filter(game=game, kind__in=["handover", "resign", "keeper", "ending"])
    return list(rows.order_by("number").values_list("note", flat=True))


def shown_to(game: Game, name: str) -> list[Any]:
    context = board_context(game=fresh(game), user=who(name))
    return [context[key] for key in ("view", "draft", "received")]


def test_the_lobby_lists_free_seats_with_what_everybody_may_know(game: Game) -> None:
    assert "Free seats in running games" not in page_text("Dora")
    resign(game, "Ben")
    page = page_text("Dora")
    assert "Free seats in running games" in page
    assert "Ben resigned" in page
    assert "Net worth: " in page
    for name in ("Ada", "Ben"):
        assert "Free seats in running games" not in page_text(name), "whoever sits or sat there"


def page_text(name: str) -> str:
    return words_of(client_of(name).get("/games/").content.decode())


def test_one_post_takes_the_seat_and_the_substitute_is_placed_normally(game: Game) -> None:
    resign(game, "Ben")
    assert f"/games/{game.pk}/seats/1/take/" in page_of(game, client_of("Dora"))
    for _ in range(2):
        assert take(game, 1, "Dora").status_code == 302, "a double click changes nothing"
    seat = Seat.objects.get(game=game, number=1)
    assert (seat.shown_name, seat.keeper, fresh(game).keepers) == ("Dora", "", {})
    assert fresh(game).load_position().state.left == ()
    assert notes(game)[-1] == "Dora took over the seat of Ben; what was submitted for it and not revealed is void."
    sat = Tenure.objects.filter(game=game, number=1).order_by("pk").values_list("user__username", "end")
    assert list(sat) == [("Ben", "resigned"), ("Dora", "")]
    assert fresh(game).seat_states[1] == "untouched"
    send(game, 1, BID)
    assert play_on(game).status == Status.FINISHED
    assert all(check.is_equal for check in replay.replay_game(game=fresh(game)))


def test_the_substitute_sees_nothing_that_was_sealed_before(game: Game) -> None:
    before = shown_to(game, "Carla")
    send(game, 2, BID, token="a form of Carla's", serial=fresh(game).phase_serial)
    go_away(game, 2, timedelta(days=3))
    assert take(game, 2, "Dora").status_code == 302
    assert shown_to(game, "Dora") == before
    assert fresh(game).load_position().pending.get(2, {}) == {}


@pytest.mark.parametrize("is_open", [True, False])
def test_the_earlier_person_is_led_to_no_page_that_is_closed_to_them(
    mailbox: Mailbox, game: Game, is_open: bool
) -> None:
    User.objects.filter(username="Ben").update(quiet_from=0, quiet_until=0)
    go_away(game, 1, timedelta(days=3))
    take(game, 1, "Dora")
    Game.objects.filter(pk=game.pk).update(is_open=is_open)
    send_due_notices()
    (mail,) = [mail for mail in mailbox.messages if "another player took over your seat" in mail["Subject"]]
    texts = [part.get_content() for part in mail.walk() if part.get_content_maintype() == "text"]
    assert ["You can watch the game as a visitor." in text for text in texts] == [is_open] * 2
    assert all(game.name in text and "because you played in this game" in text for text in texts)
    assert not any("Where you stand" in text for text in texts)
    assert [bool(re.search(r"turn \d|\d(st|nd|rd|th) of \d", text)) for text in texts] == [False, is_open]
    links = {link for text in texts for link in re.findall(r"http://testserver(/[^\s\"<]*)", text)}
    assert (game.get_absolute_url() in links) == is_open
    assert "/notifications/" in links, "the game has no page of settings for them any more"
    assert {client_of("Ben").get(link).status_code for link in links} <= {200, 302}


def test_the_earlier_person_is_a_stranger_from_then_on(game: Game) -> None:
    go_away(game, 1, timedelta(days=3))
    take(game, 1, "Dora")
    assert own_seat(game_id=game.pk, user=who("Ben")) is None
    assert client_of("Ben").post(f"/games/{game.pk}/seat/back/").status_code == 409
    assert Notice.objects.get(kind="replaced").user == who("Ben")
    resign(game, "Carla")
    answer = take(game, 2, "Ben")
    assert answer.status_code == 409
    assert "You have already had a seat in this game" in answer.content.decode()


@pytest.mark.parametrize(("away", "is_free"), [(timedelta(hours=47), False), (timedelta(hours=49), True)])
def test_a_seat_is_free_after_two_days_away(game: Game, away: timedelta, is_free: bool) -> None:
    go_away(game, 1, away)
    assert ("Ben away for a while" in page_text("Dora")) == is_free
    assert take(game, 1, "Dora").status_code == (302 if is_free else 409)


def test_who_may_not_take_a_seat_is_told_why(game: Game, settings: Any) -> None:
    resign(game, "Ben")
    assert "You already play in this game." in take(game, 1, "Carla").content.decode()
    assert "You have already had a seat" in take(game, 1, "Ben").content.decode()
    assert "no longer free" in take(game, 0, "Dora").content.decode()
    assert "This game has no seat 10." in take(game, 9, "Dora").content.decode()
    Removal.objects.create(game=game, user=who("Dora"))
    assert take(game, 1, "Dora").status_code == 409
    assert "As a guest you play against bots only." in take(game, 1, guests.new_guest().username).content.decode()
    settings.LIMITS = {"games": 0}
    answer = take(game, 1, "Emil")
    assert answer.status_code == 409
    assert "maximum" in answer.content.decode()
    assert Seat.objects.get(game=game, number=1).user == who("Ben")


def test_a_free_seat_asks_what_the_table_asked_of_those_who_joined(game: Game) -> None:
    resign(game, "Ben")
    Game.objects.filter(pk=game.pk).update(least_reliability=95, welcomes_newcomers=False)
    assert "asks for a reliability of 95%" in take(game, 1, "Dora").content.decode()
    Game.objects.filter(pk=game.pk).update(welcomes_newcomers=True)
    assert take(game, 1, "Dora").status_code == 302


def test_no_bot_takes_a_free_seat_of_a_rated_game(game: Game) -> None:
    resign(game, "Ben")
    declared = accounts.Declared(["sectors"], ["daily"], 3, 4, 2)
    robot = accounts.make_bot(owner=who("Olga"), name="Robot", declared=declared).user
    for is_rated, takes_bots in ((True, True), (False, False)):
        Game.objects.filter(pk=game.pk).update(is_rated=is_rated, takes_bots=takes_bots)
        assert not free_seats.free_seats(user=robot)
        with pytest.raises(Refused, match=r"for people only|does not let bots join"):
            takeover.take_seat(game_id=game.pk, user=robot, number=1)
    Game.objects.filter(pk=game.pk).update(is_rated=False, takes_bots=True)
    assert len(free_seats.free_seats(user=robot)) == 1
    assert takeover.take_seat(game_id=game.pk, user=robot, number=1).user == robot


def test_a_moderator_takes_no_seat_of_a_player_whom_they_banned(game: Game) -> None:
    """They would make the seat free and read its hand."""
    lena = ban_by_two("Ben")
    go_away(game, 1, timedelta(days=3))
    with pytest.raises(Refused, match="decided about the player"):
        takeover.take_seat(game_id=game.pk, user=lena, number=1)
    households.request_link(user=lena, name=who("Lars").username)
    households.request_link(user=who("Lars"), name="Lena")
    with pytest.raises(Refused, match="decided about the player"):
        takeover.take_seat(game_id=game.pk, user=who("Lars"), number=1)
    assert take(game, 1, "Dora").status_code == 302


def test_nor_that_of_a_bot_whose_owner_they_banned(game: Game) -> None:
    """A bot is away with its owner."""
    declared = accounts.Declared(["sectors"], ["daily"], 3, 4, 2)
    robot = accounts.make_bot(owner=who("Olga"), name="Robot", declared=declared).user
    Seat.objects.filter(game=game, number=1).update(user=robot)
    lena = ban_by_two("Olga")
    go_away(game, 1, timedelta(days=3))
    with pytest.raises(Refused, match="decided about the player"):
        takeover.take_seat(game_id=game.pk, user=lena, number=1)
    assert take(game, 1, "Dora").status_code == 302


def test_the_lobby_offers_a_moderator_no_seat_that_they_may_not_take(game: Game) -> None:
    declared = accounts.Declared(["sectors"], ["daily"], 3, 4, 2)
    robot = accounts.make_bot(owner=who("Olga"), name="Robot", declared=declared).user
    Seat.objects.filter(game=game, number=2).update(user=robot)
    lena, _ = ban_by_two("Olga"), ban_by_two("Ben")
    for number in (1, 2):
        go_away(game, number, timedelta(days=3))
    assert [seat.number for seat in free_seats.free_seats(user=lena)] == []
    assert [seat.number for seat in free_seats.free_seats(user=who("Dora"))] == [1, 2]


def test_only_the_first_of_two_takes_the_seat(game: Game) -> None:
    resign(game, "Ben")
    assert take(game, 1, "Dora").status_code == 302
    answer = take(game, 1, "Emil")
    assert answer.status_code == 409
    assert "no longer free" in answer.content.decode()


def test_a_game_by_invitation_gives_no_seat_away(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(is_open=False)
    resign(game, "Ben")
    with pytest.raises(Refused, match="by invitation"):
        takeover.take_seat(game_id=game.pk, user=who("Dora"), number=1)
    assert "Free seats" not in page_text("Dora")


def test_a_substitute_wakes_a_game_that_nobody_played() -> None:
    game = table(person("Ada"), person("Ben"), bots=0, ruleset="toy")
    resign(game, "Ada")
    resign(game, "Ben")
    assert fresh(game).deserted_at is not None
    assert take(game, 0, "Dora").status_code == 302
    assert (fresh(game).status, fresh(game).deserted_at) == (Status.RUNNING, None)
    while playing.play_bots(game_id=game.pk):
        pass
    assert fresh(game).waiting_seats == [0]


def test_a_second_person_brings_the_clock_back() -> None:
    game = table(person("Ada"), person("Ben"), bots=0, ruleset="toy")
    resign(game, "Ben")
    assert fresh(game).deadline_at is None
    take(game, 1, "Dora")
    assert fresh(game).deadline_at is not None


def test_a_closed_account_leaves_a_seat_without_a_name_that_others_may_take(game: Game) -> None:
    close_by_two(user_id=who("Ben").pk, moderator=moderator("Lena"), reason="asked for it")
    assert "Seat 2 resigned" in page_text("Dora")
    assert take(game, 1, "Dora").status_code == 302
    assert Seat.objects.get(game=game, number=1).shown_name == "Dora"


def propose(game: Game, name: str) -> Any:
    return client_of(name).post(f"/games/{game.pk}/ending/")


def answer_to(game: Game, name: str, word: str, number: int = 1) -> Any:
    return client_of(name).post(f"/games/{game.pk}/ending/{number}/{word}/")


def test_all_who_are_present_end_the_game_without_places(game: Game) -> None:
    assert propose(game, "Ada").status_code == 302
    assert "You propose to end the game without a result. You agreed; Ben" in words_of(page_of(game, client_of("Ada")))
    words = words_of(page_of(game, client_of("Ben")))
    assert "Ada proposes to end the game without a result. Ada agreed; you" in words
    answer_to(game, "Ben", "agree")
    assert fresh(game).status == Status.RUNNING, "bots do not vote, but Carla does"
    answer_to(game, "Carla", "agree")
    over = fresh(game)
    assert (over.status, over.deadline_at) == (Status.ABANDONED, None)
    assert all(seat.place is None for seat in game.seats.all())
    assert notes(game) == [
        "Ada proposed to end the game without a result.",
        "Ben agrees to end the game.",
        "Carla agrees to end the game.",
        "All players who are present agreed to end the game. Nobody is placed.",
    ]
    assert "This game has ended without a result." in words_of(page_of(game, client_of("Ben")))
    assert "no result" in page_text("Ada")
    with pytest.raises(Refused, match="ended without a result"):
        send(game, 0, READY)


def test_a_double_click_says_it_once(game: Game) -> None:
    for _ in range(2):
        propose(game, "Ada")
        answer_to(game, "Ben", "agree")
    assert notes(game) == ["Ada proposed to end the game without a result.", "Ben agrees to end the game."]


def test_a_word_can_be_taken_back_and_a_proposal_withdrawn(game: Game) -> None:
    propose(game, "Ada")
    answer_to(game, "Ben", "agree")
    answer_to(game, "Ben", "revoke")
    answer_to(game, "Carla", "agree")
    assert fresh(game).status == Status.RUNNING
    answer_to(game, "Ada", "revoke")
    assert open_proposal(fresh(game), VoteTopic.ENDING) is None
    late = answer_to(game, "Ben", "agree")
    assert late.status_code == 409
    assert "no longer open" in late.content.decode()
    propose(game, "Carla")
    assert answer_to(game, "Ben", "agree", 1).status_code == 409, "a form of the earlier proposal agrees to no other"
    assert answer_to(game, "Ben", "agree", 2).status_code == 302


def test_a_proposal_expires(game: Game) -> None:
    propose(game, "Ada")
    answer_to(game, "Ben", "agree")
    change_proposal(game, VoteTopic.ENDING, until=fresh(game).now - timedelta(seconds=1))
    assert answer_to(game, "Carla", "agree").status_code == 409
    assert "proposes to end" not in page_of(game, client_of("Ben"))
    assert fresh(game).status == Status.RUNNING


def test_who_is_away_has_a_day_to_come_back_and_be_asked(game: Game) -> None:
    go_away(game, 1, timedelta(hours=1))
    propose(game, "Ada")
    answer_to(game, "Carla", "agree")
    assert fresh(game).status == Status.RUNNING
    attendance.reclaim_seat(game_id=game.pk, user=who("Ben"))
    answer_to(game, "Ada", "agree")
    assert fresh(game).status == Status.RUNNING, "Ben is there and has not agreed"
    go_away(game, 1, timedelta(hours=1))
    change_proposal(game, VoteTopic.ENDING, at=fresh(game).now - timedelta(days=1, minutes=1))
    answer_to(game, "Ada", "agree")
    assert fresh(game).status == Status.ABANDONED


def test_a_substitute_has_agreed_to_nothing_that_the_earlier_person_said(game: Game) -> None:
    propose(game, "Ada")
    answer_to(game, "Ben", "agree")
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=who("Ada"))
    resign(game, "Ben")
    take(game, 1, "Dora")
    answer_to(game, "Carla", "agree")
    assert fresh(game).status == Status.RUNNING, "nobody has asked Dora"
    answer_to(game, "Dora", "agree")
    assert fresh(game).status == Status.ABANDONED


def test_what_somebody_proposed_goes_with_them(game: Game) -> None:
    for topic in (VoteTopic.ENDING, VoteTopic.PAUSE):
        voting.propose(topic=topic, game_id=game.pk, user=who("Ben"))
    resign(game, "Ben")
    assert (open_proposal(fresh(game), VoteTopic.ENDING), open_proposal(fresh(game), VoteTopic.PAUSE)) == (None, None)


def test_those_who_waited_for_somebody_who_has_left_say_it_once_more(game: Game) -> None:
    """All who are still there have agreed; the word of any of them ends the game."""
    propose(game, "Ada")
    answer_to(game, "Ben", "agree")
    resign(game, "Carla")
    number = open_proposal(fresh(game), VoteTopic.ENDING).number
    assert f"/games/{game.pk}/ending/{number}/agree/" in page_of(game, client_of("Ben"))
    answer_to(game, "Ben", "agree")
    assert fresh(game).status == Status.ABANDONED


def test_whose_seat_the_caretaker_plays_has_no_say(game: Game) -> None:
    resign(game, "Ben")
    assert propose(game, "Ben").status_code == 409
    propose(game, "Ada")
    assert answer_to(game, "Dora", "agree").status_code == 409
    answer_to(game, "Carla", "agree")
    assert fresh(game).status == Status.ABANDONED


def test_one_player_against_bots_ends_the_game_alone() -> None:
    game = table(person("Ada"), bots=1, ruleset="toy")
    assert "so the game ends at once" in words_of(page_of(game, client_of("Ada")))
    propose(game, "Ada")
    assert fresh(game).status == Status.ABANDONED


def test_when_everybody_has_left_a_game_by_invitation_it_is_over() -> None:
    game = table(person("Ada"), person("Ben"), bots=0, ruleset="toy")
    Game.objects.filter(pk=game.pk).update(is_open=False)
    resign(game, "Ada")
    resign(game, "Ben")
    assert fresh(game).status == Status.ABANDONED
    assert notes(game)[-1].startswith("Every player has left this game")


def test_nothing_is_proposed_in_a_game_that_is_over(game: Game) -> None:
    for _ in range(3):
        run_out(game)
    assert play_on(game).status == Status.FINISHED
    answer = propose(game, "Ada")
    assert answer.status_code == 409
    assert "This game is over." in answer.content.decode()
