"""Resigning: the caretaker plays on at once, the place at the end is below all others, and nothing sealed is left.
(P-16)"""

from typing import Any

import pytest

from game.bots import playing
from game.engine.actions import Refused
from game.moderation import interventions, rewind
from game.play import drafts, late
from game.seats import takeover
from game.store import replay
from game.store.game import Game, Seat, Status
from game.store.log import Draft, LoggedAction
from game.store.moderation_models import Intervention
from game.store.seat_models import Tenure
from tests.scenes import by_two, client_of, moderator, person, play_on, rewind_by_two, run_out, seen, table, who
from tests.tables import READY, everything, fresh, send
from tests.toy_scenes import page_of, words_of

pytestmark = [pytest.mark.django_db]
BID = {"kind": "bid_influence", "points": 7}
RESIGN = "/games/{}/seat/resign/"


@pytest.fixture
def game(settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    return table(person("Ada"), person("Ben"), person("Carla"), bots=1, max_turns=2)


def resign(game: Game, name: str) -> None:
    takeover.resign(game_id=game.pk, user=who(name))


def last_note(game: Game) -> str:
    return LoggedAction.objects.filter(game=game).exclude(note="").latest("number").note


def places(game: Game) -> dict[str, int | None]:
    return {seat.shown_name: seat.place for seat in game.seats.select_related("user") if not seat.bot}


def test_the_confirmation_says_exactly_what_it_means(game: Game) -> None:
    page = words_of(client_of("Ben").get(RESIGN.format(game.pk)).content.decode())
    assert "you are placed 4th of 4 , below everybody who stays" in page
    assert "The caretaker plays your seat from now on: it decides as a bot does." in page
    resign(game, "Ben")
    page = words_of(client_of("Carla").get(RESIGN.format(game.pk)).content.decode())
    assert "you are placed 3rd of 4 , below everybody who stays and above Ben, who resigned before you" in page
    resign(game, "Carla")
    assert "No other player is present" in words_of(client_of("Ada").get(RESIGN.format(game.pk)).content.decode())


def test_the_button_resigns_once(game: Game) -> None:
    ben = client_of("Ben")
    assert RESIGN.format(game.pk) in page_of(game, ben)
    for _ in range(2):
        assert ben.post(RESIGN.format(game.pk)).status_code == 302, "a double click changes nothing"
    assert LoggedAction.objects.filter(game=game, kind="resign").count() == 1
    assert last_note(game).startswith("Ben resigned. The caretaker plays this seat; what was submitted")
    text = words_of(page_of(game, ben))
    assert "You have resigned." in text
    assert RESIGN.format(game.pk) not in page_of(game, ben)


def test_nobody_waits_for_a_seat_that_was_given_up(game: Game) -> None:
    resign(game, "Ben")
    while playing.play_bots(game_id=game.pk):
        pass
    assert fresh(game).seat_states[1] in {"ready", "none"}
    assert 1 not in fresh(game).waiting_seats


def test_what_was_sealed_is_void_and_drafts_are_gone(game: Game) -> None:
    drafts.save_draft(seat=game.seats.get(number=1), serial=fresh(game).phase_serial, requests=[BID])
    send(game, 1, BID)
    resign(game, "Ben")
    assert fresh(game).load_position().pending.get(1, {}) == {}
    assert not Draft.objects.filter(seat__game=game).exists()


def test_whoever_has_resigned_sees_what_strangers_see_and_sends_nothing(game: Game) -> None:
    resign(game, "Ben")
    ben = client_of("Ben")
    page = page_of(game, ben)
    assert 'id="kept"' in page
    assert "is-you" not in page
    assert (
        ben.post(f"/games/{game.pk}/actions/", {"do": "ready", "serial": fresh(game).phase_serial}).status_code == 403
    )
    with pytest.raises(Refused, match="You have resigned"):
        send(game, 1, READY)
    answer = ben.post(f"/games/{game.pk}/seat/back/")
    assert answer.status_code == 409
    assert "cannot be taken back" in answer.content.decode()


def test_resigned_seats_come_last_and_later_ones_above_earlier_ones(game: Game) -> None:
    resign(game, "Carla")
    for _ in range(3):
        run_out(game)
    resign(game, "Ben")
    end = play_on(game)
    assert end.status == Status.FINISHED
    assert (places(game)["Ben"], places(game)["Carla"]) == (3, 4)
    page = page_of(game, client_of("Ada"))
    assert "Place 3: Ben" in words_of(page) or "Ben" in page.split('id="standings"')[1]
    assert ">resigned</small>" in page.split('id="standings"')[1].split("</table>")[0]
    assert all(check.is_equal for check in replay.replay_game(game=end))


def test_a_rewind_does_not_bring_anybody_back(game: Game) -> None:
    run_out(game)
    resign(game, "Ben")
    lena, moment = moderator("Lena"), rewind.moments_of(fresh(game))[-1]
    rewind_by_two(game_id=game.pk, moderator=lena, seen=seen(game), reason="a slip", number=moment.number)
    assert fresh(game).load_position().state.left == (1,)
    assert play_on(game).status == Status.FINISHED
    assert places(game)["Ben"] == 4
    assert all(check.is_equal for check in replay.replay_game(game=fresh(game)))


def test_a_moderator_seats_a_substitute_who_is_placed_normally(game: Game) -> None:
    resign(game, "Ben")
    person("Dora")
    by_two(
        Intervention.HAND_SEAT_TO_USER,
        game_id=game.pk,
        moderator=moderator("Lena"),
        seen=seen(game),
        reason="asked",
        seat_number=1,
        username="Dora",
    )
    assert fresh(game).load_position().state.left == ()
    assert (fresh(game).keepers, Seat.objects.get(game=game, number=1).keeper) == ({}, "")
    sat = Tenure.objects.filter(game=game, number=1).order_by("pk").values_list("user__username", "end")
    assert list(sat) == [("Ben", "resigned"), ("Dora", "")]


def test_two_players_alone_one_resigns_the_other_plays_without_a_clock() -> None:
    game = table(person("Ada"), person("Ben"), bots=0, ruleset="toy")
    assert fresh(game).deadline_at is not None
    resign(game, "Ben")
    now = fresh(game)
    assert (now.is_solo, now.deadline_at, now.status) == (True, None, Status.RUNNING)
    end = play_on(game)
    assert end.status == Status.FINISHED
    assert places(game) == {"Ada": 1, "Ben": 2}


def test_the_last_player_who_resigns_pauses_the_game() -> None:
    game = table(person("Ada"), person("Ben"), bots=0, ruleset="power_up")
    resign(game, "Ben")
    resign(game, "Ada")
    now = fresh(game)
    assert (now.status, now.deserted_at is not None) == (Status.PAUSED, True)
    assert last_note(game) == "Resigned: Ada, Ben. The game is paused until somebody is back."
    assert not playing.play_bots(game_id=game.pk)


def test_resigning_is_refused_where_there_is_nothing_to_resign(game: Game) -> None:
    person("Dora")
    before = everything(game)
    for name, reason in (("Dora", "You have no seat in this game."),):
        answer = client_of(name).post(RESIGN.format(game.pk))
        assert answer.status_code == 409
        assert reason in answer.content.decode()
    assert everything(game) == before
    assert play_on(game).status == Status.FINISHED
    answer = client_of("Ben").post(RESIGN.format(game.pk))
    assert answer.status_code == 409
    assert "This game is over." in answer.content.decode()


def test_a_paused_game_can_be_resigned_from_and_does_not_run_on_alone(game: Game) -> None:
    lena = moderator("Lena")
    interventions.pause(game_id=game.pk, moderator=lena, seen=seen(game), reason="a look")
    for name in ("Ada", "Ben", "Carla"):
        resign(game, name)
    interventions.resume(game_id=game.pk, moderator=lena, seen=seen(game), reason="done")
    assert fresh(game).status == Status.PAUSED
    assert late.why_not_running(fresh(game)).startswith("This game is paused because no player is present")
