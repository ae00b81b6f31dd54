"""Inviting people by name: who can be, what the host learns of those who cannot, and what becomes of it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import guests
from accounts.limits import TooMany
from accounts.models import User
from game.bots import accounts
from game.bots.accounts import Declared
from game.chat import reading
from game.engine.actions import Refused
from game.lobby import invitations, inviting, lobby
from game.moderation import interventions
from game.people import account_deletion
from game.reputation import households
from game.store.case_models import Sanction
from game.store.game import Game
from game.store.readers import game_for
from game.store.seat_models import InvitationStop, Invitee, Removal
from tests.scenes import moderator, seen
from tests.tables import fresh, new_game, person

pytestmark = [pytest.mark.django_db]
USUAL = {"pace": "daily", "ruleset": "toy"}


def gathering(*, is_open: bool = False, seats: int = 3, **more: Any) -> Game:
    """A game of ada's that waits; by invitation, if nothing else is said."""
    return lobby.create_game(host=person("ada"), name="Ours", seats=seats, is_open=is_open, **{**USUAL, **more})


def invite(game: Game, who: str | int, host: str = "ada") -> None:
    inviting.invite(game_id=game.pk, user=person(host), person=who)


def invited(game: Game, name: str = "ben") -> Game:
    invite(game, person(name).username)
    return game


def withdraw(game: Game, who: str, host: str = "ada") -> None:
    inviting.withdraw(game_id=game.pk, user=person(host), person=person(who).pk)


def states(game: Game) -> dict[str, bool]:
    """Who is invited, and whether they have declined."""
    return {each.user.username: each.declined_at is not None for each in game.invitees.select_related("user")}


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def refusal(game: Game, who: str, host: str = "ada") -> tuple[str, str, str]:
    """Everything that the host is told."""
    with pytest.raises(Refused) as refused:
        invite(game, who, host)
    return refused.value.code, str(refused.value), refused.value.field


# --- inviting and answering


def test_who_is_invited_sees_the_game_and_joins_without_the_link() -> None:
    game, ben, eve = gathering(), person("ben"), person("eve")
    assert not game_for(game_id=game.pk, user=ben)
    before = game.version
    invite(game, "BEN")
    assert (states(game), fresh(game).version) == ({"ben": False}, before + 1)
    assert game_for(game_id=game.pk, user=ben)
    assert not game_for(game_id=game.pk, user=eve)
    assert code_of(lambda: lobby.join_game(game_id=game.pk, user=eve)) == "by_invitation"
    assert lobby.join_game(game_id=game.pk, user=ben).number == 1
    assert states(game) == {}, "who has a seat is invited no more"


def test_an_invitation_keeps_no_seat_free() -> None:
    game = invited(gathering(seats=2, is_open=True))
    lobby.join_game(game_id=game.pk, user=person("carla"))
    assert code_of(lambda: lobby.join_game(game_id=game.pk, user=person("ben"))) == "seat_taken"
    assert states(game) == {"ben": False}, "a seat may become free again"
    assert code_of(lambda: invite(game, person("dora").username)) == "seat_taken"


def test_by_the_number_of_their_page_as_well() -> None:
    game = gathering()
    invite(game, person("ben").pk)
    assert states(game) == {"ben": False}
    assert code_of(lambda: invite(game, 2**62)) == "cannot_be_invited"


def test_who_declines_is_seen_by_the_host_and_not_asked_again() -> None:
    game, ben = invited(gathering()), person("ben")
    for _ in range(2):
        inviting.decline(game_id=game.pk, user=ben)
    assert states(game) == {"ben": True}
    assert not game_for(game_id=game.pk, user=ben)
    assert code_of(lambda: lobby.join_game(game_id=game.pk, user=ben)) == "by_invitation"
    assert code_of(lambda: invite(game, "ben")) == "was_declined"
    link = game.invitation.token
    assert lobby.join_game(game_id=game.pk, user=ben, token=link), "by the link they may change their mind"


def test_the_host_withdraws_what_was_not_answered() -> None:
    game, ben = invited(invited(gathering()), "carla"), person("ben")
    inviting.decline(game_id=game.pk, user=person("carla"))
    withdraw(game, "ben")
    assert states(game) == {"carla": True}
    assert not game_for(game_id=game.pk, user=ben)
    for who in ("ben", "carla", "eve"):
        assert code_of(lambda who=who: withdraw(game, who)) == "no_such_invitation"
    invite(game, "ben")
    assert states(game) == {"ben": False, "carla": True}


