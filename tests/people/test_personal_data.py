"""What the site keeps about somebody, as they can download it."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.addresses import note_bounce
from accounts.models import Bounce, User
from game.chat import reading, writing
from game.chat.models import Message
from game.history import archive
from game.lobby import lobby
from game.store.case_models import Silence
from game.store.game import Game
from game.store.log import LoggedAction, Notice
from game.store.seat_models import StandIn, Tenure
from tests.scenes import play_on
from tests.tables import READY, confirmed, fresh, new_game, person, send

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
EXPORTED = {
    "account.EmailAddress.user": "account/addresses", "accounts.SignInLink.user": "account/sign_in_links",
    "accounts.ApiToken.user": "account/api_tokens", "mfa.Authenticator.user": "account/second_factors",
    "usersessions.UserSession.user": "account/signed_in", "game.NotificationPreference.user": "account/notifications",
    "game.PlayTimes.user": "account/hours", "game.Vacation.user": "account/vacations",
    "game.LearntLesson.user": "account/lessons", "game.Fingerprint.user": "account/address_fingerprints",
    "game.HouseholdLink.one": "account/shared_home", "game.HouseholdLink.two": "account/shared_home",
    "game.HouseholdLink.asked_by": "account/shared_home", "game.PushSubscription.user": "account/browsers",
    "game.Webhook.user": "account/webhooks", "game.BotAccount.owner": "account/bots",
    "game.Tenure.user": "games", "game.Seat.user": "games", "game.Game.host": "hosted",
    "game.StandIn.owner": "stand_ins", "game.StandIn.user": "stand_ins", "game.LoggedAction.user": "actions",
    "game.Rating.user": "ratings/now", "game.Notice.user": "notices", "game.Message.author": "messages",
    "game.ReadMark.user": "chats/read", "game.Mute.user": "chats/muted", "game.Removal.user": "chats/sent_away",
    "game.Invitee.user": "invitations/received", "game.InvitationStop.user": "invitations/stopped",
    "game.Notebook.user": "notebooks", "game.Report.reporter": "reports", "game.Case.reporter": "cases",
    "game.Sanction.user": "decisions", "game.Silence.user": "silence",
}  # fmt: skip
STAFF = "what staff did is the site's record, not the person's"
EXCUSED = {
    "accounts.User.becomes": "a guest goes into the account that it becomes",
    "accounts.RefusedAddress.user": "digests of the addresses in the account's file, because of what is in decisions",
    "game.BotAccount.user": "nobody signs in as a bot; its owner's file has it",
    "game.StoredResponse.user": "a copy of an answer, for a day, of what the other files hold",
    "game.Mention.user": "a message of somebody else",
    "game.InvitationStop.host": "the choice of somebody else, of which nobody learns",
    "game.Mute.muted": "the choice of somebody else, of which nobody learns",
    "game.Report.author": "who reported somebody is protected; what came of it is in decisions",
    "game.Case.people": "as with reports, and a case without a decision says nothing about them",
    "game.CaseNote.person": "what moderators write to each other",
    "game.ApprovalRequest.person": "what one moderator asks another; what came of it is in decisions",
    "game.Case.assignee": STAFF, "game.CaseNote.author": STAFF, "game.ApprovalRequest.asker": STAFF,
    "game.ApprovalRequest.answered_by": STAFF, "game.Sanction.by": STAFF,
    "game.Sanction.confirmed_by": STAFF, "game.Sanction.lifted_by": STAFF, "game.KeptSanction.by": STAFF,
    "game.ModeratorAction.user": STAFF, "admin.LogEntry.user": STAFF,
}  # fmt: skip


@pytest.fixture
def game() -> Game:
    return new_game("ada", "bob")


def say(game: Game, name: str, text: str) -> Message:
    return writing.say(game_id=game.pk, user=person(name), text=text, token="")


def files_of(name: str) -> dict[str, Any]:
    answer = confirmed(person(name)).get("/accounts/my-data.zip")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return {each: json.loads(archive.read(each)) for each in archive.namelist()}


def test_it_holds_what_was_written_and_nothing_of_others(game: Game) -> None:
    say(game, "bob", "Mine")
    theirs = say(game, "ada", "Not mine")
    reading.save_notes(game=game, user=person("bob"), text="My plan.", revision=0)
    reading.report(game_id=game.pk, user=person("bob"), number=theirs.number, reason="Too loud.")
    files = files_of("bob")
    assert [(said["game"], said["moment"], said["text"]) for said in files["messages.json"]] == [
        ("The table", "Turn 1, phase 1: Influence bid", "Mine")
    ]
    assert [book["text"] for book in files["notebooks.json"]] == ["My plan."]
    assert [each["reason"] for each in files["reports.json"]] == ["Too loud."]
    outcome = json.dumps(files)
    assert "Not mine" not in outcome
    assert "ada" not in outcome
    assert files_of("ada")["messages.json"][0]["text"] == "Not mine"


def test_it_holds_every_seat_with_its_decisions(game: Game) -> None:
    Tenure.objects.filter(game=game, user=person("bob")).update(decisions=7, missed=2)
    game.seats.filter(user=person("bob")).update(place=1, score=2100)
    (played,) = files_of("bob")["games.json"]
    assert (played["game"], played["seat"], played["decisions"], played["missed"]) == ("The table", 2, 7, 2)
    assert (played["place"], played["score"], played["until"]) == (1, 2100, None)


def test_it_holds_the_account_without_its_password_or_a_secret_of_a_game(game: Game) -> None:
    bob = person("bob")
    files = files_of("bob")
    assert files["account.json"]["name"] == "bob"
    assert files["account.json"]["preferences"]["timezone"] == bob.timezone
    outcome = json.dumps(files)
    assert User.objects.get(pk=bob.pk).password not in outcome
    assert game.secret not in outcome


def test_every_table_with_a_person_is_exported_or_excused() -> None:
    relations = [each for each in User._meta.get_fields(include_hidden=True) if each.auto_created and each.is_relation]
    fields = [each.remote_field for each in relations if each.remote_field]
    found = {f"{each.model._meta.label}.{each.name}" for each in fields if not each.model._meta.auto_created}
    assert found == EXPORTED.keys() | EXCUSED.keys()
    assert not EXPORTED.keys() & EXCUSED.keys()
    person("bob")
    files = files_of("bob")
    for place in EXPORTED.values():
        name, _, part = place.partition("/")
        assert not part or part in files[f"{name}.json"], place
        assert f"{name}.json" in files, place


def test_it_holds_what_they_submitted_themselves_sealed_or_not(game: Game) -> None:
    send(game, 0, {"kind": "bid_influence", "points": 2}, user_id=person("ada").pk)
    send(game, 1, {"kind": "bid_influence", "points": 3}, user_id=person("bob").pk)
    (sent,) = files_of("bob")["actions.json"]
    assert (sent["game"], sent["seat"], sent["turn"], sent["taken_back"]) == ("The table", 2, 1, False)
    assert sent["submitted"] == {"kind": "bid_influence", "points": 3}
    LoggedAction.objects.filter(game=game, seat=1).update(user=None)
    assert files_of("bob")["actions.json"] == [], "what a caretaker did"


def test_what_was_put_away_after_the_end_is_there_too_but_for_a_proxys(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = new_game("ada", "bob", max_turns=2)
    send(game, 0, {"kind": "bid_influence", "points": 2}, user_id=person("ada").pk)
    send(game, 1, {"kind": "bid_influence", "points": 3}, user_id=person("bob").pk)
    while (now := fresh(game)).status == "running":
        seat = now.waiting_seats[0]
        send(now, seat, READY, user_id=now.seats.get(number=seat).user_id)
    before = {name: files_of(name)["actions.json"] for name in ("ada", "bob")}
    assert all(before.values())
    assert archive.archive_game(game_id=game.pk)
    assert {step.seat for step in fresh(game).packed_steps.quiet} == {0, 1}, "some lie in the volume"
    assert {name: files_of(name)["actions.json"] for name in ("ada", "bob")} == before
    began, ended = timezone.now() - timedelta(days=1), timezone.now() + timedelta(days=1)
    StandIn.objects.create(
        game=game, number=1, owner=person("bob"), user=person("cay"), began_at=began, until=ended, ended_at=ended
    )
    theirs = files_of("cay")["actions.json"]
    assert theirs
    section = files_of("bob")["actions.json"]
    assert len(section) + len(theirs) == len(before["bob"])


def test_it_holds_ratings_notices_silence_and_mail_that_came_back() -> None:
    User.objects.filter(pk=person("bob").pk).update(email="bob@example.org")
    game = lobby.create_game(host=person("ada"), name="Rated", seats=2, pace="daily", ruleset="toy", is_rated=True)
    lobby.join_game(game_id=game.pk, user=person("bob"))
    play_on(lobby.start_game(game_id=game.pk, user=person("ada")))
    note_bounce("bob@example.org", Bounce.Why.UNKNOWN, "no such user")
    Silence.objects.create(user=person("bob"), until=timezone.now(), reason="Shouting")
    files = files_of("bob")
    (now,), (result,) = files["ratings.json"]["now"], files["ratings.json"]["results"]
    assert (now["ruleset"], now["games"], now["mu"]) == ("toy", 1, result["mu"])
    assert (result["game__name"], result["seat"]) == ("Rated", 2)
    assert files["account.json"]["mail_that_came_back"][0]["words"] == "no such user"
    assert len(files["notices.json"]) == Notice.objects.filter(user=person("bob")).count() > 0
    assert [each["reason"] for each in files["silence.json"]] == ["Shouting"]


def test_a_visitor_is_asked_to_sign_in() -> None:
    answer = Client().get("/accounts/my-data.zip")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")


def test_whoever_found_an_open_session_does_not_take_the_data_along() -> None:
    thief = Client()
    thief.force_login(person("ada"))
    for path in ("/accounts/my-data.zip", "/accounts/my-data/"):
        assert thief.get(path)["Location"] == "/accounts/reauthenticate/"
    thief.post("/accounts/reauthenticate/", {"password": "a wrong one"})
    assert thief.get("/accounts/my-data.zip").status_code == 302
    page = thief.post("/accounts/reauthenticate/", {"password": "open sesame 42", "next": "/accounts/my-data/"})
    assert page["Location"] == "/accounts/my-data/"
    assert 'href="/accounts/my-data.zip"' in thief.get("/accounts/my-data/").content.decode()
    assert thief.get("/accounts/my-data.zip")["Content-Type"] == "application/zip"


def test_a_guest_who_has_no_password_downloads_theirs(client: Client) -> None:
    client.post("/play/")
    assert client.get("/accounts/my-data/").status_code == 200
    assert client.get("/accounts/my-data.zip")["Content-Type"] == "application/zip"


def test_it_is_packed_only_so_often_a_day(settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"export": 2}
    cache.clear()
    ada, bob = confirmed(person("ada")), confirmed(person("bob"))
    answers = [ada.get("/accounts/my-data.zip") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    html = answers[-1].content.decode()
    assert "The limit for downloads of your data is 2 a day" in html
    assert 0 < int(answers[-1]["Retry-After"]) <= 86_400
    assert bob.get("/accounts/my-data.zip").status_code == 200


def test_it_costs_the_same_for_many_games(game: Game, django_assert_max_num_queries: Any) -> None:
    for _ in range(3):
        other = new_game("ada", "bob")
        say(other, "bob", "Hello")
        send(other, 1, {"kind": "bid_influence", "points": 3}, user_id=person("bob").pk)
    client = confirmed(person("bob"))
    with django_assert_max_num_queries(43):
        client.get("/accounts/my-data.zip")
