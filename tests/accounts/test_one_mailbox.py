"""One mailbox, many spellings: whatever is typed, the site knows whose mailbox it is."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import Bounce, User, WaitingMail
from accounts.sign_ups import block_addresses_of
from game.engine.actions import Refused
from game.outbox import push_subscriptions
from game.outbox.models import PushSubscription
from game.people import identity
from game.people.identity import Identity
from tests.scenes import moderator, person
from tests.tables import confirmed

pytestmark = [pytest.mark.django_db]
ADDRESS, PASSWORD = "ada@mail.example.org", "correct horse battery"
SPELLINGS = [
    "ADA@Mail.Example.ORG",
    "ada@mail.exａmple.org",
    "ada@mail。example.org",
    "ada@mail．example.org",
    "ada@mail.ex\u00adample.org",
    "ada@ⓜail.example.org",
    '"ada"@mail.example.org',
    '"a\\da"@mail.example.org',
    '"ADA"@mail。exａmple.org',
]
UNREACHABLE = ["ädä@example.org", "aſa@example.org", "аda@example.org", "ada@☃.example", "ada@[192.0.2.1]",
               "ada@xn--example-.org", "ada@example。org", '"a b"@example.org', f"{'a' * 300}@example.org"]  # fmt: skip


@pytest.fixture(autouse=True)
def with_mail(settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    cache.clear()


@pytest.fixture
def ada() -> User:
    user = person("Ada")
    EmailAddress.objects.filter(user=user).update(email=ADDRESS)
    user.email = ADDRESS
    user.save()
    return user


def sign_up(name: str, address: str, **more: Any) -> Any:
    fields = {"username": name, "email": address, "password1": PASSWORD}
    return Client().post(reverse("account_signup"), fields, **more)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_an_address_that_has_an_account_gets_no_second_one(ada: User, spelling: str) -> None:
    assert sign_up("Eve", spelling).status_code == 302
    assert not User.objects.filter(username="Eve").exists()
    assert [mail.recipient for mail in WaitingMail.objects.all()] == [ada.email]


@pytest.mark.parametrize("spelling", ["ada@bücher.example", "ada@BÜCHER.example", "ada@xn--bcher-kva.example"])
def test_a_domain_is_stored_as_the_dns_has_it(spelling: str) -> None:
    assert sign_up("Ada", spelling).status_code == 302
    assert User.objects.get().email == EmailAddress.objects.get().email == "ada@xn--bcher-kva.example"
    assert WaitingMail.objects.get().recipient == "ada@xn--bcher-kva.example"


@pytest.mark.parametrize("address", UNREACHABLE)
def test_an_address_to_which_no_mail_can_be_sent_is_refused_on_every_form(ada: User, address: str) -> None:
    client = confirmed(ada, PASSWORD)
    WaitingMail.objects.all().delete()
    pages = [
        sign_up("Eve", address),
        client.post(reverse("account_email"), {"action_add": "", "email": address}),
        Client().post(reverse("account_reset_password"), {"email": address}),
    ]
    assert [page.status_code in {200, 422} for page in pages] == [True] * 3
    assert all(page.context["form"].errors["email"] for page in pages)
    assert not User.objects.filter(username="Eve").exists()
    assert EmailAddress.objects.count() == 1
    assert not WaitingMail.objects.exists()


def test_a_refusal_says_what_can_be_written() -> None:
    assert "letters a to z" in str(sign_up("Eve", "aſa@example.org").context["form"].errors["email"])
    assert "254 characters" in str(sign_up("Eve", f"{'a' * 300}@example.org").context["form"].errors["email"])


@pytest.mark.parametrize("spelling", SPELLINGS[1::2])
def test_a_new_password_is_asked_for_and_signed_in_with_in_any_spelling(ada: User, spelling: str) -> None:
    assert Client().post(reverse("account_reset_password"), {"email": spelling}).status_code == 302
    mail = WaitingMail.objects.get()
    assert (mail.recipient, "password" in mail.text) == (ada.email, True)
    client = Client()
    client.post(reverse("account_login"), {"login": spelling, "password": PASSWORD})
    assert client.get(reverse("preferences")).status_code == 200


@pytest.mark.parametrize("spelling", SPELLINGS[::2])
def test_an_address_is_added_once(ada: User, spelling: str) -> None:
    client = confirmed(ada, PASSWORD)
    again = client.post(reverse("account_email"), {"action_add": "", "email": spelling})
    assert again.context["form"].errors["email"]
    assert EmailAddress.objects.count() == 1
    new = client.post(
        reverse("account_email"),
        {"action_add": "", "email": spelling.replace(".org", "2.org").replace(".ORG", "2.ORG")},
    )
    assert new.status_code == 302
    assert EmailAddress.objects.filter(verified=False).get().email == "ada@mail.example2.org"


@pytest.mark.parametrize(
    "spelling",
    [
        *SPELLINGS[::3],
        '"ada+2"@mail.example.org',
        '"ada+@2"@mail.example.org',
        f"{ADDRESS}.",
        "ada@mail。example。org",
    ],
)
def test_a_mailbox_has_one_limit(spelling: str, settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"sign_up_mailbox": 2, "reset_mailbox": 2, "address_mailbox": 2}
    client = confirmed(person("Eve"), PASSWORD)

    def ask(address: str, number: int) -> list[int]:
        here = {"REMOTE_ADDR": f"192.0.2.{number}"}
        reset = Client().post(reverse("account_reset_password"), {"email": address}, **here)
        added = client.post(reverse("account_email"), {"action_add": "", "email": address}, **here)
        return [answer.status_code for answer in (sign_up(f"Ada{number}", address, **here), reset, added)]

    for number in range(2):
        assert 429 not in ask(ADDRESS, number)
    assert ask(spelling, 3) == [429] * 3


@pytest.mark.parametrize(
    "spelling",
    [
        "mal@exａmple.org",
        '"mal"@example.org',
        '"m\\al+2"@EXAMPLE.org',
        '"mal+@2"@example.org',
        '"mal+\\"2"@example.org',
    ],
)
def test_a_ban_keeps_every_spelling_out(spelling: str) -> None:
    mal = person("Mal")
    block_addresses_of(mal, None)
    User.objects.filter(pk=mal.pk).delete()
    assert sign_up("Again", spelling).status_code == 302
    assert not User.objects.filter(username="Again").exists()
    assert "no account\ncan be made" in WaitingMail.objects.get().text


@pytest.mark.parametrize("spelling", ['"bob"@EXAMPLE.org', "bob@exａmple.org"])
def test_staff_cannot_give_an_address_twice_nor_one_that_no_mail_reaches(spelling: str) -> None:
    ada, lena = person("Ada"), moderator("Lena", "change_identity")
    person("Bob")
    seen = identity.identity_of(ada)

    def move(address: str) -> Any:
        wanted = Identity("Ada", address)
        return identity.change_identity(user_id=ada.pk, moderator=lena, reason="lost it", seen=seen, wanted=wanted)

    with pytest.raises(Refused, match="already has an account"):
        move(spelling)
    with pytest.raises(Refused, match="letters a to z"):
        move("ädä@example.org")
    assert move(spelling.replace("bob", "cid")).asked["address wanted"] == "cid@example.org"


def test_mail_that_came_back_names_whose_it_is_in_any_spelling() -> None:
    from accounts.addresses import is_reachable, note_bounce

    ada = person("Ada")
    note_bounce("Ada@exａmple.org", Bounce.Why.UNKNOWN, "no such user")
    assert not is_reachable(ada)


def test_one_push_service_is_counted_as_one_however_its_address_is_written() -> None:
    spelled = ["https://push.example.org/1", "https://PUSH.example.org/2", "https://push.example.org:443/3"]
    places = [PushSubscription(user_id=1, endpoint=endpoint) for endpoint in spelled]
    assert len({push_subscriptions._person_and_host(place) for place in places}) == 1
