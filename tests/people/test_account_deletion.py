"""Who goes for good leaves others' games whole and nothing of themselves behind."""

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.addresses import note_bounce
from accounts.models import Bounce, KeptName, User
from game import tasks
from game.bots import accounts, playing
from game.chat import reading, writing
from game.chat.models import Report
from game.lobby import lobby
from game.moderation import approvals, case_filing, cases, interventions, sanctions
from game.people import account_closure, account_deletion, identity
from game.store.case_models import Case, CaseNote, Sanction
from game.store.game import Game, Seat, Status
from game.store.log import LoggedAction
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction
from game.store.replay import replay_game
from tests.scenes import by_two, moderator, play_on, seen
from tests.tables import fresh, new_game, person

pytestmark = [pytest.mark.django_db]
NAME = "Zenobia"
GONE = "/accounts/delete/"


@pytest.fixture
def zenobia() -> User:
    return person(NAME)


def client_of(user: User) -> Client:
    """Somebody who has just shown that it is them."""
    client = Client()
    client.force_login(user)
    client.post(reverse("account_reauthenticate"), {"password": "open sesame 42"})
    return client


def sign_up(name: str) -> bool:
    """Whether a stranger can sign up under this name."""
    fields = {"username": name, "email": "stranger@example.org", "password1": "correct horse battery"}
    return Client().post(reverse("account_signup"), fields).status_code == 302


def delete(user: User, name: str = NAME) -> Any:
    return client_of(user).post(GONE, {"name": name})


def rename(user: User, name: str) -> None:
    """A moderator gives the account another name."""
    lena = User.objects.filter(username="Lena").first() or moderator("Lena")
    wanted = identity.Identity(name, user.email)
    fields: dict[str, Any] = {"seen": identity.identity_of(user), "wanted": wanted, "reason": "They asked for it."}
    identity.change_identity(user_id=user.pk, moderator=lena, **fields)


def where_it_stands(text: str) -> list[str]:
    """Every table and column of the database that still holds a text."""
    found = []
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table = connection.ops.quote_name(model._meta.db_table)
            for field in model._meta.local_concrete_fields:
                column = connection.ops.quote_name(field.column)
                cursor.execute(f"SELECT count(*) FROM {table} WHERE CAST({column} AS text) LIKE %s", [f"%{text}%"])
                found += [f"{table}.{column}"] * bool(cursor.fetchone()[0])
    return found


