"""The desk sees which seats of a table share an address, a browser or a mailbox, and nobody learns an address."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from game import tasks
from game.lobby import lobby
from game.moderation import multi_accounts
from game.moderation.models import Fingerprint
from game.moderation.multi_accounts import hints_of_game, note_visit
from game.store.game import Game
from tests.scenes import person

pytestmark = [pytest.mark.django_db]
HOME, NEXT_DOOR, AWAY = "192.0.2.10", "192.0.2.77", "203.0.113.9"


@pytest.fixture
def ada() -> User:
    return person("Ada")


@pytest.fixture
def bob() -> User:
    return person("Bob")


def table(*people: User) -> Game:
    game = lobby.create_game(host=people[0], name="Watched", seats=max(3, len(people)), pace="daily")
    for other in people[1:]:
        lobby.join_game(game_id=game.pk, user=other)
    return game


def told(game: Game) -> list[tuple[str, str, tuple[int, int]]]:
    return [(hint.kind, hint.strength, hint.seats) for hint in hints_of_game(game.pk)]


def mail(user: User, address: str) -> None:
    User.objects.filter(pk=user.pk).update(email=address)


@pytest.mark.parametrize(
    ("there", "expected"),
    [(HOME, [("address", "medium", (0, 1))]), (NEXT_DOOR, [("network", "weak", (0, 1))]), (AWAY, [])],
)
def test_two_seats_that_share_an_address_are_told_once(ada: User, bob: User, there: str, expected: Any) -> None:
    for number in range(9):  # so that example.org is no rare domain
        person(f"Somebody {number}")
    note_visit(user=ada, address=HOME)
    note_visit(user=bob, address=there)
    assert told(table(ada, bob)) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("j.doe+cards@mail.test", "jdoe@mail.test", ("mailbox", "strong")),
        ("jdoe1@mail.test", "jdoe22@mail.test", ("numbered", "medium")),
        ("jane@tiny.test", "joe@tiny.test", ("domain", "weak")),
        ("jane@tiny.test", "joe@other.test", None),
    ],
)
def test_addresses_of_mail_are_compared_by_their_pattern(
    ada: User, bob: User, one: str, other: str, expected: tuple[str, str] | None
) -> None:
    mail(ada, one)
    mail(bob, other)
    assert told(table(ada, bob)) == ([(*expected, (0, 1))] if expected else [])
    assert not any(address in hint.words for hint in hints_of_game(Game.objects.get().pk) for address in (one, other))


def test_who_signs_in_with_one_browser_to_two_accounts_is_told(ada: User, bob: User, client: Client) -> None:
    for name, where in (("Ada", HOME), ("Bob", AWAY)):
        client.post("/accounts/login/", {"login": name, "password": "correct horse battery"}, REMOTE_ADDR=where)
        client.post("/accounts/logout/")
    mail(bob, "bob@elsewhere.test")
    assert told(table(ada, bob)) == [("device", "strong", (0, 1))]


def test_sitting_down_leaves_a_fingerprint_and_looking_leaves_none(ada: User, bob: User, client: Client) -> None:
    game = table(ada)
    client.force_login(bob)
    Fingerprint.objects.all().delete()
    client.get(f"/games/{game.pk}/", REMOTE_ADDR=HOME)
    assert not Fingerprint.objects.exists()
    client.post(f"/games/{game.pk}/join/", REMOTE_ADDR=HOME)
    rows = list(Fingerprint.objects.values_list("user", "kind", "digest"))
    assert [(user, kind) for user, kind, _ in rows] == [(bob.pk, "address"), (bob.pk, "network")]
    assert not any(HOME in digest for _, _, digest in rows)


def test_traces_are_forgotten_after_a_month(ada: User) -> None:
    note_visit(user=ada, address=HOME)
    today = timezone.now().date()
    Fingerprint.objects.update(day=today - timedelta(days=multi_accounts.FINGERPRINT_DAYS))
    tasks.forget_old_traces()
    assert Fingerprint.objects.count() == 2
    Fingerprint.objects.update(day=today - timedelta(days=multi_accounts.FINGERPRINT_DAYS + 1))
    tasks.forget_old_traces()
    assert not Fingerprint.objects.exists()


def test_the_desk_lists_such_tables_to_who_may_see_them(
    ada: User, bob: User, client: Client, django_assert_max_num_queries: Any
) -> None:
    for user in (ada, bob):
        note_visit(user=user, address=HOME)
    games = [table(ada, bob) for _ in range(3)]
    innocent = table(person("Cy"))
    moderator = person("Mo", is_staff=True)
    client.force_login(moderator)
    assert client.get("/admin/game/sharedtable/").status_code == 403
    moderator.user_permissions.add(Permission.objects.get(codename="can_see_hints"))
    with django_assert_max_num_queries(17):
        page = client.get("/admin/game/sharedtable/").content.decode()
    assert page.count("Ada and Bob sat down from the same address") == 3
    assert reverse("admin:game_sharedtable_change", args=[innocent.pk]) not in page
    lobby.join_game(game_id=games[0].pk, user=moderator)
    own = client.get("/admin/game/sharedtable/").content.decode()
    assert own.count("Ada and Bob sat down from the same address") == 2, "a player learns nothing of their own table"
