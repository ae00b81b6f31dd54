"""What one player can do again and again fills nobody's log, moves nobody's page without end, and breaks nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.utils import timezone

from accounts import limits
from accounts.languages import override_language
from accounts.models import User
from game.chat import writing
from game.chat.models import Message
from game.clock import play_times
from game.lobby import lobby
from game.store.availability import Vacation
from game.store.game import Game
from game.store.log_notes import Sentence
from game.store.proposals import VoteTopic, open_proposal
from game.votes import voting
from tests.api.clients import Program
from tests.tables import fresh, new_game, person, send

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
ROUNDS = 6


@pytest.fixture
def game() -> Game:
    return new_game("ada", "ben", "cid", pace="daily")


def propose_and_withdraw_pause(game: Game, ada: User) -> None:
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=ada)
    voting.withdraw(topic=VoteTopic.PAUSE, game_id=game.pk, user=ada, number=fresh(game).proposals_made)


def propose_and_withdraw_ending(game: Game, ada: User) -> None:
    voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=ada)
    voting.withdraw(topic=VoteTopic.ENDING, game_id=game.pk, user=ada, number=fresh(game).proposals_made)


def agree_and_revoke(game: Game, ada: User) -> None:
    if open_proposal(fresh(game), VoteTopic.ENDING) is None:
        voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=person("ben"))
    number = fresh(game).proposals_made
    voting.agree(topic=VoteTopic.ENDING, game_id=game.pk, user=ada, number=number)
    voting.withdraw(topic=VoteTopic.ENDING, game_id=game.pk, user=ada, number=number)


def go_on_vacation_and_not(game: Game, ada: User) -> None:
    first = timezone.localdate() + timedelta(days=20)
    found = play_times.declare_vacation(user=ada, first=first, last=first + timedelta(days=3))
    play_times.end_vacation(user=ada, number=found.pk)


REPEATED: dict[str, tuple[Callable[[Game, User], None], str]] = {
    "pause": (propose_and_withdraw_pause, "ada withdrew the proposal to pause the game. (6 times)"),
    "ending": (propose_and_withdraw_ending, "ada withdrew the proposal to end the game. (6 times)"),
    "agreement": (agree_and_revoke, "ada no longer agrees to end the game. (6 times)"),
    "vacation": (go_on_vacation_and_not, "ada has cancelled a vacation, or is back early. (6 times)"),
}


def notes(game: Game) -> list[str]:
    return list(game.log.exclude(note="").order_by("number").values_list("note", flat=True))


@pytest.mark.parametrize("what", REPEATED)
def test_a37_what_one_player_does_again_and_again_is_one_line(game: Game, what: str) -> None:
    act, last = REPEATED[what]
    for _ in range(2):
        act(game, person("ada"))
    lines = notes(game)
    for number in range(2, ROUNDS):
        before = fresh(game).version
        act(game, person("ada"))
        assert fresh(game).version > before, "open pages still learn of each"
        assert (len(notes(game)), notes(game)[:2]) == (len(lines), lines[:2])
        assert notes(game)[-1].endswith(f"({number + 1} times)")
    assert notes(game)[-1] == last
    assert fresh(game).entries == game.log.count()


def both_proposals(game: Game, ada: User) -> None:
    propose_and_withdraw_pause(game, ada)
    propose_and_withdraw_ending(game, ada)


def pause_and_vacation(game: Game, ada: User) -> None:
    propose_and_withdraw_pause(game, ada)
    go_on_vacation_and_not(game, ada)


def proposal_and_ready(game: Game, ada: User) -> None:
    """Something of one's own, and something of another player, before each."""
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=ada)
    for on in (True, False):
        send(game, 0, {"kind": "ready", "on": on})
    voting.decline(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("ben"), number=fresh(game).proposals_made)
    voting.withdraw(topic=VoteTopic.PAUSE, game_id=game.pk, user=ada, number=fresh(game).proposals_made)


@pytest.mark.parametrize("act", [both_proposals, pause_and_vacation, proposal_and_ready])
def test_a37_what_comes_between_makes_no_further_lines(game: Game, act: Callable[[Game, User], None]) -> None:
    for _ in range(2):
        act(game, person("ada"))
    lines = len(notes(game))
    for _ in range(2, ROUNDS):
        act(game, person("ada"))
    assert len(notes(game)) == lines
    own = [note for note in notes(game) if note.startswith("ada")]
    assert own[-1].endswith(f"({ROUNDS} times)")
    assert sum(note.startswith("ada proposed to pause") for note in own) <= 2
    assert fresh(game).entries == game.log.count()


