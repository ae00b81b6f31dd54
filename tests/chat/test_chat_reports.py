"""Reported messages: frozen with those around them, and answered by moderators with a reason and on record."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.limits import TooMany
from accounts.models import User, WaitingMail
from game.admin.reports import VERBS
from game.chat import reading, writing
from game.chat.models import Message, Report
from game.engine.actions import Refused
from game.moderation import chat_moderation
from game.store.case_models import Case, Silence
from game.store.game import Game
from game.store.moderation_models import Intervention, ModeratorAction
from tests.scenes import moderator, person, table
from tests.tables import signed_in

pytestmark = [pytest.mark.django_db]
WHY = "insults"
RUDE = "You <b>fool</b>!"


@pytest.fixture
def game() -> Game:
    return table(person("Ada"), person("Ben"), person("Carla"))


@pytest.fixture
def report(game: Game) -> Report:
    """Ben's message, reported by Ada, with others around it."""
    for number in range(8):
        say(game, "Carla", f"before {number}")
    number = say(game, "Ben", RUDE).number
    say(game, "Ada", "after 0")
    return reading.report(game_id=game.pk, user=user("Ada"), number=number, reason="  He insults\nme ")


def user(name: str) -> User:
    return User.objects.get(username=name)


def say(game: Game, name: str, text: str) -> Message:
    return writing.say(game_id=game.pk, user=user(name), text=text)


def answer(client: Client, report: Report, key: str, **more: Any) -> Any:
    extra = {"hours": 24} if key == "silence" else {}
    return client.post(reverse("admin:answer_report", args=[report.pk, key]), {"reason": WHY, **extra, **more})


def test_a_report_keeps_the_message_and_five_on_each_side(report: Report) -> None:
    assert (report.text, report.reason, report.author) == (RUDE, "He insults me", user("Ben"))
    assert [each["text"] for each in report.context] == [*(f"before {number}" for number in range(3, 8)), "after 0"]
    Message.objects.update(text="changed since")
    page = signed_in(moderator("Lena")).get(reverse("admin:game_report_change", args=[report.pk])).content.decode()
    for words in ("You &lt;b&gt;fool&lt;/b&gt;!", "before 3", "after 0", "He insults me"):
        assert words in page
    assert "changed since" not in page
    assert "before 2" not in page


def test_a_message_is_reported_by_its_page_once_per_reader(game: Game) -> None:
    say(game, "Ben", RUDE)
    ada, address = signed_in(user("Ada")), f"/games/{game.pk}/chat/1/report/"
    assert RUDE.replace("<", "&lt;").replace(">", "&gt;") in ada.get(address).content.decode()
    assert ada.post(address, {"reason": " "}).status_code == 422
    assert ada.post(address, {"reason": "x" * 201}).status_code == 422
    for _ in range(2):
        assert ada.post(address, {"reason": "insult"}).status_code == 302
    assert Report.objects.count() == 1
    own = signed_in(user("Ben")).post(address, {"reason": "insult"})
    assert own.status_code == 422
    assert "your own message" in own.content.decode()
    assert ada.get(f"/games/{game.pk}/chat/99/report/").status_code == 404


def test_the_desk_is_not_flooded_with_reports(game: Game, settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"report": 1}
    cache.clear()
    for _ in range(2):
        say(game, "Ben", RUDE)
    reading.report(game_id=game.pk, user=user("Ada"), number=1, reason=WHY)
    with pytest.raises(TooMany):
        reading.report(game_id=game.pk, user=user("Ada"), number=2, reason=WHY)
    cache.clear()


def test_removing_leaves_a_tombstone_and_the_report_keeps_the_text(report: Report) -> None:
    lena = signed_in(moderator("Lena"))
    assert answer(lena, report, "remove").status_code == 302
    page = signed_in(user("Carla")).get(f"/games/{report.game_id}/chat/").content.decode()
    assert "fool" not in page
    assert f"A moderator removed this message: {WHY}" in page
    report.refresh_from_db()
    assert (report.text, report.outcome) == (RUDE, "message removed")
    assert answer(lena, report, "remove").status_code == 422
    assert ModeratorAction.objects.get().verb == "remove_message"


