"""The players who are present vote out a seat whose player has left. (T-15)"""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from game.bots import playing
from game.delivery.notice_sending import send_due_notices
from game.engine.actions import Refused
from game.moderation import rewind
from game.play import attendance, tenures
from game.seats import takeover
from game.store import replay
from game.store.game import Game, Keeper, Seat, Status
from game.store.log import LoggedAction, Notice
from game.store.moderation_models import Intervention
from game.store.proposals import (
    Proposal,
    ProposalKind,
    VoteTopic,
    open_proposal,
    store_proposal,
    stored_proposal,
)
from game.store.seat_models import StandIn
from game.votes import voting
from tests.delivery.test_mails_of_one_game import words_of as mail_words_of
from tests.moderation.test_desk_repair import spoil
from tests.scenes import by_two, moderator, person, play_on, rewind_by_two, run_out, seen, table
from tests.servers import Mailbox
from tests.tables import fresh
from tests.toy_scenes import page_of, words_of

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def game() -> Game:
    return table(person("Ada"), person("Ben"), person("Carla"), bots=1, ruleset="toy")


def who(name: str) -> User:
    return User.objects.get(username=name)


def client_of(name: str) -> Client:
    client = Client()
    client.force_login(who(name))
    return client


def propose(game: Game, name: str, number: int) -> Any:
    return client_of(name).post(f"/games/{game.pk}/seats/{number}/vote-out/")


def agree(game: Game, name: str, number: int = 1) -> Any:
    return client_of(name).post(f"/games/{game.pk}/ending/{number}/agree/")


def notes(game: Game) -> list[str]:
    rows = LoggedAction.objects.filter(game=game, kind__in=["ending", "voted out"]).order_by("number")
    return [entry.note for entry in rows]


def out_of(game: Game) -> tuple[int, ...]:
    return fresh(game).load_position().state.out


def test_whoever_may_be_voted_out_reads_that_it_is_about_them(game: Game, mailbox: Mailbox) -> None:
    User.objects.filter(username="Ben").update(quiet_from=0, quiet_until=0)
    early = fresh(game).now - timedelta(hours=1)
    Seat.objects.filter(game=game, number=1).update(keeper=Keeper.AWAY, left_at=early)
    Game.objects.filter(pk=game.pk).update(keepers={"1": Keeper.AWAY})
    propose(game, "Ada", 1)
    assert "Ada proposes to vote you out of the game. Ada agreed;" in words_of(page_of(game, client_of("Ben")))
    send_due_notices()
    (message,) = [each for each in mailbox.messages if each["To"] == who("Ben").email]
    for words in mail_words_of(message):
        assert "A player proposes to vote you out of the game." in words
        assert "take your seat back to stay in it" in words
        assert "vote Ben out" not in words


def test_all_who_are_present_vote_a_resigned_player_out(game: Game) -> None:
    takeover.resign(game_id=game.pk, user=who("Ben"))
    page = page_of(game, client_of("Ada"))
    assert "Vote Ben out of the game" in words_of(page)
    propose(game, "Ada", 1)
    assert "You propose to vote Ben out of the game. You agreed; Carla" in words_of(page_of(game, client_of("Ada")))
    assert "Ada proposes to vote Ben out of the game." in words_of(page_of(game, client_of("Carla")))
    assert Notice.objects.filter(game=game, kind=Notice.Kind.ENDING, user=who("Carla")).exists()
    assert fresh(game).load_position().state.leaving == ()
    agree(game, "Carla")
    assert notes(game) == [
        "Ada proposed to vote Ben out of the game.",
        "Carla agrees to vote Ben out of the game.",
        "All players who are present voted Ben out of the game. It takes effect when this phase is over.",
    ]
    assert (fresh(game).load_position().state.leaving, out_of(game)) == ((1,), ())
    run_out(game)
    assert out_of(game) == (1,)
    assert "Ben is out of the game" in words_of(client_of("Ada").get(f"/games/{game.pk}/history/").content.decode())
    end = play_on(game)
    assert end.status == Status.FINISHED
    assert all(check.is_equal for check in replay.replay_game(game=end))


def test_a_corrected_resolution_does_not_undo_a_vote(game: Game) -> None:
    takeover.resign(game_id=game.pk, user=who("Ben"))
    run_out(game)
    spoil(game, 1)
    propose(game, "Ada", 1)
    agree(game, "Carla")
    fields = {"game_id": game.pk, "moderator": moderator("Lena"), "reason": "a coin too many"}
    by_two(Intervention.APPLY_RERUN, seen=seen(fresh(game)), **fields)
    assert fresh(game).load_position().state.leaving == (1,)
    run_out(game)
    assert out_of(game) == (1,)


def test_a_seat_that_was_voted_out_is_nobodys_to_take_or_to_come_back_to(game: Game) -> None:
    takeover.resign(game_id=game.pk, user=who("Ben"))
    person("Dora")
    assert takeover.has_free_seat(fresh(game))
    propose(game, "Ada", 1)
    agree(game, "Carla")
    for _ in range(2):
        assert not takeover.has_free_seat(fresh(game))
        with pytest.raises(Refused, match="no longer free"):
            takeover.take_seat(game_id=game.pk, user=who("Dora"), number=1)
        with pytest.raises(Refused, match="cannot be taken back"):
            attendance.reclaim_seat(game_id=game.pk, user=who("Ben"))
        run_out(game)
    assert propose(game, "Ada", 1).status_code == 409, "who is out is not voted out again"