def test_only_the_host_invites_and_withdraws_and_only_the_invited_decline() -> None:
    game = invited(gathering(seats=4))
    lobby.join_game(game_id=game.pk, user=person("carla"), token=game.invitation.token)
    for who in ("ben", "carla", "eve"):
        assert code_of(lambda who=who: invite(game, "eve", host=person(who).username)) == "not_host"
        assert code_of(lambda who=who: withdraw(game, "ben", host=who)) == "not_host"
    for who in ("ada", "carla", "eve"):
        assert code_of(lambda who=who: inviting.decline(game_id=game.pk, user=person(who))) == "no_such_invitation"
    assert states(game) == {"ben": False}


def test_joining_is_as_it_is_for_everybody(settings: Any) -> None:
    game = invited(gathering(least_reliability=90, welcomes_newcomers=False))
    assert code_of(lambda: lobby.join_game(game_id=game.pk, user=person("ben"))) == "reliability"
    rated = invited(gathering(is_rated=True, ruleset="sectors"), "carla")
    join = lobby.join_game
    assert code_of(lambda: join(game_id=rated.pk, user=person("carla"), is_rated=False)) == "terms_changed"
    assert states(rated) == {"carla": False}


def test_whom_the_host_sent_away_may_come_back_when_invited() -> None:
    game = gathering(is_open=True)
    lobby.join_game(game_id=game.pk, user=person("ben"))
    lobby.remove_seat(game_id=game.pk, user=person("ada"), number=1)
    assert code_of(lambda: lobby.join_game(game_id=game.pk, user=person("ben"))) == "was_sent_away"
    invite(game, "ben")
    assert not Removal.objects.exists()
    assert lobby.join_game(game_id=game.pk, user=person("ben"))


def begin(game: Game) -> None:
    lobby.fill_with_bots(game_id=game.pk, user=person("ada"))
    lobby.start_game(game_id=game.pk, user=person("ada"))


def cancel(game: Game) -> None:
    lobby.leave_game(game_id=game.pk, user=person("ada"))


def take_away(game: Game) -> None:
    interventions.remove_table(game_id=game.pk, moderator=moderator("Lena"), reason="Spam", seen=seen(game))


def close_the_hosts_account(game: Game) -> None:
    account_deletion.delete_account(user=person("ada"))


@pytest.mark.parametrize("end", [begin, cancel, take_away, close_the_hosts_account])
def test_nothing_is_left_when_the_game_begins_or_is_cancelled(end: Callable[[Game], None]) -> None:
    game = invited(invited(gathering()), "carla")
    inviting.decline(game_id=game.pk, user=person("carla"))
    end(game)
    assert not Invitee.objects.exists()
    assert not game_for(game_id=game.pk, user=person("ben"))


def test_a_deleted_account_is_invited_nowhere() -> None:
    game = invited(gathering())
    inviting.stop_host(game_id=game.pk, user=person("ben"))
    account_deletion.delete_account(user=person("ben"))
    assert not Invitee.objects.exists()
    assert not InvitationStop.objects.exists()


# --- who cannot be invited


def test_what_everybody_knows_is_said() -> None:
    game = gathering(is_rated=True, ruleset="sectors", seats=4, is_open=True)
    lobby.join_game(game_id=game.pk, user=person("ben"))
    bot = accounts.make_bot(owner=person("carla"), name="Rattle", declared=Declared(["toy"], ["daily"], 2, 3, 3))
    households.request_link(user=person("ada"), name=person("dora").username)
    households.request_link(user=person("dora"), name="ada")
    assert refusal(game, "ada")[0] == "already_seated"
    assert refusal(game, "Ben") == ("already_seated", "ben already has a seat in this game.", "person")
    for who in (bot.user, guests.new_guest()):
        assert refusal(game, who.username)[0] == "no_person"
    assert refusal(game, "dora")[0] == "linked_player"
    assert refusal(invited(game, "carla"), "carla") == ("already_invited", "carla is already invited.", "person")
    invite(gathering(), "dora")


def test_that_somebody_shares_a_home_with_another_player_is_not_said_to_the_host() -> None:
    game = gathering(is_rated=True, ruleset="sectors", is_open=True)
    lobby.join_game(game_id=game.pk, user=person("ben"))
    households.request_link(user=person("ben"), name=person("dora").username)
    households.request_link(user=person("dora"), name="ben")
    invite(game, "dora")
    assert code_of(lambda: lobby.join_game(game_id=game.pk, user=person("dora"))) == "linked_player"


def close(who: User) -> None:
    User.objects.filter(pk=who.pk).update(is_active=False)


def ban(who: User) -> None:
    User.objects.filter(pk=who.pk).update(banned_until=timezone.now() + timedelta(days=1))