def let_a_pause_lapse(game: Game) -> None:
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("ada"))
    for name in ("ben", "cid"):
        voting.decline(topic=VoteTopic.PAUSE, game_id=game.pk, user=person(name), number=fresh(game).proposals_made)


def test_a37_what_several_players_do_together_again_and_again_makes_no_further_lines(game: Game) -> None:
    for _ in range(2):
        let_a_pause_lapse(game)
    lines = len(notes(game))
    for _ in range(2, ROUNDS):
        let_a_pause_lapse(game)
    assert len(notes(game)) == lines
    assert notes(game)[-1].endswith(f"({ROUNDS} times)")
    assert fresh(game).entries == game.log.count()


def test_the_last_line_of_a_player_says_what_they_did_last(game: Game) -> None:
    for _ in range(3):
        propose_and_withdraw_pause(game, person("ada"))
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("ada"))
    assert notes(game)[-2:] == [
        "ada withdrew the proposal to pause the game. (3 times)",
        "ada proposed to pause the game. (4 times)",
    ]


def test_what_is_new_is_never_folded(game: Game) -> None:
    first = timezone.localdate() + timedelta(days=20)
    for days in (0, 10, 20):
        day = first + timedelta(days=days)
        play_times.declare_vacation(user=person("ada"), first=day, last=day)
    assert len([note for note in notes(game) if "is on vacation" in note]) == 3
    propose_and_withdraw_pause(game, person("ada"))
    propose_and_withdraw_pause(game, person("ada"))
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("ben"))
    assert notes(game)[-1] == "ben proposed to pause the game."


def test_how_often_is_told_in_the_language_of_the_reader() -> None:
    with override_language("de"):
        text = msgspec.structs.replace(Sentence.WITHDREW_PAUSE(name="ada"), times=3).words("Zug")
    assert text.startswith("ada")
    assert text.endswith("(3-mal)")
    assert "withdrew" not in text


@pytest.fixture
def limited(settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"proposal": 3, "vacation": 3, "arrange": 3}


@pytest.mark.usefixtures("limited")
@pytest.mark.parametrize("what", REPEATED)
def test_a37_it_has_a_limit_and_withdrawing_is_free(game: Game, what: str) -> None:
    act, _ = REPEATED[what]
    for _ in range(3):
        act(game, person("ada"))
    before = fresh(game).version
    with pytest.raises(limits.TooMany):
        act(game, person("ada"))
    assert fresh(game).version == before
    assert (open_proposal(fresh(game), VoteTopic.PAUSE), Vacation.objects.count()) == (None, 0)
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("cid"))  # each has their own


def test_a37_vacations_of_other_days_have_few_lines_a_day(game: Game, settings: Any) -> None:
    settings.LIMITED, ada, tomorrow = True, person("ada"), timezone.localdate() + timedelta(days=1)

    def on_and_off(number: int) -> None:
        day = tomorrow + timedelta(days=number)
        play_times.end_vacation(user=ada, number=play_times.declare_vacation(user=ada, first=day, last=day).pk)

    for number in range(1, ROUNDS + 1):
        on_and_off(number)
    with pytest.raises(limits.TooMany):
        on_and_off(ROUNDS + 1)
    assert len(notes(game)) <= ROUNDS + 4


@pytest.mark.usefixtures("limited")
def test_a37_a_host_changes_a_game_that_waits_only_so_often() -> None:
    program = Program("ada")
    game = lobby.create_game(host=person("ada"), name="Tuesday", seats=2, ruleset="toy", pace="demo")
    answers = [program.patch(f"games/{game.pk}", {"name": f"No {n}"}, **{"If-Match": "*"}) for n in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[-1]["RateLimit-Policy"].startswith('"arrange"')
    assert fresh(game).name == "No 2"


def test_a37_a_chat_that_is_switched_off_and_on_has_two_lines_of_it(game: Game) -> None:
    for number in range(5):
        writing.switch(game_id=game.pk, user=person("ada"), is_on=bool(number % 2))
    lines = Message.objects.filter(game=game).order_by("number")
    assert [line.kind for line in lines] == [Message.Kind.ON, Message.Kind.OFF]


def test_a_game_takes_more_proposals_than_a_small_number_holds(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(proposals_made=32_767)
    propose_and_withdraw_ending(game, person("ada"))
    assert fresh(game).proposals_made == 32_768