def test_a_lent_seat_is_its_player_s_whatever_whoever_plays_it_misses(game: Game) -> None:
    locked = Game.objects.locked().get(pk=game.pk)
    until = locked.now + timedelta(days=3)
    ben, dora = who("Ben"), person("Dora")
    tenures.seat_stand_in(StandIn.objects.create(game=locked, number=1, owner=ben, user=dora, until=until))
    Seat.objects.filter(game=game, number=1).update(keeper=Keeper.AWAY, left_at=fresh(game).now - timedelta(days=3))
    Game.objects.filter(pk=game.pk).update(keepers={"1": Keeper.AWAY})
    assert "Vote" not in words_of(page_of(game, client_of("Ada")))
    assert propose(game, "Ada", 1).status_code == 409
    facts = {"seat": 1, "name": "Ben"}
    proposal = Proposal(1, ProposalKind.VOTING_OUT, locked.now, until, by=0, agreed=(0,), facts=facts)
    store_proposal(locked, VoteTopic.ENDING, proposal)  # proposed before Ben lent the seat
    locked.write_changes()
    assert stored_proposal(fresh(game), VoteTopic.ENDING) == proposal
    assert open_proposal(fresh(game), VoteTopic.ENDING) is None
    assert agree(game, "Carla").status_code == 409


def test_who_is_away_has_time_to_come_back(game: Game) -> None:
    early = fresh(game).now - timedelta(hours=1)
    Seat.objects.filter(game=game, number=1).update(keeper=Keeper.AWAY, left_at=early)
    Game.objects.filter(pk=game.pk).update(keepers={"1": Keeper.AWAY})
    propose(game, "Ada", 1)
    agree(game, "Carla")
    assert fresh(game).load_position().state.leaving == ()
    assert "so nobody is voted out before" in words_of(page_of(game, client_of("Carla")))
    attendance.reclaim_seat(game_id=game.pk, user=who("Ben"))
    late = agree(game, "Carla")
    assert late.status_code == 409
    assert "no longer open" in late.content.decode()
    assert "propose to vote" not in page_of(game, client_of("Ada"))
    assert fresh(game).load_position().state.leaving == ()


@pytest.mark.parametrize("number", [0, 2, 3, 9])
def test_nobody_else_is_voted_out(game: Game, number: int) -> None:
    """Not oneself, one who plays, a bot or a seat that is not there."""
    answer = propose(game, "Ada", number)
    assert answer.status_code == 409
    assert "Only a player who has resigned or is away" in answer.content.decode()


def test_one_proposal_is_open_at_a_time(game: Game) -> None:
    voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=who("Ada"))
    takeover.resign(game_id=game.pk, user=who("Ben"))
    assert propose(game, "Carla", 1).status_code == 409
    assert open_proposal(fresh(game), VoteTopic.ENDING).agreed == (0,)


def is_offered(game: Game, name: str) -> bool:
    return "Propose to vote Ben out" in words_of(page_of(game, client_of(name)))


def test_nobody_is_offered_the_vote_while_another_proposal_is_open(game: Game) -> None:
    takeover.resign(game_id=game.pk, user=who("Ben"))
    assert is_offered(game, "Carla")
    voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=who("Ada"))
    assert not is_offered(game, "Carla")


def test_neither_a_proxy_nor_whoever_the_caretaker_plays_for_is_offered_the_vote(game: Game) -> None:
    takeover.resign(game_id=game.pk, user=who("Ben"))
    until = fresh(game).now + timedelta(days=3)
    lent = StandIn.objects.create(game=game, number=0, owner=who("Ada"), user=person("Dora"), until=until)
    tenures.seat_stand_in(lent)
    assert not is_offered(game, "Dora")
    assert is_offered(game, "Carla")
    Seat.objects.filter(game=game, number=2).update(keeper=Keeper.AWAY, left_at=fresh(game).now)
    Game.objects.filter(pk=game.pk).update(keepers={**fresh(game).keepers, "2": Keeper.AWAY})
    assert not is_offered(game, "Carla")


def test_other_games_have_no_such_vote() -> None:
    game = table(person("Ada"), person("Ben"), bots=1, ruleset="power_up")
    takeover.resign(game_id=game.pk, user=who("Ben"))
    assert "out of the game" not in words_of(page_of(game, client_of("Ada")))
    assert propose(game, "Ada", 1).status_code == 409


def test_after_a_rewind_the_seat_stays_given_up(game: Game) -> None:
    run_out(game)
    takeover.resign(game_id=game.pk, user=who("Ben"))
    propose(game, "Ada", 1)
    agree(game, "Carla")
    run_out(game)
    moment = rewind.moments_of(fresh(game))[-1]
    rewind_by_two(game_id=game.pk, moderator=moderator("Lena"), seen=seen(game), reason="a slip", number=moment.number)
    state = fresh(game).load_position().state
    assert (state.out, state.left) == ((), (1,))
    assert play_on(game).status == Status.FINISHED
    assert all(check.is_equal for check in replay.replay_game(game=fresh(game)))


def test_stock_market_tycoon_takes_the_leaver_for_bankrupt_and_the_last_wins() -> None:
    game = table(person("Ada"), person("Ben"), bots=0, ruleset="stock_market_tycoon", years=3)
    takeover.resign(game_id=game.pk, user=who("Ben"))
    while playing.play_bots(game_id=game.pk):
        pass
    propose(game, "Ada", 1)
    run_out(game)
    end = fresh(game)
    assert (end.status, end.load_position().state.end) == (Status.FINISHED, "survivor")
    assert {seat.number: seat.place for seat in end.seats.all()} == {0: 1, 1: 2}
    assert all(check.is_equal for check in replay.replay_game(game=end))
