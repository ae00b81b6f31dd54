"""A token that is revoked, or a session that is ended, while its request waits for a game: nothing of it counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts import api_tokens
from accounts.models import User
from accounts.security import end_sessions
from game.lobby import lobby
from game.play import moves
from game.store.game import Game
from game.store.log import Draft, LoggedAction
from tests.api.clients import Program
from tests.attacks.test_authority import BID, overtaken
from tests.play.test_actions import form_of
from tests.scenes import table
from tests.tables import fresh, new_game, person

pytestmark = pytest.mark.django_db(transaction=True)
OF_PROGRAMS: dict[str, Callable[[Program, Game], Any]] = {
    "move": lambda program, game: program.post(
        f"games/{game.pk}/moves", {"phase_serial": game.phase_serial, "actions": [BID]}
    ),
    "draft": lambda program, game: program.put(
        f"games/{game.pk}/draft", {"phase_serial": game.phase_serial, "actions": [BID]}
    ),
    "resign": lambda program, game: program.post(f"games/{game.pk}/resign"),
    "resign once": lambda program, game: program.post(f"games/{game.pk}/resign", **{"Idempotency-Key": "k"}),
    "end": lambda program, game: program.post(f"games/{game.pk}/ending"),
}
OF_PAGES: dict[str, Callable[[Client, Game, dict[str, Any]], Any]] = {
    "move": lambda page, game, form: page.post(f"/games/{game.pk}/actions/", {**form, "do": "ready"}),
    "resign": lambda page, game, _: page.post(f"/games/{game.pk}/seat/resign/"),
    "end": lambda page, game, _: page.post(f"/games/{game.pk}/ending/"),
}


def traces_of(game: Game) -> tuple[Any, ...]:
    now = fresh(game)
    counts = [rows.count() for rows in (LoggedAction.objects.filter(game=game), Draft.objects.filter(seat__game=game))]
    return now.version, now.status, now.keepers, now.ready, now.proposals, counts


@pytest.mark.parametrize("act", OF_PROGRAMS)
def test_a36_a_token_that_is_revoked_meanwhile_does_nothing_in_a_game(act: str) -> None:
    game, program, was = begun("ada")

    def revoke() -> None:
        moves.lock(game.pk)
        api_tokens.revoke(user=person("ada"), number=program.token.pk)

    answer = overtaken(revoke, lambda: OF_PROGRAMS[act](program, game))
    assert (answer.status_code, answer.json()["type"].rsplit("/", 1)[1]) == (401, "no-token")
    assert traces_of(game) == was


def begun(name: str) -> tuple[Game, Program, tuple[Any, ...]]:
    game = new_game(name, "ben", ruleset="toy")
    return game, Program(name), traces_of(game)


@pytest.mark.parametrize("act", OF_PAGES)
def test_a36_a_session_that_is_ended_meanwhile_does_nothing_in_a_game(act: str) -> None:
    game, page = new_game("ada", "ben", ruleset="toy"), Client()
    page.force_login(person("ada"))
    form, was = form_of(page, game), traces_of(game)

    def sign_out_elsewhere() -> None:
        moves.lock(game.pk)
        end_sessions(person("ada"))

    answer = overtaken(sign_out_elsewhere, lambda: OF_PAGES[act](page, game, form))
    assert (answer.status_code, answer.url) == (302, "/accounts/login/")
    assert traces_of(game) == was


@pytest.mark.parametrize("is_closed", [True, False])
def test_a36_a_new_password_and_a_closed_account_end_a_session_too(is_closed: bool) -> None:
    game, page = table(person("ada"), person("ben"), ruleset="toy"), Client()
    page.force_login(person("ada"))
    was = traces_of(game)

    def change() -> None:
        moves.lock(game.pk)
        changed = {"is_active": False} if is_closed else {"password": "!"}
        User.objects.filter(pk=person("ada").pk).update(**changed)

    answer = overtaken(change, lambda: page.post(f"/games/{game.pk}/seat/resign/"))
    assert (answer.status_code, answer.url) == (302, "/accounts/login/")
    assert traces_of(game) == was


def test_whoever_is_still_signed_in_is_served() -> None:
    game, page = new_game("ada", "ben", ruleset="toy"), Client()
    page.force_login(person("ada"))
    assert page.post(f"/games/{game.pk}/actions/", {**form_of(page, game), "do": "ready"}).status_code == 302
    assert fresh(game).ready == [0]
    other = lobby.create_game(host=person("ben"), name="Tuesday", seats=2, ruleset="toy", pace="demo")
    assert Program("ada").post(f"games/{other.pk}/seats").status_code in {200, 201}
