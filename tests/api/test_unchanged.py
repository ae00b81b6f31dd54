"""Answers that nothing is new: who gets them, and what they count for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache

from tests.api.clients import Program
from tests.api.test_live import PATIENCE, Caller, held
from tests.tables import new_game

if TYPE_CHECKING:
    from tests.live_site import LiveSite


@pytest.fixture(autouse=True)
def limits(settings: Any) -> Iterator[None]:
    settings.LIMITED, settings.LIMITS = True, {"unchanged": 2}
    cache.clear()
    yield
    cache.clear()


def left(answer: Any) -> str:
    return str(answer.headers["RateLimit"]).rpartition(";")[0]


@pytest.mark.django_db
def test_a_star_is_no_tag_that_somebody_has() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    for path in (f"games/{game.pk}", "me/decisions"):
        assert Program("ada").get(path, **{"If-None-Match": "*"}).status_code == 200


@pytest.mark.django_db
def test_an_answer_without_a_body_has_no_type() -> None:
    game, ada = new_game("ada", "ben", ruleset="toy"), Program("ada")
    old = ada.get(f"games/{game.pk}", **{"If-None-Match": ada.get(f"games/{game.pk}")["ETag"]})
    assert (old.status_code, old.content, old.has_header("Content-Type")) == (304, b"", False)


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "limit", "most"), [("ada", "read", 300), ("", "anon", 60)])
def test_what_is_not_new_counts_for_its_own_limit_and_beyond_that_for_the_usual_one(
    name: str, limit: str, most: int
) -> None:
    game, program = new_game("ada", "ben", ruleset="toy"), Program(name)
    tag = program.get(f"games/{game.pk}")["ETag"]
    requests = [program.get(f"games/{game.pk}", **{"If-None-Match": tag}) for _ in range(5)]
    assert {each.status_code for each in requests} == {304}
    assert left(program.get(f"games/{game.pk}")) == f'"{limit}";r={most - 5}', "the first, three too many, the last"


@pytest.mark.django_db
def test_who_asks_without_end_for_what_they_have_is_stopped(settings: Any) -> None:
    settings.LIMITS = {"unchanged": 2, "read": 3}
    game, ada = new_game("ada", "ben", ruleset="toy"), Program("ada")
    tag = ada.get(f"games/{game.pk}")["ETag"]
    requests = [ada.get(f"games/{game.pk}", **{"If-None-Match": tag}) for _ in range(5)]
    assert [each.status_code for each in requests] == [304, 304, 304, 304, 429]
    assert requests[-1].json()["limit"] == "read"


def test_a_wait_counts_once_however_often_it_looks(live_site: "LiveSite", settings: Any) -> None:
    settings.LIMITS = {"unchanged": 1}
    game = new_game("ada", "ben", ruleset="toy")
    ada, path = Caller(live_site, "ada"), f"games/{game.pk}"
    first = ada.get(path)
    thread, found = held(ada, path, first.headers["ETag"], 1)
    thread.join(PATIENCE)
    answer, _ = found
    assert (answer.status_code, answer.headers["Preference-Applied"]) == (304, "wait=1")
    assert left(ada.get(path)) == '"read";r=298', "the first and this one"


@pytest.mark.django_db
def test_an_answer_to_a_program_loads_nothing_and_knows_no_cookies() -> None:
    program = Program("ada", **{"Accept-Language": "de"})
    program.client.cookies["language"] = "en"
    for path, status in (("me", 200), ("nowhere", 404)):
        answer = program.get(path)
        assert (answer.status_code, answer["Content-Language"]) == (status, "de")
        assert answer["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
