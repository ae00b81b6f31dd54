"""What is sent by hand where a form would send something else: fields that no form has, addresses that lead away, words
that mean something to a database."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from game.engine.actions import Refused
from game.lobby import lobby
from game.moderation import interventions
from game.store.game import Game, Seat
from tests.api.clients import Program
from tests.scenes import person
from tests.tables import fresh, new_game

PASSWORD = "correct horse battery"


@pytest.fixture
def ada() -> User:
    return person("ada")


@pytest.fixture
def browser_of_ada(client: Client, ada: User) -> Client:
    assert client.login(username="ada", password=PASSWORD)
    return client


def of_models(*models: Any) -> dict[str, str]:
    """A value for every column of these models that a form might be made to take."""
    wanted = {"BooleanField": "on", "PositiveSmallIntegerField": "7", "PositiveIntegerField": "7", "IntegerField": "7"}
    columns = [field for model in models for field in model._meta.local_concrete_fields if not field.primary_key]
    return {field.name: wanted.get(type(field).__name__, "7") for field in columns}


OWN_COLUMNS = {"timezone", "theme", "language", "stays_ready", "email", "username", "password", "name", "pace", "bots"}
FORMS = ("preferences", "play_times", "notifications", "new_token", "create_game", "account_email", "set_theme")


@pytest.mark.django_db
@pytest.mark.parametrize("name", FORMS)
def test_a8_a_form_sets_nothing_that_it_does_not_show(browser_of_ada: Client, ada: User, name: str) -> None:
    """Ranks, seats, money, the position and its secret have columns, and no form that a browser sends reaches them."""
    game = new_game("ben", "cid")
    before = row(ada), row(fresh(game)), list(Seat.objects.values_list("game", "number", "user", "score"))
    sent = {key: value for key, value in of_models(User, Seat, Game).items() if key not in OWN_COLUMNS}
    sent |= {"cash": "999", "user": str(ada.pk), "game": str(game.pk), "groups": "1", "user_permissions": "1"}
    answer = browser_of_ada.post(reverse(name), sent)
    assert answer.status_code < 500
    ada.refresh_from_db()
    seats = list(Seat.objects.filter(game=game).values_list("game", "number", "user", "score"))
    assert (row(ada), row(fresh(game)), seats) == before
    assert not ada.groups.exists()
    assert not ada.user_permissions.exists()


def row(of: Any) -> dict[str, Any]:
    """All columns, but those in which the person's own choices are and the time of the last sign-in."""
    own = {*OWN_COLUMNS, "last_login", "now"}
    free = own | {"digest_hour", "quiet_from", "quiet_until", "zone_known", "remind_hours", "notices"}
    return {field.attname: getattr(of, field.attname) for field in of._meta.concrete_fields if field.name not in free}


@pytest.mark.django_db
def test_a8_who_signs_up_is_nobody_in_particular(client: Client) -> None:
    sent = of_models(User) | {"username": "Grace", "email": "grace@example.org", "password1": PASSWORD}
    assert client.post(reverse("account_signup"), sent).status_code == 302
    grace = User.objects.get(username="Grace")
    assert [grace.is_staff, grace.is_superuser, grace.is_guest] == [False] * 3


@pytest.mark.django_db
def test_a8_the_api_names_every_field_that_it_does_not_know(settings: Any) -> None:
    settings.LIMITED = False
    person("ada")
    program = Program("ada")
    for field in ("secret", "host", "status", "seed", "is_staff", "cash"):
        answer = program.post("games", {"ruleset": "toy", "seats": 2, field: 7})
        assert answer.status_code == 422, field
        assert field in answer.content.decode()
    assert not Game.objects.exists()


AWAY = (
    "//evil.example",
    "///evil.example",
    "https:evil.example",
    "https://evil.example",
    "http://testserver@evil.example/",
    "http://testserver.evil.example/",
    "\\\\evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    " //evil.example",
    "\x01//evil.example",
)
"""Where an address that is followed after a form would lead somebody away."""


def leads_away(answer: Any) -> str:
    """The place, where it is none of this site; browsers read a backslash as a slash and leave out tabs."""
    where = re.sub(r"[\x00-\x20]", "", answer.get("Location", "")).replace("\\", "/")
    parts = urlsplit(where)
    return where if parts.netloc not in {"", "testserver"} or parts.scheme not in {"", "http"} else ""


@pytest.mark.django_db
@pytest.mark.parametrize("away", AWAY)
def test_a12_no_address_to_go_on_to_leads_to_another_site(ada: User, away: str) -> None:
    found = []
    for name, fields in (
        ("account_login", {"login": "ada", "password": PASSWORD}),
        ("account_signup", {"username": "Grace", "email": "grace@example.org", "password1": PASSWORD}),
        ("account_logout", {}),
        ("account_reauthenticate", {"password": PASSWORD}),
        ("set_theme", {"theme": "dark"}),
        ("set_language", {"language": "de"}),
        ("read_note", {"note": "all"}),
    ):
        client = Client()
        if name not in {"account_login", "account_signup"}:
            client.force_login(ada)
        for sent, query in (({"next": away}, {}), ({}, {"next": away})):
            answer = client.post(reverse(name, query=query), fields | sent)
            found += [f"{name}: {where}" for where in [leads_away(answer)] if where]
        body = client.get(reverse(name, query={"next": away})).content.decode()
        found += [
            f"{name} links there" for link in re.findall(r'href="([^"]*evil[^"]*)"', body) if "?next=" not in link
        ]
    assert found == []


