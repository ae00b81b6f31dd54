"""The desk's front page says what is to be done; a game's desk has few buttons, and evidence has authors."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from game.admin.verbs import verbs_for
from game.chat.models import Message, Report
from game.moderation import break_glass, case_filing, interventions
from game.store.case_models import Case
from game.store.game import Game, Seat, Status
from tests.scenes import moderator, seen, table
from tests.tables import fresh, person
from tests.toy_scenes import words_of

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def game() -> Game:
    return table(person("Ada"), person("Ben"), name="Ironworks")


def home_of(name: str = "Lena") -> str:
    client = Client()
    client.force_login(person(name))
    return words_of(client.get(reverse("admin:index")).content.decode())


def test_home_says_what_waits_for_whom_and_since_when(game: Game) -> None:
    moderator("Lena")
    assert "Waiting longest 1" in home_of()
    assert "Ironworks turn 1, " in home_of()
    assert "Ada, Ben" in home_of()
    assert "Games on hold" not in home_of()


def test_home_lists_what_is_on_hold_reported_filed_and_asked_for(game: Game) -> None:
    lena = moderator("Lena")
    break_glass.request_reading(game_id=game.pk, moderator=lena, reason="two orders agree")
    message = Message.objects.create(game=game, number=1, author=person("Ada"), text="You fool!", at=timezone.now())
    Report.objects.create(
        game=game, message=message, author=person("Ada"), reporter=person("Ben"), reason="rude", text="You fool!"
    )
    interventions.hold(game_id=fresh(game).pk, moderator=lena, reason="odd prices", seen=seen(fresh(game)))
    home = home_of()
    for words in ("Games on hold 1", "odd prices", "Reported messages 1", "rude", "Open cases 1"):
        assert words in home
    assert "Requests for a second person 1" in home
    assert "Lena asks to read sealed orders and hands of a running game" in home
    assert "Waiting longest" not in home


def test_home_names_nothing_of_a_moderators_own_game(game: Game) -> None:
    moderator("Lena")
    case_filing.report_problem(game=game, user=person("Ben"), kind="chat", words="Ada shouts.", seats=[0])
    Seat.objects.filter(game=game, number=0).update(user=person("Lena"))
    assert "Nothing is to be done" in home_of()
    assert "Ironworks" not in home_of()


@pytest.mark.parametrize("status", list(Status))
def test_a_desk_has_at_most_three_first_buttons(game: Game, status: Status) -> None:
    game.status = status
    first = [verb.key for verb in verbs_for(game, moderator("Lena")) if verb.place == "clock"]
    assert len(first) <= 3


def test_a_desk_says_when_each_seat_was_last_there_except_to_who_plays(game: Game) -> None:
    moderator("Lena")
    client = Client()
    client.force_login(person("Lena"))
    desk = reverse("admin:game_game_change", args=[game.pk])
    assert "not started not yet" in words_of(client.get(desk).content.decode())
    Seat.objects.filter(game=game, number=1).update(user=person("Lena"))
    assert "not shown to you" in words_of(client.get(desk).content.decode())


def test_evidence_names_authors_and_times(game: Game) -> None:
    moderator("Lena")
    message = Message.objects.create(game=game, number=1, author=person("Ada"), text="You fool!", at=timezone.now())
    report = Report.objects.create(
        game=game, message=message, author=person("Ada"), reporter=person("Ben"), reason="rude", text="You fool!"
    )
    case_filing.open_for_report(report=report)
    case = Case.objects.get()
    client = Client()
    client.force_login(person("Lena"))
    page = client.get(reverse("admin:game_case_change", args=[case.pk])).content.decode()
    evidence = page[page.index("Evidence") : page.index("Notes")]
    assert "<b>Ada</b> <time datetime=" in evidence.replace("\n", "")
    assert "You fool!" in evidence
    assert "Around" not in evidence
