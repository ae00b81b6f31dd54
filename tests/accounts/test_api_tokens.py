"""The page of a person's API tokens: made after the password was given again, shown once, told by mail, revoked."""

import io
import re
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import api_tokens
from accounts.models import ApiToken, User
from game.api.tokens import find_token
from game.bots import accounts
from game.bots.accounts import Declared
from game.people.personal_data import archive_of
from tests.scenes import person
from tests.tables import new_game

pytestmark = [pytest.mark.django_db]
NEW = {"name": "My bot", "scopes": ["read", "play"], "days": "30"}
PASSWORD = "correct horse battery"
SAFER = {"oldpassword": PASSWORD, "password1": "another horse 42", "password2": "another horse 42"}
NEW_PASSWORD, SESSIONS = reverse("account_change_password"), reverse("usersessions_list")


@pytest.fixture
def ada(client: Client) -> Client:
    person("ada")
    client.force_login(User.objects.get(username="ada"))
    client.post("/accounts/reauthenticate/", {"password": "correct horse battery"})
    return client


def token_in(answer: Any) -> str:
    page = answer.content.decode()
    return str(page.split(">sat_")[1].split("<")[0])


def test_a_token_is_shown_once_and_only_its_digest_is_kept(ada: Client, mailoutbox: Any) -> None:
    answer = ada.post("/accounts/tokens/new/", NEW)
    text = "sat_" + token_in(answer)
    assert "no-store" in answer["Cache-Control"]
    token = ApiToken.objects.get()
    assert (token.name, token.scopes, token.used_on) == ("My bot", ["read", "play"], None)
    assert text not in str(vars(token))
    assert (len(text), text[:10]) == (55, token.prefix)
    listed = ada.get("/accounts/tokens/").content.decode()
    assert "My bot" in listed
    assert "Not used yet." in listed
    assert text not in listed
    assert find_token(text) == token
    assert find_token(text[:-1] + ("0" if text[-1] != "0" else "1")) is None
    mail = mailoutbox[0]
    assert mail.subject == "A new API token for your account"
    assert "“My bot”" in mail.body
    assert text not in mail.body


def test_a_token_is_made_for_one_game_and_says_so(ada: Client, mailoutbox: Any) -> None:
    game, foreign = new_game("ada", "ben", ruleset="toy"), new_game("ben", "cyd", ruleset="toy")
    assert ada.post("/accounts/tokens/new/", NEW | {"game": str(foreign.pk)}).status_code == 422, "not a game of theirs"
    answer = ada.post("/accounts/tokens/new/", NEW | {"game": str(game.pk), "scopes": ["read", "webhooks"]})
    assert (answer.status_code, ApiToken.objects.count()) == (422, 0)
    assert "Webhooks get messages about all your games" in answer.content.decode()
    assert ada.post("/accounts/tokens/new/", NEW | {"game": str(game.pk)}).status_code == 200
    assert ApiToken.objects.get().only_game == game.pk
    listed = ada.get("/accounts/tokens/").content.decode()
    assert f"Only in game {game.pk}" in listed
    assert f'href="/games/{game.pk}/"' in listed
    assert f"all this only in game {game.pk}" in mailoutbox[-1].body


def test_somebody_who_signed_in_long_ago_gives_the_password_again(client: Client) -> None:
    client.force_login(person("ada"))
    answer = client.post("/accounts/tokens/new/", NEW)
    assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/accounts/reauthenticate/")
    assert not ApiToken.objects.exists()


def test_tokens_are_revoked_one_by_one_and_all_at_once(ada: Client) -> None:
    user, other = person("bea"), person("cyd")
    assert user != other
    for _ in range(3):
        ada.post("/accounts/tokens/new/", NEW)
    foreign, _ = api_tokens.issue(user=other, name="theirs", scopes=["read"], days=30)
    first = ApiToken.objects.filter(user__username="ada").first()
    assert first is not None
    ada.post(f"/accounts/tokens/{first.pk}/revoke/")
    ada.post(f"/accounts/tokens/{foreign.pk}/revoke/")
    assert ApiToken.objects.filter(user__username="ada").count() == 2
    ada.post("/accounts/tokens/revoke/")
    assert list(ApiToken.objects.all()) == [foreign]