WORDS = (
    "' OR 1=1--",
    "1;DROP TABLE game_game",
    "\x00",
    "%",
    "_" * 300,
    "-1",
    "9" * 400,
    "1e9",
    "\ud800",
    "²",
    "[]",
    "{}",
)
ASKED = {
    "lobby": ("show", "mine", "game", "pace", "page"),
    "create_game": ("game", "preset"),
    "home": ("turn",),
    "rulebook": ("q",),
    "person": ("page",),
    "game": ("before",),
    "game_history": ("phase", "before", "serial"),
    "game_results": ("turn",),
    "game_spreadsheet": ("table", "sheet"),
    "game_charts": ("chart",),
    "game_outcomes": ("before",),
    "chat": ("before",),
}
"""The pages that read a query, and what they read."""


@pytest.mark.django_db
def test_a13_no_query_says_anything_to_the_database(browser_of_ada: Client, ada: User) -> None:
    """Each word for each thing a page reads is answered with a page or a refusal, and nothing is gone."""
    game = new_game("ada", "ben")
    about = {"person": ["ada"], "rulebook": ["sectors"]}
    for name, fields in ASKED.items():
        where = reverse(name, args=about.get(name, [game.pk] if name == "chat" or name.startswith("game") else []))
        for field in fields:
            for words in WORDS:
                sent = words.encode("utf-8", "surrogatepass")
                answer = browser_of_ada.get(where, {field: sent})
                assert answer.status_code in {200, 302, 400, 404, 422}, (name, field, words)
    assert fresh(game).is_running


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["people/%00/", "games/1/explain/cash/%00/", "?turn=%00", "rules/sectors/?q=a%00"])
def test_a7_no_address_has_a_zero_byte(path: str) -> None:
    assert Client().get(f"/{path}").status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["games?ruleset=%00", "games?pace=a%00", "people?name=%00"])
def test_a7_nor_has_one_of_the_api(path: str) -> None:
    answer = Program("ada").get(path)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["parameter"] in path


@pytest.mark.django_db(transaction=True)
def test_a6_the_same_submission_sent_by_twenty_at_once_counts_once() -> None:
    game = new_game("ada", "ben")
    form = {"serial": game.phase_serial, "token": "one", "points": 3, "do": "submit"}
    clients = [Client() for _ in range(20)]
    for client in clients:
        client.force_login(User.objects.get(username="ada"))

    def submit(client: Client) -> int:
        try:
            return client.post(f"/games/{game.pk}/actions/", form).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(submit, clients))
    assert set(answers) <= {200, 302}
    assert fresh(game).entries == game.entries + 1
    assert clients[0].post(f"/games/{game.pk}/actions/", form | {"points": 4}).status_code == 422, "another body"


@pytest.mark.django_db
def test_a28_one_account_has_one_seat(ada: User) -> None:
    game = lobby.create_game(host=ada, name="Mine", seats=3)
    client = Client()
    client.force_login(ada)
    client.post(f"/games/{game.pk}/join/")
    Program("ada").post(f"games/{game.pk}/seats")
    assert list(game.seats.values_list("number", "user")) == [(0, ada.pk)]


@pytest.mark.django_db
@pytest.mark.embedded
def test_a24_a_name_of_sixty_thousand_letters_is_nobody_s(browser_of_ada: Client, ada: User) -> None:
    """SQLite refuses to compare as many in any case; visitors were answered as if the database were away."""
    long, game = "x" * 60_000, lobby.create_game(host=ada, name="Tuesday", seats=3, pace="daily")
    signing_in = {"login": long, "password": PASSWORD}
    assert Client().post(reverse("account_login"), signing_in).status_code == 200
    assert Client().post(reverse("account_login"), {**signing_in, "login": f"{long}@example.org"}).status_code == 200
    new = {"username": long, "email": "eve@example.org", "password1": PASSWORD, "password2": PASSWORD}
    assert Client().post(reverse("account_signup"), new).status_code == 200
    assert browser_of_ada.get(reverse("person", args=[long])).status_code == 404
    assert browser_of_ada.get(reverse("report_person", args=[long])).status_code == 404
    assert browser_of_ada.post(reverse("invite_person", args=[game.pk]), {"name": long}).status_code in {302, 409, 422}
    assert browser_of_ada.post(reverse("households"), {"name": long}).status_code == 422
    with pytest.raises(Refused, match="No active account"):
        interventions.find_person(long)
