"""A site with one moderator: who runs the server is the second person, and the record says so."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from game.engine.actions import Refused
from game.moderation import approvals, break_glass, permissions, roles, sanctions
from game.moderation.roles import Powers
from game.people import account_closure, two_people
from game.store.game import Game
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction, number_of
from game.store.proposals import VoteTopic
from game.votes import voting
from tests.scenes import moderator, seen
from tests.tables import fresh, new_game, person

pytestmark = [pytest.mark.django_db]
WHY = "sold the seat to somebody else"
COMMAND = "manage.py confirm_request"


@pytest.fixture
def lena() -> User:
    return moderator("Lena")


@pytest.fixture
def desk(lena: User) -> Client:
    client = Client()
    client.force_login(lena)
    return client


@pytest.fixture
def game() -> Game:
    return new_game("ada", "ben", pace="daily")


def ask_to_close(lena: User) -> ApprovalRequest:
    return account_closure.request_closure(user_id=person("ada").pk, moderator=lena, reason=WHY)


def confirm(asked: ApprovalRequest) -> None:
    call_command("confirm_request", number_of(asked, asked.pk))


def test_the_pages_say_what_to_do(desk: Client, lena: User, game: Game) -> None:
    def read(name: str, *words: Any) -> str:
        return desk.get(reverse(f"admin:{name}", args=words)).content.decode()

    ada = person("ada").pk
    pages = [("close_account", ada), ("moderate", game.pk, "rewind"), ("secrets", game.pk), ("person_desk", ada)]
    assert all(COMMAND in read(*page) for page in pages)
    asked = ask_to_close(lena)
    assert f"{COMMAND} {number_of(asked, asked.pk)}</code>" in read("game_approvalrequest_change", asked.pk)
    moderator("Max")
    assert not any(COMMAND in read(*page) for page in [*pages, ("game_approvalrequest_change", asked.pk)])
    assert COMMAND not in read("moderate", game.pk, "pause")


def test_where_players_are_asked_the_page_says_who_has_answered(desk: Client, lena: User, game: Game) -> None:
    who = {"moderator": lena, "reason": WHY}
    result = two_people.request_game_act(what=Intervention.REWIND_TO, game_id=game.pk, **who, seen=seen(game), number=1)
    page = reverse("admin:game_approvalrequest_change", args=[result.pk])
    assert "Ask the players" in desk.get(page).content.decode()
    assert desk.post(reverse("admin:second", args=[result.pk, "players"])).status_code == 302
    voting.agree(
        topic=VoteTopic.REWIND, game_id=game.pk, user=person("ben"), number=number_of(ApprovalRequest, result.pk)
    )
    html = desk.get(page).content.decode()
    assert "<dt>Agreed</dt><dd>ben</dd>" in html
    assert "<dt>Not answered yet</dt><dd>ada</dd>" in html


def test_who_asks_is_led_to_the_request(desk: Client, lena: User) -> None:
    ban = {"kind": "ban", "days": 90, "reason": WHY}
    address = reverse("admin:act_on_person", args=[person("ada").pk, "decide"])
    html = desk.post(address, ban, follow=True).content.decode()
    asked = ApprovalRequest.objects.get()
    link = reverse("admin:game_approvalrequest_change", args=[asked.pk])
    assert f'<a href="{link}">Request {number_of(asked, asked.pk)}</a>: nothing has changed yet.' in html


def test_only_what_needs_two_can_be_looked_for_among_the_requests(desk: Client, lena: User) -> None:
    ask_to_close(lena)
    requests = reverse("admin:game_approvalrequest_changelist")
    page = desk.get(requests).content.decode()
    offered = set(re.findall(r'href="\?what=(\w+)"', page))
    assert offered == {*two_people.GAME_ACTS, *two_people.PEOPLE_ACTS}
    assert "1 request for a second person" in desk.get(requests, {"what": "close_account"}).content.decode()
    assert "0 requests for a second person" in desk.get(requests, {"what": "ban"}).content.decode()


def test_the_operator_confirms_and_is_on_the_record(lena: User) -> None:
    result = ask_to_close(lena)
    confirm(result)
    assert not person("ada").is_active
    result.refresh_from_db()
    assert (result.answer, result.answered_by) == ("confirmed", None)
    record = ModeratorAction.objects.get(verb="confirmed_request")
    assert record.user is None
    assert (record.details["on"], record.details["asked_by"]) == ("the server", "Lena")
    with pytest.raises(CommandError, match="already confirmed"):
        confirm(result)


def test_a_superuser_confirms_nothing_with_accounts_that_they_made_staff(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, ben = moderator("Root", is_superuser=True), person("ben")
    staff = Powers(True, True, frozenset(), frozenset())
    roles.change_powers(user_id=ben.pk, moderator=root, reason=WHY, wanted=staff)
    ben = User.objects.get(pk=ben.pk)
    roles.change_powers(user_id=person("dan").pk, moderator=ben, reason=WHY, wanted=staff)
    dan = User.objects.get(username="dan")
    result = ask_to_close(root)
    for tied in (ben, dan):
        with pytest.raises(Refused, match="from each other or from the same person") as refused:
            two_people.confirm(request_id=result.pk, moderator=tied)
        assert refused.value.code == "powers_too_new"
    approvals.refuse(request_id=result.pk, moderator=root, reason=WHY)
    result = ask_to_close(dan)
    with pytest.raises(Refused, match="from the same person"):
        two_people.confirm(request_id=result.pk, moderator=ben)
    assert approvals.others_who_may(result.what, dan) == []
    max_ = moderator("Max")
    assert approvals.others_who_may(result.what, dan) == [max_]
    two_people.confirm(request_id=result.pk, moderator=max_)
    assert not person("ada").is_active
    monkeypatch.setattr(permissions, "CONNECTED_FOR", timedelta(0))
    assert set(approvals.others_who_may(result.what, dan)) == {ben, max_, root}, "thirty days later"


def test_not_while_somebody_at_the_desk_may(lena: User) -> None:
    asked, max_ = ask_to_close(lena), moderator("Max", "close_account")
    with pytest.raises(CommandError, match="at the desk, by Max"):
        confirm(asked)
    User.objects.filter(pk=max_.pk).update(is_staff=False)
    confirm(asked)
    assert not person("ada").is_active


def test_whoever_has_a_part_in_it_is_no_second_person(lena: User) -> None:
    host = moderator("Max")
    game = new_game("Max", "ben", pace="daily")
    what, who = Intervention.REWIND_TO, {"moderator": lena, "reason": WHY}
    result = two_people.request_game_act(what=what, game_id=game.pk, **who, seen=seen(game), number=1)
    confirm(result)
    assert fresh(game).branch == 1
    of_host = sanctions.impose(person=host, moderator=lena, kind="ban", days=90, reason=WHY)
    assert of_host is not None
    confirm(of_host)
    assert User.objects.get(pk=host.pk).banned_until


def test_the_players_read_that_the_operator_agreed(lena: User, game: Game) -> None:
    result = break_glass.request_reading(game_id=game.pk, moderator=lena, reason=WHY)
    confirm(result)
    assert break_glass.read(game_id=game.pk, moderator=lena)
    ApprovalRequest.objects.update(ends_at=timezone.now() - break_glass.ANNOUNCED_AFTER)
    assert break_glass.announce_readings() == 1
    note = game.log.latest("number").note
    assert "Lena" in note
    assert "the operator" in note


def test_a_request_that_is_not_there(lena: User) -> None:
    with pytest.raises(CommandError, match="no such request"):
        call_command("confirm_request", 99)
