"""Requests that read are limited by their cost, and expensive results are computed once."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts import limits
from game.boards.rulebook import pages_of
from game.boards.rulebook.search import MOST_WORDS, find
from game.boards.sectors.rulebook import SECTORS_RULEBOOK
from game.deadlines.paces import length_of
from game.history import draws
from game.store.game import Game
from tests import kept_games
from tests.api.clients import Program
from tests.tables import READY, fresh, new_game, person, signed_in

pytestmark = [pytest.mark.django_db]
HERE, THERE = "192.0.2.1", "198.51.100.7"


@pytest.fixture(autouse=True)
def limited(settings: Any) -> Iterator[None]:
    settings.LIMITED = True
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def over() -> Game:
    """A finished game whose draws nobody has checked."""
    game = kept_games.finished("power_up")
    draws._proofs.clear()
    return fresh(game)


def use_up(who: object) -> None:
    limits.charge("work", who, limits.most_of("work"))


def test_previews_on_pages_are_work_too() -> None:
    game, ada = new_game("ada", bots=1), Client()
    user = person("ada")
    ada.force_login(user)
    limits.charge("work", user.pk, limits.most_of("work"))
    form = {"serial": fresh(game).phase_serial, "token": "a" * 32, "touched": "1"}
    assert ada.post(f"/games/{game.pk}/drafts/", form, HTTP_HX_REQUEST="true").status_code == 429


def test_a35_who_has_read_too_much_reads_nothing_more_and_can_still_move() -> None:
    game, ada = new_game("ada", bots=1), signed_in("ada")
    use_up(person("ada").pk)
    answer = ada.get(f"/games/{game.pk}/history/")
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= limits.MINUTE
    assert "The limit for milliseconds of computing for one person is" in answer.content.decode()
    form = {"request": "ready", "serial": fresh(game).phase_serial, "token": "a" * 32}
    assert ada.post(f"/games/{game.pk}/actions/", form).status_code != 429
    assert signed_in("bob").get(f"/games/{game.pk}/history/").status_code == 200


def test_visitors_of_one_address_share_it_and_can_sign_in() -> None:
    use_up(HERE)
    assert Client().get("/rules/", REMOTE_ADDR=HERE).status_code == 429
    assert Client().get("/accounts/login/", REMOTE_ADDR=HERE).status_code == 200
    assert Client().get("/rules/", REMOTE_ADDR=THERE).status_code == 200
    assert signed_in("ada").get("/rules/", REMOTE_ADDR=HERE).status_code == 200


def test_a_program_is_refused_what_it_reads_and_tries_out_and_not_its_moves() -> None:
    game, ada = new_game("ada", bots=1), Program("ada")
    now = ada.get(f"games/{game.pk}").json()
    body = {"phase_serial": now["phase_serial"], "step": now["step"], "actions": [READY]}
    use_up(person("ada").pk)
    refused = [ada.get(f"games/{game.pk}"), ada.post(f"games/{game.pk}/moves", {**body, "dry_run": True})]
    assert [(answer.status_code, answer.json()["limit"]) for answer in refused] == [(429, "work")] * 2
    assert ada.post(f"games/{game.pk}/moves", body).status_code == 200


@pytest.mark.parametrize("path", ["/games/{game}/draws/", "/api/v1/games/{game}/draws"])
def test_an_answer_is_charged_to_the_person_who_asked_for_it(path: str, over: Game, settings: Any) -> None:
    settings.LIMITS = {"work": 1}
    answers = [Client().get(path.format(game=over.pk), REMOTE_ADDR=HERE).status_code for _ in range(2)]
    assert answers == [200, 429]
    assert Client().get("/rules/", REMOTE_ADDR=THERE).status_code == 200


def test_a35_the_draws_of_a_game_are_checked_once_for_all_processes(over: Game) -> None:
    first = draws.proof_of(over)
    over.log.all().delete()  # nobody could check them again
    draws._proofs.forget_here()
    assert draws.proof_of(over) == first


def test_each_word_of_a_search_counts_once_and_the_answer_is_cached() -> None:
    pages = pages_of(SECTORS_RULEBOOK, "2", length_of)
    answer = find(pages, "share price", SECTORS_RULEBOOK.numbering)
    assert answer
    assert find(pages, "Share price share PRICE", SECTORS_RULEBOOK.numbering) is answer
    words = " ".join("bcdefghjklmn"[:MOST_WORDS])
    assert find(pages, words, SECTORS_RULEBOOK.numbering) is find(pages, f"{words} zz", SECTORS_RULEBOOK.numbering)
