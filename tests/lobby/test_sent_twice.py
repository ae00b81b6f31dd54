"""A form that is sent twice makes one thing: the second answer is the first one's, without a script too."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, models
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, User
from game.infra.models import StoredResponse
from game.lobby import lobby
from game.outbox.models import Webhook
from game.reputation.models import HouseholdLink
from game.store.availability import Vacation
from game.store.case_models import Case, CaseNote
from game.store.game import Game, Pace
from game.store.moderation_models import ApprovalRequest
from game.store.seat_models import BotAccount, Invitee
from game.templatetags.desk_lists import row_number
from tests.scenes import moderator, person, table
from tests.tables import confirmed

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
PASSWORD = "correct horse battery"
FORM = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)
TOKEN = re.compile(r'name="token" value="([0-9a-f]{32})"')
NEW_GAME = {"pace": "demo", "name": "Just one", "seats": "3", "bots": "0", "preset": "standard"}


def ada() -> User:
    return User.objects.filter(username="ada").first() or person("ada")


def token_in(client: Client, page: str, button: str) -> str:
    """The token of the form of a page whose HTML says this."""
    words = client.get(page).content.decode()
    (form,) = [each for each in FORM.findall(words) if button in each][:1]
    (token,) = TOKEN.findall(form)
    return str(token)


def room() -> Game:
    return lobby.create_game(host=ada(), name="Ours", seats=4)


def played() -> Game:
    return table(ada(), person("bob"), bots=0, pace=Pace.DAILY)


def day(days: int) -> str:
    return (timezone.now().date() + timedelta(days=days)).isoformat()


def of_room(more: str) -> Callable[[], str]:
    return lambda: f"{room().get_absolute_url()}{more}"


Case_ = tuple[Callable[[], str], str, str, dict[str, Any], type[models.Model]]
FORMS: dict[str, Case_] = {
    "a game": (lambda: "/games/new/?game=sectors", 'id="create"', "/games/new/", NEW_GAME, Game),
    "a first game": (lambda: "/", 'action="/play/"', "/play/", {"game": "sectors"}, Game),
    "a lesson": (lambda: "/lessons/", "/lessons/sectors/short/", "/lessons/sectors/short/", {}, Game),
    "a token": (
        lambda: "/accounts/tokens/new/",
        'name="scopes"',
        "/accounts/tokens/new/",
        {"name": "mine", "scopes": ["read"], "game": "", "days": "30"},
        ApiToken,
    ),
    "a webhook": (
        lambda: "/accounts/webhooks/new/",
        'name="url"',
        "/accounts/webhooks/new/",
        {"url": "https://hooks.example.org/x", "types": ["game.started"]},
        Webhook,
    ),
    "a bot": (
        lambda: "/accounts/bots/new/",
        'name="name"',
        "/accounts/bots/new/",
        {
            "name": "Robbie",
            "rulesets": ["sectors"],
            "paces": ["daily"],
            "least_seats": 2,
            "most_seats": 8,
            "most_games": 1,
        },
        BotAccount,
    ),
    "a vacation": (
        lambda: "/accounts/times/",
        "/accounts/vacation/",
        "/accounts/vacation/",
        {"first": day(3), "last": day(5)},
        Vacation,
    ),
    "a shared home": (
        lambda: "/accounts/households/",
        'name="name"',
        "/accounts/households/",
        {"name": "bob"},
        HouseholdLink,
    ),
    "a report about a person": (
        lambda: "/people/bob/report/",
        'name="words"',
        "/people/bob/report/",
        {"kind": "chat", "words": "He swore at me."},
        Case,
    ),
}


@pytest.mark.parametrize("what", FORMS)
def test_sent_twice_it_makes_one(what: str) -> None:
    page, button, path, sent, model = FORMS[what]
    person("bob")
    client = confirmed(ada(), PASSWORD)
    form = sent | {"token": token_in(client, page(), button)}
    before = model._default_manager.count()
    first, second = client.post(path, form), client.post(path, form)
    assert model._default_manager.count() == before + 1
    assert (first.status_code, first.get("Location")) == (second.status_code, second.get("Location"))
    assert first.status_code < 400


def test_a_bot_is_added_and_somebody_invited_once() -> None:
    person("bob")
    game, client = room(), confirmed(ada(), PASSWORD)
    where = game.get_absolute_url()
    for button, path, sent in (("/bots/", "bots/", {}), ("/invitees/", "invitees/", {"name": "bob"})):
        form = sent | {"token": token_in(client, where, f'action="{where}{path}"')}
        answers = [client.post(f"{where}{path}", form) for _ in range(2)]
        assert [(answer.status_code, answer["Location"]) for answer in answers] == [(302, where)] * 2, button
    assert len(Game.objects.get(pk=game.pk).bots) == 1
    assert Invitee.objects.count() == 1


def test_a_report_about_a_game_is_filed_once() -> None:
    game, client = played(), confirmed(ada(), PASSWORD)
    path = f"{game.get_absolute_url()}problem/"
    form = {"kind": "other", "words": "It stands still.", "token": token_in(client, path, 'name="words"')}
    assert [client.post(path, form)["Location"] for _ in range(2)] == ["/moderation/mine/"] * 2
    assert Case.objects.count() == 1


def test_the_text_of_a_token_is_shown_again_and_stored_nowhere() -> None:
    client = confirmed(ada(), PASSWORD)
    token = token_in(client, "/accounts/tokens/new/", 'name="scopes"')
    form = {"name": "mine", "scopes": ["read"], "game": "", "days": "30", "token": token}
    html = [re.findall(r"sat_[\w-]+", client.post("/accounts/tokens/new/", form).content.decode()) for _ in range(2)]
    assert html[0] == html[1] != []
    (kept,) = StoredResponse.objects.all()
    assert html[0][0].encode() not in bytes(kept.body)
    assert token not in kept.key


def test_a_visitor_who_presses_twice_is_one_guest_in_one_game() -> None:
    """The answer to the first press may never reach the browser."""
    token = token_in(Client(), "/", 'action="/play/"')
    clients = [Client(), Client()]
    answers = [client.post("/play/", {"game": "sectors", "token": token}) for client in clients]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert User.objects.filter(is_guest=True).count() == Game.objects.count() == 1
    assert [client.get(answers[0]["Location"]).status_code for client in clients] == [200, 200]


def test_a_guest_who_has_an_account_by_now_is_not_signed_in_by_an_old_form() -> None:
    token, client = token_in(Client(), "/", 'action="/play/"'), Client()
    where = client.post("/play/", {"game": "sectors", "token": token})["Location"]
    person("Grace")
    client.post("/accounts/login/", {"login": "Grace", "password": PASSWORD})
    assert client.get(where).status_code == 200
    other = Client()
    other.post("/play/", {"game": "sectors", "token": token})
    assert "_auth_user_id" not in other.session


def test_a_form_that_was_changed_is_another() -> None:
    client = confirmed(ada(), PASSWORD)
    form = NEW_GAME | {"token": token_in(client, "/games/new/?game=sectors", 'id="create"')}
    client.post("/games/new/", form)
    client.post("/games/new/", form | {"name": "Another"})
    assert {game.name for game in Game.objects.all()} == {"Just one", "Another"}


def test_what_was_refused_may_be_tried_again(settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"open_tables": 1}
    room()
    client = confirmed(ada(), PASSWORD)
    form = NEW_GAME | {
        "token": token_in(client, "/games/new/?game=sectors", 'id="create"'),
        "pace": "daily",
        "is_open": "on",
    }
    assert client.post("/games/new/", form).status_code == 422
    Game.objects.all().delete()
    assert client.post("/games/new/", form).status_code == 302


def test_nobody_is_answered_with_what_another_made() -> None:
    token = token_in(confirmed(ada(), PASSWORD), "/games/new/?game=sectors", 'id="create"')
    for user in (ada(), person("bob")):
        confirmed(user, PASSWORD).post("/games/new/", NEW_GAME | {"token": token})
    assert Game.objects.count() == 2


@pytest.mark.parametrize("token", ["", "x", "A" * 32, "0" * 33])
def test_what_is_no_token_of_ours_keeps_nothing(token: str) -> None:
    client = confirmed(ada(), PASSWORD)
    assert client.post("/games/new/", NEW_GAME | {"token": token}).status_code == 302
    assert not StoredResponse.objects.exists()


def test_on_the_desk_too() -> None:
    bob, root = person("bob"), moderator("Ina")
    moderator("Second")
    client = confirmed(root, PASSWORD)
    desk = f"/admin/accounts/user/{bob.pk}/desk/"
    form = {"text": "Look again in May.", "token": token_in(client, desk, f"{desk}note/")}
    assert [client.post(f"{desk}note/", form).status_code for _ in range(2)] == [302, 302]
    assert CaseNote.objects.count() == 1
    close = f"/admin/accounts/user/{bob.pk}/close/"
    form = {"reason": "Asked for it by mail.", "token": token_in(client, close, 'name="reason"')}
    assert [client.post(close, form).status_code for _ in range(2)] == [302, 302]
    number = row_number(ApprovalRequest.objects.get())
    assert client.get(desk).content.decode().count(f">Request {number}</a>: nothing has changed yet") == 2


@pytest.mark.django_db(transaction=True)
def test_ten_presses_at_once_make_one_game() -> None:
    user = ada()
    token = token_in(confirmed(user, PASSWORD), "/games/new/?game=sectors", 'id="create"')
    clients = [confirmed(user, PASSWORD) for _ in range(10)]

    def press(client: Client) -> str:
        try:
            return client.post("/games/new/", NEW_GAME | {"token": token})["Location"]
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as threads:
        places = set(threads.map(press, clients))
    assert places == {Game.objects.get().get_absolute_url()}
