"""A moderator who plays with somebody decides nothing about them, whatever the act and whoever is asked."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from game.chat import writing
from game.chat.models import Message, Report
from game.engine.actions import Refused
from game.moderation import approvals, cases, chat_moderation, sanctions, seat_acts
from game.people import two_people
from game.store.case_models import Case, Sanction
from game.store.game import Game
from game.store.moderation_models import ApprovalRequest, Intervention
from tests.scenes import moderator, run_out, seen, table
from tests.tables import fresh, person

pytestmark = [pytest.mark.django_db]
WHY = "they were rude"


@pytest.fixture
def game() -> Game:
    """Ada plays here with Ben, and elsewhere with Lena, a moderator."""
    moderator("Lena")
    table(person("Ada"), person("Lena"))
    return table(person("Ada"), person("Ben"))


def code_of(act: Any, **request: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(**request)
    return refused.value.code


def case_about(*names: str, reporter: str = "") -> Case:
    filed = Case.objects.create(
        kind=Case.Kind.OTHER, source=Case.Source.PLAYER, due_at=timezone.now(),
        reporter=person(reporter) if reporter else None,
    )  # fmt: skip
    filed.people.set([person(name) for name in names])
    return filed


@pytest.mark.parametrize("case_of", [("Ada", ""), ("Ben", "Ada")], ids=["about_them", "reported_by_them"])
def test_a_case_of_somebody_one_plays_with_is_for_others(game: Game, case_of: tuple[str, str]) -> None:
    filed = case_about(case_of[0], reporter=case_of[1])
    request: dict[str, Any] = {"case_id": filed.pk, "reason": WHY}
    lena, pia = person("Lena"), moderator("Pia")
    outcome = Case.Outcome.NOTHING
    assert code_of(cases.assign, case_id=filed.pk, moderator=lena, to_me=True) == "plays_with"
    assert code_of(cases.set_severity, **request, moderator=lena, severity=Case.Severity.LOW) == "plays_with"
    assert code_of(cases.add_note, case_id=filed.pk, moderator=lena, text="A kind soul.") == "plays_with"
    assert code_of(cases.close, **request, moderator=lena, outcome=outcome) == "plays_with"
    client = Client()
    client.force_login(lena)
    page = client.get(reverse("admin:game_case_change", args=[filed.pk])).content.decode()
    assert "Another\nmoderator decides it" in page
    assert reverse("admin:handle_case", args=[filed.pk, "close"]) not in page
    cases.close(**request, moderator=pia, outcome=outcome)
    assert code_of(cases.reopen, **request, moderator=lena) == "plays_with"


def test_who_sits_down_with_them_later_can_only_leave_the_case(game: Game) -> None:
    pia, filed = moderator("Pia"), case_about("Ben")
    cases.assign(case_id=filed.pk, moderator=pia, to_me=True)
    table(person("Ben"), pia)
    assert (
        code_of(cases.close, case_id=filed.pk, moderator=pia, reason=WHY, outcome=Case.Outcome.NOTHING) == "plays_with"
    )
    cases.assign(case_id=filed.pk, moderator=pia, to_me=False)
    filed.refresh_from_db()
    assert filed.assignee is None


def test_a_message_of_theirs_is_for_others(game: Game) -> None:
    writing.say(game_id=game.pk, user=person("Ada"), text="You fool!")
    message = Message.objects.get()
    report = Report.objects.create(game=game, message=message, author=person("Ada"), reporter=person("Ben"), text="x")
    request: dict[str, Any] = {"report_id": report.pk, "reason": WHY}
    for act in (chat_moderation.remove_message, chat_moderation.close_report):
        assert code_of(act, **request, moderator=person("Lena")) == "plays_with"
    chat_moderation.remove_message(**request, moderator=moderator("Pia"))


def test_what_a_second_person_refuses_counts_as_deciding(game: Game) -> None:
    pia, lena = moderator("Pia"), person("Lena")
    ban: dict[str, Any] = {"person": person("Ada"), "moderator": pia, "kind": Sanction.Kind.BAN, "days": 60}
    request = sanctions.impose(**ban, reason=WHY)
    assert isinstance(request, ApprovalRequest)
    assert lena not in approvals.who_may_confirm(request, pia)
    assert code_of(two_people.confirm, request_id=request.pk, moderator=lena) == "plays_with"
    assert code_of(approvals.refuse, request_id=request.pk, moderator=lena, reason=WHY) == "plays_with"


def test_a_seat_of_theirs_in_another_game_is_for_others(game: Game) -> None:
    run_out(game)
    request: dict[str, Any] = {"game_id": game.pk, "reason": WHY, "seen": seen(fresh(game)), "seat_number": 0}
    assert code_of(seat_acts.excuse_miss, **request, moderator=person("Lena")) == "plays_with"
    seat_acts.excuse_miss(**request, moderator=moderator("Pia"))
    given = {**request, "seen": seen(fresh(game)), "what": Intervention.SET_PROXY, "username": "Carla", "days": 3}
    person("Carla")
    assert code_of(two_people.request_game_act, **given, moderator=person("Lena")) == "plays_with"