def test_a_silence_holds_in_all_chats_and_ends_by_itself(report: Report) -> None:
    lena = signed_in(moderator("Lena"))
    assert answer(lena, report, "silence", hours=721).status_code == 422
    assert answer(lena, report, "silence", hours=2).status_code == 302
    other = table(user("Ben"), person("Dora"))
    for game in (report.game, other):
        with pytest.raises(Refused, match=f"A moderator silenced you in all chats until .*: {WHY}"):
            say(game, "Ben", "hello")
    Silence.objects.update(until=timezone.now() - timedelta(seconds=1))
    say(other, "Ben", "back again")
    answer(lena, report, "silence", hours=24)
    assert answer(lena, report, "silence", hours=0).status_code == 302
    say(other, "Ben", "free again")
    assert [act.details["hours"] for act in ModeratorAction.objects.order_by("pk")] == [2, 24, 0]


def test_a_report_can_be_closed_without_more(report: Report) -> None:
    lena = signed_in(moderator("Lena"))
    assert answer(lena, report, "close").status_code == 302
    assert answer(lena, report, "close").status_code == 422
    report.refresh_from_db()
    assert report.closed_at
    assert report.message.text == RUDE


@pytest.mark.parametrize(
    ("key", "outcome", "told"),
    [
        ("silence", "acted", "A moderator’s decision about your account"),
        ("remove", "acted", "One of your messages was removed"),
        ("close", "nothing", "A report about you: an answer"),
    ],
)
def test_what_was_done_about_a_message_closes_its_case_and_both_sides_are_told_once(
    report: Report, key: str, outcome: str, told: str
) -> None:
    case = Case.objects.get(key=f"message:{report.message_id}")
    reading.report(game_id=report.game_id, user=user("Carla"), number=report.message.number, reason=WHY)
    other = Report.objects.exclude(pk=report.pk).get()
    lena = signed_in(moderator("Lena"))
    extra = {"hours": 2} if key == "silence" else {}
    assert answer(lena, report, key, **extra).status_code == 302
    if key == "close":
        case.refresh_from_db()
        assert case.closed_at is None, "another reader's report is open"
        assert answer(lena, other, key).status_code == 302
    for each in (case, other):
        each.refresh_from_db()
        assert each.closed_at is not None
    assert case.outcome == outcome
    told_to = {name: WaitingMail.objects.filter(recipient=user(name).email) for name in ("Ada", "Ben", "Carla")}
    assert told_to["Ben"].get().subject == told
    for name, words in (("Ada", "He insults me"), ("Carla", WHY)):
        own = signed_in(user(name)).get(reverse("my_cases")).content.decode()
        assert words in own
        assert "Nobody has answered yet." not in own
    assert all(told_to[name].get().subject == "Your report: an answer" for name in ("Ada", "Carla"))
    assert ModeratorAction.objects.filter(details__case=case.pk).count() == 1
    page = lena.get(reverse("admin:game_case_change", args=[case.pk])).content.decode()
    assert WHY in page


@pytest.mark.parametrize("key", VERBS)
def test_each_answer_has_its_own_permission_and_needs_a_reason(report: Report, key: str) -> None:
    what = VERBS[key].what
    others = moderator("Lena", *(other.value for other in Intervention if other != what))
    assert answer(signed_in(others), report, key).status_code == 403
    extra = {"hours": 1} if key == "silence" else {}
    with pytest.raises(Refused, match=f"needs the permission game.can_{what}"):
        VERBS[key].service(report_id=report.pk, moderator=others, reason=WHY, **extra)
    only = signed_in(moderator("Max", what.value))
    assert answer(only, report, key, reason=" ").status_code == 422
    assert not ModeratorAction.objects.exists()
    assert answer(only, report, key).status_code == 302


def test_neither_mere_staff_nor_players_see_reports(report: Report) -> None:
    address = reverse("admin:game_report_change", args=[report.pk])
    staff = signed_in(person("Staff", is_staff=True))
    assert staff.get(address).status_code == 403
    assert staff.get(reverse("admin:game_report_changelist")).status_code == 403
    root = person("Root", is_staff=True, is_superuser=True)
    assert "insults" in signed_in(root).get(reverse("admin:game_report_changelist")).content.decode()
    User.objects.filter(username="Carla").update(is_staff=True, is_superuser=True)
    carla = user("Carla")
    assert signed_in(carla).get(address).status_code == 404, "who plays there is no judge, superuser or not"
    assert "insults" not in signed_in(carla).get(reverse("admin:game_report_changelist")).content.decode()
    with pytest.raises(Refused, match="You play or played in this game"):
        chat_moderation.close_report(report_id=report.pk, moderator=carla, reason=WHY)


def test_nobody_silences_somebody_with_more_rights(report: Report) -> None:
    User.objects.filter(username="Ben").update(is_staff=True, is_superuser=True)
    assert answer(signed_in(moderator("Lena")), report, "silence").status_code == 422
    assert not Silence.objects.exists()
