"""Every limit of pages is met with what it is and when one may try again; pages and programs share them."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client

from accounts import api_tokens, limits
from accounts.limit_answers import RATES, describe_rate
from accounts.limits import AT_ONCE, LIMITS, PERSON, PERSON_AND_GAME, Limit
from accounts.models import WaitingMail
from game.api.long_poll import SECRET, WAITS_STILL
from game.bots import accounts
from game.bots.accounts import Declared
from game.delivery import webhooks
from game.engine.actions import Refused
from game.lobby import lobby
from game.rulesets.registry import RULESETS
from game.store.game import Game
from game.web.limits import OF_OTHERS, OF_PAGES
from tests.api.clients import Program
from tests.servers import ROOT
from tests.tables import new_game, person, signed_in

pytestmark = [pytest.mark.django_db]
TABLE = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
OF_VISITORS = {"account_signup": "/accounts/signup/", "account_reset_password": "/accounts/password/reset/",
               "account_reset_password_from_key": "/accounts/password/reset/key/1-x/",
               "mfa_login_webauthn": "/accounts/2fa/webauthn/login/"}  # fmt: skip
ADDRESSES = {"submit_action": "/games/{game}/actions/", "save_draft": "/games/{game}/drafts/",
             "new_token": "/accounts/tokens/new/", "new_bot": "/accounts/bots/new/",
             "new_bot_token": "/accounts/bots/1/token/", "new_webhook": "/accounts/webhooks/new/",
             "households": "/accounts/households/",
             "account_change_password": "/accounts/password/change/", "account_email": "/accounts/email/",
             "account_set_password": "/accounts/password/set/", "account_reauthenticate": "/accounts/reauthenticate/",
             "mfa_reauthenticate": "/accounts/2fa/reauthenticate/",
             "mfa_reauthenticate_webauthn": "/accounts/2fa/webauthn/reauthenticate/"}  # fmt: skip
OTHERS = ["/games/new/", "/games/{game}/rematch/", "/games/{game}/join/", "/games/{game}/seats/1/take/",
          "/games/{game}/bots/", "/games/{game}/pause/",
          "/accounts/webhooks/1/remove/", "/accounts/tokens/1/revoke/", "/accounts/bots/1/delete/"]  # fmt: skip


@pytest.fixture(autouse=True)
def few(settings: Any) -> Iterator[None]:
    """Numbers that are soon reached."""
    counted = [limit.name for limit in LIMITS.values() if limit.seconds and limit.name != "work"]
    settings.LIMITED, settings.LIMITS = True, dict.fromkeys(counted, 2)
    cache.clear()
    yield
    cache.clear()


def check_refusal(answer: Any, limit: Limit) -> None:
    """It names the limit, its number, and when to try again."""
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= limit.seconds
    assert answer["RateLimit"].startswith(f'"{limit.name}";r=0;')
    html = answer.content.decode()
    assert f"The limit for {limit.what} is {describe_rate(limit._replace(most=2))}, and it has been reached." in html
    assert re.search(r"Try again in \d+ (second|minute|hour)s?\.", html)


def test_every_form_with_a_limit_of_its_own_is_tried_here() -> None:
    assert {page for page, names in OF_PAGES.items() if names} == {*OF_VISITORS, *ADDRESSES}


@pytest.mark.parametrize("page", ADDRESSES)
def test_each_page_that_changes_something_has_a_limit(page: str) -> None:
    game = new_game("ada", bots=1, ruleset="toy")
    check_page(ADDRESSES[page].format(game=game.pk), OF_PAGES[page][0])


@pytest.mark.parametrize("path", OTHERS)
def test_every_other_form_has_the_one_for_changes(path: str) -> None:
    game = new_game("ada", bots=1, ruleset="toy")
    check_page(path.format(game=game.pk), *OF_OTHERS)


def check_page(path: str, name: str) -> None:
    ada = signed_in("ada")
    assert 429 not in [ada.post(path).status_code for _ in range(2)]
    check_refusal(ada.post(path), LIMITS[name])
    assert signed_in("bob").post(path).status_code != 429, "nobody else is kept out"
    assert ada.get("/games/").status_code == 200


@pytest.mark.parametrize("page", OF_VISITORS)
def test_each_form_of_visitors_has_a_limit_for_their_network(page: str) -> None:
    """Whoever has one IPv6 address has a whole /64 of them."""
    send = [{"email": f"{number}@example.org"} for number in range(4)]
    near = ["2001:db8::1", "2001:db8::2", "2001:db8::3"]
    answers = [Client().post(OF_VISITORS[page], form, REMOTE_ADDR=here) for form, here in zip(send, near, strict=False)]
    assert 429 not in [answer.status_code for answer in answers[:2]]
    check_refusal(answers[2], LIMITS[OF_PAGES[page][0]])
    assert Client().post(OF_VISITORS[page], send[3], REMOTE_ADDR="2001:db8:0:1::1").status_code != 429


def test_nobody_has_a_mailbox_flooded_from_many_networks() -> None:
    requests = [Client().post("/accounts/password/reset/", {"email": name}, REMOTE_ADDR=f"192.0.2.{number}")
             for number, name in enumerate(["ada@example.org", "Ada@example.org", "ada+1@example.org"])]  # fmt: skip
    assert [answer.status_code for answer in requests] == [302, 302, 429]
    check_refusal(requests[2], LIMITS["reset_mailbox"])


def test_nobody_has_a_mailbox_flooded_with_sign_ups() -> None:
    answers = [
        Client().post("/accounts/signup/", {"username": f"ada{n}", "email": name, "password1": "correct horse battery"},
                      REMOTE_ADDR=f"192.0.2.{n}")
        for n, name in enumerate(["ada@example.org", "ada+1@example.org", "Ada+2@example.org"])
    ]  # fmt: skip
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    check_refusal(answers[2], LIMITS["sign_up_mailbox"])
    assert WaitingMail.objects.count() == 2
    assert {Client().post("/accounts/signup/", {"username": "eve"}).status_code for _ in range(2)} <= {200, 422}


def test_nobody_has_a_mailbox_flooded_by_signing_in_to_accounts_that_nobody_confirmed(settings: Any) -> None:
    settings.LIMITS, settings.ACCOUNT_EMAIL_VERIFICATION = {"confirmation": 99, "confirmation_mailbox": 4}, "mandatory"
    names = {"adam": "ada@example.org", "adar": "ada+1@example.org", "adas": "Ada+2@example.org"}
    password = "correct horse battery"
    for number, (name, address) in enumerate(names.items()):
        form = {"username": name, "email": address, "password1": password}
        Client().post("/accounts/signup/", form, REMOTE_ADDR=f"192.0.2.{number}")
    for number, name in enumerate([*names] * 2):
        form = {"login": name, "password": password}
        Client().post("/accounts/login/", form, REMOTE_ADDR=f"198.51.100.{number}")
    assert WaitingMail.objects.count() == 4


def test_nobody_has_a_mailbox_flooded_by_people_who_add_it_to_their_accounts() -> None:
    added = [("ada", "eve@example.org"), ("bob", "eve+1@example.org"), ("cid", "Eve+2@example.org")]
    answers = [
        signed_in(name).post("/accounts/email/", {"action_add": "", "email": address}) for name, address in added
    ]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    check_refusal(answers[2], LIMITS["address_mailbox"])


def test_a_page_says_it_in_the_reader_s_language() -> None:
    ada = signed_in("ada")
    type(person("ada")).objects.update(language="de")
    for _ in range(3):
        answer = ada.post("/games/new/")
    assert "Das Limit für Änderungen einer Person ist 2 pro Minute, und es ist erreicht." in answer.content.decode()
    assert re.search(r"Versuche es in \d+ (Sekunden?|Minute) noch einmal\.", answer.content.decode())


def test_a_part_of_a_page_is_told_in_words() -> None:
    game, headers = new_game("ada", bots=1, ruleset="toy"), {"HX-Request": "true"}
    ada = signed_in("ada")
    for _ in range(3):
        answer = ada.post(f"/games/{game.pk}/actions/", headers=headers)
    check_refusal(answer, LIMITS["move"])
    assert answer["HX-Reswap"] == "none"
    assert "<" not in answer.content.decode()


def test_programs_and_pages_share_a_limit() -> None:
    game = lobby.create_game(host=person("ada"), name="X", seats=3, ruleset="toy")
    bob = person("bob")
    client = signed_in("bob")
    for _ in range(2):
        client.post(f"/games/{game.pk}/join/")
    refused = Program(bob.username).post(f"games/{game.pk}/seats", {})
    problem = refused.json()
    check_refusal(refused, LIMITS["write"])
    assert (problem["limit"], problem["most"], problem["window"]) == ("write", 2, 60)
    assert problem["retry_after"] == int(refused["Retry-After"])


def test_tokens_webhooks_and_bots_share_the_limit_of_programs() -> None:
    ada = signed_in("ada")
    for path in ("/accounts/tokens/new/", "/accounts/bots/new/"):
        ada.post(path)
    check_refusal(ada.post("/accounts/webhooks/new/"), LIMITS["program"])
    check_refusal(Program("ada").post("me/webhooks", {"url": "https://example.org/hook"}), LIMITS["program"])


def test_strangers_without_a_token_are_counted_by_their_network() -> None:
    here = [f"2001:db8::{number}" for number in range(3)]
    answers = [Client().get("/api/v1/games", REMOTE_ADDR=each).status_code for each in here]
    assert answers == [200, 200, 429]


def test_many_accounts_at_one_address_have_one_limit_for_their_programs(settings: Any) -> None:
    settings.LIMITS |= {"read": 9, "network": 3}
    programs = [Program("ada"), Program("bob")]
    for number in (1, 2, 3):
        assert programs[number % 2].get("me").status_code == 200
    refused = programs[0].get("me")
    assert (refused.status_code, refused.json()["limit"]) == (429, "network")
    elsewhere = Client(REMOTE_ADDR="192.0.2.9").get("/api/v1/me", headers=programs[0].headers)
    assert elsewhere.status_code == 200
    assert Client().get("/api/v1/games").status_code == 200, "a visitor beside them has their own"


def test_a_wait_that_looks_again_is_no_request_of_its_own(settings: Any) -> None:
    settings.LIMITS |= {"unchanged": 9, "read": 99, "network": 2}
    ada = Program("ada")
    tag = ada.get("me/decisions")["ETag"]
    requests = [ada.get("me/decisions", **{"If-None-Match": tag, WAITS_STILL: SECRET}) for _ in range(5)]
    assert {each.status_code for each in requests} == {304}


def test_a_form_that_is_read_costs_nothing() -> None:
    ada = signed_in("ada")
    assert {ada.get("/games/new/").status_code for _ in range(5)} == {200}


def test_the_operator_chooses_a_number(settings: Any) -> None:
    settings.LIMITS = {"write": 4}
    ada = signed_in("ada")
    assert [ada.post("/games/new/").status_code == 429 for _ in range(5)] == [False] * 4 + [True]


def test_a_game_counts_once_it_is_made_and_a_mistake_as_any_change(settings: Any) -> None:
    settings.LIMITS = {"create": 2}
    program, page, table = Program("ada"), signed_in("ada"), {"ruleset": "toy", "seats": 2, "pace": "demo"}
    for mistake in ({}, {"seats": "two"}, table | {"pace": "hasty"}):
        wrong = program.post("games", mistake)
        assert (wrong.status_code, wrong["RateLimit"].split(";")[0]) == (422, '"write"')
        assert page.post("/games/new/", mistake).status_code == 422
    assert [program.post("games", table).status_code for _ in range(3)] == [201, 201, 429]
    over = program.post("games", table)
    assert (over.json()["limit"], over["RateLimit"].split(";")[0]) == ("create", '"create"')
    form = {"game": "toy", "seats": 2, "pace": "demo", "bots": 1, "name": "One more", "level": "house"}
    check_refusal(page.post("/games/new/", form), LIMITS["create"])
    check_refusal(page.post("/play/", {"game": "toy"}), LIMITS["create"])
    assert Game.objects.filter(host=person("ada")).count() == 2


def test_the_operator_chooses_how_many_of_a_kind_somebody_has(settings: Any) -> None:
    settings.LIMITS = {"tokens": 1, "webhooks": 1, "bots": 1, "bot_games": 3}
    ada = person("ada")
    api_tokens.issue(user=ada, name="one", scopes=["read"], days=30)
    with pytest.raises(ValidationError, match="You have 1 tokens, the maximum"):
        api_tokens.issue(user=ada, name="two", scopes=["read"], days=30)
    webhooks.add(user=ada, url="https://example.org/hook")
    with pytest.raises(Refused, match="You have 1 webhooks, the maximum") as refused:
        webhooks.add(user=ada, url="https://example.org/other")
    assert (refused.value.code, dict(refused.value.facts)) == ("too_many_webhooks", {"most": 1})
    declared = Declared([*RULESETS], ["daily"], 2, 8, 3)
    with pytest.raises(Refused, match="up to 3 games at a time"):
        accounts.make_bot(owner=ada, name="Busy", declared=declared._replace(most_games=4))
    assert 'name="most_games" value="1" min="1" max="3"' in signed_in("ada").get("/accounts/bots/new/").content.decode()
    accounts.make_bot(owner=ada, name="Busy", declared=declared)
    with pytest.raises(Refused, match="You have 1 bots, the maximum") as refused:
        accounts.make_bot(owner=ada, name="Idle", declared=declared)
    assert (refused.value.code, dict(refused.value.facts)) == ("too_many_bots", {"most": 1})


def test_the_table_in_the_documents_is_the_table_of_the_code() -> None:
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8").split("\n## Limits\n")[1].split("\n## ")[0]
    lines = [tuple(cell.strip() for cell in row) for row in TABLE.findall(text)]
    assert lines == [(limit.name, describe_rate(limit), limit.by, str(limit.what)) for limit in LIMITS.values()]


def test_every_window_has_its_words() -> None:
    assert {limit.seconds for limit in LIMITS.values()} == {*RATES}
    assert {limit.by for limit in LIMITS.values() if limit.seconds == AT_ONCE} == {
        PERSON,
        limits.ADDRESS,
        limits.ACCOUNT,
    }
    assert [limit.name for limit in LIMITS.values() if limit.by == PERSON_AND_GAME] == [
        "proposal",
        "arrange",
        "move",
        "draft",
    ]
