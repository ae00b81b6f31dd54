"""A seat that changes hands shows its new owner nothing that the old one sealed, and the game plays on from what is
left."""

from itertools import chain
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from game.engine import referee
from game.moderation import interventions, rewind, seat_acts
from game.store import replay
from game.store.game import Game, Seat, Status
from game.store.log import LoggedAction, Notice
from game.store.moderation_models import Intervention, ModeratorAction
from game.table.board import board_context
from tests.scenes import by_two, close_by_two, moderator, person, play_on, ready, rewind_by_two, run_out, seen, table
from tests.tables import fresh, send, steps_to_the_end

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
BID = {"kind": "bid_influence", "points": 7}
WHY = "moved away"


@pytest.fixture
def game(settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    return table(person("Ada"), person("Ben"), bots=2, max_turns=2)


def hand(game: Game, seat: int, to: str) -> None:
    taker = User.objects.filter(username=to).first() or person(to)
    lena = User.objects.filter(username="Lena").first() or moderator("Lena")
    by_two(
        Intervention.HAND_SEAT_TO_USER,
        game_id=game.pk,
        moderator=lena,
        seen=seen(game),
        reason=WHY,
        seat_number=seat,
        username=taker.username,
    )


def held_by(game: Game, seat: int) -> dict[str, Any]:
    return fresh(game).load_position().pending.get(seat, {})


def page_of(game: Game, name: str) -> str:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client.get(game.get_absolute_url()).content.decode()


def note_of(game: Game) -> str:
    return LoggedAction.objects.filter(game=game, kind__in=["handover", "resign"]).latest("number").note


def is_replayed(game: Game) -> bool:
    return all(check.is_equal for check in replay.replay_game(game=fresh(game)))


def shown_to(game: Game, name: str) -> list[Any]:
    """Everything on the board that is for this reader alone."""
    context = board_context(game=fresh(game), user=User.objects.get(username=name))
    return [context[key] for key in ("view", "offers", "draft", "received", "is_asked")]


def test_a_new_owner_reads_nothing_that_the_old_one_sealed(game: Game) -> None:
    before = shown_to(game, "Ben")
    send(game, 1, BID, token="a form of Ben's", serial=fresh(game).phase_serial)
    ready(game, 1)
    assert shown_to(game, "Ben") != before
    person("Carla")
    hand(game, 1, "Carla")
    assert shown_to(game, "Carla") == before
    assert held_by(game, 1) == {}
    assert fresh(game).seat_states[1] == "untouched", "the table waits for the seat again"
    assert (
        note_of(game)
        == f"Moderator Lena gave the seat of Ben to Carla; what was submitted for it and not revealed is void: {WHY}"
    )
    assert is_replayed(game)


def test_the_table_is_told_in_the_same_words_whatever_was_sealed(game: Game) -> None:
    """Votes ahead show on no page, so the words must not tell whether there were any."""
    hand(game, 1, "Carla")
    text = note_of(game)
    send(game, 1, BID)
    hand(game, 1, "Ben")
    assert note_of(game) == text.replace("Ben", "X").replace("Carla", "Ben").replace("X", "Carla")
    version = fresh(game).version
    hand(game, 1, "Carla")
    assert fresh(game).version > version, "every open page is told that there is something new"
    assert text.split(":")[0] in page_of(game, "Ada")


def test_the_game_replays_and_ends_after_seats_changed_hands(game: Game) -> None:
    send(game, 0, BID)
    send(game, 1, BID | {"points": 9})
    hand(game, 1, "Carla")
    send(game, 1, BID | {"points": 2})
    lena = User.objects.get(username="Lena")
    seat_acts.hand_seat_to_bot(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY, seat_number=0)
    assert held_by(game, 0) == {}
    assert held_by(game, 1) != {}, "the others keep what they gave"
    assert play_on(game).status == Status.FINISHED
    assert is_replayed(game)


def test_a_closed_account_leaves_nothing_sealed_behind(game: Game) -> None:
    send(game, 1, BID)
    close_by_two(user_id=User.objects.get(username="Ben").pk, moderator=moderator("Lena"), reason="asked for it")
    assert held_by(game, 1) == {}
    assert fresh(game).bots_due
    assert game.seats.get(number=1).shown_name == "Seat 2"
    assert note_of(game).startswith("Ben left: the account was closed. The caretaker plays this seat")
    assert "asked for it" not in note_of(game)
    assert is_replayed(game)


def test_a_seat_changes_hands_while_the_clock_stands_still(game: Game) -> None:
    send(game, 1, BID)
    lena = moderator("Lena")
    interventions.pause(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    stopped = fresh(game)
    seat_acts.hand_seat_to_bot(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY, seat_number=1)
    now = fresh(game)
    assert (now.status, now.deadline_at, now.paused_left) == (Status.PAUSED, None, stopped.paused_left)
    assert held_by(game, 1) == {}
    interventions.resume(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY)
    assert fresh(game).bots_due, "the bot is found when the game goes on"


def test_a_seat_of_a_damaged_game_stays_where_it_is(game: Game) -> None:
    lena = moderator("Lena")
    Game.objects.filter(pk=game.pk).update(state=b"\x01 no state at all")
    with pytest.raises(interventions.Refused, match="cannot be read"):
        seat_acts.hand_seat_to_bot(game_id=game.pk, moderator=lena, seen=seen(game), reason=WHY, seat_number=1)
    assert game.seats.get(number=1).shown_name == "Ben"
    assert not ModeratorAction.objects.exists()


def to_a_vote_ahead(game: Game) -> tuple[Game, int, dict[str, Any]]:
    """Play tables of other draws until a bot may vote for a company that comes later: its seat and its ballot."""
    others = (table(person(f"Ada{number}"), person(f"Ben{number}"), bots=2, max_turns=2) for number in range(12))
    for now in chain.from_iterable(steps_to_the_end(each) for each in chain([game], others)):
        if now.phase_name == "company_vote":
            position = now.load_position()
            for seat in (2, 3):
                ballots = [
                    each
                    for each in referee.offers(now.rules, position, seat)
                    if each.kind == "vote_actions" and not each.refused
                ]
                for ballot in ballots:
                    request = {"kind": ballot.kind, **ballot.fixed, "actions": [ballot.fields[0].values[0][0]]}
                    if not now.rules.parse(request, seat).serves(position.state):
                        return now, seat, request
    raise AssertionError("No bot ever votes ahead.")


def test_a_vote_ahead_is_void_also_after_a_rewind(game: Game) -> None:
    game, seat, ballot = to_a_vote_ahead(game)
    hand(game, seat, "Carla")
    send(game, seat, ballot)
    assert held_by(game, seat) != {}
    before = fresh(game).phase_serial
    while fresh(game).phase_serial == before:
        run_out(game)
    assert held_by(game, seat) != {}, "it is kept for its company"
    hand(game, seat, "Dora")
    assert held_by(game, seat) == {}
    moment = rewind.moments_of(fresh(game))[0]
    rewind_by_two(
        game_id=game.pk, moderator=User.objects.get(username="Lena"), seen=seen(game), reason=WHY, number=moment.number
    )
    assert held_by(game, seat) == {}, "Carla's vote, which stood there at the start of that phase"
    assert is_replayed(game)
    assert play_on(game).status == Status.FINISHED
    assert is_replayed(game)


def test_a_rewind_tells_only_those_whose_own_orders_are_void(game: Game) -> None:
    moment = rewind.moments_of(fresh(game))[0]
    send(game, 0, BID)
    send(game, 1, BID)
    hand(game, 1, "Carla")
    rewind_by_two(
        game_id=game.pk, moderator=User.objects.get(username="Lena"), seen=seen(game), reason=WHY, number=moment.number
    )
    rows = Notice.objects.filter(kind="void").values_list("seat__number", flat=True)
    assert list(rows) == [0]
    assert Seat.objects.filter(game=game, number=1, user__username="Carla").exists()
