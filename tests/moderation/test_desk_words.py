"""What moderators did is read in words, not in the names of columns and services."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from game.admin.record_words import words_of
from game.moderation import case_filing, cases, interventions
from game.store.game import Game
from game.store.moderation_models import Intervention, ModeratorAction, number_of
from tests.scenes import moderator, seen
from tests.tables import new_game, person

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def game() -> Game:
    return new_game("ada", "ben", pace="daily")


@pytest.fixture
def read() -> Any:
    client = Client()
    client.force_login(moderator("Lena"))

    def reading(name: str, *words: Any, ask: str = "") -> str:
        return client.get(reverse(f"admin:{name}", args=words) + ask).content.decode()

    return reading


def test_a_case_says_what_was_done_with_it(game: Game, read: Any) -> None:
    case = case_filing.report_problem(game=game, user=person("ada"), kind="chat", words="They shout.", seats=[1])
    cases.assign(case_id=case.pk, moderator=moderator("Max"), to_me=True)
    page = read("game_case_change", case.pk)
    assert "Max: Taken" in page
    assert "ada, ben</p>" in page.replace("\n", ""), "the seats are one line"
    did, _, facts = words_of(ModeratorAction.objects.get()).partition(": ")
    assert (did, set(facts.split(", "))) == ("Work on cases", {f"case {number_of(case, case.pk)}", "taken"})


def test_details_are_introduced_in_words() -> None:
    def words(verb: str, **details: Any) -> str:
        return words_of(ModeratorAction(verb=verb, details=details))

    assert words("extend_deadline", minutes=1) == "Extend a deadline: 1 minute"
    assert words("hand_seat_to_user", seat=0, was="ada", user="cleo") == (
        "Hand a seat to another person: seat 1, before that ada, player cleo"
    )
    assert words("export_bundle", with_secrets=False) == "Export a game for engineers: with secrets no"
    assert words("confirmed_request", on="the server") == "Confirmed a request: on the server"
    assert not [what for what in Intervention if "_" in words(what.value)]


def test_the_lists_filter_by_words(game: Game, read: Any) -> None:
    interventions.pause(game_id=game.pk, moderator=moderator("Max"), reason="a storm", seen=seen(game))
    page = read("game_moderatoraction_changelist")
    assert "?verb=pause" in page
    assert "Pause a game</a>" in page
    assert "a storm" not in read("game_moderatoraction_changelist", ask="?verb=resume")
    assert "ada" in read("game_seat_changelist", ask="?played=people")
    assert "ada" not in read("game_seat_changelist", ask="?played=bots")