@pytest.mark.usefixtures("judged")
def test_nothing_of_the_account_is_left_and_the_games_are_whole(zenobia: User, settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    over = play_on(new_game(NAME, "bob", bots=2, max_turns=2))
    running = new_game("bob", NAME, bots=1, pace="daily")
    left, waiting = (
        lobby.create_game(host=zenobia, name="", seats=3, pace="daily", options={}, bots=0, is_open=True)
        for _ in range(2)
    )
    lobby.leave_game(game_id=left.pk, user=zenobia)
    writing.say(game_id=running.pk, user=zenobia, text="Good luck!")
    writing.say(game_id=running.pk, user=person("bob"), text=f"@{NAME} you too")
    assert where_it_stands(NAME)
    places = list(over.seats.order_by("number").values_list("place", "score"))
    assert delete(zenobia)["Location"] == "/"
    assert where_it_stands(NAME) == []
    assert not User.objects.filter(pk=zenobia.pk).exists()
    assert list(over.seats.order_by("number").values_list("place", "score")) == places
    assert Seat.objects.get(game=running, number=1).keeper == "resigned"
    assert [(fresh(game).status, fresh(game).name) for game in (left, waiting)] == [
        (Status.ABANDONED, f"Game {left.pk}"), (Status.ABANDONED, f"Game {waiting.pk}")
    ]  # fmt: skip
    for game in (over, running):
        assert all(check.is_equal for check in replay_game(game=fresh(game)))
    note = LoggedAction.objects.filter(game=running).exclude(note="").latest("number").note
    assert note.startswith("Seat 2 left: the account was closed.")


def test_an_address_that_mail_came_back_from_is_not_kept_without_its_account(zenobia: User) -> None:
    for user in (zenobia, person("bob")):
        User.objects.filter(pk=user.pk).update(email=f"{user.username}@example.org".lower())
        note_bounce(f"{user.username}@example.org", Bounce.Why.UNKNOWN, "550 no such person")
    delete(User.objects.get(pk=zenobia.pk))
    assert Bounce.objects.get().address == "bob@example.org"
    assert where_it_stands("zenobia@example.org") == []


def test_a_name_that_the_account_had_before_goes_too_unless_it_is_another_ones_now(zenobia: User) -> None:
    new_game("bob", NAME, bots=1, pace="daily")
    waiting = lobby.create_game(host=zenobia, name="", seats=3, pace="daily", options={}, bots=0, is_open=True)
    writing.say(game_id=waiting.pk, user=zenobia, text="Hello!")
    rename(zenobia, "Yolanda")
    renamed = new_game("bob", "Yolanda", bots=1)
    writing.say(game_id=renamed.pk, user=person("bob"), text="@Yolanda hello")
    rename(User.objects.get(pk=zenobia.pk), "Xenia")
    person("Yolanda")
    assert where_it_stands(NAME)
    delete(User.objects.get(pk=zenobia.pk), "Xenia")
    assert where_it_stands(NAME) == []
    assert where_it_stands("Xenia") == []
    assert fresh(waiting).name == f"Game {waiting.pk}"
    assert User.objects.filter(username="Yolanda").exists()


def test_a_case_and_a_decision_keep_no_name(zenobia: User) -> None:
    game = new_game("bob", NAME, bots=1)
    case = case_filing.report_problem(
        game=game, user=person("bob"), kind="chat", words="They shout at the others.", seats=[1]
    )
    lena = moderator("Lena")
    sanctions.impose(person=zenobia, moderator=lena, kind="warning", days=0, reason="Play fair.", case=case)
    case_filing.appeal(sanction_id=zenobia.sanctions.get().pk, user=zenobia, words="It was not so.")
    was = Case.objects.get(pk=case.pk).evidence
    assert was["seats"][1] == NAME
    assert delete(zenobia)["Location"] == "/"
    rows = Case.objects.get(pk=case.pk).evidence
    assert [rows["seats"][0], rows["seats"][1]] == ["bob", "Seat 2"]
    assert (rows["view"], rows["at"], rows["status"]) == (was["view"], was["at"], was["status"])
    assert where_it_stands(NAME) == []


def test_nor_do_the_words_of_cases_about_them_and_their_games(zenobia: User) -> None:
    """Reports, reported messages, notes and reasons, in whatever letters people wrote the name."""
    bob, lena, game = person("bob"), moderator("Lena"), new_game("bob", NAME, bots=1, pace="daily")
    writing.say(game_id=game.pk, user=zenobia, text="Zenobia was here")
    reading.report(game_id=game.pk, user=bob, number=1, reason="zenobia spams")
    case = case_filing.report_problem(game=game, user=bob, kind="collusion", words="ZENOBIA helps me.", seats=[1])
    cases.add_note(case_id=case.pk, moderator=lena, text="I wrote to Zenobia.")
    fields: dict[str, Any] = {"moderator": lena, "case": case, "exculpatory": "Zenobia is new."}
    sanctions.impose(person=zenobia, kind="warning", reason="Play fair.", **fields)
    case.people.add(bob)
    sanctions.impose(person=bob, kind="warning", reason=f"Not with {NAME}.", **fields)
    delete(zenobia)
    left = Case.objects.get(pk=case.pk)
    assert (left.words, left.exculpatory) == ("Seat 2 helps me.", "Seat 2 is new.")
    assert (left.notes.get().text, bob.sanctions.get().reason) == ("I wrote to Seat 2.", "Not with Seat 2.")
    report = Report.objects.get()
    assert (report.reason, report.text) == ("Seat 2 spams", "Seat 2 was here")


def test_an_account_that_is_called_like_a_word_takes_it_out_of_nothing_that_is_about_others() -> None:
    lena, game = moderator("Lena"), new_game("bob", "carla", pace="daily")
    writing.say(game_id=game.pk, user=person("carla"), text="I did not.")
    reading.report(game_id=game.pk, user=person("bob"), number=1, reason="not true")
    case = case_filing.report_problem(game=game, user=person("bob"), kind="other", words="They do not answer.")
    cases.add_note(case_id=case.pk, moderator=lena, text="They will not.")
    who: dict[str, Any] = {"moderator": lena, "reason": "not fair"}
    sanctions.impose(person=person("carla"), kind="warning", case=None, **who)
    interventions.pause(game_id=game.pk, seen=seen(game), **who)
    account_closure.request_closure(user_id=person("carla").pk, **who)
    before = words_of_the_desk()
    delete(person("not"), "not")
    assert words_of_the_desk() == before


def words_of_the_desk() -> list[Any]:
    """All that moderators and reporters wrote, and what was frozen beside it."""
    fields = {
        Case: ("words", "evidence"), CaseNote: ("text",), Report: ("reason", "text", "context"),
        Sanction: ("reason",), ApprovalRequest: ("reason", "asked"),
        ModeratorAction: ("reason", "details", "before", "after"),
    }  # fmt: skip
    return [list(model._default_manager.order_by("pk").values_list(*columns)) for model, columns in fields.items()]


@pytest.mark.embedded
def test_the_record_of_the_moderators_and_their_requests_keep_no_name(zenobia: User) -> None:
    lena, game = moderator("Lena"), new_game("bob", "carla", pace="daily")
    seat: dict[str, Any] = {"seat_number": 1, "username": NAME}
    who = {"moderator": lena, "reason": f"Carla asked for {NAME}, not for {NAME}s"}
    by_two(Intervention.HAND_SEAT_TO_USER, game_id=game.pk, **who, seen=seen(game), **seat)
    approvals.file_request(Intervention.HAND_SEAT_TO_USER, lena, who["reason"], game=game, arguments=seat)
    account_closure.request_closure(user_id=zenobia.pk, **who)
    delete(zenobia)
    act = ModeratorAction.objects.get(verb="hand_seat_to_user")
    assert act.details == {"seat": 1, "was": "carla", "user": "Seat 2"}
    assert (act.after["seats"], act.reason) == ("bob, Seat 2", f"Carla asked for Seat 2, not for {NAME}s")
    assert [request.asked["username"] for request in ApprovalRequest.objects.all()] == ["Seat 2"] * 2
    assert {act.details.get("user") for act in ModeratorAction.objects.filter(verb="asked_for_second")} == {None, "?"}
    with pytest.raises(IntegrityError), transaction.atomic():
        ModeratorAction.objects.filter(pk=act.pk).rewrite(reason="none")


@pytest.mark.usefixtures("judged")
def test_the_others_play_on(zenobia: User) -> None:
    game = new_game("bob", NAME, bots=1)
    delete(zenobia)
    while playing.play_bots(game_id=game.pk):
        pass
    assert 1 not in fresh(game).waiting_seats
    bob = Client()
    bob.force_login(person("bob"))
    page = bob.get(f"/games/{game.pk}/").content.decode()
    assert "Seat 2" in page
    assert NAME not in page


@pytest.mark.parametrize("name", ["", "zenobia", "Zenobia "])
def test_the_name_must_be_typed(zenobia: User, name: str) -> None:
    answer = delete(zenobia, name)
    assert answer.status_code == 422
    assert "Type the name of your account" in answer.content.decode()
    assert User.objects.filter(pk=zenobia.pk).exists()


def test_a_stolen_session_deletes_nothing(zenobia: User) -> None:
    client = Client()
    client.force_login(zenobia)
    answer = client.post(GONE, {"name": NAME})
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert User.objects.filter(pk=zenobia.pk).exists()


def test_staff_are_refused(zenobia: User) -> None:
    User.objects.filter(pk=zenobia.pk).update(is_staff=True)
    answer = delete(User.objects.get(pk=zenobia.pk))
    assert answer.status_code == 422
    assert "You are staff" in answer.content.decode()
    assert Game.objects.count() == 0


def test_who_signs_up_under_the_name_again_is_somebody_else(zenobia: User) -> None:
    game = new_game("bob", NAME, bots=1)
    delete(zenobia)
    again = person(NAME)
    client = Client()
    client.force_login(again)
    assert f"/games/{game.pk}/" not in client.get(f"/people/{NAME}/").content.decode()


@pytest.mark.parametrize("name", ["Zenobia", "ZENOBIA", "Zen0bia"])
def test_for_a_year_nobody_takes_the_name_of_who_is_gone(zenobia: User, name: str) -> None:
    new_game(zenobia.username, "ben")
    assert delete(zenobia).status_code == 302
    assert not sign_up(name)
    rows = KeptName.objects.get()
    assert "enobia" not in rows.digest
    assert timedelta(days=364) < rows.until - timezone.now() < timedelta(days=366)
    tasks.forget_old_traces()
    KeptName.objects.update(until=timezone.now())
    assert sign_up(name)
    tasks.forget_old_traces()
    assert not KeptName.objects.exists()


def test_a_bot_s_name_is_kept_and_one_that_nobody_ever_used_is_not(zenobia: User) -> None:
    declared = accounts.Declared(["sectors"], ["daily"], 2, 8, 3)
    bot = accounts.make_bot(owner=zenobia, name="Robbie", declared=declared)
    account_deletion.delete_account(user=bot.user)
    assert not sign_up("Robbie")
    account_deletion.delete_account(user=person("Unseen"))
    assert sign_up("Unseen")
