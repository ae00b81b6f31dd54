"""Every way through signing in and signing up leads back to where it began, and no address says where that is."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import update_last_login
from django.test import Client
from django.urls import reverse

from accounts.guests import new_guest
from accounts.models import User, WaitingMail
from game.lobby import lobby
from game.store.game import Game
from tests.lobby.test_admission import begun, link_to, private_table
from tests.tables import person

pytestmark = [pytest.mark.django_db]
PASSWORD = "open sesame 42"
FIELDS = re.compile(r'<input type="hidden" name="next" value="([^"]+)">')


@pytest.fixture
def table() -> Game:
    """An open game that waits."""
    return lobby.create_game(host=person("ada"), name="For all", seats=3)


def press(client: Client, page: str, to: str) -> str:
    """Press what leads from a page to signing in or up; the address to which it leads."""
    words = client.get(page).content.decode()
    assert f'name="to" value="{to}"' in words
    (form,) = re.findall(rf'<form[^>]+action="{reverse("way_in")}"[^>]*>.*?</form>', words, re.DOTALL)[:1]
    (way,) = FIELDS.findall(form)
    return client.post(reverse("way_in"), {"next": way, "to": to})["Location"]


def sign_in(client: Client, name: str, **more: str) -> str:
    client.get(reverse("account_login"))
    return client.post(reverse("account_login"), {"login": name, "password": PASSWORD} | more)["Location"]


def sign_up(client: Client, name: str = "Grace") -> None:
    fields = {"username": name, "email": f"{name.lower()}@example.org", "password1": PASSWORD}
    assert client.post(reverse("account_signup"), fields).status_code == 302


def confirm(client: Client) -> str:
    """Open the link of the mail and press the button; where that leads."""
    (text,) = WaitingMail.objects.order_by("-pk").values_list("text", flat=True)[:1]
    (link,) = re.findall(r"/accounts/confirm-email/\S+", text)
    assert client.get(link).status_code == 200
    return client.post(link)["Location"]


def test_the_board_of_a_mail_leads_back_to_the_board(table: Game) -> None:
    client, board = Client(), table.get_absolute_url()
    person("bob")
    assert press(client, board, "sign_in") == reverse("account_login")
    assert sign_in(client, "bob") == board


def test_so_does_a_game_that_only_its_players_see() -> None:
    game, client = begun(), Client()
    board = game.get_absolute_url()
    words = client.get(board)
    assert words.status_code == 404
    (way,) = FIELDS.findall(words.content.decode())
    assert client.post(reverse("way_in"), {"next": way, "to": "sign_in"})["Location"] == reverse("account_login")
    assert sign_in(client, "ada") == board


def test_so_does_a_chat_that_only_players_read(table: Game) -> None:
    """Its address stands in mails and notifications."""
    client, chat = Client(), reverse("chat", args=[table.pk])
    assert client.get(chat).status_code == 403
    press(client, chat, "sign_in")
    assert sign_in(client, "ada") == chat


def test_so_does_a_game_that_a_guest_s_browser_does_not_see() -> None:
    """The browser of a player who has tried the site as a guest."""
    client, board = Client(), private_table().get_absolute_url()
    client.force_login(new_guest())
    assert client.get(board).status_code == 404
    press(client, board, "sign_in")
    assert sign_in(client, "ada") == board


def test_so_does_every_page_that_asks_to_sign_in(table: Game) -> None:
    person("bob")
    for page in ("/games/new/?game=sectors", "/notifications/?from=mail", "/accounts/households/"):
        client = Client()
        assert client.get(page)["Location"] == reverse("account_login")
        assert sign_in(client, "bob") == page


def test_a_form_that_was_sent_signed_out_leads_back_to_its_page(table: Game) -> None:
    client, board = Client(), table.get_absolute_url()
    person("bob")
    sent = client.post(f"{board}join/", headers={"Referer": f"http://testserver{board}?before=3"})
    assert sent["Location"] == reverse("account_login")
    assert sign_in(client, "bob") == f"{board}?before=3"
    client.logout()
    client.post(f"{board}join/", headers={"Referer": f"https://evil.example{board}"})
    assert sign_in(client, "bob") == "/"


def test_an_invitation_is_kept_out_of_every_address() -> None:
    game, client = private_table(), Client()
    person("bob")
    for to, page in (("sign_in", "account_login"), ("sign_up", "account_signup")):
        assert press(client, link_to(game), to) == reverse(page)
    assert client.post(link_to(game))["Location"] == reverse("account_login")
    failed = client.post(reverse("account_login"), {"login": "bob", "password": "wrong", "next": link_to(game)})
    for words in (failed.content.decode(), client.get(link_to(game)).content.decode()):
        assert not re.findall(r'(?:href|action|src)="[^"]*next=', words)
    assert sign_in(client, "bob") == link_to(game)


def test_two_tabs_lead_to_two_places(table: Game) -> None:
    client, other = Client(), private_table()
    person("bob")
    press(client, table.get_absolute_url(), "sign_in")
    (first,) = FIELDS.findall(slip(client))
    press(client, link_to(other), "sign_in")
    (second,) = FIELDS.findall(slip(client))
    assert (first, second) == (table.get_absolute_url(), link_to(other))
    assert sign_in(client, "bob", next=first) == first


def slip(client: Client) -> str:
    """The form for signing in, without what the frame of the page says."""
    page = client.get(reverse("account_login")).content.decode()
    return page.partition(f'action="{reverse("account_login")}"')[2].partition("</form>")[0]


def test_the_way_leads_back_once(table: Game) -> None:
    client = Client()
    person("bob")
    press(client, table.get_absolute_url(), "sign_in")
    sign_in(client, "bob")
    client.post(reverse("account_logout"))
    assert sign_in(client, "bob") == "/"


@pytest.fixture
def asks_to_confirm(settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def test_who_follows_an_invitation_and_signs_up_is_led_to_it(asks_to_confirm: None) -> None:
    game, client = private_table(), Client()
    press(client, link_to(game), "sign_up")
    sign_up(client)
    assert confirm(client) == reverse("account_login")
    assert sign_in(client, "Grace") == link_to(game)


def test_also_in_another_browser(asks_to_confirm: None) -> None:
    game, client, phone = private_table(), Client(), Client()
    press(client, link_to(game), "sign_up")
    sign_up(client)
    confirm(phone)
    assert sign_in(phone, "Grace") == link_to(game)
    phone.post(reverse("account_logout"))
    assert sign_in(phone, "Grace") == "/", "once"
    assert User.objects.get(username="Grace").way_back == ""


def test_where_one_came_from_later_counts_more(asks_to_confirm: None, table: Game) -> None:
    game, client, phone = private_table(), Client(), Client()
    press(client, link_to(game), "sign_up")
    sign_up(client)
    press(Client(), table.get_absolute_url(), "sign_in")
    confirm(phone)
    press(phone, table.get_absolute_url(), "sign_in")
    assert sign_in(phone, "Grace") == table.get_absolute_url()


def test_who_signs_in_before_confirming_is_led_to_where_they_did(asks_to_confirm: None, table: Game) -> None:
    client, phone = Client(), Client()
    sign_up(client)
    other = Client()
    press(other, table.get_absolute_url(), "sign_in")
    assert sign_in(other, "Grace") == reverse("account_email_verification_sent")
    confirm(phone)
    assert sign_in(phone, "Grace") == table.get_absolute_url()


def test_an_account_that_is_confirmed_keeps_no_way(table: Game) -> None:
    bob, client = person("bob"), Client()
    update_last_login(None, bob)
    press(client, table.get_absolute_url(), "sign_in")
    sign_in(client, "bob")
    assert User.objects.get(pk=bob.pk).way_back == ""


def test_a_guest_comes_back_to_where_they_were(table: Game) -> None:
    client = Client()
    person("bob")
    client.post(reverse("play_now"), {"game": "sectors"})
    press(client, table.get_absolute_url(), "sign_up")
    assert sign_in(client, "bob") == table.get_absolute_url()


@pytest.mark.parametrize(
    "way", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "/" + "x" * 3000, "games/"]
)
def test_what_is_no_page_of_ours_is_no_way(way: str) -> None:
    client = Client()
    person("bob")
    client.post(reverse("way_in"), {"next": way, "to": "sign_in"})
    assert sign_in(client, "bob") == "/"


def test_nobody_is_led_back_to_where_one_signs_in_or_out(table: Game) -> None:
    client = Client()
    person("bob")
    press(client, table.get_absolute_url(), "sign_in")
    for page in ("account_login", "account_signup", "account_logout", "way_in", "account_reset_password"):
        client.post(reverse("way_in"), {"next": reverse(page), "to": "sign_up"})
    assert sign_in(client, "bob") == table.get_absolute_url()


def test_an_old_address_with_a_way_is_cleaned_at_once(table: Game) -> None:
    client, board = Client(), table.get_absolute_url()
    person("bob")
    assert client.get(reverse("account_login", query={"next": board}))["Location"] == reverse("account_login")
    assert sign_in(client, "bob") == board


def test_so_many_ways_of_visitors_are_kept(table: Game, settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"way_back": 2}
    board = table.get_absolute_url()
    rows = [Client() for _ in range(3)]
    for client in rows:
        client.post(reverse("way_in"), {"next": board})
    assert [client.session.get("next") for client in rows] == [board, board, None]