def bar(who: User) -> None:
    until = timezone.now() + timedelta(days=1)
    Sanction.objects.create(user=who, kind=Sanction.Kind.NO_JOIN, reason="Left games", until=until)


def want_none(who: User) -> None:
    inviting.take_invitations(user=who, wanted=False)


def stop_the_host(who: User) -> None:
    inviting.stop_host(game_id=invited(gathering(), who.username).pk, user=who)


def mute_the_host(who: User) -> None:
    game = new_game("ada", who.username, ruleset="toy")
    reading.mute(game_id=game.pk, user=who, seat_number=0, is_on=True)


SECRETS = [close, ban, bar, want_none, stop_the_host, mute_the_host]


@pytest.mark.parametrize("how", SECRETS)
def test_who_does_not_want_to_be_or_may_not_be_looks_and_costs_like_nobody(how: Callable[[User], None]) -> None:
    ben = person("ben")
    how(ben)
    game = gathering()
    lines = []
    for who in ("ben", "nobody of this name", "x" * 500, "%"):
        with CaptureQueriesContext(connection) as captured:
            answer = refusal(game, who)
        lines.append((answer, len(captured.captured_queries)))
    assert lines == [lines[0]] * 4
    assert lines[0][0][0] == "cannot_be_invited"
    assert "ben" not in lines[0][0][1]
    assert not game.invitees.exists()


@pytest.mark.parametrize("how", SECRETS[1:])
def test_where_the_host_knows_somebody_already_their_choice_changes_no_answer(how: Callable[[User], None]) -> None:
    game = gathering(seats=5, ruleset="sectors")
    lobby.join_game(game_id=game.pk, user=person("ben"), token=game.invitation.token)
    invited(invited(game, "carla"), "dora")
    inviting.decline(game_id=game.pk, user=person("dora"))
    for who, code in (("ben", "already_seated"), ("carla", "already_invited"), ("dora", "was_declined")):
        how(person(who))
        assert refusal(game, who)[0] == ("was_declined" if (how, who) == (stop_the_host, "carla") else code)


def test_an_end_of_what_stood_against_it_is_an_end() -> None:
    ben = person("ben")
    want_none(ben)
    assert not invitations.takes_invitations(ben)
    stop_the_host(person("carla"))
    bar(person("dora"))
    Sanction.objects.update(lifted_at=timezone.now())
    for _ in range(2):
        inviting.take_invitations(user=ben, wanted=True)
        inviting.allow_host(user=person("carla"), host=person("ada").pk)
    game = invited(invited(invited(gathering()), "carla"), "dora")
    assert states(game) == {"ben": False, "carla": False, "dora": False}


def test_of_a_host_whom_somebody_does_not_want_all_open_invitations_are_declined() -> None:
    mine, other = invited(gathering()), invited(gathering(is_open=True))
    theirs = lobby.create_game(host=person("carla"), name="Another", seats=3, **USUAL)
    inviting.invite(game_id=theirs.pk, user=person("carla"), person="ben")
    for _ in range(2):
        inviting.stop_host(game_id=mine.pk, user=person("ben"))
    assert (states(mine), states(other), states(theirs)) == ({"ben": True}, {"ben": True}, {"ben": False})
    assert InvitationStop.objects.count() == 1
    assert code_of(lambda: inviting.stop_host(game_id=mine.pk, user=person("eve"))) == "no_such_invitation"


def test_hosts_who_cannot_play_with_others_invite_nobody() -> None:
    guest = guests.new_guest()
    solo = lobby.create_game(host=guest, name="Mine", seats=2, bots=1, is_open=False, pace="none", ruleset="toy")
    assert code_of(lambda: inviting.invite(game_id=solo.pk, user=guest, person="ben")) == "bots_alone"
    quiet = gathering(seats=2, bots=1, pace="none")
    assert code_of(lambda: invite(quiet, person("ben").username)) == "needs_a_clock"
    game = gathering()
    bar(person("ada"))
    assert code_of(lambda: invite(game, "ben")) == "barred"
    begun = new_game("carla", "dora", ruleset="toy")
    assert code_of(lambda: invite(begun, "ben", host="carla")) == "seat_taken"


def test_a14_who_tries_names_is_stopped_whatever_they_are(settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"invite": 3}
    cache.clear()
    game = invited(gathering(seats=8, ruleset="sectors"))
    for who in ("nobody", "ben"):
        assert refusal(game, who)
    with pytest.raises(TooMany) as too_many:
        invited(game, "carla")
    assert too_many.value.usage.limit.name == "invite"
    assert states(game) == {"ben": False}
    cache.clear()
