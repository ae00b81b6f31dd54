"""A moderator who shares a home with a player decides and reads nothing in their games, nor anything about them."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from game.engine.actions import Refused
from game.moderation import approvals, break_glass, cases, interventions, sanctions, seat_acts
from game.people import identity, two_people
from game.reputation import households
from game.seats import takeover
from game.store.case_models import Case, Sanction
from game.store.game import Game
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction
from tests.reputation.test_households import link
from tests.scenes import moderator, run_out, seen, table
from tests.tables import fresh, person

pytestmark = [pytest.mark.django_db]
WHY = "a wrong card"


@pytest.fixture
def game() -> Game:
    """Lena shares a home with Ada, who plays there."""
    game = table(person("Ada"), person("Ben"))
    run_out(game)
    moderator("Lena")
    link("Ada", "Lena")
    return fresh(game)


def code_of(act: Any, **asked: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(**asked)
    return refused.value.code


def test_in_the_game_itself_nothing_is_theirs_to_decide(game: Game) -> None:
    lena = person("Lena")
    fields: dict[str, Any] = {"game_id": game.pk, "moderator": lena, "reason": WHY}
    assert code_of(interventions.pause, **fields, seen=seen(game)) == "plays_there"
    assert code_of(break_glass.request_reading, **fields) == "plays_there"
    client = Client()
    client.force_login(lena)
    desk = client.get(reverse("admin:game_game_change", args=[game.pk])).content.decode()
    assert "Somebody with whom you share a home or a connection plays or played in this game." in desk
    assert reverse("admin:moderate", args=[game.pk, "pause"]) not in desk
    interventions.pause(**{**fields, "moderator": moderator("Pia")}, seen=seen(game))


def test_they_are_no_second_person_there(game: Game) -> None:
    pia = moderator("Pia")
    break_glass.request_reading(game_id=game.pk, moderator=pia, reason=WHY)
    request = ApprovalRequest.objects.latest("pk")
    assert person("Lena") not in approvals.who_may_confirm(request, pia)
    assert code_of(break_glass.confirm, request_id=request.pk, moderator=person("Lena")) == "plays_there"
    break_glass.confirm(request_id=request.pk, moderator=moderator("Mia"))


def test_cases_about_the_game_the_player_or_by_them_are_others_to_work_on(game: Game) -> None:
    ada, lena = person("Ada"), person("Lena")
    filed: dict[str, Any] = {"kind": Case.Kind.OTHER, "source": Case.Source.PLAYER, "due_at": timezone.now()}
    Case.objects.create(**filed).people.add(ada)
    Case.objects.create(**filed, game=game)
    Case.objects.create(**filed, reporter=ada)
    assert not cases.cases_for(lena).exists()
    assert cases.cases_for(moderator("Pia")).count() == 3


def test_nobody_bans_or_clears_whom_they_live_with_until_the_link_is_forgotten(game: Game) -> None:
    ada, lena = person("Ada"), person("Lena")
    warn: dict[str, Any] = {"person": ada, "moderator": lena, "kind": Sanction.Kind.WARNING, "reason": WHY}
    assert code_of(sanctions.impose, **warn) == "lives_with"
    assert code_of(sanctions.add_note, person=ada, moderator=lena, text="A kind soul.") == "lives_with"
    others: dict[str, Any] = {**warn, "moderator": moderator("Pia")}
    sanctions.impose(**others)
    sanctions.impose(**{**others, "kind": Sanction.Kind.BAN, "days": 60})
    assert ApprovalRequest.objects.get().person == ada
    desk, listed = reverse("admin:person_desk", args=[ada.pk]), reverse("admin:game_approvalrequest_changelist")
    for name, status, count in (("Lena", 403, 0), ("Pia", 200, 1)):
        client = Client()
        client.force_login(person(name))
        assert client.get(desk).status_code == status
        assert client.get(listed).content.decode().count(WHY) == count
    (held,) = households.links_in_force_of(ada)
    households.end(user=ada, number=held.pk)
    assert code_of(sanctions.impose, **warn) == "lives_with", "it holds for 30 days more"
    held.delete()
    sanctions.impose(**warn)


def test_nobody_decides_about_whom_they_at_home_play_with(game: Game) -> None:
    warn: dict[str, Any] = {"person": person("Ben"), "kind": Sanction.Kind.WARNING, "reason": WHY}
    with pytest.raises(Refused, match=f"share a home or a connection plays with Ben in {game}"):
        sanctions.impose(**warn, moderator=person("Lena"))
    assert not Sanction.objects.exists()


def test_what_a_moderator_could_read_keeps_those_at_home_out_of_the_game_too(game: Game) -> None:
    pia = moderator("Pia")
    break_glass.request_reading(game_id=game.pk, moderator=pia, reason=WHY)
    break_glass.confirm(request_id=ApprovalRequest.objects.latest("pk").pk, moderator=moderator("Mia"))
    link("Dora", "Pia")
    result = takeover.why_not(game=game, user=person("Dora"))
    assert "cannot take a seat in it, nor can their bots or those who share a home with them" in result
    assert code_of(seat_acts.check_has_not_read, game=game, user=person("Dora")) == "has_read_secrets"
    seat_acts.check_has_not_read(game, person("Eve"))


@pytest.mark.parametrize("what", [Intervention.HAND_SEAT_TO_USER, Intervention.SET_PROXY])
def test_nobody_seats_those_at_home(game: Game, what: Intervention) -> None:
    """Neither as the one who asks nor as the second person."""
    pia, mia = moderator("Pia"), moderator("Mia")
    link("Dora", "Pia")
    fields: dict[str, Any] = {"what": what, "game_id": game.pk, "seen": seen(game), "reason": WHY}
    fields |= {"seat_number": 1, "username": "Dora"} | ({"days": 3} if what is Intervention.SET_PROXY else {})
    assert code_of(two_people.request_game_act, **fields, moderator=pia) == "lives_with"
    request = two_people.request_game_act(**fields, moderator=mia)
    assert person("Pia") not in approvals.who_may_confirm(request, mia)
    confirm: dict[str, Any] = {"request_id": request.pk, "seen": seen(game)}
    assert code_of(two_people.confirm_about_game, **confirm, moderator=pia) == "lives_with"
    two_people.confirm_about_game(**confirm, moderator=moderator("Nina"))
    assert fresh(game).seats.get(number=1).user == person("Dora")


def test_nobody_reads_in_the_record_what_is_about_themselves_or_those_at_home(game: Game) -> None:
    """A request to read a game, and what is done with a case, would be known to whom they are about."""
    pia, mia, ada = moderator("Pia"), moderator("Mia"), person("Ada")
    break_glass.request_reading(game_id=game.pk, moderator=pia, reason="their bids agree")
    sanctions.impose(person=ada, moderator=pia, kind=Sanction.Kind.WARNING, reason="told them so")
    filed = Case.objects.create(kind=Case.Kind.OTHER, source=Case.Source.PLAYER, due_at=timezone.now())
    filed.people.add(ada)
    cases.set_severity(case_id=filed.pk, moderator=pia, reason="an old friend of theirs", severity=Case.Severity.LOW)
    interventions.record(None, pia, Intervention.SHIFT_DEADLINES, "a power cut", hours=2)
    listed, desk = reverse("admin:game_moderatoraction_changelist"), reverse("admin:game_game_change", args=[game.pk])
    told = ("their bids agree", "told them so", "an old friend of theirs")
    for name, reads in (("Lena", False), ("Mia", True)):
        client = Client()
        client.force_login(person(name))
        record, page = (client.get(where).content.decode() for where in (listed, desk))
        assert [words in record for words in told] == [reads] * 3
        assert ("their bids agree" in page) is reads
        assert (reverse("admin:secrets", args=[game.pk]) in page) is reads
        assert "a power cut" in record
    act = ModeratorAction.objects.get(reason="an old friend of theirs")
    client = Client()
    client.force_login(person("Lena"))
    address = reverse("admin:game_moderatoraction_change", args=[act.pk])
    assert client.get(address).status_code in {302, 404}
    client.force_login(mia)
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("renamed", ["Ada", "Lena"])
def test_nor_what_was_written_under_a_name_that_they_or_those_at_home_had_before(game: Game, renamed: str) -> None:
    pia, somebody = moderator("Pia"), person(renamed)
    interventions.record(None, pia, Intervention.CLOSE_ACCOUNT, "told them so", user=renamed)
    seen = identity.identity_of(somebody)
    identity.change_identity(
        user_id=somebody.pk, moderator=pia, reason="a wish", seen=seen, wanted=seen._replace(username="Nora")
    )
    for reader, reads in ((person("Lena") if renamed == "Ada" else somebody, False), (moderator("Mia"), True)):
        client = Client()
        client.force_login(reader)
        record = client.get(reverse("admin:game_moderatoraction_changelist")).content.decode()
        assert ("told them so" in record) is reads


def test_a38_two_moderators_of_one_home_are_one_person(game: Game) -> None:
    """Whatever they ask for: to read what is sealed, to lend a seat, to ban."""
    pia, mia, ben = moderator("Pia"), moderator("Mia"), person("Ben")
    link("Mia", "Pia")
    person("Dora")
    ask: dict[str, Any] = {"game_id": game.pk, "moderator": pia, "reason": WHY}
    lend: dict[str, Any] = {"seen": seen(game), "seat_number": 1, "username": "Dora", "days": 3}
    ban: dict[str, Any] = {"person": ben, "moderator": pia, "kind": Sanction.Kind.BAN, "days": 60, "reason": WHY}
    break_glass.request_reading(**ask)
    two_people.request_game_act(what=Intervention.SET_PROXY, **ask, **lend)
    sanctions.impose(**ban)
    for request in ApprovalRequest.objects.all():
        assert mia not in approvals.who_may_confirm(request, pia)
        assert code_of(two_people.confirm, request_id=request.pk, moderator=mia) == "lives_with"
        assert code_of(approvals.refuse, request_id=request.pk, moderator=mia, reason=WHY) == "lives_with"
    assert ApprovalRequest.objects.filter(answer="").count() == 3
    noa = moderator("Noa")
    for request in ApprovalRequest.objects.all():
        assert noa in approvals.who_may_confirm(request, pia)
        two_people.confirm(request_id=request.pk, moderator=noa)
