"""Desk, point 10: roles as groups, two people for what is grave, nobody at their own table, and a record that is only
added to."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from game.engine.actions import Refused
from game.moderation import approvals, interventions, permissions, roles, sanctions
from game.people import two_people
from game.people.account_deletion import delete_account
from game.store.case_models import Sanction
from game.store.game import Game
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction
from game.store.seat_models import Tenure
from tests.scenes import confirm_last, moderator, of_role, person, run_out, seen, table
from tests.servers import ROOT
from tests.tables import fresh, signed_in

pytestmark = [pytest.mark.django_db]
WHY = "a wrong card"


@pytest.fixture
def game() -> Game:
    game = table(person("Ada"), person("Ben"))
    run_out(game)
    return fresh(game)


def ask_rewind(client: Client, game: Game, **more: Any) -> Any:
    fields = {"reason": WHY, "number": 1, **seen(game)._asdict(), **more}
    return client.post(reverse("admin:moderate", args=[game.pk, "rewind"]), fields, follow=True)


def test_a38_a_tie_between_moderators_outlives_the_account_between_them() -> None:
    root, between, second = moderator("Rita", is_superuser=True), person("Bert"), person("Sven")
    no_powers = roles.powers_of(second)

    def change(who: User, by: User, **powers: Any) -> None:
        wanted = no_powers._replace(**powers)
        roles.change_powers(user_id=who.pk, moderator=by, reason="needed", wanted=wanted)

    change(between, root, is_staff=True, is_superuser=True)
    groups = frozenset({Group.objects.get(name="moderator").pk})
    change(second, User.objects.get(pk=between.pk), is_staff=True, groups=groups)
    change(between, root)
    delete_account(user=User.objects.get(pk=between.pk))
    assert second.pk in permissions.connected_to(root)


@pytest.mark.parametrize("role", roles.ROLES)
def test_each_role_may_do_what_the_table_says_and_nothing_else(role: str) -> None:
    user = of_role("Lena", role)
    assert {what for what in Intervention if permissions.may(what, user)} == roles.ROLES[role]


def test_roles_grow_and_the_page_about_them_is_true() -> None:
    helper, middle, admin = roles.ROLES.values()
    assert helper < middle < admin
    assert "\n".join(roles.as_markdown()) in (ROOT / "docs" / "moderation.md").read_text(encoding="utf-8")


def test_a_rewind_waits_for_a_second_person(game: Game) -> None:
    lena, max_ = signed_in(moderator("Lena")), signed_in(moderator("Max"))
    page = ask_rewind(lena, game).content.decode()
    assert "A second moderator must confirm it" in page
    assert fresh(game).branch == 0
    request = ApprovalRequest.objects.get()
    own = lena.get(reverse("admin:game_approvalrequest_change", args=[request.pk])).content.decode()
    assert "Another moderator must confirm it" in own
    address = reverse("admin:second", args=[request.pk, "confirm"])
    assert lena.post(address, seen(game)._asdict()).status_code == 422, "not the same person"
    assert fresh(game).branch == 0
    html = max_.get(reverse("admin:game_approvalrequest_change", args=[request.pk])).content.decode()
    assert "What would change" in html
    assert max_.post(address, seen(game)._asdict()).status_code == 302
    assert fresh(game).branch == 1
    assert max_.post(address, seen(game)._asdict()).status_code == 422, "once"
    acts = [(act.verb, str(act.user)) for act in ModeratorAction.objects.order_by("pk")]
    assert acts == [("asked_for_second", "Lena"), ("confirmed_request", "Max"), ("rewind_to", "Lena")]
    assert ModeratorAction.objects.get(verb="rewind_to").after["rewinds"] == 1


def test_a_request_says_what_was_asked_and_nothing_else() -> None:
    lena = moderator("Lena")
    request = sanctions.impose(person=person("mal"), kind=Sanction.Kind.BAN, days=60, moderator=lena, reason="Twice.")
    assert isinstance(request, ApprovalRequest)
    page = signed_in(lena).get(reverse("admin:game_approvalrequest_change", args=[request.pk])).content.decode()
    assert "<dt>Days</dt><dd>60</dd>" in page
    assert "None" not in page


def test_a_request_names_seats_and_accounts_as_the_form_did(game: Game) -> None:
    lena, _ = moderator("Lena"), person("Carla")
    Game.objects.filter(pk=game.pk).update(is_rated=True)
    ask = {"game_id": game.pk, "moderator": lena, "reason": WHY, "seen": seen(game)}
    proxy = {"seat_number": 1, "username": "Carla", "days": 7}
    for what, asked, told in (
        (Intervention.SET_PROXY, proxy, [("Seat", "2: Ben"), ("Played by", "Carla"), ("Days", "7")]),
        (Intervention.CORRECT_MONEY, {"account": "cash:1", "amount": -50}, [("Whose money", "Ben"), ("Amount", "−50")]),
    ):
        request = two_people.request_game_act(what=what, **ask, **asked)
        page = signed_in(lena).get(reverse("admin:game_approvalrequest_change", args=[request.pk])).content.decode()
        assert all(f"<dt>{name}</dt><dd>{words}</dd>" in page for name, words in told), page


@pytest.mark.parametrize(
    ("what", "asked"), [(Intervention.SET_PROXY, {"days": 7}), (Intervention.HAND_SEAT_TO_USER, {})]
)
def test_whoever_is_to_get_a_seat_does_not_confirm_it(game: Game, what: Intervention, asked: dict[str, int]) -> None:
    lena, max_ = moderator("Lena"), moderator("Max")
    who = {"game_id": game.pk, "moderator": lena, "reason": WHY, "seen": seen(game)}
    request = two_people.request_game_act(what=what, seat_number=1, username="max", **who, **asked)
    with pytest.raises(Refused) as refused:
        two_people.confirm_about_game(request_id=request.pk, moderator=max_, seen=seen(game))
    assert refused.value.code == "about_you"
    assert approvals.who_may_confirm(request, lena) == []
    nina = moderator("Nina")
    assert approvals.who_may_confirm(request, lena) == [nina]
    two_people.confirm_about_game(request_id=request.pk, moderator=nina, seen=seen(game))


def test_the_desk_says_in_plain_words_what_its_sections_are() -> None:
    page = signed_in(moderator("Root", is_superuser=True)).get(reverse("admin:index")).content.decode()
    sections = re.findall(r'class="section"[^>]*>([^<]+)</a>', page)
    assert {"Second factors", "Roles"} < set(sections)
    assert not re.search("MFA|Authentication", page)


def test_what_is_confirmed_is_what_the_second_person_looked_at(game: Game) -> None:
    ask_rewind(signed_in(moderator("Lena")), game)
    looked, request = seen(game), ApprovalRequest.objects.get()
    run_out(game)
    late = signed_in(moderator("Max")).post(reverse("admin:second", args=[request.pk, "confirm"]), looked._asdict())
    assert late.status_code == 409
    assert fresh(game).branch == 0


def test_a_request_expires_and_can_be_refused_or_withdrawn(game: Game) -> None:
    lena, max_ = moderator("Lena"), moderator("Max")
    ask = {"what": Intervention.REWIND_TO, "game_id": game.pk, "moderator": lena, "reason": WHY, "number": 1}
    first = two_people.request_game_act(seen=seen(game), **ask)
    with pytest.raises(Refused, match="asked for already"):
        two_people.request_game_act(seen=seen(game), **ask)
    approvals.refuse(request_id=first.pk, moderator=max_, reason="no need")
    second = two_people.request_game_act(seen=seen(game), **ask)
    approvals.refuse(request_id=second.pk, moderator=lena, reason="no need")
    third = two_people.request_game_act(seen=seen(game), **ask)
    ApprovalRequest.objects.filter(pk=third.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(Refused, match="within 48 hours"):
        confirm_last(game, "Max")
    assert [each.answer for each in ApprovalRequest.objects.order_by("pk")] == ["refused", "withdrawn", ""]
    assert fresh(game).branch == 0


def test_nobody_confirms_without_the_permission_or_at_their_own_table(game: Game) -> None:
    ask_rewind(signed_in(moderator("Lena")), game)
    moderator("Pia", "pause")
    with pytest.raises(Refused, match=r"needs the permission game\.can_rewind_to"):
        confirm_last(game, "Pia")
    User.objects.filter(username="Ben").update(is_staff=True, is_superuser=True)
    with pytest.raises(Refused, match="You play or played"):
        confirm_last(game, "Ben")
    page = signed_in(User.objects.get(username="Ben")).get(reverse("admin:game_approvalrequest_changelist"))
    assert WHY not in page.content.decode()


def test_a_superuser_who_once_sat_there_decides_nothing(game: Game) -> None:
    root = person("Root", is_staff=True, is_superuser=True)
    left = timezone.now()
    Tenure.objects.create(game=game, number=1, user=root, ended_at=left, end=Tenure.End.HANDED_OVER)
    with pytest.raises(Refused, match="You play or played in this game"):
        interventions.pause(game_id=game.pk, moderator=root, reason=WHY, seen=seen(game))


def test_a_preview_says_what_would_change_and_changes_nothing(game: Game) -> None:
    lena, entries = signed_in(moderator("Lena")), fresh(game).entries
    fields = {"reason": WHY, "do": "preview", **seen(game)._asdict()}
    page = lena.post(reverse("admin:moderate", args=[game.pk, "pause"]), fields).content.decode()
    assert '<td data-heading="Now">running</td>\n<td data-heading="After">paused</td>' in page
    sealed = lena.post(reverse("admin:moderate", args=[game.pk, "resolve"]), fields).content.decode()
    assert "sealed until it closes" in sealed
    assert '<th scope="col">After' not in sealed
    assert (fresh(game).status, fresh(game).entries) == ("running", entries)
    assert not ModeratorAction.objects.exists()


def test_the_record_has_before_and_after_and_cannot_be_changed(game: Game) -> None:
    interventions.pause(game_id=game.pk, moderator=moderator("Lena"), reason=WHY, seen=seen(game))
    act = ModeratorAction.objects.get()
    assert (act.before["status"], act.after["status"]) == ("running", "paused")
    for forbidden in (act.save, act.delete, ModeratorAction.objects.all().delete):
        with pytest.raises(TypeError, match="only added to"):
            forbidden()
    with pytest.raises(TypeError, match="only added to"):
        ModeratorAction.objects.update(reason="another")
    changes = ["UPDATE game_moderatoraction SET reason = 'another'"]
    if connection.vendor == "postgresql":
        changes.append("DELETE FROM game_moderatoraction")
    for change in changes:
        with pytest.raises(DatabaseError, match="only added to"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)
    assert ModeratorAction.objects.get().reason == WHY


def test_closing_an_account_leaves_its_acts_on_record(game: Game) -> None:
    lena = moderator("Lena")
    interventions.pause(game_id=game.pk, moderator=lena, reason=WHY, seen=seen(game))
    lena.delete()
    assert ModeratorAction.objects.get().user is None


def test_a_seat_of_a_rated_game_changes_hands_by_two_people(game: Game) -> None:
    lena = signed_in(moderator("Lena"))
    for is_rated in (True, False):
        Game.objects.filter(pk=game.pk).update(is_rated=is_rated)
        fields = {"reason": WHY, "seat_number": 1, **seen(game)._asdict()}
        assert lena.post(reverse("admin:moderate", args=[game.pk, "to-bot"]), fields).status_code == 302
        assert bool(game.seats.get(number=1).bot) is not is_rated
    assert ApprovalRequest.objects.get().what == Intervention.HAND_SEAT_TO_BOT