def test_nobody_has_more_than_ten_and_a_guest_none(ada: Client, client: Client) -> None:
    for _ in range(10):
        ada.post("/accounts/tokens/new/", NEW)
    answer = ada.post("/accounts/tokens/new/", NEW)
    assert answer.status_code == 422
    assert "You have 10 tokens, the maximum." in answer.content.decode()
    guest = Client()
    guest.post("/play/")
    assert guest.get("/accounts/tokens/new/").status_code == 302
    assert ApiToken.objects.count() == 10


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"name": "x" * 41}, {"scopes": []}, {"scopes": ["admin"]}, {"days": "3650"}]
)
def test_what_cannot_be_chosen_is_refused(ada: Client, wrong: dict[str, Any]) -> None:
    assert ada.post("/accounts/tokens/new/", NEW | wrong).status_code == 422
    assert not ApiToken.objects.exists()


def test_a_reset_password_revokes_all_tokens() -> None:
    from allauth.account.signals import password_reset

    user = person("ada")
    api_tokens.issue(user=user, name="lost", scopes=["read"], days=30)
    password_reset.send(type(user), request=None, user=user)
    assert not ApiToken.objects.exists()


def test_the_day_of_the_last_use_is_kept_and_nothing_more_exact() -> None:
    token, text = api_tokens.issue(user=person("ada"), name="bot", scopes=["read"], days=30)
    client = Client(headers={"Authorization": f"Bearer {text}"})
    assert client.get("/api/v1/me").status_code == 200
    token.refresh_from_db()
    assert token.used_on is not None
    assert client.delete("/api/v1/token").status_code == 204
    assert client.get("/api/v1/me").status_code == 401


def test_ones_own_data_lists_the_tokens_without_what_they_are_made_of() -> None:
    user = person("ada")
    token, text = api_tokens.issue(user=user, name="My bot", scopes=["read"], days=30)
    with zipfile.ZipFile(io.BytesIO(archive_of(user))) as archive:
        account = archive.read("account.json").decode()
    assert "My bot" in account
    assert text not in account
    assert token.digest not in account


def signed_in() -> Client:
    client = Client()
    client.post(reverse("account_login"), {"login": "ada", "password": PASSWORD})
    return client


def with_tokens(owner: User) -> None:
    """One of somebody's, one of their bot's, one that has expired, and one of somebody else's."""
    bot = accounts.make_bot(owner=owner, name="Deep", declared=Declared(["toy"], ["daily"], 2, 3, 1))
    for user in (owner, bot.user, person("cyd")):
        api_tokens.issue(user=user, owner=owner, name="bot", scopes=["read"], days=30)
    api_tokens.issue(user=owner, name="old", scopes=["read"], days=0)


def whose_tokens() -> set[str]:
    return set(ApiToken.objects.exclude(name="old").values_list("user__username", flat=True))


@pytest.mark.parametrize(("page", "form"), [(NEW_PASSWORD, SAFER), (SESSIONS, {})])
@pytest.mark.parametrize("is_ticked", [True, False])
def test_a_new_password_and_signing_out_everywhere_offer_to_revoke_the_tokens(
    page: str, form: dict[str, str], is_ticked: bool
) -> None:
    with_tokens(person("ada"))
    here, there = signed_in(), signed_in()
    html = here.get(page).content.decode()
    assert "Also revoke my 2 API tokens" in html
    assert re.search(r'<input type="checkbox" name="revoke_tokens"[^>]* checked', html)
    answer = here.post(page, form | ({"revoke_tokens": "on"} if is_ticked else {}), follow=True)
    assert there.get(reverse("preferences")).status_code == 302
    assert whose_tokens() == ({"cyd"} if is_ticked else {"ada", "Deep", "cyd"})
    assert ("Your API tokens are revoked." in answer.content.decode()) is is_ticked


@pytest.mark.parametrize("page", [NEW_PASSWORD, SESSIONS])
def test_where_there_are_no_tokens_none_are_offered_to_be_revoked(page: str) -> None:
    person("ada")
    here, _ = signed_in(), signed_in()
    assert "revoke_tokens" not in here.get(page).content.decode()


def test_a_wrong_password_revokes_nothing_and_keeps_the_choice() -> None:
    with_tokens(person("ada"))
    answer = signed_in().post(NEW_PASSWORD, SAFER | {"oldpassword": "wrong"}).content.decode()
    assert 'name="revoke_tokens"' in answer
    assert not re.search(r'name="revoke_tokens"[^>]* checked', answer)
    assert whose_tokens() == {"ada", "Deep", "cyd"}
