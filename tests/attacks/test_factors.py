"""Attacks on the second factor: the desk by a session that has not given it, an account by one that was left open."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse

from accounts import security
from accounts.models import User
from game.store.moderation_models import ApprovalRequest
from tests.accounts.test_second_factor import PASSWORD, ask_to_take, code_of, is_in, mails, protected, sign_in
from tests.attacks.test_authority import overtaken
from tests.scenes import moderator, person

pytestmark = [pytest.mark.django_db]
CODE, DESK = reverse("mfa_reauthenticate"), reverse("admin:index")
ENDED = "you were signed out everywhere except where it was made"


@pytest.fixture(autouse=True)
def a_service(settings: Any) -> None:
    cache.clear()
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def root() -> User:
    user = person("Root", is_staff=True, is_superuser=True)
    EmailAddress.objects.get_or_create(user=user, email=user.email, defaults={"primary": True, "verified": True})
    return user


def signed_in(name: str, code: str = "") -> Client:
    client = Client()
    sign_in(client, name)
    if code:
        client.post(reverse("mfa_authenticate"), {"code": code})
    return client


def set_up_app(client: Client) -> Any:
    """As somebody who knows the password does, on the page."""
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    page = reverse("mfa_activate_totp")
    secret = re.search(r'<code class="key">(\w+)</code>', client.get(page).content.decode())
    assert secret
    return client.post(page, {"code": code_of(secret[1])})


def test_a20_the_account_s_factor_does_not_open_the_desk_to_a_session_that_has_not_given_it(root: User) -> None:
    secret, codes = protected(root)
    client = Client()
    client.force_login(root)
    wanted = f"{reverse('admin:accounts_user_changelist')}?q=ada"
    answer = client.get(wanted, follow=True)
    assert answer.redirect_chain[0][0].startswith(CODE)
    assert "The desk needs your second factor" in answer.content.decode()
    assert client.post(wanted).status_code == 302
    assert client.post(reverse("account_reauthenticate"), {"password": PASSWORD})["Location"] == CODE
    assert client.post(CODE, {"code": "000000"}).status_code == 200
    assert client.get(DESK).status_code == 302
    back = re.search(rf'action="{CODE}".*?name="next" value="([^"]+)"', answer.content.decode(), re.DOTALL)
    assert back
    assert client.post(CODE, {"code": code_of(secret), "next": back[1]})["Location"] == wanted
    assert client.get(wanted).status_code == 200
    another = Client()
    another.force_login(root)
    another.post(CODE, {"code": codes[0]})
    assert another.get(DESK).status_code == 200, "a recovery code is a factor too"


def test_why_the_desk_asks_is_told_in_the_language_of_the_page(root: User) -> None:
    User.objects.filter(pk=root.pk).update(language="de")
    client = Client()
    client.force_login(root)
    assert "Das Moderationspult braucht einen zweiten Faktor" in client.get(DESK, follow=True).content.decode()
    protected(root)
    assert "Das Moderationspult braucht deinen zweiten Faktor" in client.get(DESK, follow=True).content.decode()


def test_who_gave_it_at_sign_in_is_not_asked_again_even_if_they_played_as_a_guest_before(root: User) -> None:
    secret, codes = protected(root)
    assert signed_in("Root", code_of(secret)).get(DESK).status_code == 200
    guest = Client()
    guest.post(reverse("play_now"))
    sign_in(guest, "Root")
    guest.post(reverse("mfa_authenticate"), {"code": codes[0]})
    assert guest.get(DESK).status_code == 200


def test_a_passkey_that_signed_in_alone_opens_the_desk(root: User) -> None:
    """What allauth notes of it; the key itself is in tests/browser."""
    from allauth.mfa.webauthn.internal.flows import post_authentication

    key = Authenticator.objects.create(user=root, type="webauthn", data={"name": "Key", "credential": {}})
    client = Client()
    client.force_login(root)
    assert client.get(DESK)["Location"].startswith(reverse("mfa_reauthenticate_webauthn"))
    request = HttpRequest()
    request.session, request.user = client.session, root
    post_authentication(request, key, passwordless=True)
    request.session.save()
    assert client.get(DESK).status_code == 200


def test_a_session_is_not_let_in_by_what_another_person_gave_in_it(root: User) -> None:
    secret, _ = protected(person("Ada"))
    protected(root)
    client = signed_in("Ada", code_of(secret))
    client.force_login(root)
    assert client.get(DESK)["Location"].startswith(CODE)


@pytest.mark.django_db(transaction=True)
def test_a_first_factor_ends_the_sessions_that_were_opened_without_it_and_counts_where_it_was_set_up(
    root: User, mailoutbox: list[Any]
) -> None:
    here, thief, neighbour = signed_in("Root"), signed_in("Root"), Client()
    neighbour.force_login(person("Ada"))
    before = len(mailoutbox)
    answer = set_up_app(here)
    assert not is_in(thief)
    assert [is_in(each) for each in (here, neighbour)] == [True, True]
    assert here.get(DESK).status_code == 200, "the code was typed here a moment ago"
    assert answer.status_code == 302
    assert len(mailoutbox) == before + 1
    assert ENDED in mailoutbox[-1].body.replace("\n", " ")


@pytest.mark.django_db(transaction=True)
def test_changing_and_removing_factors_ends_other_sessions_and_needs_a_factor_not_the_password(
    root: User, mailoutbox: list[Any]
) -> None:
    secret, codes = protected(root)
    here, forgotten = signed_in("Root", code_of(secret)), signed_in("Root", codes[0])
    here.post(CODE, {"code": codes[1]})
    assert here.post(reverse("mfa_generate_recovery_codes")).status_code == 302
    assert is_in(here)
    assert not is_in(forgotten)
    thief = Client()
    thief.force_login(root)
    thief.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    thief.post(reverse("mfa_deactivate_totp"))
    assert Authenticator.objects.filter(user=root, type="totp").exists(), "found session, known password: not enough"
    assert here.post(reverse("mfa_deactivate_totp")).status_code == 302
    assert not Authenticator.objects.filter(user=root).exists()
    assert is_in(here)
    assert not is_in(thief)
    mails(mailoutbox)
    lines = [mail.body for mail in mailoutbox if "recovery codes" in mail.body or "app was removed" in mail.body]
    assert [ENDED in body.replace("\n", " ") for body in lines] == [True, True]


def test_factors_that_moderators_take_away_end_all_sessions(root: User, mailoutbox: list[Any]) -> None:
    ada = person("Ada")
    secret, _ = protected(ada)
    lost = signed_in("Ada", code_of(secret))
    desk, code = Client(), code_of(protected(root)[0])
    desk.force_login(root)
    desk.post(CODE, {"code": code})
    assert ask_to_take(desk, ada, "lost her phone").status_code == 302
    assert is_in(lost)
    second = moderator("Second", "take_second_factor")
    key, _ = protected(second)
    confirming = signed_in("Second", code_of(key))
    rows = ApprovalRequest.objects.latest("pk")
    assert confirming.post(reverse("admin:second", args=[rows.pk, "confirm"])).status_code == 302
    assert not is_in(lost)
    mails(mailoutbox)
    assert any("signed out everywhere" in mail.body for mail in mailoutbox)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page", ["mfa_view_recovery_codes", "mfa_download_recovery_codes"])
def test_a_recovery_code_used_while_the_codes_are_shown_for_the_first_time_stays_used(root: User, page: str) -> None:
    secret, codes = protected(root)
    owner = signed_in("Root", code_of(secret))
    owner.post(CODE, {"code": codes[2]})
    recovery = Authenticator.objects.get(user=root, type=Authenticator.Type.RECOVERY_CODES)
    answer = overtaken(lambda: recovery.wrap().validate_code(codes[0]), lambda: owner.get(reverse(page)))
    assert answer.status_code == 200
    assert codes[0] not in answer.content.decode()
    assert is_in(signed_in("Root", codes[1]))
    assert not is_in(signed_in("Root", codes[0]))


@pytest.mark.django_db(transaction=True)
def test_a_code_of_an_app_that_is_given_twice_at_once_counts_once(root: User) -> None:
    secret, _ = protected(root)
    app = Authenticator.objects.get(user=root, type=Authenticator.Type.TOTP)
    code = code_of(secret)
    thief = overtaken(lambda: security.use_code(app, code), lambda: signed_in("Root", code))
    assert not is_in(thief)
